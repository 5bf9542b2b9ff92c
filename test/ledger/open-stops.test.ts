import { describe, expect, it } from 'vitest';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { NOTHING_OUT_OF_ORDER } from '../../src/ledger/out-of-order.ts';
import { Reduction } from '../../src/ledger/reduction.ts';
import { withUncertainStops } from '../../src/ledger/uncertain-stops.ts';
import { anIntent, anOutcomeLine } from '../helpers/ledger-builders.ts';

const STOP_MS = Date.UTC(2026, 5, 1, 12);

/** A status change of campaign 77 that left so long after the stop by hand. */
function change(entry: string, afterMs: number, more: Parameters<typeof anIntent>[0] = {}): LedgerLine {
  const sent_at_ms = STOP_MS + afterMs;
  const at = new Date(sent_at_ms).toISOString();
  const status = { call: 'status', live_id: '77', target: 'paused', purpose: 'replace' } as const;
  return anIntent({ ...status, entry, at, sent_at_ms, skew_ms: 0, ...more });
}

const BY_HAND = change('stop', 0, { target: 'archived', purpose: 'by_hand' });
const refusal = anOutcomeLine({ entry: 'stop', outcome: 'refused', live_id: '77' });

function purposeOf(lines: readonly LedgerLine[]): string | null | undefined {
  const reduction = new Reduction('https://api.example', () => false, NOTHING_OUT_OF_ORDER);
  for (const line of lines) reduction.take(line);
  const own = withUncertainStops(reduction.result()).open.find(({ entry }) => entry === 'apply');
  return own?.call === 'status' ? own.purpose : undefined;
}

describe('an unconfirmed status change by an apply, next to a stop by hand', () => {
  it.each<[string, readonly LedgerLine[], string | null]>([
    ['that began before it', [change('apply', -1_000), BY_HAND], 'by_hand'],
    ['that began with it', [change('apply', 0), BY_HAND], 'by_hand'],
    ['by clocks that may differ by so much', [change('apply', 500, { skew_ms: 400 }), BY_HAND], 'by_hand'],
    ['that began after it', [BY_HAND, change('apply', 5_000)], 'replace'],
    ['of another object', [change('apply', -1_000, { live_id: '78' }), BY_HAND], 'replace'],
    ['that starts it', [change('apply', -1_000, { target: 'active', purpose: null }), BY_HAND], null],
    ['that was refused', [change('apply', -1_000), BY_HAND, refusal], 'replace'],
  ])('%s', (_title, lines, purpose) => {
    expect(purposeOf(lines)).toBe(purpose);
  });
});
