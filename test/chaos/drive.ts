import type { Fetch } from '../../src/domain/ports.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { aScene, LEDGER_FILE, NOON } from '../helpers/scene.ts';
import { damageLedger, repairLedger } from './damage.ts';
import { Author } from './author.ts';
import { accountsIn, moveAccount, putFiles, workspaceOf } from './files.ts';
import { forgeLedgers } from './forge.ts';
import { joinLedgers } from './pulls.ts';
import { endWell } from './end-well.ts';
import { atOnceTwice } from './judge/sent-at-once.ts';
import { createdTwice, losses, recalledTwice, sentTwice, vaultProblems, type Final } from './judge/final.ts';
import { routeTo } from './service-route.ts';
import { THEIRS } from './live.ts';
import { machineClock } from './machine.ts';
import { act } from './people.ts';
import { play } from './run.ts';
import type { Command, Operator, Scenario, Step } from './shape.ts';
import { count, type Actor, type Chaos } from './state.ts';
import { replaceObjectStore } from './store-line.ts';
import { faultWords } from './story/setting-words.ts';
import { Story } from './story/story.ts';
import { RunningPeriods } from './running-periods.ts';
import { violationsOf, type Violation } from './violation.ts';

/** What a scenario came to. Without a violation, Herald kept its promise. */
export interface Result {
  readonly violations: readonly Violation[];
  /** Rows of the table by how often their fault struck. */
  readonly hits: ReadonlyMap<string, number>;
  /** `row → how the command in which it struck ended`. */
  readonly ends: ReadonlyMap<string, number>;
  /** How many command lines were run. */
  readonly commands: number;
}

/** After this every request of the drawn part has come to its end. */
const ALL_HAS_LANDED_MS = 130_000;
const DAY_MS = 86_400_000;
/** Beyond the hour of every broadcast. */
const ALL_HAS_GONE_OUT_MS = 60 * DAY_MS;
const CROWD = 105;

/**
 * Plays a scenario to its end, then lets everything go out, and says what is not as it should be. The same scenario
 * gives the same result. Only one can be played at a time in a process. `onPlayed` looks at the workspaces when the drawn
 * part is over.
 */
export async function drive(
  scenario: Scenario,
  tell?: (line: string) => void,
  onPlayed?: (chaos: Chaos) => void,
): Promise<Result> {
  const clock = flowClock(NOON);
  const world = createWorld({ seed: scenario.worldSeed, modes: scenario.modes });
  const simulator = createSimulator(world, { clock });
  const line = routeTo(simulator);
  const story = tell === undefined ? null : new Story(world, () => clock.now(), tell);
  const network: Fetch = (request, departure) =>
    story === null
      ? line.fetch(request, departure)
      : story.exchange(request, () => line.fetch(request, departure));
  const { storesTexts } = scenario;
  const chaos: Chaos = {
    scenario,
    simulator,
    clock,
    line,
    author: new Author(scenario.startMin),
    actors: scenario.operators.map((operator, place) =>
      actorOf({ clock, network, storesTexts }, operator, place),
    ),
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
    story,
    tell: (words) => story?.say(words),
  };
  clock.move(scenario.startMin * 60_000);
  seed(chaos);
  const undo = replaceObjectStore(line.put);
  try {
    return await playAll(chaos, onPlayed);
  } finally {
    undo();
  }
}

const NAMES = ['ana', 'bo', 'cy'];

/** What all operators have in common. */
interface Surroundings {
  readonly clock: Chaos['clock'];
  readonly network: Fetch;
  readonly storesTexts: boolean;
}

function actorOf(around: Surroundings, operator: Operator, place: number): Actor {
  const clock = machineClock(around.clock, operator);
  const name = NAMES[place] ?? `operator ${place}`;
  return {
    place,
    name,
    clock,
    scene: aScene({
      clock,
      who: name,
      network: around.network,
      files: { 'herald.yaml': workspaceOf(around, operator) },
    }),
    written: [],
    declared: [],
    runningPeriods: new RunningPeriods(),
    protectedKeys: new Set(),
    ledgerLostMs: null,
    pulledMs: [],
    damage: null,
  };
}

function seed(chaos: Chaos): void {
  const { scenario } = chaos;
  const { control } = chaos.simulator;
  const theirs = { name: THEIRS, messages: [{ text: 'Not Herald’s' }] };
  for (const { accountId } of accountsIn(chaos)) {
    control.seedCampaign(accountId, theirs);
    control.seedBroadcast(accountId, { ...theirs, scheduled_at: '2026-07-21T15:00:00Z' });
  }
  if (!scenario.crowded) return;
  for (let index = 0; index < CROWD; index += 1)
    control.seedCampaign('101', { name: `Crowd ${index}`, status: 'archived' });
}

