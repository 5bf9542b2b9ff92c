import { formatCommand } from '../domain/command-line.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError, interruptedError } from '../domain/herald-error.ts';
import { apply } from '../engine/apply.ts';
import { type Look, type LookOptions, look } from '../engine/look.ts';
import type { Result, Run, RunState } from '../engine/run.ts';
import { describePlan, type Circumstances } from '../plan/describe.ts';
import { withFingerprints } from '../plan/review.ts';
import { type SavedPlan, agePast, otherService, planConflicts, savePlan } from '../plan/saved.ts';
import type { State } from '../state/state.ts';
import type { Service } from './connect.ts';
import type { Opened } from './open.ts';
import { leaseWait, nameService, withState } from './state-access.ts';

/** One run on a state. `command` is its name in the record. */
export function createRun(
  { ports: { clock, interrupted, report }, client, settings }: Service,
  { state, command }: { readonly state: RunState; readonly command: string },
): Run {
  const settleMs = settings.service.settleSec * 1000;
  return { client, state, clock, command, settleMs, interrupted, report };
}

/** A run with the state opened to read. It sends only reads, and writes nothing. */
export function withReadingRun<Result>(
  service: Service,
  work: (run: Run, state: State) => Promise<Result>,
): Promise<Result> {
  return withState(
    service.ports.state.read(() => nameService(service.client)),
    (state) => work(createRun(service, { state, command: 'plan' }), state),
  );
}

/**
 * A run with the lease. Rejects with `locked` while another run has it. The service must have answered before: that tells which
 * part of the state is meant. `writesBranch` is set for `herald ci apply`, which alone writes a state on a git branch.
 */
export async function withLeasedRun<Result>(
  service: Service,
  {
    command,
    writesBranch = false,
  }: { readonly command: string; readonly writesBranch?: boolean | undefined },
  work: (run: Run, state: State) => Promise<Result>,
): Promise<Result> {
  const { ports, client } = service;
  const state = await ports.state.take(() => nameService(client), { ...leaseWait(ports), writesBranch });
  return ports.protect(() =>
    withState(Promise.resolve(state), () => work(createRun(service, { state, command }), state)),
  );
}

/** Reads everything that a plan depends on, and plans. Sends only reads, and writes nothing. */
export function lookAt(opened: Opened, options: LookOptions): Promise<Look> {
  return withReadingRun(opened, (run) => look(run, opened, options));
}

/**
 * Adds to the plan of a look its fingerprints, and what a person needs to review it without the files. Where no output
 * shows what the files declare, `contents: false` leaves it out and saves a large plan time and memory.
 */
export function describeLook(
  { workspace }: Pick<Opened, 'workspace'>,
  seen: Look,
  circumstances: Circumstances,
  { contents = true }: { readonly contents?: boolean } = {},
): Look {
  const { facts } = seen;
  const nowMs = facts.time.latestMs;
  const printed = withFingerprints(seen.plan, facts);
  return {
    ...seen,
    plan: describePlan(printed, { ...circumstances, ...facts, contents, settings: workspace, nowMs }),
  };
}

/** A plan to review and apply later. */
export async function saveLook(
  { workspace }: Pick<Opened, 'workspace'>,
  { plan, facts }: Look,
): Promise<SavedPlan> {
  const workspaceDigest = await workspace.digest();
  const { accounts, time } = facts;
  return savePlan({ plan, accounts, workspaceDigest, nowMs: time.latestMs }, facts);
}

/** What an apply of the files may do, and how people agree to it. */
export interface ApplyTerms extends LookOptions {
  /** Plans that people reviewed before. `isExact`: exactly this one is applied, or nothing. */
  readonly reviewed?:
    | { readonly plans: readonly SavedPlan[]; readonly isExact: boolean; readonly maxAgeMs: number | null }
    | undefined;
  /** What a person does if the plan is stale. */
  readonly again: string;
  /** Nothing is asked. Then declared stops leave while the run waits for requests without an answer. */
  readonly isAgreed: boolean;
  /** Shows the plan, throws if it must not be carried out, and asks. `waited`: a person took time to answer. */
  readonly agree: (seen: Look) => Promise<'at-once' | 'waited'>;
  readonly writesBranch?: boolean;
}

