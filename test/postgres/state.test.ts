import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { LockHeldError } from '../../src/domain/lease.ts';
import { LEDGER_BEGIN } from '../../src/domain/ledger-store.ts';
import { systemClock } from '../../src/host/clock.ts';
import { postgresState, type PostgresState, type PostgresStateOptions } from '../../src/postgres/state.ts';
import { sharedPostgres } from '../helpers/shared-postgres.ts';
import { describeState, type Fixture } from '../helpers/state-contract.ts';

const server = sharedPostgres();

type Options = Partial<Omit<PostgresStateOptions, 'url' | 'clock'>>;

const stateAt = (url: string, options: Options = {}) =>
  postgresState({
    url,
    workspace: 'agency-eu',
    clock: systemClock,
    holder: 'ana, process 1 on laptop',
    leaseSec: 60,
    retrySec: 5,
    ...options,
  });

/** A database with an empty workspace, and another way in for the test. */
async function newState(options: Options = {}) {
  const url = await server.newDatabase();
  const state = stateAt(url, options);
  await state.init();
  const client = new pg.Client({ connectionString: server.direct(url) });
  await client.connect();
  const end = async () => {
    await client.end();
    await state.close();
  };
  return { url, state, client, end };
}

/** A pooler may learn only from a statement that one of its connections has ended. */
async function untilItAnswers(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const one = new pg.Client({ connectionString: url });
    one.on('error', () => undefined);
    try {
      await one.connect();
      await one.query('SELECT 1');
      return;
    } catch (error) {
      if (attempt === 20) throw error;
    } finally {
      await one.end().catch(() => undefined);
    }
  }
}

async function linesOf({ ledger }: Pick<PostgresState, 'ledger'>): Promise<readonly string[]> {
  const lines = await ledger.open();
  const texts: string[] = [];
  await lines.read(LEDGER_BEGIN, (text) => texts.push(text));
  await lines.close();
  return texts;
}

async function fixture(): Promise<Fixture> {
  const { url, state, client, end } = await newState();
  const other = stateAt(url, { holder: 'bo, process 2 on runner' });
  const leases: { release(): Promise<void> }[] = [];
  return {
    state,
    other,
    replace: async (lines) => {
      await client.query(`UPDATE herald.workspaces SET epoch = epoch + 1, last_position = ${lines.length}`);
      for (const [index, line] of lines.entries())
        await client.query(
          `INSERT INTO herald.ledger_lines (workspace, epoch, position, id, line)
           SELECT id, epoch, $1, gen_random_uuid(), $2 FROM herald.workspaces`,
          [index + 1, line],
        );
    },
    tear: null,
    lease: async () => {
      await client.query('DELETE FROM herald.leases');
      const lease = await state.leases.take();
      leases.push(lease);
      return lease;
    },
    steal: async () => {
      await client.query("UPDATE herald.leases SET expires_at = clock_timestamp() - interval '1 second'");
      leases.push(await other.leases.take());
    },
    end: async () => {
      await Promise.all(leases.map((lease) => lease.release()));
      await other.close();
      await end();
    },
  };
}

describeState('a ledger in PostgreSQL', fixture, { tears: false, keepsViews: true });

