import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LockHeldError } from '../../src/domain/lease.ts';
import { LEDGER_BEGIN } from '../../src/domain/ledger-store.ts';
import { systemClock } from '../../src/host/clock.ts';
import { postgresState, type PostgresState, type PostgresStateOptions } from '../../src/postgres/state.ts';
import { sharedPostgres } from '../helpers/shared-postgres.ts';
import { postgresProxy } from '../helpers/postgres-proxy.ts';

const server = sharedPostgres();

function stateAt(url: string, options: Partial<PostgresStateOptions> = {}): PostgresState {
  return postgresState({
    url,
    workspace: 'agency-eu',
    clock: systemClock,
    holder: 'ana, process 1 on laptop',
    leaseSec: 60,
    retrySec: 5,
    ...options,
  });
}

/** A state behind a line that can be broken, and a client with a whole one. */
async function behindProxy(options: Partial<PostgresStateOptions> = {}) {
  const url = await server.newDatabase();
  const proxy = await postgresProxy(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const state = stateAt(proxy.url, options);
  await state.init();
  onTestFinished(async () => {
    await state.close();
    proxy.close();
    await client.end();
  });
  return { url, proxy, client, state };
}

async function linesOf({ ledger }: Pick<PostgresState, 'ledger'>): Promise<readonly string[]> {
  const texts: string[] = [];
  await (await ledger.open()).read(LEDGER_BEGIN, (text) => texts.push(text));
  return texts;
}

const COMPACTED = { marks: ['{"mark":1}'], instead: () => null, isArchived: () => false, archive: null };

describe('a line to the database that breaks', () => {
  it('costs no lease, wherever it breaks: what was taken without an answer is found', async () => {
    const { client, proxy, state } = await behindProxy();
    for (const words of ['BEGIN', 'FOR UPDATE', 'RETURNING fence', 'INSERT INTO herald.leases', 'COMMIT'])
      for (const when of ['before', 'answer'] as const) {
        proxy.cutAt(words, when);
        const lease = await state.leases.take();
        expect(await lease.lost(), `${words} ${when}`).toBeNull();
        await lease.release();
        expect(await state.leases.holder()).toBeNull();
      }
    const { rows } = await client.query('SELECT fence FROM herald.workspaces');
    expect(rows, 'a lease is not taken twice because an answer was lost').toEqual([{ fence: '10' }]);
  });

  it('ends the wait of a run after retry_sec, without a lease left behind', async () => {
    const { proxy, state } = await behindProxy({ retrySec: 0 });
    proxy.cutAt('INSERT INTO herald.leases', 'answer');
    await expect(state.leases.take()).rejects.toMatchObject({ code: 'state-unreachable' });
    await (await state.leases.take()).release();
  });

  it('does not leave a lease behind when the answer to its release is lost', async () => {
    const { proxy, state } = await behindProxy();
    for (const when of ['before', 'answer'] as const) {
      const lease = await state.leases.take();
      proxy.cutAt('DELETE FROM herald.leases', when);
      await lease.release();
      expect(await state.leases.holder(), when).toBeNull();
    }
  });

  it('compacts once when the answer to its end is lost', async () => {
    const { proxy, state } = await behindProxy();
    const writer = await state.ledger.openToAppend(null);
    await writer.append('{"line":1}');
    const lease = await state.leases.take();
    for (const when of ['before', 'answer'] as const) {
      proxy.cutAt('COMMIT', when);
      await state.ledger.compact(await state.ledger.open(), COMPACTED, lease);
    }
    await lease.release();
    expect(await linesOf(state)).toEqual(['{"mark":1}', '{"mark":1}', '{"line":1}']);
  });

  it('does not count the time that an answer about the lease was on its way as time that is left', async () => {
    let pausedMs = 0;
    const clock = {
      ...systemClock,
      now: () => systemClock.now() + pausedMs,
      monotonicMs: () => {
        // A pause of the process between the question and the answer.
        pausedMs += isPaused ? 70_000 : 0;
        return systemClock.monotonicMs() + pausedMs;
      },
    };
    let isPaused = false;
    const { state } = await behindProxy({ clock });
    const lease = await state.leases.take();
    expect(await lease.lost()).toBeNull();
    isPaused = true;
    expect(await lease.lost()).toMatch(/could not be renewed in time/);
    isPaused = false;
    await lease.release();
  });

  it('does not cost or repeat a line, wherever it breaks', async () => {
    const { proxy, state } = await behindProxy();
    const writer = await state.ledger.openToAppend(await state.leases.take());
    proxy.cutAt('WITH known', 'before');
    await writer.append('{"line":1}');
    proxy.cutAt('WITH known', 'answer');
    await writer.append('{"line":2}');
    expect(await linesOf(state)).toEqual(['{"line":1}', '{"line":2}']);
  });

  it('does not repeat a line that a compaction moved before the append was repeated', async () => {
    const { url, proxy, state } = await behindProxy();
    const other = stateAt(url);
    onTestFinished(() => other.close());
    const writer = await state.ledger.openToAppend(null);
    await writer.append('{"line":0}');
    const ids = await idsOf(url);
    const lease = await other.leases.take();
    await other.ledger.compact(await other.ledger.open(), COMPACTED, lease);
    await lease.release();
    expect(await linesOf(state)).toEqual(['{"mark":1}', '{"line":0}']);
    expect(await idsOf(url)).toEqual(expect.arrayContaining([...ids]));
    proxy.cutAt('WITH known', 'answer');
    await writer.append('{"line":1}');
    expect(await linesOf(state)).toEqual(['{"mark":1}', '{"line":0}', '{"line":1}']);
  });

  it('is waited for by every reading of a run that has reached the database once', async () => {
    const { proxy, state } = await behindProxy();
    const lease = await state.leases.take();
    const writer = await state.ledger.openToAppend(lease);
    await writer.append('{"line":1}');
    proxy.cutAt('SELECT epoch', 'answer');
    expect(await writer.readAdded()).toEqual(['{"line":1}']);
    proxy.cutAt('SELECT fence', 'answer');
    expect(await lease.lost()).toBeNull();
    proxy.cutAt('SELECT position', 'before');
    expect(await linesOf(state)).toEqual(['{"line":1}']);
    await lease.release();
  });

  it('does not hide what a run did when its lease cannot be given back', async () => {
    const { proxy, state } = await behindProxy();
    const lease = await state.leases.take();
    proxy.close();
    await lease.release();
  });

  it('does not keep a run from ending when nothing answers any more', async () => {
    const { proxy } = await behindProxy();
    const state = stateAt(proxy.url);
    const lease = await state.leases.take();
    proxy.stall();
    const startedMs = performance.now();
    await lease.release();
    await state.close();
    expect(performance.now() - startedMs).toBeLessThan(10_000);
  });
});

async function idsOf(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>('SELECT id FROM herald.ledger_lines ORDER BY position');
  await client.end();
  return rows.map(({ id }) => id);
}

describe('a database with unusual names and settings', () => {
  it('names the holder of a workspace with a name that has a word of an error', async () => {
    const url = await server.newDatabase();
    const [one, two] = ['1', '2'].map((run) =>
      stateAt(url, { workspace: 'exterminator-timeout', holder: `process ${run} on laptop` }),
    ) as [PostgresState, PostgresState];
    onTestFinished(async () => {
      await one.close();
      await two.close();
    });
    await one.init();
    const lease = await one.leases.take();
    await expect(two.leases.take()).rejects.toBeInstanceOf(LockHeldError);
    await lease.release();
  });

  it('names the time of a lease in UTC, whatever its time zone and style of dates', async () => {
    const url = await server.newDatabase();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
    await client.query(`ALTER DATABASE ${rows[0]?.name ?? ''} SET datestyle = 'SQL, DMY'`);
    await client.query(`ALTER DATABASE ${rows[0]?.name ?? ''} SET timezone = 'Asia/Kathmandu'`);
    await client.end();
    const state = stateAt(url);
    onTestFinished(() => state.close());
    await state.init();
    const lease = await state.leases.take();
    const { words } = (await state.leases.holder()) ?? { words: '' };
    const [since = ''] = /\d{4}-\d\d-\d\dT[\d:.]+Z$/.exec(words) ?? [];
    expect(Math.abs(Date.parse(since) - Date.now()), words).toBeLessThan(60_000);
    await lease.release();
  });

  it('keeps odd text as it is, also through a compaction', async () => {
    const url = await server.newDatabase();
    const state = stateAt(url);
    onTestFinished(() => state.close());
    await state.init();
    const odd = ['\0', '\uD800', '"\\u0000\\', '9223372036854775807', '\u2028 ñ 😀', 'x'.repeat(10_000_000)];
    const texts = odd.map((text) => JSON.stringify({ text }));
    const writer = await state.ledger.openToAppend(null);
    for (const text of texts) await writer.append(text);
    const lease = await state.leases.take();
    await state.ledger.compact(await state.ledger.open(), { ...COMPACTED, marks: [] }, lease);
    await lease.release();
    expect((await linesOf(state)).map((text) => text === texts.shift())).toEqual(odd.map(() => true));
  });
});

describe('a user with few rights', () => {
  /** A user that has these rights to the tables of a schema that is set up. */
  async function asUser(rights: string) {
    const url = await server.newDatabase();
    const owner = stateAt(url);
    await owner.init();
    await (await owner.ledger.openToAppend(null)).append('{"line":1}');
    await owner.close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const name = `few_${new URL(url.replace('@/', '@localhost/')).pathname.slice(1)}`;
    await client.query(`CREATE USER ${name} PASSWORD 'few-rights'`);
    await client.query(`GRANT USAGE ON SCHEMA herald TO ${name}`);
    await client.query(`GRANT ${rights} ON ALL TABLES IN SCHEMA herald TO ${name}`);
    await client.end();
    const state = stateAt(url.replace(/\/\/[^@]*@/, `//${name}:few-rights@`));
    onTestFinished(() => state.close());
    return { url, state };
  }

  it('reads with the right to read, and learns that it cannot change anything', async () => {
    const { state } = await asUser('SELECT');
    expect(await linesOf(state)).toEqual(['{"line":1}']);
    expect(await state.leases.holder()).toBeNull();
    expect(await state.ledger.archives()).toEqual([]);
    await expect(state.leases.take()).rejects.toMatchObject({ code: 'state-refused' });
  });

  it('uses the views that others keep, and keeps none itself', async () => {
    const { url, state } = await asUser('SELECT');
    const owner = stateAt(url);
    const view = async ({ ledger }: PostgresState, text: string | null) => {
      const lines = await ledger.open('view');
      const { position } = await lines.read(LEDGER_BEGIN, () => undefined);
      if (text !== null) await lines.kept?.save(position, [Buffer.from(text)]);
      const loaded = await lines.kept?.load();
      return loaded == null ? null : Buffer.from(loaded.bytes.at(0, loaded.bytes.length)).toString();
    };
    expect(await view(state, 'of a reader')).toBeNull();
    expect(await view(owner, 'of the owner')).toBe('of the owner');
    expect(await view(state, null)).toBe('of the owner');
    await owner.close();
  });

  it('works in a schema that an owner has set up, and finds that nothing is missing in it', async () => {
    const { state } = await asUser('SELECT, INSERT, UPDATE, DELETE');
    expect(await state.init()).toEqual([]);
    const lease = await state.leases.take();
    await (await state.ledger.openToAppend(lease)).append('{"line":2}');
    await state.ledger.compact(await state.ledger.open(), COMPACTED, lease);
    expect(await linesOf(state)).toEqual(['{"mark":1}', '{"line":1}', '{"line":2}']);
    await lease.release();
  });
});

describe('an address', () => {
  it('with a password that is not encoded is refused, and no part of the password is printed', () => {
    for (const password of ['12/hidden-part', 'x/hidden-part', '12#hidden-part', '%zzhidden-part']) {
      let said = '';
      try {
        said = stateAt(`postgres://ana:${password}@db.example/herald`).name;
      } catch (error) {
        said = String(error);
      }
      expect(said).not.toContain('hidden-part');
      expect(said).not.toContain('ana');
    }
  });

  it('is named in full when a local server refuses on all addresses', async () => {
    const state = stateAt('postgres://ana:hidden-pass@localhost:1/db', { retrySec: 0 });
    await expect(state.ledger.open()).rejects.toThrow(/cannot be reached: \S/);
    await state.close();
  });

  it('of a server without TLS, or without a password, is an error with words', async () => {
    const url = await server.newDatabase();
    const proxy = await postgresProxy(url);
    onTestFinished(() => proxy.close());
    for (const address of [`${proxy.url}?sslmode=require`, proxy.url.replace(/:[^:@/]+@/, '@')]) {
      const state = stateAt(address, { retrySec: 0 });
      await expect(state.ledger.open()).rejects.toMatchObject({ name: 'StateError' });
      await state.close();
    }
  });
});
