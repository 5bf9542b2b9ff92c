import { describe, expect, it } from 'vitest';
import { LEDGER_FILE } from '../helpers/memory-workspace.ts';
import { fileLedgerStore } from '../../src/host/file-ledger-store.ts';
import { LedgerReader } from '../../src/ledger/reader.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { memoryWorkspace } from '../helpers/memory-workspace.ts';

const CREATED = textOf([anIntent(), anOutcomeLine()]);
const PAUSE = textOf([
  anIntent({ entry: 'r-2', call: 'status', live_id: '7', target: 'paused', run: 'other' }),
]);

/** A reader, and how many bytes its last reading took from the file beyond what it compares. */
function aReader(text: string) {
  const files = memoryWorkspace({ [LEDGER_FILE]: text });
  const starts: number[] = [];
  const watched = {
    ...files,
    openForReading: async (path: string) => {
      const file = await files.openForReading(path);
      const bytesFrom = (start: number) => {
        starts.push(start);
        return file.bytesFrom(start);
      };
      return { ...file, bytesFrom };
    },
  };
  const reader = new LedgerReader(fileLedgerStore(watched), 'https://api.example', { ownRun: 'r' });
  return { files, reader, starts };
}

describe('a reader of the ledger', () => {
  it('reads on where it stopped, and only what was added since', async () => {
    const { files, reader, starts } = aReader(CREATED);
    const before = await reader.read();
    starts.length = 0;
    files.tree[LEDGER_FILE] += PAUSE;
    const after = await reader.read();
    expect(after.knowledge.open.map(({ entry }) => entry)).toEqual(['r-2']);
    expect(after.knowledge.objects).toEqual(before.knowledge.objects);
    expect(starts).toContain(Buffer.byteLength(CREATED));
    expect(before.knowledge.open, 'what was read before stays as it was').toEqual([]);
  });

  it.each([
    ['begins in another way', () => PAUSE],
    ['is empty', () => ''],
    ['says something else of the same length', () => CREATED.replace('"live_id":"7"', '"live_id":"8"')],
  ])('reads all of a file that has taken the place of the first one and %s', async (_title, text) => {
    const { files, reader } = aReader(CREATED);
    await reader.read();
    files.tree[LEDGER_FILE] = text();
    const fresh = await aReader(text()).reader.read();
    const { knowledge, lines } = await reader.read();
    expect({ knowledge, lines }).toEqual({ knowledge: fresh.knowledge, lines: fresh.lines });
  });

  it('knows again what stands in another order than it was written, and what is added to that', async () => {
    const [begin = '', end = ''] = CREATED.split('\n');
    const { files, reader } = aReader(`${end}\n${begin}\n`);
    expect([...(await reader.read()).knowledge.objects.keys()]).toEqual(['101/campaign/7']);
    files.tree[LEDGER_FILE] += PAUSE;
    const { knowledge } = await reader.read();
    expect([knowledge.objects.size, knowledge.open.length]).toEqual([1, 1]);
  });

  it('notices whether other runs have added lines, and whether the file is another one', async () => {
    const { files, reader } = aReader(CREATED);
    const { revision } = await reader.read();
    files.tree[LEDGER_FILE] += textOf([anIntent({ entry: 'r-9' })]);
    expect((await reader.read()).revision, 'its own lines are not news').toBe(revision);
    files.tree[LEDGER_FILE] += PAUSE;
    const later = (await reader.read()).revision;
    expect(later).not.toBe(revision);
    files.tree[LEDGER_FILE] = PAUSE;
    expect([revision, later]).not.toContain((await reader.read()).revision);
  });

  it('names the lines that cannot be read, by their numbers in the file', async () => {
    const { files, reader } = aReader(`${CREATED}nothing\n\n${PAUSE}{"v":1,"at":"20`);
    const first = await reader.read();
    expect(first.diagnostics.map(({ line }) => line)).toEqual([3, 6]);
    expect(first.damaged, 'the last one was cut short').toEqual([3]);
    files.tree[LEDGER_FILE] += '\nnothing\n';
    const later = await reader.read();
    expect(later.damaged, 'and it stays so with another line after it').toEqual([3, 7]);
    expect(later.diagnostics.map(({ line }) => line)).toEqual([3, 7, 6]);
  });

  it('takes a last line without a line break as soon as it is whole', async () => {
    const { files, reader } = aReader(CREATED + PAUSE.slice(0, -20));
    expect((await reader.read()).knowledge.open).toEqual([]);
    files.tree[LEDGER_FILE] = CREATED + PAUSE.trimEnd();
    expect((await reader.read()).knowledge.open).toHaveLength(1);
    files.tree[LEDGER_FILE] += `\n${textOf([anOutcomeLine({ entry: 'r-2', outcome: 'done' })])}`;
    const { knowledge, damaged } = await reader.read();
    expect([knowledge.open, damaged]).toEqual([[], []]);
  });
});
