import { applyReportShape, errorReportShape, type ApplyReport } from '../../../src/domain/change.ts';
import type { PostgresServer } from '../../helpers/postgres.ts';
import type { RealRun } from '../../helpers/start-process.ts';
import { declarationOf } from './declaration.ts';
import { Accidents } from './accidents.ts';
import type { ProcessScenario, Round } from './shape.ts';
import { LEASE_SEC, type TestBed } from './test-bed.ts';

/** How a process ended. */
export interface EndedRun {
  readonly process: number;
  readonly round: number;
  /** Null for a process that was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Null if it printed none. */
  readonly report: ApplyReport | null;
  readonly errorCode: string | null;
  /** The numbers of the requests that arrived while it ran. */
  readonly requests: { readonly from: number; readonly to: number };
  /** When it went on after a pause that was longer than its lease, epoch milliseconds; null if there was none. */
  readonly staleSinceMs: number | null;
}

export interface Played {
  readonly runs: readonly EndedRun[];
  /** Runs after the last round, until nothing was left to do. */
  readonly last: readonly EndedRun[];
  readonly isQuiet: boolean;
}

/** After the last round, so many runs have to be enough. */
const LAST_RUNS_MAX = 4;
/** In the end a run waits for the lease of one that was killed. It ends by itself after less time than this. */
const LAST_LOCK_TIMEOUT = `${LEASE_SEC + 20}s`;
const APPLY = ['apply', '--yes', '--allow', 'adopt', '--allow', 'resume', '--format', 'json'];

/** Plays all rounds, and then applies until nothing is left to do. */
export async function playScenario(
  bed: TestBed,
  scenario: ProcessScenario,
  server: PostgresServer | null,
): Promise<Played> {
  if (scenario.state === 'postgres') await bed.start(0, ['state', 'init']).ran;
  const startedMs = Date.now();
  const runs: EndedRun[] = [];
  for (const [number, round] of scenario.rounds.entries()) {
    bed.write('live/all.yaml', declarationOf(round.versions, startedMs));
    runs.push(...(await playRound(bed, number, round, server)));
  }
  bed.simulator.control.clearFaults();
  const last: EndedRun[] = [];
  while (last.length < LAST_RUNS_MAX) {
    const from = bed.simulator.world.requests.length;
    const run = bed.start(0, [...APPLY, '--lock-timeout', LAST_LOCK_TIMEOUT]);
    last.push(await endOfRun(bed, { run, process: 0, round: scenario.rounds.length, from }, null));
    if (isDone(last.at(-1))) return { runs, last, isQuiet: true };
  }
  return { runs, last, isQuiet: false };
}

function isDone(run: EndedRun | undefined): boolean {
  return run?.code === 0 && (run.report?.outcomes ?? []).every(({ outcome }) => outcome === 'unchanged');
}

async function playRound(
  bed: TestBed,
  number: number,
  { faults, starts, accidents }: Round,
  server: PostgresServer | null,
): Promise<readonly EndedRun[]> {
  const { control, world } = bed.simulator;
  control.clearFaults();
  for (const fault of faults) control.addFault(fault);
  const happening = new Accidents({ bed, server, accidents });
  const from = world.requests.length;
  const ended = await Promise.all(
    starts.map(async ({ afterMs, lockTimeoutSec }, process) => {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      const run = bed.start(process, [...APPLY, '--lock-timeout', `${lockTimeoutSec}s`]);
      happening.runs.set(process, run);
      const end = await endOfRun(bed, { run, process, round: number, from }, happening);
      happening.runs.delete(process);
      return end;
    }),
  );
  await happening.end();
  return ended;
}

interface Begun {
  readonly run: RealRun;
  readonly process: number;
  readonly round: number;
  readonly from: number;
}

async function endOfRun(
  { simulator: { world } }: TestBed,
  { run, process, round, from }: Begun,
  happening: Accidents | null,
): Promise<EndedRun> {
  const { code, signal, stdout, stderr } = await run.ran;
  return {
    process,
    round,
    code: signal === null ? code : null,
    stdout,
    stderr,
    ...documentIn(stdout),
    requests: { from, to: world.requests.length },
    staleSinceMs: happening?.staleSinceMs.get(process) ?? null,
  };
}

function documentIn(stdout: string): Pick<EndedRun, 'report' | 'errorCode'> {
  if (!stdout.startsWith('{')) return { report: null, errorCode: null };
  const document: unknown = JSON.parse(stdout);
  const report = applyReportShape.safeParse(document);
  const error = errorReportShape.safeParse(document);
  return { report: report.success ? report.data : null, errorCode: error.success ? error.data.code : null };
}
