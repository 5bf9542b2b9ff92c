import { describe, expect, it } from 'vitest';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { NOTHING_OUT_OF_ORDER } from '../../src/ledger/out-of-order.ts';
import { keepNoEntry, Reduction } from '../../src/ledger/reduction.ts';
import { anIntent, anOutcomeLine } from '../helpers/ledger-builders.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const CHANGE = { call: 'status', purpose: 'declared', kind: 'campaign', content: null } as const;

/** A change of an object: asked for at noon and answered so many seconds later. */
function change(
  id: number,
  sec: number,
  target: string | null = 'paused',
  end: object = {},
): readonly LedgerLine[] {
  const at = new Date(NOON + sec * 1000).toISOString();
  const entry = `r-${id}-${sec}`;
  const call = target === null ? 'unsend' : 'status';
  return [
    anIntent({ ...CHANGE, call, entry, target, live_id: `${id}` }),
    anOutcomeLine({ at, at_skew_ms: 0, entry, live_id: `${id}`, ...end }),
  ];
}

function answersIn(...lines: readonly LedgerLine[]): Record<string, string | null> {
  const reduction = new Reduction('https://api.example', keepNoEntry, NOTHING_OUT_OF_ORDER);
  for (const line of lines) reduction.take(line);
  return Object.fromEntries([...reduction.result().answers].map(([key, { target }]) => [key, target]));
}

// ERROR-15
describe('the answered changes that a list may not show yet', () => {
  it('are the last one of each object', () => {
    const lines = [...change(7, 1), ...change(7, 2, 'active'), ...change(8, 2)];
    expect(answersIn(...lines)).toEqual({ '101/campaign/7': 'active', '101/campaign/8': 'paused' });
  });

  it('are recalls too', () => {
    expect(answersIn(...change(7, 1), ...change(7, 2, null))).toEqual({ '101/campaign/7': null });
  });

  it('count from the answer, however long it took', () => {
    expect(answersIn(...change(7, 60), ...change(8, 61))).toEqual({
      '101/campaign/7': 'paused',
      '101/campaign/8': 'paused',
    });
  });

  it('are only those of the last seconds, in whatever order they stand in a merged ledger', () => {
    const [early, late] = [change(7, 0), change(8, 60)];
    expect(answersIn(...early, ...late)).toEqual({ '101/campaign/8': 'paused' });
    expect(answersIn(...late, ...early)).toEqual({ '101/campaign/8': 'paused' });
  });

  it.each(['refused', 'unknown', 'unsent'] as const)('are not those that ended as %s', (outcome) => {
    expect(answersIn(...change(7, 0, 'paused', { outcome }))).toEqual({});
  });

  it('are few, however long the ledger is', () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => change(index, index)).flat();
    expect(Object.keys(answersIn(...lines)).length).toBeLessThan(20);
  });
});
