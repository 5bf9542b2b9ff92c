import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { type World } from '../../src/simulator/world.ts';
import { startPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { Dice } from './dice.ts';
import { writeFiles } from '../helpers/folders.ts';
import { serveWorld } from '../helpers/served.ts';
import { startProcess } from '../helpers/start-process.ts';

/** Real processes of the built command line that share one state, in real time. */
export interface ProcessOptions {
  readonly seed: number;
  readonly runs: number;
  /** How many act at the same time. */
  readonly processes: number;
  readonly state: 'sqlite' | 'postgres';
}

/** How many runs go on at the same time: they mostly wait. */
const AT_ONCE = 3;
/** All times of the service's rules scale with it: 65 s are 2.6 s here. */
const SETTLE_SEC = 3;
const ROUNDS = 3;
const CLI = resolve('dist/bin/cli.js');
const EXITS: readonly number[] = [0, 1, 2, 3, 4, 5];

/** Plays all runs, and prints what is wrong. Resolves with the exit code. */
export async function playProcesses(options: ProcessOptions): Promise<number> {
  const server = options.state === 'postgres' ? await startPostgres() : null;
  const seeds = Array.from({ length: options.runs }, (_, place) => options.seed + place);
  const startedMs = performance.now();
  let failed = 0;
  const work = async () => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const problems = await playSeed(seed, options, server);
      if (problems.length > 0) failed += 1;
      for (const problem of problems) console.log(`seed ${seed}: ${problem}`);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await server?.stop();
  }
  const sec = Math.round((performance.now() - startedMs) / 1000);
  console.log(
    `${options.runs} runs of ${options.processes} processes on ${options.state} in ${sec} s: ${failed} failed`,
  );
  return failed === 0 ? 0 : 1;
}

async function playSeed(
  seed: number,
  { processes, state }: ProcessOptions,
  server: PostgresServer | null,
): Promise<readonly string[]> {
  const dice = new Dice(seed);
  const { simulator, env: service, close } = await serveWorld();
  const database = server === null ? null : await server.newDatabase();
  const directory = mkdtempSync(join(tmpdir(), 'herald-processes-'));
  const env = { ...service, ...(database === null ? {} : { HERALD_STATE_URL: database }) };
  const problems: string[] = [];
  const watch = watchWorld(simulator.world, problems);
  const herald = (args: readonly string[], cut?: Cut, offMs = 0) => {
    // The clock of this process: that of the service is right.
    const clock = `--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+${offMs}`;
    return runHerald(directory, { ...env, NODE_OPTIONS: clock }, args, problems, cut);
  };
  try {
    writeWorkspace(directory, state, service.HERALD_BASE_URL, 1);
    if (database !== null) await herald(['state', 'init']);
    for (let round = 1; round <= ROUNDS; round += 1) {
      writeWorkspace(directory, state, service.HERALD_BASE_URL, dice.int(1, 3));
      for (const fault of dice.some(0, 2, () => drawFault(dice))) simulator.control.addFault(fault);
      await Promise.all(
        Array.from({ length: processes }, async () => {
          await sleep(dice.int(0, 1_500));
          const offHours = dice.oneIn(3) ? dice.pick([-200, -1, 1, 200]) : 0;
          await herald(drawCommand(dice), drawCut(dice), offHours * 3_600_000);
        }),
      );
    }
    simulator.control.clearFaults();
    await endQuietly(herald, problems);
    problems.push(...findLive(simulator.world));
  } finally {
    watch.stop();
    await close();
    rmSync(directory, { recursive: true, force: true });
    if (server !== null && database !== null) await server.drop(database);
  }
  return [...new Set(problems)];
}

const NAMES = ['Welcome', 'Offer'] as const;

function writeWorkspace(directory: string, state: string, url: string, text: number): void {
  // The shortest lease, which ends soon after a process is killed, and while one is stopped for long.
  const place =
    state === 'postgres' ? 'state: { postgres: "${HERALD_STATE_URL}", workspace: ads, lease_sec: 10 }\n' : '';
  const workspace = `version: 1
service: { base_url: "${url}", settle_sec: ${SETTLE_SEC} }
${place}accounts: { alice: { id: "101" } }
files: ["live/*.yaml"]
`;
  const resources = {
    accounts: ['alice'],
    campaigns: NAMES.map((name) => ({
      name,
      trigger: 'welcome_message',
      action: 'send_message',
      audience: 'everyone',
      messages: [{ text: `${name} ${text}` }],
    })),
    broadcasts: [
      {
        name: 'Teaser',
        scheduled_at: '2030-06-01T15:00Z',
        audience: 'everyone',
        messages: [{ text: `Teaser ${text}` }],
      },
    ],
  };
  writeFiles(directory, { 'herald.yaml': workspace, 'live/all.yaml': JSON.stringify(resources) });
}

