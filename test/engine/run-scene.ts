import { ApiKey } from '../../src/api/key.ts';
import { Limiter, type RateBudget } from '../../src/api/limiter.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';
import type { Run, RunState } from '../../src/engine/run.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld, type WorldOptions } from '../../src/simulator/world.ts';
import { State, type StateOptions } from '../../src/state/state.ts';
import { aClientScene } from '../api/client-scene.ts';
import { flowClock, type FlowClock } from '../helpers/flow-clock.ts';
import { aRun } from '../helpers/state-requests.ts';
import { temporaryFolder } from '../helpers/temporary-folder.ts';

const OPENINGS = {
  /** With the lease. */
  take: (options: StateOptions) => State.take(options, 0),
  join: (options: StateOptions) => State.join(options),
  read: (options: StateOptions) => State.openToRead(options),
};

type Parts = Partial<Omit<Run, 'client' | 'state'>>;

interface RunSceneOptions {
  readonly world?: WorldOptions;
  readonly clock?: FlowClock;
  readonly rates?: RateBudget;
}

/** A simulator and a real state file, in virtual time: what the engine needs, without the command line. */
export function runScene({
  world = {},
  clock = flowClock(),
  rates = new Limiter(clock, 1),
}: RunSceneOptions = {}) {
  const simulator = createSimulator(createWorld(world), { clock });
  const service = { baseUrl: 'http://simulator.invalid', key: new ApiKey('sim-key'), rates };
  const location = { kind: 'sqlite', directory: temporaryFolder() } as const;
  /** Works as a process of its own. `parts` are those of its run that are not as usual. */
  const run = async <Result>(
    opening: keyof typeof OPENINGS,
    work: (run: Run & { readonly state: State }) => Promise<Result>,
    parts: Parts = {},
  ): Promise<Result> => {
    const state = await OPENINGS[opening](aRun(location, { clock }));
    const own = { clock, ...parts };
    try {
      return await work({
        client: aClientScene(simulator.fetch, { ...service, clock: own.clock }).client,
        state,
        command: 'apply',
        settleMs: 75_000,
        interrupted: new AbortController().signal,
        report: () => undefined,
        ...own,
      });
    } finally {
      await state.close();
    }
  };
  return {
    clock,
    simulator,
    run,
    /** Someone ends the lease of a process that is gone. */
    unlock: () => run('take', () => State.unlock(aRun(location, { clock }))),
  };
}

/** A state that does otherwise in one place. */
export function alterState(state: RunState, own: Partial<RunState>): RunState {
  return new Proxy(state, {
    get: (target, name) => {
      const found: unknown = Reflect.get(Object.hasOwn(own, name) ? own : target, name);
      return typeof found === 'function' ? found.bind(target) : found;
    },
  });
}

/** A run that cannot record one thing, as with a full disk. */
export function fullDisk(run: Run, name: 'begin' | 'repeat' | 'end'): Run {
  const full = () => Promise.reject(new HeraldError('state-failed', 'the disk is full', ''));
  return { ...run, state: alterState(run.state, { [name]: full }) };
}
