import { describe, expect, it } from 'vitest';
import type { LedgerStore } from '../../src/domain/ledger-store.ts';
import { fileLedgerStore } from '../../src/host/file-ledger-store.ts';
import type { LineFiles } from '../../src/host/line-files.ts';
import { LedgerReader } from '../../src/ledger/reader.ts';
import { simulatorsOf } from '../../src/ledger/simulators-of.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { memoryWorkspace } from '../helpers/memory-workspace.ts';
import { LEDGER_FILE } from '../helpers/scene.ts';

const [ONE, OTHER] = ['http://127.0.0.1:4010', 'http://127.0.0.1:4020'];

function of(...lines: Parameters<typeof textOf>[0]): Promise<readonly string[]> {
  return simulatorsOf(memoryWorkspace({ [LEDGER_FILE]: textOf(lines) }).state.ledger, 'r-1');
}

describe('the simulators that an entry was asked of', () => {
  it('are none where nothing names one', async () => {
    expect(await of(anIntent(), anOutcomeLine())).toEqual([]);
    expect(await simulatorsOf(memoryWorkspace({}).state.ledger, 'r-1')).toEqual([]);
  });

  it('are those that its own lines name', async () => {
    expect(await of(anIntent({ origin: OTHER }), anOutcomeLine({ origin: ONE }))).toEqual([ONE, OTHER]);
    expect(await of(anIntent({ entry: 'r-2', origin: OTHER, run: 'other' }), anIntent())).toEqual([]);
  });

  it('are that of its run, which may hear only later what it works with', async () => {
    expect(await of(anIntent(), anIntent({ entry: 'r-2', origin: ONE }))).toEqual([ONE]);
  });
});

/** A ledger that nowhere exists as a whole: each piece takes the place of the one before. */
function aStream(pieces: number): { readonly store: LedgerStore; readonly piecesRead: () => number } {
  let open = 0;
  const lent = Buffer.alloc(1_000);
  const files: Pick<LineFiles, 'openForReading'> = {
    openForReading: () =>
      Promise.resolve({
        id: 'one',
        size: pieces * 1_000,
        async *bytesFrom(start: number) {
          for (let number = Math.floor(start / 1_000); number < pieces; number += 1) {
            const entry = `r-${number}`;
            const about = { entry, live_id: String(number % 7) };
            const lines = textOf([
              anIntent({ ...about, call: 'status', target: 'paused' }),
              anOutcomeLine(about),
            ]);
            lent.fill(' ').write(`${lines.trimEnd()}`);
            lent[999] = 10;
            open = Math.max(open, number);
            yield lent.subarray(start % 1_000);
            lent.fill('x');
          }
        },
        change: async () => ({ stamp: 'one', agoMs: 0 }),
        close: () => Promise.resolve(),
      }),
  };
  return { store: fileLedgerStore(files as LineFiles), piecesRead: () => open + 1 };
}

it('a long ledger is read in pieces that are only lent', async () => {
  const { store, piecesRead } = aStream(5_000);
  const reading = await new LedgerReader(store, ONE).read();
  expect(piecesRead()).toBe(5_000);
  expect([reading.knowledge.objects.size, reading.damaged.length]).toEqual([7, 0]);
  expect(reading.lines, 'no line of what has an end is held').toEqual([]);
  expect(await simulatorsOf(store, 'r-7')).toEqual([]);
});