describe('the lease', () => {
  it('has a number that only grows, and a line with an older one is refused', async () => {
    const { url, state, client, end } = await newState();
    const stale = await state.leases.take();
    const writer = await state.ledger.openToAppend(stale);
    await writer.append('{"line":1}');
    await client.query("UPDATE herald.leases SET expires_at = clock_timestamp() - interval '1 second'");
    const other = stateAt(url, { holder: 'bo' });
    const fresh = await other.leases.take();
    await expect(writer.append('{"line":2}')).rejects.toThrow('another run has taken the lease');
    await (await other.ledger.openToAppend(fresh)).append('{"line":3}');
    expect(await linesOf(state)).toEqual(['{"line":1}', '{"line":3}']);
    const { rows } = await client.query('SELECT fence FROM herald.ledger_lines ORDER BY position');
    expect(rows).toEqual([{ fence: '1' }, { fence: '2' }]);
    await stale.release();
    expect(await fresh.lost(), 'a stale run ends no lease but its own').toBeNull();
    await fresh.release();
    await other.close();
    await end();
  });

  it('is renewed while its run lives, and ends by the clock of the database when it does not', async () => {
    const { url, state, client, end } = await newState({ leaseSec: 0.6 });
    const lease = await state.leases.take();
    const other = stateAt(url, { leaseSec: 0.6 });
    await expect
      .poll(
        async () =>
          (await client.query("SELECT expires_at > taken_at + interval '1 s' AS renewed FROM herald.leases"))
            .rows,
        { timeout: 10_000 },
      )
      .toEqual([{ renewed: true }]);
    await expect(other.leases.take()).rejects.toBeInstanceOf(LockHeldError);
    const { rows } = await client.query(
      "UPDATE herald.leases SET expires_at = clock_timestamp() - interval '1 second' RETURNING clock_timestamp() AS at",
    );
    // The next renewal finds that the lease has ended.
    const renewals = `SELECT count(*)::int > 0 AS ran FROM pg_stat_activity WHERE datname = current_database()
      AND query LIKE 'UPDATE herald.leases%make_interval%' AND state = 'idle' AND query_start > $1`;
    await expect
      .poll(async () => (await client.query(renewals, [rows[0]?.['at']])).rows)
      .toEqual([{ ran: true }]);
    expect(await lease.lost()).toContain('could not be renewed in time');
    const next = await other.leases.take();
    expect(await lease.lost()).toContain('taken over by');
    await Promise.all([lease.release(), next.release()]);
    await other.close();
    await end();
  });

  it('is given to one of many runs that ask at the same time', async () => {
    const { url, state, end } = await newState();
    const runs = Array.from({ length: 8 }, () => stateAt(url));
    const asked = await Promise.allSettled(runs.map((run) => run.leases.take()));
    const taken = asked.filter((one) => one.status === 'fulfilled');
    expect(taken).toHaveLength(1);
    for (const one of taken) await one.value.release();
    for (const run of runs) await run.close();
    await state.leases.take().then((lease) => lease.release());
    await end();
  });

  it('removed by hand stops its run, and nothing is lost', async () => {
    const { state, client, end } = await newState();
    const lease = await state.leases.take();
    const writer = await state.ledger.openToAppend(lease);
    await client.query('DELETE FROM herald.leases');
    expect(await lease.lost()).toBe('it was removed from the database');
    await writer.append('{"answer":1}');
    expect(await linesOf(state)).toEqual(['{"answer":1}']);
    await lease.release();
    await end();
  });
});

describe('the ledger', () => {
  it('has each line once, although the answer to its append was lost', async () => {
    const { state, client, end } = await newState({ retrySec: 20 });
    const lease = await state.leases.take();
    const writer = await state.ledger.openToAppend(lease);
    // The append waits for this lock, its connection is cut, and the server carries nothing of it out.
    await client.query('BEGIN');
    await client.query('SELECT id FROM herald.workspaces FOR UPDATE');
    const appended = writer.append('{"line":1}');
    await expect.poll(async () => (await client.query(WAITING)).rowCount, { timeout: 10_000 }).toBe(1);
    await client.query(`SELECT pg_terminate_backend(pid) FROM (${WAITING}) AS waiting`);
    await client.query('COMMIT');
    await appended;
    expect(await linesOf(state)).toEqual(['{"line":1}']);
    await lease.release();
    await end();
  });

  it('is not read in part when a compaction comes in between', async () => {
    const { state, end } = await newState();
    const writer = await state.ledger.openToAppend(null);
    for (let line = 0; line < 3; line += 1) await writer.append(`{"line":${line}}`);
    const [before, toEdit] = [await state.ledger.open(), await state.ledger.open()];
    const edit = { marks: [], instead: () => [], isArchived: () => false, archive: null };
    const lease = await state.leases.take();
    await state.ledger.compact(toEdit, edit, lease);
    await expect(before.read(LEDGER_BEGIN, () => undefined)).rejects.toThrow('compacted while it was read');
    await expect(state.ledger.compact(toEdit, edit, lease)).rejects.toThrow('another run has compacted');
    expect(await linesOf(state)).toEqual([]);
    await lease.release();
    await end();
  });

  it('takes lines of many runs without a lease, each with a place of its own', async () => {
    const { url, state, end } = await newState();
    const runs = Array.from({ length: 4 }, () => stateAt(url));
    await Promise.all(
      runs.map(async (run, at) => {
        const writer = await run.ledger.openToAppend(null);
        for (let line = 0; line < 25; line += 1) await writer.append(`{"of":${at},"line":${line}}`);
        await run.close();
      }),
    );
    const texts = await linesOf(state);
    expect(new Set(texts).size).toBe(100);
    const ofOne = texts.filter((text) => text.startsWith('{"of":2'));
    expect(ofOne).toEqual(Array.from({ length: 25 }, (_, line) => `{"of":2,"line":${line}}`));
    const lines = await state.ledger.open();
    expect(await lines.size()).toBe(texts.reduce((sum, text) => sum + text.length + 1, 0));
    await end();
  });
});

