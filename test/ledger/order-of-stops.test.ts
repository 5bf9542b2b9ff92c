import { describe, expect, it } from 'vitest';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { NOTHING_OUT_OF_ORDER } from '../../src/ledger/out-of-order.ts';
import { Reduction } from '../../src/ledger/reduction.ts';
import { withUncertainStops } from '../../src/ledger/uncertain-stops.ts';
import { knowledgeWith } from '../../src/ledger/with-added.ts';
import { objectKey, type KnowledgeOn } from '../../src/domain/knowledge.ts';
import { anIntent, anOutcomeLine } from '../helpers/ledger-builders.ts';

const HAND_MS = Date.UTC(2026, 5, 1, 12);

/** A pause of campaign 77 that left so long after the stop by hand. */
function pause(entry: string, afterMs: number, purpose: 'replace' | 'by_hand'): LedgerLine {
  const sent_at_ms = HAND_MS + afterMs;
  const at = new Date(sent_at_ms).toISOString();
  const status = { call: 'status', live_id: '77', target: 'paused', purpose } as const;
  return anIntent({ ...status, entry, at, sent_at_ms, skew_ms: 0 });
}

const made = anIntent({
  entry: 'made',
  at: new Date(HAND_MS - 60_000).toISOString(),
  sent_at_ms: HAND_MS - 60_000,
});

function done(entry: string, afterMs: number): LedgerLine {
  const live = entry === 'made' ? { created_by: 'ana' } : {};
  return anOutcomeLine({ entry, live_id: '77', at: new Date(HAND_MS + afterMs).toISOString(), ...live });
}

const BEFORE = [made, done('made', -59_000)];
const BY_HAND = [pause('hand', 0, 'by_hand'), done('hand', 100)];

function readingOf(lines: readonly LedgerLine[]) {
  const reduction = new Reduction('https://api.example', () => true, NOTHING_OUT_OF_ORDER);
  for (const line of lines) reduction.take(line);
  return reduction.result();
}

function purposeIn({ objects }: KnowledgeOn<'record'>): string | null | undefined {
  return objects.get(objectKey('101', 'campaign', '77'))?.pausedFor;
}

// Two ledgers that were merged: no run knew of the other one's stop, so only their clocks tell.
describe('a stop by hand next to one by an apply', () => {
  it.each([
    { afterMs: 5_000, purpose: 'by_hand' },
    { afterMs: 7_000, purpose: 'replace' },
  ])('that left $afterMs ms later counts as $purpose', ({ afterMs, purpose }) => {
    const byApply = [pause('apply', afterMs, 'replace'), done('apply', afterMs + 100)];
    const reading = readingOf([...BEFORE, ...BY_HAND, ...byApply]);
    expect(purposeIn(withUncertainStops(reading))).toBe(purpose);
  });

  it.each([
    { afterMs: 5_000, purpose: 'by_hand' },
    { afterMs: 7_000, purpose: 'replace' },
  ])(
    'that left $afterMs ms later, and that a run has found since, counts as $purpose',
    ({ afterMs, purpose }) => {
      const reading = readingOf([...BEFORE, ...BY_HAND, pause('apply', afterMs, 'replace')]);
      expect(purposeIn(knowledgeWith(reading, [done('apply', 600_000)]))).toBe(purpose);
    },
  );
});
