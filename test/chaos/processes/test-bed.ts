import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { systemClock } from '../../../src/host/clock.ts';
import type { RequestRecord } from '../../../src/simulator/records.ts';
import { serveSimulator } from '../../../src/simulator/serve.ts';
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts';
import { createWorld } from '../../../src/simulator/world.ts';
import { postgresProxy, type PostgresProxy } from '../../helpers/postgres-proxy.ts';
import type { PostgresServer } from '../../helpers/postgres.ts';
import { startProcess, type RealRun } from '../../helpers/start-process.ts';
import { SHIFT_CLOCK } from './shifted-clock.ts';
import type { Machine, ProcessScenario } from './shape.ts';

/** What a scenario is played with. */
export interface TestBedOptions {
  /** The built command line. */
  readonly cli: string;
  /** Null for a record in files. */
  readonly server: PostgresServer | null;
  /** The folder of the socket of PgBouncer; null where there is none. */
  readonly poolerFolder: string | null;
}

/** One workspace, one service and one record, and a way to start processes on them. */
export interface TestBed {
  readonly simulator: Simulator;
  /** Another way into the database; null for a record in files. */
  readonly database: pg.Pool | null;
  readonly proxy: PostgresProxy | null;
  /** Called with each request as it arrives. */
  onRequest: (request: RequestRecord) => void;
  write(path: string, text: string): void;
  start(process: number, args: readonly string[]): RealRun;
  end(): Promise<void>;
}

/** How long the service may take to carry a request out in a scenario, and what each process waits for. */
const SETTLE_SEC = 8;
/** The least that `herald.yaml` takes. A scenario ends leases by hand, so it does not wait for so long. */
export const LEASE_SEC = 10;
const RETRY_SEC = 5;

/** Sets everything up that a scenario needs. Processes with a database have a folder each, as jobs of CI do. */
export async function makeTestBed(
  { cli, server, poolerFolder }: TestBedOptions,
  scenario: ProcessScenario,
): Promise<TestBed> {
  const { machines, seed, state } = scenario;
  const world = createWorld({ seed });
  const [key] = world.keys;
  if (key === undefined) throw new Error('the world has no key');
  // One token by the service, and a name of its own for each process.
  machines.forEach((_, process) => world.keys.push({ ...key, key: keyOf(process) }));
  const simulator = createSimulator(world, { clock: systemClock });
  const service = await serveSimulator(
    {
      ...simulator,
      exchange: (request) => {
        const answer = simulator.exchange(request);
        const record = world.requests.at(-1);
        if (record !== undefined) bed.onRequest(record);
        return answer;
      },
    },
    { port: 0 },
  );
  const url = (await server?.newDatabase()) ?? null;
  const proxy = url === null ? null : await postgresProxy(url);
  const addressOf = ({ way }: Machine) => {
    if (url === null || proxy === null) return {};
    const pooled =
      poolerFolder === null ? url : url.replace(/host=.*/, `host=${encodeURIComponent(poolerFolder)}`);
    return { HERALD_STATE_URL: { direct: url, proxy: proxy.url, pooler: pooled }[way] };
  };
  const root = mkdtempSync(join(tmpdir(), 'herald-chaos-'));
  const shift = join(root, 'shift-clock.cjs');
  writeFileSync(shift, SHIFT_CLOCK);
  const folders = machines.map((_, process) => join(root, state === 'file' ? 'shared' : `runner-${process}`));
  const database = url === null ? null : new pg.Pool({ connectionString: url, max: 2 });
  // A restart of the server ends its connections.
  database?.on('error', () => undefined);
  const bed: TestBed = {
    simulator,
    database,
    proxy,
    onRequest: () => undefined,
    write: (path, text) => {
      for (const folder of new Set(folders)) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    },
    start: (process, args) => {
      const machine = machines[process] ?? { clockSec: 0, way: 'direct' };
      const env = {
        HERALD_BASE_URL: service.url,
        HERALD_API_KEY: keyOf(process),
        NODE_OPTIONS: `--require ${shift}`,
        CHAOS_CLOCK_SEC: String(machine.clockSec),
        ...addressOf(machine),
      };
      return startProcess([cli, ...args], folders[process] ?? root, env);
    },
    end: async () => {
      await database?.end();
      proxy?.close();
      await service.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
  bed.write('herald.yaml', workspaceText(state));
  return bed;
}

/** The service keeps the first three characters of a key. */
function keyOf(process: number): string {
  return `p${String(process).padStart(2, '0')}-key`;
}

/** The process that sent a request. */
export function senderOf({ token }: RequestRecord): number {
  return Number(token?.slice(1, 3));
}

function workspaceText(state: ProcessScenario['state']): string {
  const shared = `state:
  postgres: "\${HERALD_STATE_URL}"
  workspace: chaos
  lease_sec: ${LEASE_SEC}
  retry_sec: ${RETRY_SEC}
`;
  return `version: 1
service: { settle_sec: ${SETTLE_SEC} }
accounts:
  alice: { id: "101" }
  bob: { id: "102" }
files: ["live/*.yaml"]
${state === 'postgres' ? shared : ''}`;
}
