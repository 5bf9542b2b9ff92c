import { startPgBouncer, hasPgBouncer, type PgBouncer } from '../../helpers/pgbouncer.ts';
import { startPostgres, type PostgresServer } from '../../helpers/postgres.ts';
import type { Violation } from '../violation.ts';
import { drawScenario } from './draw.ts';
import { judgeProcesses } from './judge.ts';
import { playScenario } from './play.ts';
import type { ProcessScenario, StateKind } from './shape.ts';
import { makeTestBed, type TestBedOptions } from './test-bed.ts';

/** What scenarios of one kind are played with, one after the other. */
export interface ScenarioRunner {
  /** The scenario of a seed, and what it broke. */
  run(seed: number): Promise<ProcessResult>;
  end(): Promise<void>;
}

export interface ProcessResult {
  readonly scenario: ProcessScenario;
  readonly violations: readonly Violation[];
  /** Exit codes of all processes, `killed` for those that were killed. */
  readonly ends: readonly string[];
}

/** Starts what all scenarios share: a database, and PgBouncer where it is installed. */
export async function makeRunner(
  cli: string,
  { processes, state }: { readonly processes: number; readonly state: StateKind },
): Promise<ScenarioRunner> {
  const server: PostgresServer | null = state === 'postgres' ? await startPostgres('embedded') : null;
  const pooler: PgBouncer | null =
    server !== null && hasPgBouncer() ? await startPgBouncer(server.folder) : null;
  const bedOptions: TestBedOptions = { cli, server, poolerFolder: pooler?.folder ?? null };
  return {
    run: async (seed) => {
      const scenario = drawScenario({ seed, processes, state, hasPooler: pooler !== null });
      const bed = await makeTestBed(bedOptions, scenario);
      try {
        const played = await playScenario(bed, scenario, server);
        const violations = await judgeProcesses(bed.simulator.world, scenario, played, bed.database);
        const ends = [...played.runs, ...played.last].map(({ code }) => String(code ?? 'killed'));
        return { scenario, violations, ends };
      } finally {
        await bed.end();
      }
    },
    end: async () => {
      await pooler?.stop();
      await server?.stop();
    },
  };
}
