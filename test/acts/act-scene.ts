import { ServiceError } from '../../src/api/errors.ts';
import { EXIT, type ExitCode } from '../../src/domain/exit-codes.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';
import type { Run, RunEvent, RunState } from '../../src/engine/run.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { putInProcess } from '../../src/simulator/uploads.ts';
import type { WorldOptions } from '../../src/simulator/world.ts';
import { alterState, runScene } from '../engine/run-scene.ts';
import { memoryBytes } from '../helpers/memory-bytes.ts';

export const ALICE = { alias: 'alice', accountId: '101' } as const;

/** When a process is killed: its request is on record and has not left, was answered and has no end on record, or has one. */
type KillAt = 'begun' | 'answered' | 'recorded';

export interface RunOptions {
  readonly killAt?: KillAt;
  /** By how much the wall clock of this machine is ahead. */
  readonly aheadMs?: number;
  /** Before the act begins. */
  readonly isInterrupted?: boolean;
  /** Called with each event of the run, to interrupt it. */
  readonly onEvent?: (event: RunEvent, interrupt: () => void) => void;
}

export type ActScene = ReturnType<typeof actScene>;

/** A scene of runs in which each `act` is a process of its own with the lease. */
export function actScene(world: WorldOptions = {}) {
  const { clock, simulator, run } = runScene({ world });
  return {
    clock,
    control: simulator.control,
    bytes: memoryBytes(),
    putBytes: putInProcess((request) => simulator.store(request)),
    act: <Result>(
      work: (run: Run) => Promise<Result>,
      { killAt, isInterrupted = false, onEvent, aheadMs = 0 }: RunOptions = {},
    ) => {
      const interrupt = new AbortController();
      const stop = () => interrupt.abort(new Error('interrupted'));
      if (isInterrupted) stop();
      return run(
        'take',
        (own) => work(killAt === undefined ? own : { ...own, state: killed(own.state, killAt) }),
        {
          clock: { ...clock, now: () => clock.now() + aheadMs },
          command: 'test',
          interrupted: interrupt.signal,
          report: (event) => onEvent?.(event, stop),
        },
      );
    },
    /** The requests on record, oldest first. */
    requests: () => run('read', async ({ state }) => (await state.history({ limit: 100 })).toReversed()),
    /** How many requests of an operation the service answered or lost, without those that it refused for their rate. */
    count: (operation: string) =>
      simulator.control
        .oracle()
        .requests.filter((request) => request.operation === operation && request.status !== 429).length,
  };
}

const KILLED = new Error('killed');

/** The state of a process that is killed: it does nothing more from then on. */
function killed(state: RunState, at: KillAt): RunState {
  const kill = () => Promise.reject(KILLED);
  if (at === 'recorded') return alterState(state, { end: (...args) => state.end(...args).then(kill) });
  if (at === 'answered') return alterState(state, { end: kill });
  return alterState(state, { begin: (...args) => state.begin(...args).then(kill) });
}

function endName(exit: ExitCode): string {
  return Object.entries(EXIT).find(([, code]) => code === exit)?.[0] ?? '';
}

/** How an act ended, in a word: the kind of its result, or the code of its error. */
export async function summarise(work: Promise<{ readonly kind: string }>): Promise<string> {
  try {
    return (await work).kind;
  } catch (error) {
    if (error instanceof ServiceError) return `service-error ${error.problem.status}`;
    if (error instanceof HeraldError) return `${endName(error.exit)} ${error.code}`;
    if (error === KILLED) return 'killed';
    throw error;
  }
}

/** `done`, `open` and so on, for each request on record; with `*` if a copy without an answer may still take effect. */
export async function outcomes(scene: ActScene): Promise<string> {
  const rows = await scene.requests();
  return rows.map((row) => `${row.outcome ?? 'open'}${row.unheard_copy === 1 ? '*' : ''}`).join(', ');
}

type FaultIn = (operation: FaultInput['operation']) => FaultInput;

const broken =
  (when: 'before_commit' | 'after_commit', how: 'reset' | '502' | 'connect ECONNREFUSED'): FaultIn =>
  (operation) => ({ kind: 'broken_answer', when, how, nth: 1, operation });

/** The ways in which an answer goes missing, for any call. */
export const lost = {
  before: broken('before_commit', 'reset'),
  after: broken('after_commit', '502'),
  refusedConnection: broken('before_commit', 'connect ECONNREFUSED'),
  late: (operation) => ({ kind: 'late_commit', after_sec: 60, how: 'reset', nth: 1, operation }),
  throttled: (operation) => ({ kind: 'throttle', nth: 1, times: 2, operation }),
} as const satisfies Record<string, FaultIn>;
