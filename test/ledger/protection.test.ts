import { describe, expect, it } from 'vitest';
import type { ProtectionLine } from '../../src/ledger/lines.ts';
import { parseLedger } from '../../src/ledger/parse.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { compactLedger } from '../helpers/whole-ledgers.ts';

function aProtection(more: Partial<ProtectionLine> = {}): ProtectionLine {
  return {
    v: 1,
    at: '2026-06-01T12:00:02.000Z',
    run: 'r',
    type: 'protection',
    account: 'alice',
    account_id: '101',
    kind: 'campaign',
    name: 'Welcome',
    live_id: '7',
    who: 'tester',
    protect: true,
    ...more,
  };
}

const later = { at: '2026-06-02T12:00:00.000Z' };

function knownOf(...lines: Parameters<typeof textOf>[0]) {
  return reduceLedger(parseLedger(textOf(lines)).lines).objects.get('101/campaign/7');
}

describe('protection on record', () => {
  it('is remembered by what a create made', () => {
    expect(knownOf(anIntent({ protect: true }), anOutcomeLine())?.isProtected).toBe(true);
    expect(knownOf(anIntent(), anOutcomeLine())?.isProtected).toBe(false);
  });

  it('is remembered when the answer was lost and its object adopted later', () => {
    const adopted = anOutcomeLine({ ...later, outcome: 'adopted' });
    expect(
      knownOf(anIntent({ protect: true }), anOutcomeLine({ outcome: 'unknown' }), adopted)?.isProtected,
    ).toBe(true);
  });

  it('is what was said last, in whatever order the lines stand', () => {
    const lifted = aProtection({ ...later, protect: false });
    expect(knownOf(aProtection(), lifted)?.isProtected).toBe(false);
    expect(knownOf(lifted, aProtection())?.isProtected).toBe(false);
  });

  it('does not make anybody else’s object ours', () => {
    expect(knownOf(aProtection())).toMatchObject({ ours: false, createdByHerald: false, isProtected: true });
  });

  it('survives a change of its object and a compaction', () => {
    const lines = [anIntent(), anOutcomeLine(), aProtection()];
    const compaction = compactLedger(textOf(lines), {
      before: '2026-07-01T00:00:00.000Z',
      at: '2026-07-02T00:00:00.000Z',
      run: 'c',
      who: 'tester',
      archive: null,
    });
    expect(compaction.moved.length).toBeGreaterThan(0);
    const { objects } = reduceLedger(parseLedger(compaction.text).lines);
    expect(objects.get('101/campaign/7')).toEqual(knownOf(...lines));
  });

  it('is false in a ledger of before, which says nothing of it', () => {
    const { protect: _protect, ...old } = anIntent();
    const text = `${JSON.stringify(old)}\n${JSON.stringify(anOutcomeLine())}\n`;
    expect(reduceLedger(parseLedger(text).lines).objects.get('101/campaign/7')?.isProtected).toBe(false);
  });
});
