import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { parseLedger } from '../../src/ledger/parse.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { compactLedger } from '../helpers/whole-ledgers.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'herald-merge-'));
  git('init', '--quiet', '--initial-branch', 'main');
  writeFileSync(join(folder, '.gitattributes'), 'ledger*.ndjson merge=union\n');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: readonly string[]): void {
  const name = [
    '-c',
    'user.name=tester',
    '-c',
    'user.email=tester@example.test',
    '-c',
    'commit.gpgsign=false',
  ];
  execFileSync('git', [...name, ...args], { cwd: folder, stdio: 'pipe' });
}

function commit(text: string): void {
  writeFileSync(join(folder, 'ledger.ndjson'), text);
  git('add', '-A');
  git('commit', '--quiet', '-m', 'ledger');
}

/** A create of an object a day, each with its end, and a pause of the one before. */
function days(from: number, to: number, prefix: string): readonly LedgerLine[] {
  return Array.from({ length: to - from }, (_, index): readonly LedgerLine[] => {
    const day = from + index;
    const at = (minute: number) => new Date(Date.UTC(2026, 0, day, 12, minute)).toISOString();
    const change = {
      call: 'status',
      live_id: String(day - 1),
      target: 'paused',
      purpose: 'replace',
    } as const;
    return [
      anIntent({ entry: `${prefix}-p${day}`, at: at(0), ...change }),
      anOutcomeLine({ entry: `${prefix}-p${day}`, at: at(1), live_id: String(day - 1), created_by: null }),
      anIntent({ entry: `${prefix}-c${day}`, at: at(2), content: `c${day}`, supersedes: [String(day - 1)] }),
      anOutcomeLine({ entry: `${prefix}-c${day}`, at: at(3), live_id: String(day) }),
    ];
  }).flat();
}

it.each([
  ['the cut lies far behind', 20],
  ['everything that there was is put away', 60],
])(
  'a compacted branch and one that went on amount to the same, merged by git, where %s',
  (_title, cutDay) => {
    const base = days(1, 41, 'base');
    const open = anIntent({ entry: 'open', at: '2026-01-05T00:00:00.000Z', name: 'Lost' });
    const [ours, theirs] = [days(41, 44, 'ours'), days(61, 64, 'theirs')];
    commit(textOf([...base, open]));
    git('checkout', '--quiet', '-b', 'theirs');
    commit(textOf([...base, open, ...theirs]));
    git('checkout', '--quiet', 'main');
    const { text, moved } = compactLedger(textOf([...base, open, ...ours]), {
      before: new Date(Date.UTC(2026, 0, cutDay)).toISOString(),
      at: '2026-06-01T00:00:00.000Z',
      run: 'c',
      who: 'tester',
      archive: null,
    });
    expect(moved.length).toBeGreaterThanOrEqual(4 * 19);
    commit(text);
    git('merge', '--quiet', '--no-edit', 'theirs');

    const merged = parseLedger(readFileSync(join(folder, 'ledger.ndjson'), 'utf8'));
    expect(merged.damaged).toEqual([]);
    const expected = reduceLedger([...base, open, ...ours, ...theirs]);
    const { objects, creators, open: stillOpen } = reduceLedger(merged.lines);
    expect(objects).toEqual(expected.objects);
    expect(creators).toEqual(expected.creators);
    expect(stillOpen.map(({ entry }) => entry)).toEqual(['open']);
  },
);
