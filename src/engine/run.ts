import type { Client } from '../api/client.ts';
import type { Change, OutcomeKind } from '../domain/change.ts';
import type { HeraldError } from '../domain/herald-error.ts';
import type { Clock } from '../domain/ports.ts';
import { isAboutObject, type OpenRequest } from '../state/shapes.ts';
import type { Requests } from '../state/requests.ts';
import type { State } from '../state/state.ts';
import type { Reason } from './reasons.ts';

/** What a run asks of the state. */
export type RunState = Omit<Requests, 'forget'> &
  Pick<State, 'learn' | 'known' | 'past' | 'running' | 'history' | 'leaseRecord' | 'endCut'>;

/** What every part of a run that changes something uses. */
export interface Run {
  readonly client: Client;
  /** Taken with its lease, except for a stop by hand. */
  readonly state: RunState;
  readonly clock: Clock;
  /** The command of the person, for the record: `apply`, `campaigns pause`. */
  readonly command: string;
  /** How long a request without an answer may still take effect, in milliseconds. All other short times scale with it. */
  readonly settleMs: number;
  /** Aborted by the first interrupt: the request in flight ends, and no other begins. */
  readonly interrupted: AbortSignal;
  /** Called with the progress of the run. It must return immediately. */
  readonly report: (event: RunEvent) => void;
}

/** What a run tells while it works. */
export type RunEvent =
  | { readonly kind: 'reading'; readonly done: number; readonly total: number }
  /** Another run has the lease. */
  | { readonly kind: 'waiting-for-lease'; readonly holder: string; readonly timeoutMs: number }
  /** It waits for requests without an answer; with 0, for those that the state does not know. */
  | {
      readonly kind: 'settling';
      readonly requests: number;
      /** True if a campaign or a broadcast may be among them, which a person can stop meanwhile. */
      readonly canStop: boolean;
      readonly leftMs: number;
      readonly isFirst: boolean;
    }
  | { readonly kind: 'applying'; readonly done: number; readonly total: number; readonly change: Change }
  /** A stop that left while the run still waits. */
  | { readonly kind: 'stopped-early'; readonly result: Result }
  /** What became of a request that an earlier run left without an answer. */
  | {
      readonly kind: 'settled';
      readonly request: OpenRequest;
      readonly liveId: string | null;
      readonly tookEffect: boolean;
    }
  /** The lists could not be read after the last write. The report stays as it is. */
  | { readonly kind: 'unverified'; readonly error: Error }
  /** The state could not be closed after the work. Its lease may be held, and a state on a git branch does not have the work. */
  | { readonly kind: 'unclosed'; readonly error: HeraldError }
  /** What the last event said has ended. */
  | { readonly kind: 'idle' }
  /** A bug in one change. It failed, and the others go on. */
  | { readonly kind: 'bug'; readonly error: unknown };

/** What one change came to. Each change of a plan has exactly one. */
export interface Result {
  readonly change: Change;
  readonly outcome: OutcomeKind;
  readonly liveId: string | null;
  /** Why it came to that, and what else is true by now. Words are made of it where it is printed. */
  readonly reasons: readonly Reason[];
}

/** The window for which the document of the service gives 65 seconds; all times below belong to it. */
const SETTLE_MS = 75_000;

/** How many windows old a request without an answer has to be before lists are asked what came of it. */
const JUDGED_AFTER_WINDOWS = 1.2;

/** A time of a window of 75 s, for the window of this run. */
function scaled(ms: number, { settleMs }: Pick<Run, 'settleMs'>): number {
  return (ms * settleMs) / SETTLE_MS;
}

/** A complete list shows everything that took effect so long before it began. */
export function lagMs(run: Pick<Run, 'settleMs'>): number {
  return scaled(10_000, run);
}

type Waiting = Pick<Run, 'settleMs' | 'clock' | 'interrupted' | 'report'>;

/**
 * Waits until these requests can no longer take effect and lists show it; without any, until that is true of everything that was
 * sent before. Resolves with false if it was interrupted.
 */
export function waitUntilOld(
  run: Waiting,
  requests: readonly Pick<OpenRequest, 'known_ms' | 'kind'>[],
): Promise<boolean> {
  const knownMs = requests.length === 0 ? 0 : Math.min(...requests.map((request) => request.known_ms));
  const canStop = requests.length === 0 || requests.some(isAboutObject);
  const endMs = run.clock.monotonicMs() + JUDGED_AFTER_WINDOWS * run.settleMs - knownMs;
  return countDown(run, canStop, () => ({
    requests: requests.length,
    leftMs: endMs - run.clock.monotonicMs(),
  }));
}

/** Waits until no time is left, and reports each second of it. Resolves with false if it was interrupted. */
export async function countDown(
  { clock, interrupted, report }: Waiting,
  canStop: boolean,
  measure: () => TimeLeft | Promise<TimeLeft>,
): Promise<boolean> {
  for (let isFirst = true; ; isFirst = false) {
    const { requests, leftMs } = await measure();
    if (leftMs <= 0 || interrupted.aborted) break;
    report({ kind: 'settling', requests, canStop, leftMs, isFirst });
    await clock.sleep(Math.min(leftMs, 1_000), interrupted).catch(() => undefined);
  }
  report({ kind: 'idle' });
  return !interrupted.aborted;
}

interface TimeLeft {
  readonly requests: number;
  readonly leftMs: number;
}

/** How long a status change without an answer is repeated. */
export function repeatedForMs(run: Pick<Run, 'settleMs'>): number {
  return scaled(120_000, run);
}

/** How long a list serves the creates and starts that go by it. At the published rate, that is 150 creates. */
export function listServesMs(run: Pick<Run, 'settleMs'>): number {
  return scaled(30_000, run);
}

/** The time of the service, in epoch milliseconds: at least one of the machine's clock and the service's `Date` is not behind. */
export function serviceTime({ client, clock }: Pick<Run, 'client' | 'clock'>): {
  readonly earliestMs: number;
  readonly latestMs: number;
} {
  const skew = client.skewRange();
  const nowMs = clock.now();
  return { earliestMs: nowMs + (skew?.earliestMs ?? 0), latestMs: nowMs + (skew?.latestMs ?? 0) };
}
