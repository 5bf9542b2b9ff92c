import { Limiter, type RateBudget } from '../../src/api/limiter.ts';
import type { Allowance } from '../../src/domain/change-kinds.ts';
import type { Plan } from '../../src/domain/change.ts';
import { apply, type ApplyOptions } from '../../src/engine/apply.ts';
import { StopByHand } from '../../src/engine/by-hand.ts';
import { look, type Subject } from '../../src/engine/look.ts';
import type { Result, Run, RunEvent } from '../../src/engine/run.ts';
import { EVERYTHING } from '../../src/plan/facts.ts';
import type { WorldOptions } from '../../src/simulator/world.ts';
import { loadDeclared } from '../../src/workspace/load.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { memoryFiles } from '../workspace/memory-files.ts';
import { runScene } from './run-scene.ts';
import { decisions } from '../helpers/flows.ts';

type EngineScene = ReturnType<typeof engineScene>;

export interface RunOptions {
  readonly allow?: readonly Allowance[];
  /** A person was asked, and this is called before anything is sent. */
  readonly refuseChanged?: ApplyOptions['refuseChanged'];
  readonly target?: readonly string[];
  /** That of an apply unless given. */
  readonly mode?: ApplyOptions['mode'];
  /** The run as it is, such as one with a full disk. */
  readonly through?: (run: Run) => Run;
  readonly interrupted?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
}

/** A scene of runs with a workspace. */
export function engineScene(files: Readonly<Record<string, string>>, world: WorldOptions = {}) {
  const clock = flowClock();
  /** Operations that went before all that waited, in their order. */
  const urgent: string[] = [];
  const { simulator, run, unlock } = runScene({
    world,
    clock,
    rates: recordUrgent(new Limiter(clock, 1), urgent),
  });
  /** Files by path; changed between two runs as people change them. */
  const tree: Record<string, string> = { 'herald.yaml': WORKSPACE, ...files };
  const events: RunEvent[] = [];

  const open = async ({ client }: Run): Promise<Subject> => {
    const loaded = await loadDeclared(memoryFiles(tree), { env: {} });
    if (loaded.kind === 'invalid')
      throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
    return { ...loaded, client, accountIds: new Map(), unseen: new Map() };
  };
  const lookOptions = (allow: readonly Allowance[] = [], target: readonly string[] = []) => ({
    allow: new Set(allow),
    targeting: { ...EVERYTHING, target },
  });
  const partsOf = ({ interrupted, onEvent }: RunOptions) => ({
    ...(interrupted === undefined ? {} : { interrupted }),
    report: (event: RunEvent) => {
      events.push(event);
      onEvent?.(event);
    },
  });

  const lookNow = (...allow: readonly Allowance[]) =>
    run('read', async (own) => look(own, await open(own), lookOptions(allow)), partsOf({}));

  return {
    clock,
    control: simulator.control,
    files: tree,
    events,
    urgent,
    unlock,
    /** A person pauses a campaign of alice by its id. */
    pauseByHand: (liveId: string, given: RunOptions = {}) => {
      const { through = (own) => own } = given;
      const account = { alias: 'alice', accountId: '101' };
      const request = { account, kind: 'campaign', action: 'pause', liveIds: [liveId], names: [] } as const;
      const pause = async (own: Run) => {
        const stop = new StopByHand(own, request);
        await stop.plan();
        return stop.carryOut();
      };
      return run('join', (own) => pause(through(own)), partsOf(given));
    },
    look: lookNow,
    plan: async (...allow: readonly Allowance[]) => (await lookNow(...allow)).plan,
    apply: (given: RunOptions = {}) => {
      const { allow, target, mode = 'declared', through = (own) => own, refuseChanged } = given;
      const options: ApplyOptions = {
        ...lookOptions(allow, target),
        uploads: () => () => Promise.resolve({ kind: 'failed', message: 'no files here', denied: false }),
        mode,
        isAgreed: true,
        agree: async () => (refuseChanged === undefined ? 'at-once' : 'waited'),
        refuseChanged: refuseChanged ?? (() => undefined),
      };
      return run('take', async (own) => apply(through(own), await open(own), options), partsOf(given));
    },
  };
}

function recordUrgent(limiter: Limiter, urgent: string[]): RateBudget {
  return {
    penalise: (bucket, ms) => limiter.penalise(bucket, ms),
    acquire: (buckets, turn) => {
      if (turn === 'urgent') urgent.push(buckets[1]?.key.replace('endpoint:', '') ?? '');
      return limiter.acquire(buckets, turn);
    },
  };
}

/** `create applied`, for every result that is not `unchanged`. */
export function summariseResults(results: readonly Result[]): readonly string[] {
  return results
    .filter(({ outcome }) => outcome !== 'unchanged')
    .map(({ change, outcome, reasons }) =>
      [`${change.action} ${outcome}`, ...reasons.map(({ kind }) => kind)].join(' '),
    );
}

export const summarisePlan = (plan: Plan): readonly string[] => decisions({ plan });

/** What was asked of the service, in order: `campaigns.create 201`. */
export function writesSent({ control }: EngineScene): readonly string[] {
  return control
    .oracle()
    .requests.filter(({ method }) => method !== 'GET')
    .map(({ operation }) => operation ?? '');
}

/** How many objects of alice there are in each status. */
export function countLive(
  { control }: EngineScene,
  kind: 'campaign' | 'broadcast',
): Readonly<Record<string, number>> {
  const alice = control.world().accounts['101'];
  const counts: Record<string, number> = {};
  for (const { live } of Object.values(alice?.[`${kind}s`] ?? {})) {
    const status = live.status ?? 'null';
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

export const campaigns = (scene: EngineScene) => countLive(scene, 'campaign');

/** Interrupts a run when it begins to wait for a request without an answer. */
export function interruptedWhileItWaits() {
  const controller = new AbortController();
  const onEvent = ({ kind }: RunEvent) => {
    if (kind === 'settling') controller.abort(new Error('interrupted'));
  };
  return { interrupted: controller.signal, onEvent };
}

/** A campaign that an apply has made. */
export async function startLive() {
  const scene = engineScene(declaring({ campaigns: [campaign()] }));
  const [made] = await scene.apply();
  return { scene, made };
}
