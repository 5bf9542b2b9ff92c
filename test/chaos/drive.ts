import { applyReportShape, planShape, type ApplyReport } from '../../src/domain/change.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';
import { createWorld } from '../../src/simulator/world.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { aScene, type Ran, type Scene } from '../helpers/scene.ts';
import { duplicates, falseReports, losses, type Declared, type Live } from './judge.ts';
import { lineTo, type Line } from './line.ts';
import type { Kill, Scenario, Version } from './scenario.ts';

/** What a scenario came to. Every problem is a broken promise. */
export interface Result {
  readonly duplicates: readonly string[];
  readonly losses: readonly string[];
  readonly falseReports: readonly string[];
  /** Rows of the table by how often their fault struck. */
  readonly hits: ReadonlyMap<string, number>;
  /** `row → outcome of the run in which it struck`. */
  readonly ends: ReadonlyMap<string, number>;
  readonly applies: number;
}

interface Chaos {
  readonly scene: Scene;
  readonly simulator: Simulator;
  readonly line: Line;
  readonly scenario: Scenario;
  readonly hits: Map<string, number>;
  readonly ends: Map<string, number>;
  readonly falseReports: string[];
  applies: number;
}

const ACCOUNTS = ['101', '102'];
const ALIASES = ['alice', 'bob'];
/** After this every request of the drawn part has come to its end. */
const ALL_HAS_LANDED_MS = 130_000;
const QUIET_AFTER_RUNS = 5;
const CROWD = 105;

/** Plays a scenario to its end, then lets everything go out, and says what is not as it should be. */
export async function drive(scenario: Scenario): Promise<Result> {
  const scene = aScene();
  const world = createWorld({ seed: scenario.worldSeed });
  const simulator = createSimulator(world, { clock: scene.clock });
  const line = lineTo(simulator);
  const numbers = { hits: new Map(), ends: new Map(), falseReports: [], applies: 0 };
  const chaos: Chaos = { scene, simulator, line, scenario, ...numbers };
  if (scenario.crowded)
    for (let index = 0; index < CROWD; index += 1)
      simulator.control.seedCampaign('101', { name: `Crowd ${index}`, status: 'archived' });
  const real = globalThis.fetch;
  globalThis.fetch = ((request: Request) => line.fetch(request)) as typeof fetch;
  try {
    return await play(chaos);
  } finally {
    globalThis.fetch = real;
  }
}

async function play(chaos: Chaos): Promise<Result> {
  const { scenario, scene, simulator } = chaos;
  let words = 0;
  let declared: readonly Declared[] = [];
  for (const version of scenario.versions) {
    if (version.newWords || words === 0) words += 1;
    declared = declare(chaos, version, words);
    const rows = version.faults.map(({ name, fault }) => {
      simulator.control.addFault(fault);
      return { name, armed: simulator.world.faults.at(-1) };
    });
    for (const kill of [...version.kills, null]) {
      const before = rows.map(({ armed }) => armed?.struck ?? 0);
      const end = await oneApply(chaos, kill, declared);
      for (const [index, { name, armed }] of rows.entries())
        count(chaos, name, (armed?.struck ?? 0) - (before[index] ?? 0), end);
      scene.clock.move(version.pauseSec * 1000);
    }
    simulator.control.clearFaults();
  }
  scene.clock.move(ALL_HAS_LANDED_MS);
  const lost = await untilQuiet(chaos, declared);
  const doubled = await goOut(chaos);
  return {
    duplicates: doubled,
    losses: [...lost, ...losses(simulator.control.oracle(), liveOf(simulator), declared)],
    falseReports: chaos.falseReports,
    hits: chaos.hits,
    ends: chaos.ends,
    applies: chaos.applies,
  };
}

function declare({ scene, scenario }: Chaos, version: Version, words: number): readonly Declared[] {
  const aliases = ALIASES.slice(0, scenario.accounts);
  const text = `Words ${words}`;
  const files = declaring(
    {
      campaigns: [campaign({ status: version.campaign, messages: [{ text }] })],
      broadcasts: [
        broadcast({
          status: version.broadcast,
          scheduled_at: '2026-06-04T15:00Z',
          messages: [{ text: `Teaser: ${text}` }],
        }),
      ],
    },
    aliases,
  );
  Object.assign(scene.files.tree, files);
  return aliases.flatMap((alias, index): Declared[] => {
    const accountId = ACCOUNTS[index] ?? '';
    return [
      { alias, accountId, kind: 'campaign', target: version.campaign, text },
      { alias, accountId, kind: 'broadcast', target: version.broadcast, text: `Teaser: ${text}` },
    ];
  });
}

