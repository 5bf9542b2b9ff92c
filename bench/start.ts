import { spawnSync } from 'node:child_process';
import { heraldScript } from './herald.ts';
import { compareMeasured, median, type Comparison } from './pairs.ts';

const RUNS = 11;

/** Cold starts of the built command line against a bare node. */
export async function benchStart(): Promise<readonly Comparison[]> {
  const herald = heraldScript();
  return [
    compareStarts('herald --version', 2.2, [herald, '--version']),
    compareStarts('herald validate (examples/agency)', 9, [herald, '-C', 'examples/agency', 'validate']),
  ];
}

/** In turn, after one run of each to warm up. */
function compareStarts(name: string, budget: number, args: readonly string[]): Comparison {
  const bare = ['-e', '0'];
  start(args);
  start(bare);
  const pairs = Array.from({ length: RUNS }, () => ({ ours: start(args), theirs: start(bare) }));
  const byClock = median(pairs.map(({ ours, theirs }) => ours.clockMs / theirs.clockMs));
  const slowest = Math.max(...pairs.map(({ ours }) => ours.clockMs));
  return compareMeasured(
    {
      name,
      reference: 'node -e 0',
      unit: 'ms CPU',
      budget,
      note: `${byClock.toFixed(2)} by the clock, slowest ${Math.round(slowest)} ms`,
    },
    pairs.map(({ ours }) => ours.cpuMs),
    pairs.map(({ theirs }) => theirs.cpuMs),
  );
}

/** The shell tells the times of one process; code inside the process would be a part of what is measured. */
const TIMED = 'TIMEFORMAT="%3R %3U %3S"; time "$@"';

/** NODE_EXTRA_CA_CERTS alone costs 40 ms of every start, so it is left out of both sides. */
function start(args: readonly string[]): { readonly cpuMs: number; readonly clockMs: number } {
  const { NODE_EXTRA_CA_CERTS: _certificates, ...env } = process.env;
  const { status, stderr } = spawnSync('bash', ['-c', TIMED, 'bash', process.execPath, ...args], {
    env: { ...env, LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  const [clock, user, system] = stderr.trim().split(' ').map(Number);
  if (status !== 0 || clock === undefined || user === undefined || system === undefined)
    throw new Error(`node ${args.join(' ')} ended with ${status ?? 'a signal'}: ${stderr}`);
  return { cpuMs: (user + system) * 1000, clockMs: clock * 1000 };
}
