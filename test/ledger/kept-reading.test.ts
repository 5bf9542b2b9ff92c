import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { confinedTo } from '../../src/host/confined.ts';
import { fileState } from '../../src/host/file-state.ts';
import { viewPlaces } from '../../src/host/view-places.ts';
import { LedgerReader, type ReaderOptions } from '../../src/ledger/reader.ts';
import { memoryLedgerStore } from '../helpers/memory-ledger-store.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { LEDGER_FILE } from '../helpers/memory-workspace.ts';

const HOME = 'https://api.example';
/** Enough that a view of them is kept. */
const ENTRIES = 6_000;

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'herald-kept-'));
  path = join(directory, LEDGER_FILE);
  mkdirSync(dirname(path));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** As a process does that has this ledger and this cache folder. */
async function read(options: ReaderOptions = {}) {
  const self = { pid: 1, host: 'here', isAlive: () => true, kernel: null, bootedMs: 0 };
  const views = viewPlaces({}, join(directory, 'home'));
  const { ledger } = fileState(directory, self, undefined, confinedTo(directory), views);
  return plain(await new LedgerReader(ledger, HOME, options).read());
}

/** The same without any view. */
async function readAll(options: ReaderOptions = {}) {
  const store = memoryLedgerStore();
  const texts = readFileSync(path, 'utf8').split('\n');
  const torn = texts.pop() ?? '';
  store.replace(texts);
  if (torn !== '') store.tear(torn);
  return plain(await new LedgerReader(store, HOME, options).read());
}

function plain({
  lineOf,
  saidAt,
  accountLineOf,
  name,
  revision: _revision,
  ...reading
}: Awaited<ReturnType<LedgerReader['read']>>) {
  const { knowledge, accountIds, diagnostics } = reading;
  const objects = [...knowledge.objects].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return {
    ...reading,
    diagnostics: diagnostics.map((one) => ({ ...one, file: one.file === name ? 'the ledger' : one.file })),
    accountIds: [...accountIds].map(([alias, id]) => [alias, id, accountLineOf(alias)]),
    knowledge: { ...knowledge, objects },
    lines: reading.lines.length,
    lineOf: objects.map(([key]) => [lineOf(key, 'pausedFor'), saidAt(key, 'pausedFor')]),
  };
}

function entries(from: number, count: number): string {
  const lines = Array.from({ length: count }, (_, index) => {
    const entry = `r-${from + index}`;
    const call = { entry, call: 'status', live_id: String(index % 50), target: 'paused' } as const;
    return [anIntent(call), anOutcomeLine({ entry, outcome: 'done', live_id: call.live_id })];
  });
  return textOf(lines.flat());
}

/** Puts other bytes behind the digests of the file, so that what a reading says shows whether it used the view. */
function spoilFirstLine(): void {
  writeFileSync(path, readFileSync(path, 'utf8').replace('{"v":1', '{"v":2'));
}

describe('a reading of a long ledger', () => {
  it('says the same when it goes on from a view, whatever was added', async () => {
    const damaged = `nothing\n{"v":1,"at":"20\n`;
    writeFileSync(path, damaged + entries(0, ENTRIES) + textOf([anIntent({ entry: 'open-1' })]));
    expect(await read()).toEqual(await readAll());
    expect(await read()).toEqual(await readAll());
    appendFileSync(path, textOf([anOutcomeLine({ entry: 'open-1', outcome: 'done', live_id: '777' })]));
    expect(await read()).toEqual(await readAll());
    appendFileSync(path, `${entries(ENTRIES, 10)}also nothing\n{"v":1,"at":"20`);
    const last = await read();
    expect(last).toEqual(await readAll());
    expect(last.damaged).toEqual([1, 2 * ENTRIES + 25]);
  });

  it('reads only the lines after the view', async () => {
    const store = memoryLedgerStore();
    store.replace(entries(0, ENTRIES).trimEnd().split('\n'));
    const position = `2/${2 * ENTRIES}`;
    await new LedgerReader(store, HOME).read();
    await new LedgerReader(store, HOME).read();
    expect(store.reads).toEqual(['', position]);
    await new LedgerReader(store, 'https://other.example').read();
    expect(store.reads, 'of another service').toEqual(['', position, '']);
  });

  it('takes lines again from the first one if a second end of an entry was added', async () => {
    writeFileSync(path, entries(0, ENTRIES));
    await read();
    appendFileSync(
      path,
      textOf([
        anOutcomeLine({ entry: 'r-0', outcome: 'done', live_id: '999', at: '2030-01-01T00:00:00.000Z' }),
      ]),
    );
    const again = await read();
    expect(again).toEqual(await readAll());
    expect(again.knowledge.objects.map(([key]) => key)).toContain('101/campaign/999');
  });

  it('uses no view of a file that was edited', async () => {
    writeFileSync(path, entries(0, ENTRIES));
    expect((await read()).damaged).toEqual([]);
    spoilFirstLine();
    expect((await read()).damaged).toEqual([1]);
  });

  it('uses no view if it needs more than what is known', async () => {
    writeFileSync(path, entries(0, ENTRIES));
    await read();
    const all = await read({ keeps: () => true });
    expect(all.lines).toBe(2 * ENTRIES);
  });
});
