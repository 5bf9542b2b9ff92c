import { describe, expect, it } from 'vitest';
import type { Verdict } from '../../src/apply/verdict.ts';
import type { Change, ChangeKind, StepKind } from '../../src/domain/change.ts';
import type { OpenEntry } from '../../src/domain/knowledge.ts';
import { stopsMeanwhile } from '../../src/reconcile/stops-meanwhile.ts';
import { aChange } from '../helpers/plan-builders.ts';
import { aBroadcast, anOpenEntry, anOpenStatus, anOpenUnsend } from '../helpers/resource-builders.ts';

const declared = aBroadcast();
const { address } = declared;

function stopping(action: ChangeKind, ...kinds: Exclude<StepKind, 'upload'>[]): Change {
  const steps = kinds.map((kind) => ({ kind, live_id: '12' }));
  return { ...aChange({ action, live_id: '12' }), address, steps };
}

function sent(change: Change, open: readonly OpenEntry[] = [], verdicts: readonly Verdict[] = []): boolean {
  const look = { plan: { changes: [change] }, knowledge: { open }, verdicts };
  return stopsMeanwhile(look, [declared]).length > 0;
}

const pause = stopping('pause', 'pause', 'read_back');

describe('while a run waits, a stop', () => {
  it.each([
    ['a duplicate', stopping('retire', 'pause', 'read_back'), true],
    ['a declared pause', pause, true],
    ['a declared archive', stopping('archive', 'archive'), true],
    ['a recall', stopping('recall', 'pause', 'recall'), false],
    ['a replace', stopping('replace', 'pause', 'check_not_left', 'create'), false],
    ['a start', stopping('resume', 'resume'), false],
    ['what is blocked', stopping('blocked'), false],
  ])('is sent if nothing is unconfirmed: %s', (_, change, isSent) => {
    expect(sent(change)).toBe(isSent);
  });

  it('waits if no file has its resource', () => {
    expect(sent({ ...pause, address: { ...address, name: 'Another' } })).toBe(false);
  });

  it.each([
    ['a create', anOpenEntry(declared), true],
    ['a resume', anOpenStatus(declared, { liveId: '12', target: 'queued', sentAtMs: 0 }), false],
    [
      'a pause of another object',
      anOpenStatus(declared, { liveId: '7', target: 'paused', sentAtMs: 0 }),
      false,
    ],
    ['a recall', anOpenUnsend(declared, '7'), false],
  ])('next to an unconfirmed request of its name: %s', (_, entry, isSent) => {
    expect(sent(pause, [entry])).toBe(isSent);
  });

  it('waits for a half-done change of its name', () => {
    const entry = anOpenStatus(declared, { liveId: '7', target: 'active', sentAtMs: 0 });
    const half = {
      entry,
      conclusion: null,
      repeat: true,
      undecided: null,
      found: [],
      newcomers: [],
      words: null,
    };
    expect(sent(pause, [], [half])).toBe(false);
  });
});