/** Files that were loaded longer ago are read again before anything is agreed to: the run may have waited. */
const FILES_SERVE_MS = 2_000;

/**
 * One apply, from the lease to its results. Rejects with `locked` while another run has the lease, with `stale-plan`
 * if the plan is not what people agreed to, and with `held-back` if a policy denies it.
 */
export async function applyFiles(opened: Opened, terms: ApplyTerms): Promise<readonly Result[]> {
  const { reviewed, again, agree, isAgreed, writesBranch, ...limits } = terms;
  const { plans = [], isExact = false, maxAgeMs = null } = reviewed ?? {};
  for (const plan of plans) refuseElsewhere(opened, plan, again);
  const begunMs = opened.ports.clock.monotonicMs();
  const workspaceDigest = await opened.workspace.digest();
  const madeFrom = ({ plan, facts }: Look) => ({
    plan: withFingerprints(plan, facts),
    accounts: facts.accounts,
    workspaceDigest,
    nowMs: facts.time.latestMs,
  });
  const { results } = await withLeasedRun(opened, { command: 'apply', writesBranch }, (run) =>
    apply(endReadingOnInterrupt(run), opened, {
      ...limits,
      uploads: opened.uploads(run),
      isByHand: false,
      // What a saved plan does not have was never agreed to, so its stops wait until it was compared.
      isAgreed: isAgreed && !isExact,
      agree: async (seen) => {
        for (const plan of plans) {
          const made = { ...madeFrom(seen), maxAgeMs: maxAgeMs ?? Number.POSITIVE_INFINITY };
          // By whichever clock it is older.
          const nowMs = Math.max(made.nowMs, run.clock.now());
          if (isExact) refuseStale(planConflicts(plan, made), again);
          else if (maxAgeMs !== null) refuseStale(agePast(plan, { maxAgeMs, nowMs }), again);
        }
        if (run.clock.monotonicMs() - begunMs > FILES_SERVE_MS) await refuseChangedFiles(opened);
        return agree(seen);
      },
      // A person took time to answer.
      refuseChanged: (agreed, now) => {
        const shown = savePlan(madeFrom(agreed), limits);
        refuseStale(planConflicts(shown, { ...madeFrom(now), maxAgeMs: Number.POSITIVE_INFINITY }), again);
      },
    }),
  );
  return results;
}

/** An interrupt ends the reading of lists as long as nothing was sent. After that, the run ends with its report. */
function endReadingOnInterrupt(run: Run): Run {
  let hasSent = false;
  return {
    ...run,
    report: (event) => {
      hasSent ||= event.kind === 'applying';
      if (event.kind === 'reading' && !hasSent && run.interrupted.aborted) throw interruptedError();
      run.report(event);
    },
  };
}

/** Throws if the plan was made for another service, before any request. */
function refuseElsewhere({ workspace }: Opened, plan: SavedPlan, again: string): void {
  refuseStale(otherService(plan, workspace.service.identity), again);
}

/** Throws if the files say something else than when they were loaded: a run may wait for minutes after that. */
async function refuseChangedFiles({ workspace, digestNow }: Opened): Promise<void> {
  const now = await digestNow();
  if (now !== (await workspace.digest()))
    refuseStale(
      'the files changed while Herald waited',
      now === null ? `They are not valid now: ${formatCommand('validate')}` : 'Run the command again.',
    );
}

/** Throws before anything is sent, if what would be done now is not what people agreed to. */
function refuseStale(found: readonly string[] | string | null, again: string): void {
  const reasons = [found ?? []].flat();
  if (reasons.length === 0) return;
  const message = `The plan is stale, so nothing was changed: ${reasons.join('; ')}.`;
  throw new HeraldError('stale-plan', message, again, { exit: EXIT.blocked, details: { reasons } });
}
