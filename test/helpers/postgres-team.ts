import pg from 'pg';
import { onTestFinished } from 'vitest';
import { campaign, declaring } from './declare-live.ts';
import { heraldHere } from './herald-here.ts';
import type { RealHerald } from './real-herald.ts';
import { WORKSPACE } from './scene.ts';
import { serveWorld } from './served.ts';
import type { SharedPostgres } from './shared-postgres.ts';

/** With a short window, because an apply waits for its end before it believes what it found. */
const IN_FILES = WORKSPACE.replace('world.json }', 'world.json, settle_sec: 1 }');

/** The same with its state in the database. */
export const SHARED = `${IN_FILES}state:
  postgres: "\${HERALD_STATE_URL}"
  workspace: agency-eu
  lease_sec: 10
`;

const DECLARED = declaring({ campaigns: [campaign({ name: 'Welcome' })] });
/** A workspace with one campaign. */
export const TEAM_FILES = { 'herald.yaml': SHARED, ...DECLARED };
export const FILES_IN_FOLDER = { 'herald.yaml': IN_FILES, ...DECLARED };

/** One service and one database, and runners that each have a folder of their own, as jobs of CI do. */
export async function teamOf(
  { herald, server }: { readonly herald: RealHerald; readonly server: SharedPostgres },
  files: Readonly<Record<string, string>> = TEAM_FILES,
) {
  const served = await serveWorld();
  const url = await server.newDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await served.close();
  });
  const env = { ...served.env, HERALD_STATE_URL: url };
  const runner = (tree = files) => {
    const directory = herald.workspace(tree);
    const runAt = (stateUrl: string, ...args: string[]) =>
      heraldHere(directory, { args, env: { ...env, HERALD_STATE_URL: stateUrl } });
    return {
      directory,
      /** Starts a process of its own, for what happens to one. */
      start: (...args: string[]) => herald.start(directory, args, env),
      /** Runs one command in this process. */
      run: (...args: string[]) => runAt(url, ...args),
      /** The same with another way to the database. */
      runAt,
    };
  };
  const live = () =>
    Object.values(served.simulator.world.accounts['101']?.campaigns ?? {}).map(
      ({ live: { name, status } }) => `${name} ${status}`,
    );
  /** The lease ends by itself; a test does not wait for that. */
  const endLease = () =>
    client.query("UPDATE herald.leases SET expires_at = clock_timestamp() - interval '1 second'");
  /** Requests that may change something. */
  const writes = () => served.simulator.world.requests.filter(({ method }) => method !== 'GET').length;
  return { served, url, env, client, runner, live, endLease, writes };
}
