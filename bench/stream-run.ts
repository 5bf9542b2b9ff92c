import { Limiter } from '../src/api/limiter.ts';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createClient } from '../src/api/client.ts';
import { ApiKey } from '../src/api/key.ts';
import { createTransport } from '../src/api/transport.ts';
import type { ListFormat } from '../src/cli/formats.ts';
import { findList } from '../src/api/lists.ts';
import { chooseColumns, streamRows as printLists } from '../src/cli/print-rows.ts';
import { readOwner } from '../src/cli/read-list.ts';
import { systemClock } from '../src/host/clock.ts';
import { createOutput } from '../src/host/output.ts';

/** High above what any machine reaches: nothing waits for a rate. */
const NO_LIMITS = 10_000;
const RANGE = { start: '2026-01-01T00:00:00.000Z', end: '2026-02-01T00:00:00.000Z' };

/**
 * Streams an account's transactions to nowhere through everything that `herald revenue transactions` is made of,
 * but for the rates; answers how many there were.
 */
export async function streamRows(baseUrl: string, pageCount: number, format: ListFormat): Promise<number> {
  const client = createClient({
    baseUrl,
    key: new ApiKey('bench'),
    authHeader: 'x-svc-auth-token',
    timeoutMs: 75_000,
    rates: new Limiter(systemClock, NO_LIMITS),
    fetch: createTransport(),
    clock: systemClock,
    random: Math.random,
    log: () => undefined,
  });
  const definition = findList('revenue transactions');
  const params = { platform: 'platform_a', platform_account_id: String(pageCount) };
  const options = { query: RANGE };
  const owner = { accountId: null, account: 'alice', params };
  let rows = 0;
  const pages = async function* () {
    for await (const items of readOwner(client, definition, owner, options)) {
      rows += items.length;
      yield items;
    }
  };
  const stdout = createWriteStream('/dev/null');
  const output = createOutput({
    stdout,
    stderr: process.stderr,
    noColour: true,
    quiet: true,
  });
  const print = chooseColumns(definition, { format, columns: undefined });
  await printLists({ output }, print, { what: 'transactions', sources: [{ account: 'alice', pages }] });
  stdout.end();
  return rows;
}

/** The least that anything could do: fetch the same pages, parse them, print the rows. */
export async function streamBarely(baseUrl: string, pages: number): Promise<number> {
  const stdout = createWriteStream('/dev/null');
  let rows = 0;
  let cursor: string | undefined = '0';
  while (cursor !== undefined) {
    const path = `/api/v0/platforms/platform_a/accounts/${pages}/transactions`;
    const response = await fetch(`${baseUrl}${path}?cursor=${cursor}&limit=1000`);
    const page = JSON.parse(await response.text()) as { items: object[]; cursor?: string };
    rows += page.items.length;
    cursor = page.cursor;
    const lines = page.items.map((item) => `${JSON.stringify({ account: 'alice', ...item })}\n`);
    if (!stdout.write(lines.join(''))) await once(stdout, 'drain');
  }
  stdout.end();
  return rows;
}
