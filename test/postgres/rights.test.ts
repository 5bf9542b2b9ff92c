import { readFileSync } from 'node:fs';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SHARED, teamOf } from '../helpers/postgres-team.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { heraldWithPostgres } from '../helpers/herald-with-postgres.ts';

const real = heraldWithPostgres();

const TWO = {
  'herald.yaml': SHARED.replace('lease_sec: 10', 'lease_sec: 10\n  retry_sec: 1'),
  ...declaring({ campaigns: [campaign({ name: 'Welcome' }), campaign({ name: 'Second' })] }),
};
const aTeam = (files: Readonly<Record<string, string>> = TWO) => teamOf(real, files);
type Team = Awaited<ReturnType<typeof aTeam>>;

/** The roles as the documentation makes them, with names of this database. */
async function rolesOf({ url, client }: Pick<Team, 'url' | 'client'>) {
  const page = readFileSync('docs/guides/shared-state.md', 'utf8');
  const [sql = ''] = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const suffix = rows[0]?.name ?? '';
  await client.query(
    sql.replaceAll(/herald_(reader|writer)/g, `$1_${suffix}`).replaceAll("'…'", "'few-rights'"),
  );
  const as = (role: string) => url.replace(/\/\/[^@]*@/, `//${role}_${suffix}:few-rights@`);
  onTestFinished(async () => {
    const owner = new pg.Client({ connectionString: url });
    await owner.connect();
    for (const role of ['reader', 'writer'])
      await owner.query(`DROP OWNED BY ${role}_${suffix}; DROP ROLE ${role}_${suffix}`);
    await owner.end();
  });
  return { reader: as('reader'), writer: as('writer'), writerName: `writer_${suffix}` };
}

/** Runs with the commands of a person who looks, and of one who changes something. */
const READS = [['plan'], ['drift'], ['history'], ['state', 'show'], ['state', 'check']];

describe('the roles of the documentation', () => {
  it('let a reader plan, look for drift and see the history, and change nothing', async () => {
    const team = await aTeam();
    const { runner, writes } = team;
    const { run, runAt } = runner();
    await run('state', 'init');
    const { reader } = await rolesOf(team);
    for (const args of READS) {
      const ran = await runAt(reader, ...args);
      expect([0, 2], `${args.join(' ')}: ${ran.stderr}`).toContain(ran.code);
    }
    const checked = await runAt(reader, 'state', 'check');
    expect(checked.stdout).toContain('may only read');
    for (const args of [
      ['apply', '--yes'],
      ['state', 'unlock', '--yes'],
      ['ledger', 'compact'],
    ]) {
      const refused = await runAt(reader, ...args);
      const said = refused.stdout + refused.stderr;
      if (args[0] === 'apply') expect(refused.code, said).toBe(1);
      expect(said).not.toMatch(/\n\s+at |bug in Herald|few-rights/);
    }
    const refused = await runAt(reader, 'apply', '--yes');
    expect(refused.stderr).toMatch(/lacks a right \(permission denied for table \w+\)/);
    expect(writes()).toBe(0);
  });

  it('let a writer do everything but set the schema up', async () => {
    const team = await aTeam();
    const { run, runAt } = team.runner();
    await run('state', 'init');
    const { writer } = await rolesOf(team);
    for (const args of [
      ['state', 'init'],
      ['apply', '--yes'],
      ['ledger', 'compact'],
      ['state', 'check'],
    ]) {
      const ran = await runAt(writer, ...args);
      expect(ran.code, `${args.join(' ')}: ${ran.stdout}${ran.stderr}`).toBe(0);
    }
    expect(team.live().toSorted()).toEqual(['Second active', 'Welcome active']);
    const client = new pg.Client({ connectionString: writer });
    await client.connect();
    await expect(client.query('CREATE TABLE herald.more (id int)')).rejects.toThrow('permission denied');
    await expect(client.query('INSERT INTO herald.migrations (version) VALUES (99)')).rejects.toThrow(
      'permission denied',
    );
    await client.end();
  });

  it('lose nothing when a right is revoked in the middle of a run', async () => {
    const team = await aTeam();
    const { served, client, live, runner } = team;
    const { run, runAt } = runner();
    await run('state', 'init');
    const { writer, writerName } = await rolesOf(team);
    served.simulator.control.addFault({
      kind: 'slow',
      operation: 'campaigns.create',
      delay_ms: 1_000,
      nth: 1,
    });
    const apply = runAt(writer, 'apply', '--yes');
    await served.arrival('campaigns.create');
    await client.query(`REVOKE INSERT ON herald.ledger_lines FROM ${writerName}`);
    const ran = await apply;
    const said = ran.stdout + ran.stderr;
    expect([3, 4], said).toContain(ran.code);
    expect(said).toContain('lacks a right');
    expect(said).not.toMatch(/\n\s+at |bug in Herald|few-rights/);
    expect(live()).toHaveLength(1);
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(live().toSorted()).toEqual(['Second active', 'Welcome active']);
  });
});

