import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeLedger } from '../../bench/ledger-lines.ts';
import { lineWrittenAt } from '../helpers/line-of-now.ts';
import { LEDGER_FILE } from '../helpers/memory-workspace.ts';
import { builtHerald, type RealHerald } from '../helpers/real-herald.ts';
import { WORKSPACE } from '../helpers/scene.ts';

/** The ledger is read six times: half a minute on a busy machine. */
const TIMEOUT_MS = 180_000;

let herald: RealHerald;
beforeAll(() => {
  herald = builtHerald();
});
afterAll(() => herald.dispose());

it(
  'a compaction holds neither the lines nor those that replace them',
  async () => {
    const directory = herald.workspace({ 'herald.yaml': WORKSPACE });
    writeLedger(join(directory, LEDGER_FILE), 150_000, 'agency');
    appendFileSync(join(directory, LEDGER_FILE), lineWrittenAt(Date.now()));
    // As texts, the lines that replace others need more.
    const env = { NODE_OPTIONS: '--max-old-space-size=50' };
    const ran = await herald.start(directory, ['ledger', 'compact'], env).ran;
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toContain('150000 lines of finished history');
  },
  TIMEOUT_MS,
);