const WAITING = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND pid <> pg_backend_pid() AND wait_event_type = 'Lock'`;

describe('the schema', () => {
  it('never compiles the statements of its functions, which takes longer than running them', async () => {
    const { client, end } = await newState();
    const { rows } = await client.query(
      `SELECT proname FROM pg_proc JOIN pg_language AS lang ON lang.oid = prolang
       WHERE pronamespace = 'herald'::regnamespace AND lanname = 'plpgsql'
         AND NOT coalesce('jit=off' = ANY (proconfig), false)`,
    );
    expect(rows).toEqual([]);
    await end();
  });

  it('is made by two runs at once, and then there is nothing to do', async () => {
    const url = await server.newDatabase();
    const [left, right] = [stateAt(url), stateAt(url)];
    const added = await Promise.all([left.init(), right.init()]);
    const versions = added.flat();
    expect(versions).toContain(1);
    expect([...new Set(versions)]).toEqual(versions);
    expect(await left.init()).toEqual([]);
    await left.ledger.open();
    await Promise.all([left.close(), right.close()]);
  });

  it('that is missing, older or newer is named with what to do', async () => {
    const url = await server.newDatabase();
    const state = stateAt(url);
    await expect(state.leases.take()).rejects.toMatchObject({
      code: 'state-missing',
      next: 'herald state init',
    });
    await expect(state.ledger.open()).rejects.toMatchObject({ code: 'state-missing' });
    await state.init();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query('INSERT INTO herald.migrations (version) VALUES (999)');
    // Each run looks once.
    const nextRun = stateAt(url);
    await expect(nextRun.leases.take()).rejects.toMatchObject({
      code: 'state-newer',
      message: expect.stringContaining('999'),
    });
    await client.query('DELETE FROM herald.migrations');
    await expect(nextRun.leases.take()).rejects.toMatchObject({ code: 'state-missing' });
    await client.end();
    await nextRun.close();
    await state.close();
  });

  it('has other workspaces, which see nothing of this one', async () => {
    const { url, state, end } = await newState();
    const other = stateAt(url, { workspace: 'agency-us' });
    await expect(other.ledger.open()).rejects.toThrow('no workspace "agency-us"');
    await other.init();
    const lease = await state.leases.take();
    await (await state.ledger.openToAppend(lease)).append('{"line":1}');
    expect(await linesOf(other)).toEqual([]);
    await (await other.leases.take()).release();
    await lease.release();
    await other.close();
    await end();
  });
});

describe('a database that cannot be used', () => {
  const open = async (url: string) => {
    const state = stateAt(url, { retrySec: 0 });
    try {
      await state.ledger.open();
      return null;
    } catch (error) {
      return error;
    } finally {
      await state.close();
    }
  };

  it('is named without its password', async () => {
    const url = new URL((await server.newDatabase()).replace('@/', '@localhost/'));
    const at = (change: (address: URL) => void) => {
      const changed = new URL(url);
      change(changed);
      return changed.href.replace('@localhost/', '@/');
    };
    const wrongPassword = await open(at((address) => (address.password = 'wrong-secret')));
    expect(wrongPassword).toMatchObject({ code: 'state-refused' });
    const noDatabase = await open(at((address) => (address.pathname = '/gone')));
    expect(noDatabase).toMatchObject({
      code: 'state-refused',
      message: expect.stringContaining('the database does not exist'),
    });
    const noServer = await open('postgres://ana:wrong-secret@127.0.0.1:1/db');
    expect(noServer).toMatchObject({
      code: 'state-unreachable',
      message: expect.stringContaining('127.0.0.1:1/db'),
    });
    for (const error of [wrongPassword, noDatabase, noServer])
      expect(String(error)).not.toContain('wrong-secret');
    expect(() => stateAt('mysql://ana:wrong-secret@host/db')).toThrow('is not valid');
  });

  it('that is read-only says so', async () => {
    const { url, state, client, end } = await newState();
    await client.query(
      'ALTER DATABASE ' +
        url.slice(url.indexOf('@/') + 2, url.indexOf('?')) +
        ' SET default_transaction_read_only = on',
    );
    // A pooler keeps connections that were made before.
    await client.query(
      'SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await untilItAnswers(url);
    const other = stateAt(url);
    await expect(other.leases.take()).rejects.toMatchObject({ code: 'state-read-only' });
    await other.close();
    await state.ledger.open();
    await end();
  });
});