describe('a replica', () => {
  it('is read, and refuses an apply before anything is sent', async () => {
    const { client, runner, writes } = await aTeam();
    const { run } = runner();
    await run('state', 'init');
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
    await client.query(`ALTER DATABASE ${rows[0]?.name ?? ''} SET default_transaction_read_only = on`);
    // A pooler keeps its connections, and they keep their settings.
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await client.query('SET default_transaction_read_only = on');
    for (const args of READS) {
      const ran = await run(...args);
      expect([0, 2], `${args.join(' ')}: ${ran.stderr}`).toContain(ran.code);
    }
    const refused = await run('apply', '--yes');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/is read-only\. It may be a replica\.[\s\S]*primary/),
    ]);
    expect(writes()).toBe(0);
  });
});

describe('a state that cannot be used', () => {
  it('has one message with what to do, sends nothing, and prints no password', async () => {
    const { url, runner, writes } = await aTeam();
    const { runAt } = runner();
    const folder = /host=([^&]*)/.exec(url)?.[1] ?? '';
    const stateUrls = {
      'no address': ['not-a-url', /not valid[\s\S]*postgres:\/\/USER:PASSWORD@HOST\/DATABASE/],
      'another protocol': ['mysql://ana:hidden-pass@db.example/herald', /not valid/],
      'no such database': [
        url.replace(/\/test_[0-9a-f]+/, '/gone'),
        /the database does not exist[\s\S]*Check the address/,
      ],
      'a wrong password': [
        url.replace(/:[^:@/]+@/, ':hidden-pass@'),
        /password is wrong[\s\S]*Check the address/,
      ],
      'no such user': [url.replace(/\/\/[^@]*@/, '//no_one:hidden-pass@'), /wrong|not let[\s\S]*Check/],
      'no server': ['postgres://ana:hidden-pass@127.0.0.1:1/herald', /cannot be reached[\s\S]*server runs/],
      'no socket': [`postgres://ana:hidden-pass@/herald?host=${folder}%2Fgone`, /cannot be reached/],
      'no schema': [url, /is not set up[\s\S]*herald state init/],
    } as const;
    for (const [name, [stateUrl, message]] of Object.entries(stateUrls)) {
      const ran = await runAt(stateUrl, 'apply', '--yes');
      expect([ran.code, ran.stderr], name).toEqual([1, expect.stringMatching(message)]);
      expect(ran.stdout + ran.stderr, name).not.toMatch(/hidden-pass|\n\s+at |bug in Herald/);
    }
    expect(writes()).toBe(0);
  });

  it('is not read with an older or a newer schema', async () => {
    const { client, runner, writes } = await aTeam();
    const { run } = runner();
    await run('state', 'init');
    await client.query('INSERT INTO herald.migrations (version) VALUES (999)');
    expect((await run('plan')).stderr).toMatch(/version 999[\s\S]*Update Herald/);
    await client.query('DELETE FROM herald.migrations WHERE version > 1');
    expect((await run('plan')).stderr).toMatch(/version 1;[\s\S]*herald state init/);
    expect(writes()).toBe(0);
  });
});

describe('a lease that is deleted by hand', () => {
  it('ends its run with an account of what was done, and the next one finishes it', async () => {
    const { served, client, live, runner } = await aTeam();
    const { run } = runner();
    await run('state', 'init');
    served.simulator.control.addFault({
      kind: 'slow',
      operation: 'campaigns.create',
      delay_ms: 1_000,
      nth: 1,
    });
    const apply = run('apply', '--yes');
    await served.arrival('campaigns.create');
    await client.query('DELETE FROM herald.leases');
    const ran = await apply;
    const said = ran.stdout + ran.stderr;
    expect([3, 4], said).toContain(ran.code);
    expect(said).toContain('it was removed from the database');
    expect(live()).toHaveLength(1);
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(live().toSorted()).toEqual(['Second active', 'Welcome active']);
  });
});
