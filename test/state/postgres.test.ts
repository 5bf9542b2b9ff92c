import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/host/clock.ts';
import { State } from '../../src/state/state.ts';
import { sharedPostgres } from '../helpers/shared-postgres.ts';
import { aRun, begun, CREATE, FROM_START, PAUSE } from '../helpers/state-requests.ts';
import { kept, stateLocations } from '../helpers/states.ts';
import { listening } from '../process/proxies.ts';

/** Stands between Herald and the database of this address, and breaks the line as a network does. */
async function postgresProxy(url: string) {
  const { username, password, pathname, searchParams } = new URL(url.replace('@/', '@localhost/'));
  let cut: { readonly words: string; readonly when: 'before' | 'answer' | (() => void) } | null = null;
  const server = createServer((client) => {
    const database = connect(join(searchParams.get('host') ?? '', '.s.PGSQL.5432'));
    const both = [client, database];
    const end = () => both.forEach((socket) => socket.destroy());
    let [losesAnswer, hangs] = [false, false];
    for (const socket of both) socket.on('error', end).on('close', end);
    client.on('data', (bytes) => {
      if (hangs) return;
      if (cut !== null && bytes.includes(cut.words)) {
        const { when } = cut;
        cut = null;
        if (when === 'before') return end();
        if (when !== 'answer') {
          hangs = true;
          return when();
        }
        losesAnswer = true;
      }
      database.write(bytes);
    });
    database.on('data', (bytes) => {
      if (losesAnswer) end();
      else client.write(bytes);
    });
  });
  const { port, close } = await listening(server);
  return {
    /** The address of the same database through the proxy. */
    url: `postgres://${username}:${password}@127.0.0.1:${port}${pathname}`,
    /** Cuts the connection of the statement with the words, once: before the server gets it, or before its answer. */
    cutAt: (words: string, when: 'before' | 'answer') => void (cut = { words, when }),
    /** Ends when a connection hangs before the statement with the words, once: from then on, the server hears nothing on it. */
    hangAt: (words: string) => new Promise<void>((when) => (cut = { words, when })),
    close,
  };
}

/** As it stands in a message, whole: a `BEGIN` says `READ COMMITTED`. */
const COMMIT = 'COMMIT\0';

const server = sharedPostgres();
const newState = stateLocations(server).postgres;

/** A run with the lease through a line that breaks. */
async function throughProxy() {
  const location = await newState();
  const proxy = await postgresProxy(server.direct(location.url));
  onTestFinished(() => proxy.close());
  const state = await kept(State.take(aRun({ ...location, url: proxy.url }), 0));
  return { location, proxy, state };
}

/** A session of an administrator. */
async function administrator(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: server.direct(url) });
  await client.connect();
  client.on('error', () => undefined);
  onTestFinished(() => client.end());
  return client;
}

describe('a line to PostgreSQL that breaks', () => {
  it.each(['before', 'answer'] as const)('at a commit (%s), records a request once', async (when) => {
    const { proxy, state } = await throughProxy();
    proxy.cutAt(COMMIT, when);
    const { entry } = await begun(state, CREATE);
    expect(await state.history({ limit: 9 })).toMatchObject([{ entry, outcome: null }]);
    proxy.cutAt(COMMIT, when);
    expect(await state.end(entry, { outcome: 'done', live_id: '77' })).toBe(true);
    expect(await state.history({ limit: 9 })).toMatchObject([{ entry, outcome: 'done', live_id: '77' }]);
  });

  it('at the commit of an import, brings over the rows once', async () => {
    const { state } = await throughProxy();
    await begun(state, CREATE);
    const lines: string[] = [];
    for await (const line of state.export()) lines.push(line);
    const other = await throughProxy();
    other.proxy.cutAt(COMMIT, 'answer');
    expect(await other.state.import({ name: 'state.ndjson', lines })).toBe(1);
    expect(await other.state.open()).toHaveLength(1);
  });

  it('ends a run of which nothing can be recorded, with what is safe and the next command', async () => {
    const { proxy, state } = await throughProxy();
    await proxy.close();
    await expect(state.begin(CREATE, FROM_START)).rejects.toMatchObject({
      code: 'state-unreachable',
      message: expect.stringMatching(
        /cannot be used: .*What was recorded before is kept, and nothing is sent that cannot be recorded\.$/,
      ) as string,
      hint: 'Check that the database server runs and that this machine can reach it: herald state check',
    });
  });
});

