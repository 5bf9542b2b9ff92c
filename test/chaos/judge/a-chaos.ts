import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts';
import { createWorld } from '../../../src/simulator/world.ts';
import { flowClock } from '../../helpers/flow-clock.ts';
import { aScene, NOON } from '../../helpers/scene.ts';
import { Author } from '../author.ts';
import { apply, aRun } from '../draw/parts.ts';
import { routeTo } from '../service-route.ts';
import { machineClock } from '../machine.ts';
import type { Command, Operator } from '../shape.ts';
import type { Actor, Chaos, Process, SentWrite } from '../state.ts';
import { RunningPeriods } from '../running-periods.ts';
import type { Task } from '../task.ts';
import type { Write } from '../writes.ts';

const OPERATOR: Operator = { clockSec: 0, driftPpm: 0, diskMs: 0, proxy: false, byUsername: false };
const NO_TASK: Task = { declared: [], covers: () => true, allow: [], wish: null };

/** One operator and a service on which nothing has happened yet, to judge what a test lets happen. */
export function aChaos(): Chaos & { readonly actor: Actor } {
  const clock = flowClock(NOON);
  const simulator = createSimulator(createWorld({ seed: 1 }), { clock });
  const actor: Actor = {
    place: 0,
    name: 'ana',
    scene: aScene({ clock }),
    clock: machineClock(clock, OPERATOR),
    written: [],
    declared: [],
    runningPeriods: new RunningPeriods(),
    protectedKeys: new Set(),
    ledgerLostMs: null,
    pulledMs: [],
    damage: null,
  };
  return {
    scenario: {
      theme: 'a test',
      worldSeed: 1,
      storesTexts: true,
      modes: {},
      accounts: 1,
      operators: [OPERATOR],
      startMin: 0,
      crowded: false,
      steps: [],
    },
    simulator,
    clock,
    line: routeTo(simulator),
    author: new Author(0),
    actor,
    actors: [actor],
    processes: [],
    people: {
      overlapping: new Set(),
      touchedMs: new Map(),
      tunedMs: new Map(),
      made: new Set(),
      payouts: [],
    },
    violations: [],
    hits: new Map(),
    ends: new Map(),
    isAway: false,
    fans: 0,
    story: null,
    tell: () => undefined,
  };
}

/** A process that begins now. */
export function aProcess(chaos: Chaos, command: Command = apply(), task: Partial<Task> = {}): Process {
  const [actor] = chaos.actors;
  if (actor === undefined) throw new Error('no actor runs it');
  const process: Process = {
    actor,
    run: aRun(command),
    task: { ...NO_TASK, ...task },
    startedMs: chaos.simulator.control.now(),
    startedAfter: chaos.simulator.world.commits.length,
    endedMs: null,
    dead: false,
    lockLostMs: null,
    quiet: new Map(),
    ledgerRun: 'run1',
    requests: new Set(),
    writes: [],
    tried: [],
    stale: new Set(),
    disturbed: new Set(),
  };
  chaos.processes.push(process);
  return process;
}

const KEY = { 'x-svc-auth-token': 'sim-key', 'content-type': 'application/json' };

/** Sends a request of a process to the service; answers its number there. A lost answer does not throw. */
export async function request(
  { simulator }: Chaos,
  process: Process,
  method: 'GET' | 'PATCH' | 'POST',
  path: string,
  body?: object,
): Promise<number> {
  const number = simulator.world.nextRequest;
  process.requests.add(number);
  const init = { method, headers: KEY, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const url = `http://localhost/api/v0/accounts/101/${path}`;
  await simulator.fetch(new Request(url, init)).catch(() => undefined);
  return number;
}

/** What was sent now as the request of that number. */
export function noteWrite(
  { simulator }: Chaos,
  process: Process,
  write: Write,
  number: number,
  answer: SentWrite['answer'] = 'none yet',
): SentWrite {
  const sent = { ...aboutToSend(simulator, process, write), request: number, answer };
  process.writes.push(sent);
  return sent;
}

/** A write as it is judged, right before it leaves. */
export function aboutToSend({ control, world }: Simulator, process: Process, write: Write): SentWrite {
  const sentMs = control.now();
  return { process, write, request: world.nextRequest, sentMs, machineOffMs: 0, answer: 'none yet' };
}
