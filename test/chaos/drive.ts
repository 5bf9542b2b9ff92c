import { createSimulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { aScene, LEDGER_FILE } from '../helpers/scene.ts';
import { ALONE, applyAs, wantedOf } from './apply-as.ts';
import { ACCOUNTS, Author, declare, type Account, type Declared, type Written } from './declare.ts';
import { endWell } from './end-well.ts';
import { duplicates, losses, recalledTwice, vaultProblems, type History } from './judge.ts';
import { lineTo } from './line.ts';
import { liveOf, THEIRS } from './live.ts';
import { doBeside } from './people.ts';
import { SLOTS, type Before, type Scenario, type Version } from './scenario.ts';
import { count, Stretches, type Chaos } from './state.ts';
import { storeBehind } from './store-line.ts';

/** What a scenario came to. Every problem is a broken promise. */
export interface Result {
  readonly duplicates: readonly string[];
  readonly losses: readonly string[];
  readonly falseReports: readonly string[];
  /** What was sent and should not have been: out of the run, protected, not ours, not declared. */
  readonly trespasses: readonly string[];
  /** Rows of the table by how often their fault struck. */
  readonly hits: ReadonlyMap<string, number>;
  /** `row → outcome of the run in which it struck`. */
  readonly ends: ReadonlyMap<string, number>;
  readonly applies: number;
}

/** After this every request of the drawn part has come to its end. */
const ALL_HAS_LANDED_MS = 130_000;
const DAY_MS = 86_400_000;
/** Beyond the hour of every broadcast. */
const ALL_HAS_GONE_OUT_MS = 60 * DAY_MS;
const CROWD = 105;

/** Plays a scenario to its end, then lets everything go out, and says what is not as it should be. */
export async function drive(
  scenario: Scenario,
  tell: (line: string) => void = () => undefined,
): Promise<Result> {
  const scene = aScene();
  const world = createWorld({ seed: scenario.worldSeed, modes: scenario.modes });
  const simulator = createSimulator(world, { clock: scene.clock });
  const line = lineTo(simulator);
  const chaos: Chaos = {
    scene,
    operators: scenario.operators === 1 ? [scene] : [scene, aScene({ clock: scene.clock })],
    simulator,
    line,
    scenario,
    author: new Author(scenario.startMin),
    past: {
      protectedKeys: new Set(),
      stopped: new Map(),
      sent: new Set(),
      ledgerWasLost: false,
      mediaIsUntold: scenario.operators > 1,
      isAlone: scenario.operators === 1,
      isRaced: false,
    },
    stretches: new Stretches(),
    overlapping: new Set(),
    meddled: new Set(),
    hits: new Map(),
    ends: new Map(),
    falseReports: [],
    trespasses: [],
    applies: 0,
    fans: 0,
    tell,
  };
  scene.clock.move(scenario.startMin * 60_000);
  seed(chaos);
  const real = globalThis.fetch;
  globalThis.fetch = ((request: Request) => line.fetch(request)) as typeof fetch;
  const undo = storeBehind(line.put);
  try {
    return await play(chaos);
  } finally {
    undo();
    globalThis.fetch = real;
  }
}

function seed({ simulator: { control }, scenario }: Chaos): void {
  const theirs = { name: THEIRS, messages: [{ text: 'Not Herald’s' }] };
  for (const { accountId } of usedAccounts(scenario)) {
    control.seedCampaign(accountId, theirs);
    control.seedBroadcast(accountId, { ...theirs, scheduled_at: '2026-07-21T15:00:00Z' });
  }
  if (!scenario.crowded) return;
  for (let index = 0; index < CROWD; index += 1)
    control.seedCampaign('101', { name: `Crowd ${index}`, status: 'archived' });
}

function usedAccounts({ accounts }: Scenario): readonly Account[] {
  return ACCOUNTS.slice(0, accounts);
}

async function play(chaos: Chaos): Promise<Result> {
  const { scenario, scene, simulator, past, stretches } = chaos;
  let last: readonly Written[] = [];
  for (const version of scenario.versions) {
    scene.clock.move(version.restDays * DAY_MS);
    await happen(chaos, version.before);
    last = chaos.author.write(version);
    const declared = declare(chaos.operators, last, usedAccounts(scenario));
    stretches.begin(simulator.world.nextRequest, declared);
    noteOverlaps(chaos, version);
    await applyVersion(chaos, version, declared);
  }
  scene.clock.move(ALL_HAS_LANDED_MS);
  const prune = scenario.versions.at(-1)?.prune ?? false;
  const { declared, problems } = await endWell(chaos, last, usedAccounts(scenario), prune);
  const { now: endedAt } = simulator.control.oracle();
  const history: History = {
    stretchOf: (...key) => stretches.of(...key),
    mediaIsUntold: past.mediaIsUntold,
    declared,
    endedAt,
    operators: scenario.operators,
    overlapping: chaos.overlapping,
  };
  const doubled = await goOut(chaos, history);
  const oracle = simulator.control.oracle();
  return {
    duplicates: [...doubled, ...vaultProblems(oracle, history), ...recalledTwice(oracle)],
    losses: [...problems, ...losses(oracle, liveOf(simulator), history)],
    falseReports: chaos.falseReports,
    trespasses: chaos.trespasses,
    hits: chaos.hits,
    ends: chaos.ends,
    applies: chaos.applies,
  };
}

/** The runs of one version, under its faults; after each of them a fan comes. */
async function applyVersion(chaos: Chaos, version: Version, declared: readonly Declared[]): Promise<void> {
  const { scene, simulator, past, scenario, operators } = chaos;
  const rows = version.faults.map(({ name, fault }) => {
    simulator.control.addFault(fault);
    return { name, armed: simulator.world.faults.at(-1) };
  });
  const last = { ...ALONE, meanwhile: version.meanwhile };
  for (const asked of [...version.runs, last]) {
    const before = rows.map(({ armed }) => armed?.struck ?? 0);
    const wanted = { ...wantedOf(version, asked, past.ledgerWasLost), declared };
    // The others know nothing of what the first one made.
    const others = { ...wanted, allow: [...new Set([...wanted.allow, 'adopt'])] };
    const [end] = await Promise.all([
      applyAs(chaos, scene, asked, wanted),
      ...(asked === last ? operators.slice(1).map((other) => applyAs(chaos, other, ALONE, others)) : []),
    ]);
    chaos.meddled.clear();
    for (const [index, { name, armed }] of rows.entries())
      count(chaos, name, (armed?.struck ?? 0) - (before[index] ?? 0), end);
    const fan = `fan ${(chaos.fans += 1)}`;
    chaos.tell(`${new Date(scene.clock.now()).toISOString().slice(11, 19)} ${fan} comes`);
    for (const { accountId } of usedAccounts(scenario))
      simulator.control.fireTrigger(accountId, 'welcome_message', fan);
    scene.clock.move(version.pauseSec * 1000);
  }
  simulator.control.clearFaults();
}

/** Where a new version is made before the old one is stopped, a fan may get both, and the plan says so. */
function noteOverlaps({ overlapping }: Chaos, { slots }: Version): void {
  for (const [index, { replace }] of slots.entries())
    if (replace === 'create_first') overlapping.add(SLOTS[index]?.name ?? '');
}

async function happen(chaos: Chaos, before: Before): Promise<void> {
  if ('slot' in before) return doBeside(chaos, before);
  if (before.kind === 'nothing') return;
  const { scene, past } = chaos;
  // Lost within the window of an open entry it costs more than precision; that is documented.
  scene.clock.move(ALL_HAS_LANDED_MS);
  delete scene.files.tree[LEDGER_FILE];
  past.ledgerWasLost = true;
  past.mediaIsUntold = true;
  past.protectedKeys.clear();
}

/** Fans fire their triggers and every broadcast's hour comes; answers what reached somebody twice. */
async function goOut({ simulator, scene, scenario }: Chaos, history: History): Promise<readonly string[]> {
  const { control } = simulator;
  const early = duplicates(control.oracle(), liveOf(simulator), history);
  for (const { accountId } of usedAccounts(scenario))
    control.fireTrigger(accountId, 'welcome_message', 'the last fan');
  scene.clock.move(ALL_HAS_GONE_OUT_MS);
  const late = duplicates(control.oracle(), liveOf(simulator), history);
  return [...new Set([...early, ...late])];
}