it('a run goes on after the server ended all its sessions', async () => {
  const location = await newState();
  const state = await kept(State.take(aRun(location), 0));
  await begun(state, CREATE);
  const client = await administrator(location.url);
  await client.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );
  await begun(state, { ...CREATE, name: 'Second', content: 'second' });
  expect(await state.open()).toHaveLength(2);
});

it('a process that was stopped within a transaction does not keep a stop by hand waiting', async () => {
  const { location, proxy, state } = await throughProxy();
  const stopped = proxy.hangAt(COMMIT);
  void state.begin(CREATE, FROM_START).catch(() => undefined);
  await stopped;
  const started = performance.now();
  await begun(await kept(State.join(aRun(location))), PAUSE, null);
  expect(performance.now() - started).toBeLessThan(10_000);
});

describe('a database that cannot be used', () => {
  it.each<[string, (url: string) => string, string, string]>([
    ['is down', (url) => url.replace(/@.*/, '@127.0.0.1:1/herald'), 'state-unreachable', 'cannot be used'],
    [
      'is asked with a wrong password',
      (url) => url.replace(/:[^:@]*@/, ':wrong@'),
      'state-refused',
      'the user or password is wrong',
    ],
    [
      'does not exist',
      (url) => url.replace(/test_\w+/, 'test_none'),
      'state-refused',
      'the database does not exist',
    ],
  ])('because it %s, is named without its password', async (_case, change, code, words) => {
    const location = await newState();
    const url = change(server.direct(location.url));
    const failing = State.take(aRun({ ...location, url }), 0);
    await expect(failing).rejects.toMatchObject({
      code,
      message: expect.stringContaining(words) as string,
      hint: expect.stringContaining('herald state check') as string,
    });
    await expect(failing).rejects.not.toThrow(/wrong@|pass-of-the-test/);
  });

  it('because nothing is set up in it, says the command', async () => {
    const url = await server.newDatabase();
    const location = { ...(await newState()), url };
    await expect(State.take(aRun(location), 0)).rejects.toMatchObject({
      code: 'state-missing',
      message: expect.stringContaining('is not set up for Herald.') as string,
      hint: 'Set it up: herald state init',
    });
  });

  it('because it does not have the workspace, says so', async () => {
    const location = { ...(await newState()), workspace: 'agency-us' };
    await expect(State.openToRead(aRun(location))).rejects.toMatchObject({
      code: 'state-missing',
      message: expect.stringContaining('has no workspace "agency-us". Nothing was sent.') as string,
    });
  });

  it('because it is of a newer version, is left as it is', async () => {
    const location = await newState();
    await (await administrator(location.url)).query('UPDATE herald.workspace SET schema = 9');
    const added = { ...location, workspace: 'new' };
    for (const refused of [
      () => State.take(aRun(location), 0),
      () => State.setUp({ location: added, clock: systemClock }),
    ])
      await expect(refused()).rejects.toMatchObject({
        code: 'state-newer',
        message: expect.stringContaining('(schema 9, this version knows 1)') as string,
      });
    await expect(State.join(aRun(added))).rejects.toThrow('has no workspace "new"');
  });
});

it('workspaces in one database see nothing of each other', async () => {
  const location = await newState();
  const other = { ...location, workspace: 'agency-us' };
  await State.setUp({ location: other, clock: systemClock });
  const state = await kept(State.take(aRun(location), 0));
  await begun(state, CREATE);
  const neighbour = await kept(State.take(aRun(other), 0));
  expect([await neighbour.open(), await neighbour.history({ limit: 9 })]).toEqual([[], []]);
  await begun(neighbour, CREATE);
  expect((await neighbour.check()).services).toEqual([{ service: 'live', rows: 1 }]);
});

it('a workspace that was set up a moment ago counts as cut, because it may stand for one that was lost', async () => {
  const state = await kept(State.take(aRun(await newState()), 0));
  expect((await state.known([])).isCut).toBe(true);
});
