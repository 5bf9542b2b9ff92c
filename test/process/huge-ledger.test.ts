import { closeSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeLedger } from '../../bench/ledger-lines.ts';
import { LEDGER_FILE } from '../helpers/memory-workspace.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { lineWrittenAt } from '../helpers/line-of-now.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';
import { WORKSPACE } from '../helpers/scene.ts';

/** Half a gigabyte is written, and read four times: minutes on a busy machine. */
const TIMEOUT_MS = 240_000;

let herald: RealHerald;
beforeAll(() => {
  herald = builtHerald();
});
afterAll(() => herald.dispose());

/** The longest text that Node can hold, in bytes. */
const TEXT_MAX = 0x1fffffe8;
/** Lines that say nothing, so that the file is long and quickly read. */
const BLANKS = Buffer.from(`${' '.repeat(131_071)}\n`.repeat(16));

/** A file that is longer than any text, with one create at its begin and another one at its end. */
function writeHuge(path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'w');
  writeSync(file, textOf([anIntent(), anOutcomeLine()]));
  for (let bytes = 0; bytes < TEXT_MAX; bytes += BLANKS.length) writeSync(file, BLANKS);
  writeSync(
    file,
    textOf([anIntent({ entry: 'r-2', name: 'Last' }), anOutcomeLine({ entry: 'r-2', live_id: '8' })]),
  );
  writeSync(file, lineWrittenAt(Date.now()));
  closeSync(file);
}

it(
  'a ledger that is longer than any text is planned with, told, checked and compacted',
  async () => {
    const directory = herald.workspace({ 'herald.yaml': WORKSPACE });
    const path = join(directory, LEDGER_FILE);
    writeHuge(path);
    const done = async (...args: readonly string[]) => {
      const ran = await herald.start(directory, args).ran;
      expect(ran.code, ran.stderr).toBe(0);
      return ran.stdout;
    };
    expect(await done('plan')).toContain('No changes');
    const history = await done('history', 'alice/campaign/Last', '--format', 'json');
    expect(JSON.parse(history)).toMatchObject({ items: [{ live_id: '8', outcome: 'done' }] });
    expect(JSON.parse(await done('ledger', 'check', '--format', 'json'))).toMatchObject({
      lines: 5,
      objects: 3,
      findings: [{ code: 'ledger-order' }, { code: 'ledger-large' }],
    });
    expect(await done('ledger', 'compact')).toContain('4 lines of finished history');
    expect(statSync(path).size).toBeLessThan(10_000);
  },
  TIMEOUT_MS,
);

it('a plan next to 80,000 lines holds what is known, and not the lines', async () => {
  const directory = herald.workspace({ 'herald.yaml': WORKSPACE });
  writeLedger(join(directory, LEDGER_FILE), 80_000, 'agency');
  // All lines at once take 160.
  const env = { NODE_OPTIONS: '--max-old-space-size=60' };
  const ran = await herald.start(directory, ['plan'], env).ran;
  expect(ran.code, ran.stderr).toBe(0);
});
