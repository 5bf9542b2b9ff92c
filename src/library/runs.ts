import type { Client } from '../api/client.ts';
import { isPlanRefused } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError, interruptedError } from '../domain/herald-error.ts';
import type { ServiceIdentity } from '../domain/service-identity.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import { type Applied, type ApplyOptions, apply, planRefused } from '../engine/apply.ts';
import { type Look, type LookOptions, type Subject, look } from '../engine/look.ts';
import type { Run, RunState } from '../engine/run.ts';
import { withFingerprints } from '../plan/fingerprint.ts';
import { type SavedPlan, otherService, otherWorkspace, planConflicts, savePlan } from '../plan/saved.ts';
import type { State } from '../state/state.ts';
import type { Opened, RunPorts } from './open.ts';
import { type LeaseWait, nameService } from './state-access.ts';

/** How an apply of the files is limited, and how people agree to it. */
export interface FilesApply extends LookOptions {
  /** The reviewed plan that is applied exactly. Left out: it is planned now. */
  readonly saved?: SavedPlan;
  /** Name of `saved` in messages, or of the plan that is shown. */
  readonly named: NamedPlan;
  /** Largest age of `saved`, in milliseconds. */
  readonly maxAgeMs?: number;
  /** Nothing is asked. Then declared stops leave while the run waits for requests without an answer. */
  readonly isAgreed: boolean;
  /** What git says of the workspace. A reviewed plan of another one is refused before any request. */
  readonly remotes: readonly string[];
  /** Called before anything is sent; shows the plan, and throws if it must not be carried out. */
  readonly show: (seen: Look) => void;
  /** Asks. `waited` means that a person took time to answer: then everything is read again, and must still be the same. */
  readonly ask: (seen: Look) => Promise<'at-once' | 'waited'>;
}

/** One run on a state. */
export function createRun(
  { clock, interrupted, report }: RunPorts,
  { client, workspace }: { readonly client: Client; readonly workspace: Pick<WorkspaceSettings, 'service'> },
  { state, command }: { readonly state: RunState; readonly command: string },
): Run {
  const settleMs = workspace.service.settleSec * 1000;
  return { client, state, clock, command, settleMs, interrupted, report };
}

/** Reads everything that a plan depends on, and plans. Sends only reads, and writes nothing. */
export function lookAt(ports: RunPorts, opened: Subject, options: LookOptions): Promise<Look> {
  return whileReading(ports, opened, (run) => look(run, opened, options));
}

/** Work with a state that is opened to read. */
export async function whileReading<Result>(
  ports: RunPorts,
  opened: { readonly client: Client; readonly workspace: Pick<WorkspaceSettings, 'service'> },
  work: (run: Run, state: State) => Promise<Result>,
): Promise<Result> {
  const state = await ports.state.read(() => nameService(opened.client));
  try {
    return await work(createRun(ports, opened, { state, command: 'plan' }), state);
  } finally {
    await state.close();
  }
}

/**
 * One apply, from the lease to the report. Rejects with `locked` while another run has the lease, with `stale-plan`
 * if the plan is not what people agreed to, and with `held-back` if a policy denies it.
 */
export async function applyFiles(
  ports: RunPorts,
  opened: Opened,
  options: FilesApply,
  wait: Omit<LeaseWait, 'waitMs'> = {},
): Promise<Applied> {
  const { saved, named, remotes } = options;
  if (saved !== undefined) refuseElsewhere(saved, opened.workspace.service.identity, { named, remotes });
  let hasWaited = false;
  const onWait = (holder: string) => {
    hasWaited = true;
    ports.report({ kind: 'waiting-for-lease', holder });
  };
  const state = await ports.state.take(() => nameService(opened.client), {
    ...wait,
    waitMs: ports.lockTimeoutMs,
    onWait,
  });
  try {
    if (hasWaited) await refuseChangedFiles(opened);
    const run = createRun(endsBeforeFirst(ports), opened, { state, command: 'apply' });
    return await apply(run, opened, await applyOptions(run, opened, options));
  } finally {
    await state.close();
  }
}

