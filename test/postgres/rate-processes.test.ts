import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { heraldHere } from '../helpers/herald-here.ts';
import { heraldWithPostgres } from '../helpers/herald-with-postgres.ts';
import { serveWorld } from '../helpers/served.ts';

const real = heraldWithPostgres();

const ACCOUNTS = 8;
const ids = Array.from({ length: ACCOUNTS }, (_, index) => String(101 + index));
const FILES = {
  'herald.yaml': `version: 1
service: { base_url: "http://127.0.0.1:1", rate_share: 1 }
accounts: { ${ids.map((id) => `a${id}: { id: "${id}" }`).join(', ')} }
files: ["live/*.yaml"]
state: { postgres: "\${HERALD_STATE_URL}", workspace: agency-eu }
`,
  'live/welcome.yaml': `accounts: [${ids.map((id) => `a${id}`).join(', ')}]
campaigns:
  - { name: Welcome, trigger: welcome_message, action: send_message, audience: everyone, messages: [{ text: Hello! }] }
`,
};

/** One service with the published limits, one database, and processes of Herald. */
async function aTeam() {
  const served = await serveWorld({ accounts: ids.map((id) => ({ id })) });
  onTestFinished(() => served.close());
  const url = await real.server.newDatabase();
  const env = { ...served.env, HERALD_STATE_URL: url };
  const directory = real.herald.workspace(FILES);
  return {
    served,
    url,
    directory,
    start: (...args: string[]) => real.herald.start(directory, args, env),
    /** Runs one command in this process. */
    run: (...args: string[]) => heraldHere(directory, { args, env }),
    world: served.simulator.world,
  };
}

describe('processes of Herald with one key and one database', () => {
  it('plan at the same time without a single 429, and leave nothing of their rates behind', async () => {
    const { url, start, run, world } = await aTeam();
    expect((await run('state', 'init')).code).toBe(0);
    const runs = Array.from({ length: 4 }, () => start('plan', '--allow', 'large'));
    for (const { ran } of runs) expect((await ran).code).toBe(0);
    const lists = world.requests.filter(({ operation }) => operation === 'campaigns.list');
    expect(lists.length).toBeGreaterThanOrEqual(4 * ACCOUNTS);
    expect(world.throttled).toBe(0);
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query('SELECT scope FROM herald.rate_runs');
    expect(rows).toEqual([]);
    const places = await client.query('SELECT DISTINCT scope FROM herald.rate_places');
    expect(places.rowCount).toBeLessThanOrEqual(1);
    expect(JSON.stringify(places.rows)).not.toContain('sim-key');
    await client.end();
  });

  it('apply while others plan, without a single 429', async () => {
    const { start, run, world } = await aTeam();
    await run('state', 'init');
    const plans = [start('plan', '--allow', 'large'), start('plan', '--allow', 'large')];
    const apply = await run('apply', '--yes', '--allow', 'large');
    expect([apply.code, apply.stderr]).toEqual([0, expect.not.stringContaining('rates-not-shared')]);
    for (const { ran } of plans) expect((await ran).code).toBe(0);
    expect(world.throttled).toBe(0);
  });

  it('list without the database, more slowly and with a warning', async () => {
    const { served, directory } = await aTeam();
    const env = { ...served.env, HERALD_STATE_URL: 'postgres://ana:hidden-pass@127.0.0.1:1/gone' };
    const ran = await heraldHere(directory, { args: ['accounts', 'list', '--format', 'json'], env });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('warning: rates-not-shared: Requests go on at a quarter of rate_share');
    expect(ran.stderr).toContain('postgres://127.0.0.1:1/gone cannot be reached');
    expect(ran.stderr).not.toContain('hidden-pass');
  });
});