async function playAll(chaos: Chaos, onPlayed: (chaos: Chaos) => void = () => undefined): Promise<Result> {
  const { scenario, simulator, clock } = chaos;
  for (const step of scenario.steps) await playStep(chaos, step);
  clock.move(ALL_HAS_LANDED_MS);
  for (const actor of chaos.actors) repairLedger(chaos, actor);
  onPlayed(chaos);
  chaos.isAway = false;
  const { declared, problems } = await endWell(chaos, accountsIn(chaos));
  const final: Final = { declared, endedAt: simulator.control.oracle().now };
  const early = [
    ...createdTwice(chaos),
    ...atOnceTwice(chaos),
    ...sentTwice(chaos, simulator.control.oracle(), final),
  ];
  newFan(chaos);
  clock.move(ALL_HAS_GONE_OUT_MS);
  const oracle = simulator.control.oracle();
  const late = sentTwice(chaos, oracle, final);
  const isMediaUntold =
    chaos.actors.length > 1 || chaos.actors.some(({ ledgerLostMs }) => ledgerLostMs !== null);
  const duplicates = [
    ...new Set([...early, ...late]),
    ...vaultProblems(oracle, isMediaUntold || isUploadedAgain(chaos)),
    ...recalledTwice(oracle),
  ];
  const lost = [...problems, ...losses(oracle, simulator, final, isMediaUntold)];
  return {
    violations: [
      ...chaos.violations,
      ...violationsOf('duplicate', duplicates),
      ...violationsOf('loss', lost),
    ],
    hits: chaos.hits,
    ends: chaos.ends,
    commands: chaos.processes.length,
  };
}

/** `--again` uploads the same bytes once more. */
function isUploadedAgain({ processes }: Chaos): boolean {
  return processes.some(({ run: { command } }) => command.kind === 'upload' && command.again);
}

async function playStep(chaos: Chaos, step: Step): Promise<void> {
  const { clock, actors, simulator } = chaos;
  switch (step.kind) {
    case 'files':
      return putFiles(chaos, step, accountsIn(chaos));
    case 'runs':
      return playRuns(chaos, step);
    case 'person':
      act(chaos, step.deed, null);
      return;
    case 'fan':
      return newFan(chaos);
    case 'wait':
      clock.move(step.sec * 1000);
      simulator.control.now();
      return;
    case 'first account':
      return moveAccount(chaos, step.isThere);
    case 'clock':
      chaos.tell(`The clock of ${actors[step.operator]?.name ?? ''} is moved by ${step.sec} s`);
      actors[step.operator]?.clock.set(step.sec * 1000);
      return;
    case 'ledger lost':
      return loseLedger(chaos, step.operator);
    case 'ledger forged':
      return forgeLedgers(chaos, step.slot, step.forgery);
    case 'ledger damaged':
      return damageLedger(chaos, step);
    case 'ledger repaired': {
      const actor = actors[step.operator];
      if (actor !== undefined) repairLedger(chaos, actor);
      return;
    }
    case 'ledgers joined':
      return joinLedgers(chaos);
  }
}

async function playRuns(
  chaos: Chaos,
  { runs, faults }: Extract<Step, { readonly kind: 'runs' }>,
): Promise<void> {
  const { control, world } = chaos.simulator;
  const rows = faults.map(({ name, fault }) => {
    control.addFault(fault);
    chaos.tell(faultWords(fault));
    return { name, armed: world.faults.at(-1) };
  });
  const ends = await Promise.all(runs.map((run) => play(chaos, run)));
  for (const { name, armed } of rows) count(chaos, name, armed?.struck ?? 0, ends[0] ?? 'nothing');
  for (const [place, { command }] of runs.entries())
    if (command.kind !== 'apply') count(chaos, `command, ${wordOf(command)}`, 1, ends[place] ?? '');
  control.clearFaults();
}

function wordOf(command: Command): string {
  if (command.kind === 'by hand' || command.kind === 'api change') return `${command.kind} ${command.verb}`;
  return command.kind === 'look' ? command.at : command.kind;
}

function newFan(chaos: Chaos): void {
  const fan = `fan ${(chaos.fans += 1)}`;
  chaos.tell(`${fan} comes`);
  for (const { accountId } of accountsIn(chaos))
    chaos.simulator.control.fireTrigger(accountId, 'welcome_message', fan);
}

/** Lost within the window of an open entry it costs more than comfort; that is documented. */
function loseLedger({ clock, actors, simulator, tell }: Chaos, operator: number): void {
  const actor = actors[operator];
  if (actor === undefined) return;
  clock.move(ALL_HAS_LANDED_MS);
  delete actor.scene.files.tree[LEDGER_FILE];
  actor.ledgerLostMs = simulator.control.now();
  actor.protectedKeys.clear();
  tell(`${actor.name} loses the ledger`);
}
