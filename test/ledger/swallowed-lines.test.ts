import { describe, expect, it } from 'vitest';
import { isCutShort } from '../../src/ledger/cut-short.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { aScene, LEDGER_FILE } from '../helpers/scene.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { createsSent, decisions, dieBefore, dieWithLateCreate, planned } from '../helpers/flows.ts';

const WHOLE = textOf([anIntent()]).trimEnd();

/** The stop of another process was cut short in front of these lines: its disk was full, or two files were joined by cat. */
function behindACutStop(lines: string): string {
  const stop = textOf([
    anIntent({ call: 'status', target: 'paused', live_id: '7', purpose: 'by_hand', run: 'x', entry: 'x-1' }),
  ]);
  return stop.slice(0, stop.indexOf('"sent_at_ms":') + '"sent_at_ms":'.length) + lines;
}

describe('a line that was cut short and swallowed a whole line', () => {
  it.each([
    ['an intent', textOf([anIntent({ baseline: ['5'], supersedes: ['4'], skew_ms: 5 })]).trimEnd()],
    ['an outcome', textOf([anOutcomeLine()]).trimEnd()],
  ])('is damaged, wherever %s was cut: the whole one announced a request', (_, first) => {
    const taken: string[] = [];
    for (let length = '{"v":1,'.length; length < first.length; length += 1)
      if (isCutShort(first.slice(0, length) + WHOLE)) taken.push(first.slice(length - 16, length));
    expect(taken).toEqual([]);
  });

  it('does not hide an open create', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await dieWithLateCreate(scene);
    const open = scene.files.tree[LEDGER_FILE] ?? '';
    const before = await createsSent(scene);
    scene.files.tree[LEDGER_FILE] = behindACutStop(open);
    const plan = await planned(scene);
    expect
      .soft(decisions(plan), JSON.stringify(plan.plan.diagnostics))
      .not.toEqual(['create alice/campaign/Welcome']);
    await scene.herald('apply', '--yes');
    expect(await createsSent(scene)).toBe(before);
  });

  it('is not called harmless by ledger check, and not deleted by a compaction', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await dieBefore(scene, (line) => line.includes('"type":"outcome"'));
    const open = scene.files.tree[LEDGER_FILE] ?? '';
    scene.files.tree[LEDGER_FILE] = behindACutStop(open);
    const check = await scene.herald('ledger', 'check');
    expect.soft([check.code, check.stdout]).toEqual([1, expect.anything()]);
    await scene.herald('ledger', 'compact');
    expect(scene.files.tree[LEDGER_FILE]).toContain('"call":"create"');
  });
});
