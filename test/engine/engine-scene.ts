import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createClient, type Client } from '../../src/api/client.ts';
import { ApiKey } from '../../src/api/key.ts';
import { Limiter, type RateBudget } from '../../src/api/limiter.ts';
import type { Plan } from '../../src/domain/change.ts';
import { formatAddress } from '../../src/domain/resource.ts';
import { apply } from '../../src/engine/apply.ts';
import { planStop, stopByHand } from '../../src/engine/by-hand.ts';
import type { ApplyOptions } from '../../src/engine/apply.ts';
import { look, type Subject } from '../../src/engine/look.ts';
import type { Result, Run, RunEvent, RunState } from '../../src/engine/run.ts';
import { EVERYTHING } from '../../src/plan/facts.ts';
import type { Control } from '../../src/simulator/control.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { State, type StateOptions } from '../../src/state/state.ts';
import { loadDeclared } from '../../src/workspace/load.ts';
import { flowClock, type FlowClock } from '../helpers/flow-clock.ts';
import { folderInMemory } from '../helpers/memory-folder.ts';
import { NOON, WORKSPACE } from '../helpers/scene.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { memoryFiles } from '../workspace/memory-files.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';
import type { Allowance } from '../../src/domain/change-kinds.ts';

const SETTLE_MS = 75_000;

/** A workspace with a simulator and a real state file, in virtual time. Each run is a process of its own. */
export interface EngineScene {
  readonly clock: FlowClock;
  readonly control: Control;
  /** Files by path; changed between two runs as people change them. */
  readonly files: Record<string, string>;
  readonly events: RunEvent[];
  /** Operations that went before all that waited, in their order. */
  readonly urgent: readonly string[];
  plan(...allow: Allowance[]): Promise<Plan>;
  apply(options?: RunOptions): Promise<readonly Result[]>;
  /** A person pauses a campaign of alice by its id. */
  pauseByHand(liveId: string, options?: RunOptions): Promise<readonly Result[]>;
  /** The lease of a run that is gone is ended by a person. */
  unlock(): Promise<void>;
}

export interface RunOptions {
  readonly allow?: readonly Allowance[];
  /** A person was asked, and this is called before anything is sent. */
  readonly refuseChanged?: ApplyOptions['refuseChanged'];
  readonly target?: readonly string[];
  /** The state as this run sees it. */
  readonly through?: (state: State) => RunState;
  readonly interrupted?: AbortSignal;
  readonly onEvent?: (event: RunEvent) => void;
}

export function engineScene(files: Readonly<Record<string, string>>): EngineScene {
  const clock = flowClock(NOON);
  const world = createWorld();
  const simulator = createSimulator(world, { clock });
  const tree: Record<string, string> = { 'herald.yaml': WORKSPACE, ...files };
  const directory = mkdtempSync(join(folderInMemory(), 'herald-engine-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const events: RunEvent[] = [];
  const urgent: string[] = [];
  let runs = 0;

  const options = (): StateOptions => ({
    location: { kind: 'sqlite', directory },
    clock,
    run: `run${(runs += 1)}`,
    who: 'tester',
    holder: 'the test',
    service: () => 'live',
  });
  const connect = (): Client => {
    const key = world.keys[0];
    if (key === undefined) throw new Error('the world has no key');
    return createClient({
      baseUrl: 'http://simulator.invalid',
      key: new ApiKey(key.key),
      authHeader: 'x-svc-auth-token',
      timeoutMs: 75_000,
      rates: recordUrgent(new Limiter(clock, 1), urgent),
      fetch: (request) => simulator.fetch(request),
      clock,
      random: () => 0,
      log: () => undefined,
    });
  };
  const open = async (): Promise<Subject> => {
    const loaded = await loadDeclared(memoryFiles(tree), { env: {} });
    if (loaded.kind === 'invalid')
      throw new Error(loaded.diagnostics.map(({ message }) => message).join('\n'));
    return { ...loaded, client: connect(), accountIds: new Map(), unseen: new Map() };
  };
  const lookOptions = (allow: readonly Allowance[] = [], target: readonly string[] = []) => ({
    allow: new Set(allow),
    targeting: { ...EVERYTHING, target },
  });
  const runWith = (
    state: RunState,
    client: Client,
    { interrupted, onEvent }: Pick<RunOptions, 'interrupted' | 'onEvent'> = {},
  ): Run => ({
    client,
    state,
    clock,
    command: 'apply',
    settleMs: SETTLE_MS,
    interrupted: interrupted ?? new AbortController().signal,
    report: (event) => {
      events.push(event);
      onEvent?.(event);
    },
  });

  return {
    clock,
    control: simulator.control,
    files: tree,
    events,
    urgent,
    pauseByHand: async (liveId, given = {}) => {
      const state = await State.join(options());
      try {
        const run = runWith(given.through?.(state) ?? state, connect(), given);
        const account = { alias: 'alice', accountId: '101' };
        const request = { account, kind: 'campaign', action: 'pause', liveIds: [liveId], names: [] } as const;
        const planned = await planStop(run, request, { starts: [], known: null });
        return await stopByHand(run, planned);
      } finally {
        await state.close();
      }
    },
    unlock: async () => {
      const gone = await State.take(options(), 0);
      await State.unlock(options());
      await gone.close();
    },
    plan: async (...allow) => {
      const subject = await open();
      const state = await State.openToRead(options());
      try {
        return (await look(runWith(state, subject.client), subject, lookOptions(allow))).plan;
      } finally {
        await state.close();
      }
    },
    apply: async (given = {}) => {
      const { allow, target, through, refuseChanged } = given;
      const subject = await open();
      const state = await State.take(options(), 0);
      try {
        return await apply(runWith(through?.(state) ?? state, subject.client, given), subject, {
          ...lookOptions(allow, target),
          uploads: () => () => Promise.resolve({ kind: 'failed', message: 'no files here', denied: false }),
          mode: 'declared',
          isAgreed: true,
          agree: async () => (refuseChanged === undefined ? 'at-once' : 'waited'),
          refuseChanged: refuseChanged ?? (() => undefined),
        });
      } finally {
        await state.close();
      }
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

/** `create alice/campaign/Welcome`, for every change that is no `keep`. */
export function summarisePlan({ changes }: Plan): readonly string[] {
  return changes
    .filter(({ action }) => action !== 'keep')
    .map(({ action, address }) => `${action} ${formatAddress(address)}`);
}

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

/** Interrupts a run at the first event of the kind. */
export function interruptedAt(event: RunEvent['kind']) {
  const controller = new AbortController();
  const onEvent = ({ kind }: RunEvent) => {
    if (kind === event) controller.abort(new Error('interrupted'));
  };
  return { interrupted: controller.signal, onEvent };
}

/** Interrupts a run when it begins to wait for a request without an answer. */
export const interruptedWhileItWaits = () => interruptedAt('settling');

/** A campaign that an apply has made. */
export async function startLive() {
  const scene = engineScene(declaring({ campaigns: [campaign()] }));
  const [made] = await scene.apply();
  return { scene, made };
}

/** A state that cannot be written by one of its functions. */
export function refusing(state: RunState, broken: 'begin' | 'repeat'): RunState {
  return new Proxy(state, {
    get: (target, name) => {
      if (name === broken)
        return () => Promise.reject(new HeraldError('state-failed', 'the disk is full', ''));
      const member = Reflect.get(target, name) as unknown;
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}
