import { Limiter } from '../src/api/limiter.ts';
import { createWriteStream } from 'node:fs';
import { createClient } from '../src/api/client.ts';
import { ApiKey } from '../src/api/key.ts';
import { createTransport } from '../src/api/transport.ts';
import { LIST_FORMATS, type ListFormat } from '../src/cli/define-command.ts';
import { LIST_COMMANDS } from '../src/api/lists.ts';
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
async function streamRows(baseUrl: string, pageCount: number, format: ListFormat): Promise<number> {
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
  const definition = LIST_COMMANDS['revenue transactions'];
  const params = { platform: 'platform_a', platform_account_id: String(pageCount) };
  const options = { query: RANGE };
  const owner = { accountId: null, alias: 'alice', params };
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
  await printLists({ output }, print, {
    what: 'transactions',
    sources: [{ account: 'alice', facts: {}, pages }],
  });
  stdout.end();
  return rows;
}

/**
 * A process of its own that streams a list and tells what it took, in milliseconds and bytes:
 * node scripts/run.js bench/stream-run.ts URL PAGES FORMAT
 */
const [baseUrl = '', pages = '1', wanted = 'ndjson'] = process.argv.slice(2);
const format = LIST_FORMATS.find((name) => name === wanted);
if (format === undefined) throw new Error(`unknown format ${wanted}`);

const startRss = process.memoryUsage().rss;
const started = performance.now();
const rows = await streamRows(baseUrl, Number(pages), format);
const ms = performance.now() - started;
const peakRss = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ rows, ms, startRss, peakRss }));