function drawFault(dice: Dice): FaultInput {
  const operation = dice.pick(['campaigns.create', 'broadcasts.create', 'campaigns.set-status'] as const);
  const nth = dice.int(1, 3);
  return dice.pick<FaultInput>([
    { kind: 'late_commit', operation, nth, after_sec: dice.int(1, 2), how: 'reset' },
    { kind: 'broken_answer', operation, nth, when: 'after_commit', how: '500' },
    { kind: 'broken_answer', operation, nth, when: 'before_commit', how: 'reset' },
  ]);
}

function drawCommand(dice: Dice): readonly string[] {
  const name = dice.pick(NAMES);
  return dice.weighted<readonly string[]>([
    [6, ['apply', '--yes', '--lock-timeout', '30s']],
    [1, ['plan']],
    [1, ['campaigns', 'pause', `alice/campaign/${name}`, '--yes']],
    [1, ['campaigns', 'pause', '--all', '--yes']],
    [1, ['campaigns', 'activate', `alice/campaign/${name}`, '--yes', '--lock-timeout', '30s']],
    [1, ['broadcasts', 'pause', 'alice/broadcast/Teaser', '--yes']],
  ]);
}

/** What happens to a process, so long after its start. */
interface Cut {
  readonly how: 'killed' | 'stopped';
  readonly afterMs: number;
  /** How long it is stopped. */
  readonly forMs: number;
}

function drawCut(dice: Dice): Cut | undefined {
  if (!dice.oneIn(3)) return undefined;
  return {
    how: dice.pick(['killed', 'stopped']),
    afterMs: dice.int(300, 1_500),
    forMs: dice.oneIn(4) ? 12_000 : dice.int(500, 4_000),
  };
}

interface Ended {
  readonly code: number;
  readonly said: string;
}

async function runHerald(
  directory: string,
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  problems: string[],
  cut?: Cut,
): Promise<Ended> {
  const child = startProcess([CLI, ...args], directory, env);
  const timers: NodeJS.Timeout[] = [];
  if (cut?.how === 'killed') timers.push(setTimeout(() => child.kill('SIGKILL'), cut.afterMs));
  if (cut?.how === 'stopped') {
    timers.push(setTimeout(() => child.kill('SIGSTOP'), cut.afterMs));
    timers.push(setTimeout(() => child.kill('SIGCONT'), cut.afterMs + cut.forMs));
  }
  const { code, stdout, stderr } = await child.ran;
  timers.forEach(clearTimeout);
  const said = `${stdout}${stderr}`;
  const command = `herald ${args.join(' ')}`;
  if (cut?.how !== 'killed' && !EXITS.includes(code)) problems.push(`${command} ends with ${code}`);
  if (/\n {4}at .+:\d+:\d+|bug in Herald/.test(said)) problems.push(`${command} prints a stack: ${said}`);
  return { code, said };
}

/** At most four applies, until one changes nothing any more. */
async function endQuietly(
  herald: (args: readonly string[]) => Promise<Ended>,
  problems: string[],
): Promise<void> {
  for (let turn = 1; turn <= 4; turn += 1) {
    const { code } = await herald(['apply', '--yes', '--allow', 'resume', '--lock-timeout', '60s']);
    const plan = await herald(['plan', '--detailed-exitcode']);
    if (code === 0 && plan.code === 0) return;
    if (turn === 4) problems.push(`the fourth apply is not quiet (${code}, ${plan.code}): ${plan.said}`);
  }
}

/** Of one name, never two versions run at the same time, and nothing that a person stopped starts by itself. */
function watchWorld(world: World, problems: string[]): { stop(): void } {
  const look = setInterval(() => {
    for (const name of NAMES) {
      const running = campaignsOf(world).filter(({ live }) => live.name === name && live.status === 'active');
      if (running.length > 1)
        problems.push(`${running.map(({ live }) => live.id).join(' and ')} of ${name} run at the same time`);
    }
  }, 50);
  return { stop: () => clearInterval(look) };
}

function campaignsOf({ accounts }: World) {
  return Object.values(accounts['101']?.campaigns ?? {});
}

/** Everything declared is live once. */
function findLive(world: World): readonly string[] {
  const waiting = Object.values(world.accounts['101']?.broadcasts ?? {}).filter(
    ({ live }) => live.status === 'scheduled',
  );
  const counts = [
    ...NAMES.map((name) => ({
      name,
      count: campaignsOf(world).filter(({ live }) => live.name === name && live.status === 'active').length,
    })),
    { name: 'Teaser', count: waiting.length },
  ];
  return counts
    .filter(({ count }) => count !== 1)
    .map(({ name, count }) => `in the end ${count} of ${name} are live`);
}
