import { ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages.ts';
import type { Client } from '../api/client.ts';
import type { Clock } from '../domain/ports.ts';
import type { Observed } from '../domain/resource.ts';
import { scanScope, type Scope } from './read.ts';

/** What became of a create whose answer was lost. */
export type Settled =
  /** It is there; lowest id first. More than one when somebody else made the same. */
  | { readonly kind: 'found'; readonly objects: readonly Observed[] }
  /** It cannot come any more: two complete lists begun after the window lack it. */
  | { readonly kind: 'absent' }
  /** Nothing can be said: the lists could not be read, or the run was interrupted. */
  | { readonly kind: 'unsettled'; readonly why: string };

export interface SettleInput {
  readonly client: Client;
  readonly clock: Clock;
  readonly scope: Scope;
  /** Whether a listed object is what the create would have made: new since its baseline, same name and content. */
  readonly isTheOne: (observed: Observed) => boolean;
  /** Milliseconds since the request left, as far as this process can tell. */
  readonly elapsedMs: () => number;
  /** How long after it left the request may still be carried out. */
  readonly settleMs: number;
  readonly stop: AbortSignal;
  readonly onWait: (leftMs: number) => void;
}

/** When to look while the window is open, in milliseconds after the request left (rulebook 1.2.4). */
const LOOKS_MS = [2_000, 5_000, 10_000, 20_000, 40_000];
/** Complete lists after the window that must lack the object before its absence is believed. */
const SCANS_FOR_ABSENCE = 2;
/** Lists that may fail after the window before the question is given up. */
const FAILED_SCANS_LIMIT = 5;
const FAILED_SCAN_WAIT_MS = 5_000;

/**
 * Finds out whether a create whose answer was lost was carried out (rulebook 0.3). Presence counts at any
 * time; absence only in two complete scans that began after the window closed.
 */
export async function settleCreate(input: SettleInput): Promise<Settled> {
  for (const lookMs of LOOKS_MS.filter((ms) => ms < input.settleMs)) {
    if (!(await waitUntil(input, lookMs))) return interrupted();
    const found = await look(input);
    if (found !== null && found.length > 0) return { kind: 'found', objects: found };
  }
  if (!(await waitUntil(input, input.settleMs))) return interrupted();
  return lookForAbsence(input);
}

async function lookForAbsence(input: SettleInput): Promise<Settled> {
  let lacking = 0;
  for (let failures = 0; failures < FAILED_SCANS_LIMIT;) {
    const found = await look(input);
    if (found === null) {
      failures += 1;
      if (!(await pause(input, FAILED_SCAN_WAIT_MS))) return interrupted();
      continue;
    }
    if (found.length > 0) return { kind: 'found', objects: found };
    lacking += 1;
    if (lacking >= SCANS_FOR_ABSENCE) return { kind: 'absent' };
  }
  return { kind: 'unsettled', why: 'the lists could not be read' };
}

/** One complete list; null when it could not be read, which says nothing. */
async function look(input: SettleInput): Promise<readonly Observed[] | null> {
  try {
    return (await scanScope(input.client, input.scope)).filter(input.isTheOne);
  } catch (error) {
    if (error instanceof ServiceError || error instanceof IncompleteScanError) return null;
    throw error;
  }
}

/** Whether the time was reached; false when the run was interrupted before. */
async function waitUntil(input: SettleInput, afterSendMs: number): Promise<boolean> {
  input.onWait(Math.max(0, input.settleMs - input.elapsedMs()));
  return pause(input, afterSendMs - input.elapsedMs());
}

async function pause({ clock, stop }: SettleInput, ms: number): Promise<boolean> {
  if (ms > 0) await clock.sleep(ms, stop).catch(() => undefined);
  return !stop.aborted;
}

function interrupted(): Settled {
  return { kind: 'unsettled', why: 'the run was interrupted' };
}