/** One apply, which may die; answers how it ended, for the table. */
async function oneApply(chaos: Chaos, kill: Kill | null, declared: readonly Declared[]): Promise<string> {
  const { scene, line, simulator } = chaos;
  const process = line.process(kill);
  Object.assign(scene.env, { HERALD_BASE_URL: 'http://localhost:1', HERALD_API_KEY: process.key });
  const requestsBefore = simulator.world.requests.length;
  chaos.applies += 1;
  const run = scene.start('apply', '--yes', '--format', 'json');
  const ran = await Promise.race([run.ran, process.died.then(() => null)]);
  if (ran === null) {
    run.kill();
    count(chaos, `killed, ${kill?.moment ?? ''}`, 1, 'killed');
    return 'killed';
  }
  const report = reportIn(ran);
  if (report !== null) {
    const asked = simulator.world.requests.slice(requestsBefore).map(({ request }) => request);
    const oracle = simulator.control.oracle();
    const found = falseReports(report, ran.code, oracle, liveOf(simulator), declared, new Set(asked));
    chaos.falseReports.push(...found);
  }
  if (ran.stderr.includes('This is a bug in Herald') || /\n {4}at /.test(ran.stderr))
    chaos.falseReports.push(`a bug: ${ran.stderr.slice(-1500)}`);
  return report === null ? `nothing done (exit ${ran.code})` : endOf(report);
}

function reportIn({ stdout }: Ran): ApplyReport | null {
  const parsed = applyReportShape.safeParse(JSON.parse(stdout));
  return parsed.success ? parsed.data : null;
}

/** The worst outcome of a report. */
function endOf({ summary }: ApplyReport): string {
  const worst = (['unknown', 'failed', 'not_attempted', 'adopted', 'applied'] as const).find(
    (outcome) => summary[outcome] > 0,
  );
  return worst ?? 'unchanged';
}

async function untilQuiet(chaos: Chaos, declared: readonly Declared[]): Promise<string[]> {
  const { scene, line } = chaos;
  for (let run = 0; run < QUIET_AFTER_RUNS; run += 1) {
    await oneApply(chaos, null, declared);
    Object.assign(scene.env, { HERALD_API_KEY: line.process(null).key });
    const ran = await scene.herald('plan', '--detailed-exitcode', '--format', 'json');
    if (ran.code === 0) return [];
    scene.clock.move(10_000);
    if (run < QUIET_AFTER_RUNS - 1) continue;
    const plan = planShape.safeParse(JSON.parse(ran.stdout));
    const left = plan.success
      ? plan.data.changes
          .filter(({ action }) => action !== 'keep')
          .map(
            ({ action, address, reasons }) =>
              `${action} ${address.account}/${address.kind}: ${reasons.join(' ')}`,
          )
      : [ran.stdout];
    return [`the plan is not quiet (exit ${ran.code}): ${left.join('; ')}`];
  }
  return [];
}

/** Fans fire their triggers and every broadcast's hour comes; answers what reached somebody twice. */
async function goOut({ simulator, scene, scenario }: Chaos): Promise<readonly string[]> {
  const { control } = simulator;
  const early = duplicates(control.oracle(), liveOf(simulator));
  for (const accountId of ACCOUNTS.slice(0, scenario.accounts))
    control.fireTrigger(accountId, 'welcome_message', 'f1');
  scene.clock.move(100 * 3_600_000);
  const late = duplicates(control.oracle(), liveOf(simulator));
  return [...new Set([...early, ...late])];
}

/** Everything that Herald declared and that is live, oldest first. */
function liveOf({ world, control }: Simulator): readonly Live[] {
  control.now();
  return Object.entries(world.accounts).flatMap(([accountId, account]) =>
    (['campaign', 'broadcast'] as const).flatMap((kind) =>
      Object.values(kind === 'campaign' ? account.campaigns : account.broadcasts)
        .filter(({ live }) => live.name === 'Welcome' || live.name === 'Teaser')
        .map(({ live }) => ({
          accountId,
          kind,
          id: live.id,
          status: live.status,
          text: live.messages[0]?.text ?? null,
        })),
    ),
  );
}

function count(chaos: Chaos, name: string, times: number, end: string): void {
  if (times <= 0) return;
  chaos.hits.set(name, (chaos.hits.get(name) ?? 0) + times);
  const key = `${name} → ${end}`;
  chaos.ends.set(key, (chaos.ends.get(key) ?? 0) + times);
}
