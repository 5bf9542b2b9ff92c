import { describe, expect, it } from 'vitest';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { NOTHING_OUT_OF_ORDER } from '../../src/ledger/out-of-order.ts';
import { parseLine } from '../../src/ledger/parse.ts';
import { Reduction } from '../../src/ledger/reduction.ts';
import { withUncertainStops } from '../../src/ledger/uncertain-stops.ts';
import { knowledgeWith } from '../../src/ledger/with-added.ts';
import { objectKey, type KnowledgeOn } from '../../src/domain/knowledge.ts';
import { anIntent, anOutcomeLine, textOf } from '../helpers/ledger-builders.ts';
import { compactLedger } from '../helpers/whole-ledgers.ts';

const HAND_MS = Date.UTC(2026, 5, 1, 12);
const HOUR_MS = 3_600_000;

/** A pause of campaign 77 that left so long after the stop by hand. */
function pause(
  entry: string,
  afterMs: number,
  purpose: 'replace' | 'by_hand',
  skew_ms: number | null = 0,
): LedgerLine {
  const sent_at_ms = HAND_MS + afterMs;
  const at = new Date(sent_at_ms).toISOString();
  const status = { call: 'status', live_id: '77', target: 'paused', purpose } as const;
  return anIntent({ ...status, entry, at, sent_at_ms, skew_ms });
}

const made = anIntent({
  entry: 'made',
  at: new Date(HAND_MS - 60_000).toISOString(),
  sent_at_ms: HAND_MS - 60_000,
});

function done(entry: string, afterMs: number, skew_ms: number | null = 0): LedgerLine {
  const live = entry === 'made' ? { created_by: 'ana' } : {};
  const at = new Date(HAND_MS + afterMs).toISOString();
  return anOutcomeLine({ entry, live_id: '77', at, at_skew_ms: skew_ms, ...live });
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

  // `null`: the line has the time of its writer's clock alone.
  it.each([
    { handSkew: null, applySkew: 0, afterMs: HOUR_MS, purpose: 'by_hand' },
    { handSkew: 0, applySkew: null, afterMs: HOUR_MS, purpose: 'by_hand' },
    { handSkew: null, applySkew: null, afterMs: HOUR_MS, purpose: 'by_hand' },
    { handSkew: null, applySkew: 0, afterMs: 25 * HOUR_MS, purpose: 'replace' },
    { handSkew: 0, applySkew: null, afterMs: 25 * HOUR_MS, purpose: 'replace' },
  ])(
    'of an uncertain time ($handSkew, $applySkew), $afterMs ms later, counts as $purpose, also after a compaction',
    ({ handSkew, applySkew, afterMs, purpose }) => {
      const lines = [
        ...BEFORE,
        pause('hand', 0, 'by_hand', handSkew),
        done('hand', 100, handSkew),
        pause('apply', afterMs, 'replace', applySkew),
        done('apply', afterMs + 100, applySkew),
      ];
      expect(purposeIn(withUncertainStops(readingOf(lines)))).toBe(purpose);
      const at = new Date(HAND_MS + 30 * 24 * HOUR_MS).toISOString();
      const { text } = compactLedger(textOf(lines), { before: at, at, run: 'c', who: 'ana', archive: 'a' });
      const kept = text.split('\n').flatMap((raw) => parseLine(raw) ?? []);
      expect(purposeIn(withUncertainStops(readingOf(kept)))).toBe(purpose);
    },
  );
});