/** An interrupt ends the reading of lists as long as nothing was sent. After that, the run ends with its report. */
function endsBeforeFirst(ports: RunPorts): RunPorts {
  let hasSent = false;
  return {
    ...ports,
    report: (event) => {
      hasSent ||= event.kind === 'applying';
      if (event.kind === 'reading' && !hasSent && ports.interrupted.aborted) throw interruptedError();
      ports.report(event);
    },
  };
}

/** Files that were loaded longer ago are read again before anything is agreed to: the run may have waited. */
const FILES_SERVE_MS = 30_000;

async function applyOptions(run: Run, opened: Opened, options: FilesApply): Promise<ApplyOptions> {
  const { saved, named, maxAgeMs = Number.POSITIVE_INFINITY, show, ask, isAgreed, ...lookOptions } = options;
  const workspaceDigest = await opened.workspace.digest();
  const begunMs = run.clock.monotonicMs();
  const madeFrom = ({ plan, facts }: Look) => ({
    plan: withFingerprints(plan, facts),
    accounts: facts.accounts,
    workspaceDigest,
    nowMs: facts.time.latestMs,
  });
  return {
    ...lookOptions,
    uploads: opened.uploads(run),
    isByHand: false,
    // What a saved plan does not have was never agreed to, so its stops wait until it was compared.
    isAgreed: isAgreed && saved === undefined,
    agree: async (seen) => {
      if (saved !== undefined) refuseConflicts(saved, { ...madeFrom(seen), maxAgeMs }, named);
      if (run.clock.monotonicMs() - begunMs > FILES_SERVE_MS) await refuseChangedFiles(opened);
      show(seen);
      if (isPlanRefused(seen.plan)) throw planRefused(seen.plan);
      return ask(seen);
    },
    refuseChanged: (agreed, now) => {
      const shown = savePlan(madeFrom(agreed), options);
      const since = {
        what: 'The plan changed while Herald waited for your answer',
        hint: `Run ${formatCommand('apply')} again.`,
      };
      refuseConflicts(shown, { ...madeFrom(now), maxAgeMs: Number.POSITIVE_INFINITY }, since);
    },
  };
}

function refuseConflicts(
  saved: SavedPlan,
  fresh: Parameters<typeof planConflicts>[1],
  named: NamedPlan,
): void {
  const reasons = planConflicts(saved, fresh);
  if (reasons.length > 0) throw stalePlan(named, reasons);
}

/** Throws if the files say something else than when they were loaded: a run may wait for minutes after that. */
async function refuseChangedFiles({ workspace, digestNow }: Opened): Promise<void> {
  const now = await digestNow();
  if (now === (await workspace.digest())) return;
  throw stalePlan(
    {
      what: 'The files changed while Herald waited',
      hint:
        now === null
          ? `They are not valid now. To see why: ${formatCommand('validate')}`
          : 'Run the command again.',
    },
    ['they were not applied'],
  );
}

/** The name of a reviewed plan in messages, and how to make it again. */
export interface NamedPlan {
  /** A clause without its end, such as `The plan in plan.json is stale`. */
  readonly what: string;
  readonly hint: string;
}

/** The error before anything is sent: what would be done now is not what people agreed to. */
function stalePlan({ what, hint }: NamedPlan, reasons: readonly string[]): HeraldError {
  const message = `${what}, so nothing was changed: ${reasons.join('; ')}.`;
  return new HeraldError('stale-plan', message, hint, { exit: EXIT.blocked, details: { reasons } });
}

/** Throws if the plan was made for another service or workspace, before any request. `remotes` are those of git here. */
export function refuseElsewhere(
  saved: SavedPlan,
  service: ServiceIdentity,
  { named, remotes }: { readonly named: NamedPlan; readonly remotes: readonly string[] },
): void {
  const reason = otherService(saved, service) ?? otherWorkspace(saved, remotes);
  if (reason !== null) throw stalePlan(named, [reason]);
}
