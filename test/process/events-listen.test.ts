import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { addAll, anEvent, eventsIn, eventStoreAt } from '../helpers/event-builders.ts';
import { heraldHere } from '../helpers/herald-here.ts';
import { WORKSPACE } from '../helpers/scene.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';
import type { RealRun } from '../helpers/start-process.ts';

/** The command on a free port. */
const LISTEN = ['events', 'listen', '--port', '0'];

/** Its environment. */
const LISTEN_ENV = { HERALD_EVENTS_PATH_SECRET: 'a-secret-of-the-test' };

/** Starts `herald events listen` on a free port, and resolves once it listens. It ends with the test, also if that fails. */
async function listening(
  herald: RealHerald,
  directory: string,
  flags: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
) {
  const run = herald.start(directory, [...LISTEN, ...flags], { ...LISTEN_ENV, ...env });
  onTestFinished(() => run.kill('SIGKILL'));
  const [url, health] = await addressesOf(run);
  return { run, url, health };
}

/** Where events are sent, with the secret, and its `/healthz`. */
async function addressesOf(run: RealRun): Promise<readonly [string, string]> {
  for (;;) {
    const [url, health] = run.stdout().match(/https?:\/\/[\d.]+:\d+\/(?:events\/\*\*\*|healthz)/g) ?? [];
    if (url !== undefined && health !== undefined)
      return [url.replace('***', LISTEN_ENV.HERALD_EVENTS_PATH_SECRET), health];
    await wait(5);
  }
}

const herald = builtHerald();

const storeIn = (directory: string) => eventStoreAt({ kind: 'sqlite', directory });

/** The ids of the events that were sent. */
async function idsIn(directory: string): Promise<(string | null)[]> {
  const events = await eventsIn(storeIn(directory));
  return events.filter(({ source }) => source === 'webhook').map(({ id }) => id);
}

describe('herald events listen', () => {
  it('removes the events that are older than `events.keep`', async () => {
    const directory = herald.workspace({ 'herald.yaml': `${WORKSPACE}events: { keep: 30d }\n` });
    const received = (days: number) => anEvent({ event_id: days }, Date.now() - days * 86_400_000);
    await addAll(storeIn(directory), received(40), received(20));
    const { run } = await listening(herald, directory);
    while ((await idsIn(directory)).includes('40')) await wait(20);
    expect(await idsIn(directory)).toEqual(['20']);
    run.kill('SIGTERM');
    await run.ran;
  });

  it('answers 503 and is not healthy while it cannot store, and recovers by itself', async () => {
    const directory = herald.workspace({ 'herald.yaml': WORKSPACE });
    const { run, url, health } = await listening(herald, directory);
    // Another program keeps the file for itself, for longer than Herald waits.
    const other = new DatabaseSync(join(directory, '.herald/events.db'));
    other.exec('BEGIN IMMEDIATE');
    expect((await fetch(url, { method: 'POST', body: '{"event_id":1}' })).status).toBe(503);
    while ((await fetch(health)).status !== 503) await wait(50);
    other.exec('ROLLBACK');
    other.close();
    while ((await fetch(health)).status !== 200) await wait(50);
    expect((await fetch(url, { method: 'POST', body: '{"event_id":1}' })).status).toBe(200);
    run.kill('SIGINT');
    await run.ran;
  });

  it.each([
    [['--path-secret-file', 'empty'], LISTEN_ENV, 'The file empty should hold a secret, but it is empty.'],
    [[], { HERALD_EVENTS_PATH_SECRET: '' }, 'The variable HERALD_EVENTS_PATH_SECRET should hold a secret'],
  ])('says what is wrong with %j and %j, once', async (flags, env, said) => {
    const directory = herald.workspace({ 'herald.yaml': WORKSPACE, empty: ' \n' });
    const { code, stderr } = await heraldHere(directory, { args: [...LISTEN, ...flags], env });
    expect([code, stderr.match(/^error:/gm)?.length]).toEqual([1, 1]);
    expect(stderr).toContain(said);
  });

  it('prints its address without the path secret, which may come from a file', async () => {
    const secret = 'Path-Secret_0123456789';
    const directory = herald.workspace({ 'herald.yaml': WORKSPACE, secret: `${secret}\n` });
    const run = herald.start(directory, [...LISTEN, '--path-secret-file', 'secret', '--format', 'json']);
    while (!run.stdout().includes('}\n}')) await wait(5);
    const { item } = JSON.parse(run.stdout()) as { item: { url: string } };
    expect(item.url).toMatch(/\/events\/\*\*\*$/);
    expect((await fetch(item.url.replace('***', secret), { method: 'POST', body: '{}' })).status).toBe(200);
    run.kill('SIGTERM');
    const { stdout, stderr } = await run.ran;
    expect(stdout + stderr).not.toContain(secret);
  });

  it('names a port that is in use', async () => {
    const directory = herald.workspace({ 'herald.yaml': WORKSPACE });
    const { run: first, url } = await listening(herald, directory);
    const { port } = new URL(url);
    const args = ['events', 'listen', '--port', port];
    const { code, stderr } = await heraldHere(directory, { args, env: LISTEN_ENV });
    expect([code, stderr]).toEqual([1, expect.stringContaining(`Port ${port} of 127.0.0.1 is in use.`)]);
    first.kill('SIGTERM');
    expect((await first.ran).code).toBe(0);
  });
});
