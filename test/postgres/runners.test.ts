import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { documentOf } from '../helpers/flows.ts';
import { postgresProxy } from '../helpers/postgres-proxy.ts';
import { startPostgres, type PostgresServer } from '../helpers/postgres.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { serveWorld } from '../helpers/served.ts';

/** The server is made, started and removed on a machine that may be busy. */
const SERVER_TIMEOUT_MS = 60_000;
let herald: RealHerald;
let server: PostgresServer;
beforeAll(async () => {
  herald = builtHerald();
  server = await startPostgres();
}, SERVER_TIMEOUT_MS);
afterAll(async () => {
  herald.dispose();
  await server.stop();
}, SERVER_TIMEOUT_MS);

/** With a window of five seconds, because an apply waits for its end before it believes what it found. */
const SHARED = `${WORKSPACE.replace('world.json }', 'world.json, settle_sec: 5 }')}state:
  postgres: "\${HERALD_STATE_URL}"
  workspace: agency-eu
  lease_sec: 10
`;
const FILES = { 'herald.yaml': SHARED, ...declaring({ campaigns: [campaign({ name: 'Welcome' })] }) };

/** One service and one database, and runners that each have a folder of their own, as jobs of CI do. */
async function aTeam(files = FILES) {
  const served = await serveWorld();
  const url = await server.newDatabase();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  onTestFinished(async () => {
    await client.end();
    await served.close();
  });
  const env = { ...served.env, HERALD_STATE_URL: url };
  const runner = () => {
    const directory = herald.workspace(files);
    return {
      directory,
      start: (...args: string[]) => herald.start(directory, args, env),
      /** The same with another way to the database. */
      startAt: (stateUrl: string, ...args: string[]) =>
        herald.start(directory, args, { ...env, HERALD_STATE_URL: stateUrl }),
      run: (...args: string[]) => herald.start(directory, args, env).ran,
    };
  };
  const live = () =>
    Object.values(served.simulator.world.accounts['101']?.campaigns ?? {}).map(
      ({ live: { name, status } }) => `${name} ${status}`,
    );
  return { served, url, client, runner, live };
}

describe('two runners with a database', () => {
  it('make one message in the end, when the first is killed in the middle of its create', async () => {
    const { served, client, runner, live } = await aTeam();
    const [first, second] = [runner(), runner()];
    expect((await first.run('state', 'init')).stdout).toContain('The schema is set up.');
    served.simulator.control.addFault({
      kind: 'slow',
      operation: 'campaigns.create',
      delay_ms: 20_000,
      nth: 1,
    });
    const killed = first.start('apply', '--yes');
    await served.arrival('campaigns.create');
    const held = await second.run('apply', '--yes');
    expect(held.code).toBe(1);
    expect(held.stderr).toMatch(/Another herald run is active: .*process \d+ on .*since /);
    killed.kill('SIGKILL');
    await killed.ran;
    // The lease ends by itself; the test does not wait for that.
    await client.query("UPDATE herald.leases SET expires_at = clock_timestamp() - interval '1 second'");
    const ran = await second.run('apply', '--yes', '--format', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    const { outcomes } = documentOf(ran, applyReportShape);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['adopted']);
    expect(live()).toEqual(['Welcome active']);
    const { rows } = await client.query('SELECT DISTINCT fence FROM herald.ledger_lines ORDER BY fence');
    expect(rows).toEqual([{ fence: '1' }, { fence: '2' }]);
    expect(existsSync(join(second.directory, '.herald/ledger.ndjson'))).toBe(false);
    expect((await first.run('plan', '--detailed-exitcode')).code).toBe(0);
  });

  it('leave the lease free, and show where the state is without the password', async () => {
    const { url, runner } = await aTeam();
    const { run } = runner();
    await run('state', 'init');
    expect((await run('apply', '--yes')).code).toBe(0);
    const shown = await run('state', 'show', '--format', 'json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      schema: 'herald/state/1',
      place: expect.stringContaining('(workspace agency-eu)'),
      holder: null,
      writers: [{ who: expect.any(String) }],
    });
    const password = new URL(url.replace('@/', '@localhost/')).password;
    expect(shown.stdout + shown.stderr).not.toContain(password);
  });

  it.each([
    ['goes away for good', 'close', [3, 4]],
    ['drops its connections', 'cutAll', [0]],
  ] as const)(
    'record a request or say that it is missing, when the database %s under it',
    async (_, fails, codes) => {
      const { url, served, runner, live } = await aTeam({
        ...FILES,
        'herald.yaml': SHARED.replace('lease_sec: 10', 'lease_sec: 10\n  retry_sec: 1'),
      });
      const { run, startAt } = runner();
      await run('state', 'init');
      const proxy = await postgresProxy(url);
      onTestFinished(() => proxy.close());
      served.simulator.control.addFault({
        kind: 'slow',
        operation: 'campaigns.create',
        delay_ms: 500,
        nth: 1,
      });
      const apply = startAt(proxy.url, 'apply', '--yes');
      await served.arrival('campaigns.create');
      proxy[fails]();
      const ran = await apply.ran;
      const said = ran.stdout + ran.stderr;
      expect(codes, said).toContain(ran.code);
      expect(said).not.toMatch(/\n\s+at |bug in Herald|pass-of-the-test/);
      expect(said.includes('The ledger is incomplete')).toBe(fails === 'close');
      expect(live()).toEqual(['Welcome active']);
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query('DELETE FROM herald.leases');
      await client.end();
      expect((await run('apply', '--yes')).code).toBe(0);
      expect(live()).toEqual(['Welcome active']);
    },
  );

  it('stop before anything is sent when the database is not set up, not named or gone', async () => {
    const { served, runner } = await aTeam();
    const { directory, run } = runner();
    const missing = await run('apply', '--yes');
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('herald state init')]);
    const unnamed = await herald.start(directory, ['apply', '--yes'], served.env).ran;
    expect([unnamed.code, unnamed.stderr]).toEqual([
      1,
      expect.stringContaining('Set HERALD_STATE_URL to postgres://'),
    ]);
    const gone = { ...served.env, HERALD_STATE_URL: 'postgres://ana:hidden-pass@127.0.0.1:1/gone' };
    const unreachable = await herald.start(directory, ['apply', '--yes'], gone).ran;
    expect([unreachable.code, unreachable.stderr]).toEqual([
      1,
      expect.stringContaining('postgres://127.0.0.1:1/gone cannot be reached'),
    ]);
    expect(unreachable.stderr).not.toContain('hidden-pass');
    expect(served.simulator.world.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect((await herald.start(directory, ['validate'], served.env).ran).code).toBe(0);
  });
});
