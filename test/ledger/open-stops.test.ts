import { describe, expect, it } from 'vitest';
import type { IntentLine, LedgerLine } from '../../src/ledger/lines.ts';
import { NOTHING_OUT_OF_ORDER } from '../../src/ledger/out-of-order.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
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

const HOUR_MS = 3_600_000;
const AN_HOUR_ON = STOP_MS + HOUR_MS + 1;
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
    [
      'that was known at the stop',
      [change('apply', HOUR_MS), { ...BY_HAND, after_ms: AN_HOUR_ON }],
      'by_hand',
    ],
    ['that began after it', [BY_HAND, change('apply', 5_000)], 'replace'],
    ['of another object', [change('apply', -1_000, { live_id: '78' }), BY_HAND], 'replace'],
    ['that starts it', [change('apply', -1_000, { target: 'active', purpose: null }), BY_HAND], null],
    ['that was refused', [change('apply', -1_000), BY_HAND, refusal], 'replace'],
  ])('%s', (_title, lines, purpose) => {
    expect(purposeOf(lines)).toBe(purpose);
  });
});

describe('an unconfirmed start after a confirmed stop, by a server that was an hour behind', () => {
  const start = (more: Partial<IntentLine>) =>
    change('start', 60_000, { target: 'active', purpose: null, skew_ms: -HOUR_MS, ...more });

  it.each<[string, Partial<IntentLine>, readonly string[]]>([
    ['counts as the earlier one where no run knew the order', {}, []],
    ['stays unconfirmed where its run knew of the stop', { after_ms: STOP_MS + 1 }, ['start']],
  ])('%s', (_title, more, open) => {
    const end = anOutcomeLine({ entry: 'stop', live_id: '77' });
    const known = reduceLedger([BY_HAND, end, start(more)]);
    expect(known.open.map(({ entry }) => entry)).toEqual(open);
  });
});
