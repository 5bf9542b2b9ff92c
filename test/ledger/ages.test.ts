import { describe, expect, it } from 'vitest';
import { actsOf } from '../../src/ledger/acts.ts';
import { Ages, ageMs, laterOf, sentBefore, type SendTime } from '../../src/ledger/ages.ts';
import { reduceLedger } from '../../src/ledger/reduce.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { anActLine, anIntent, anOutcomeLine } from '../helpers/ledger-builders.ts';

const NOON = Date.UTC(2026, 5, 1, 12);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A request of the service's noon, sent by a machine with its clock ahead of the service's by so much. */
const sentAtNoon = (aheadMs: number) => ({ sentAtMs: NOON + aheadMs, skewMs: -aheadMs });
/** Half a minute later, on a machine of its own. */
const halfAMinuteLater = (aheadMs: number) => ({ nowMs: NOON + 30_000 + aheadMs, skewMs: -aheadMs });

const CLOCKS = [-400 * DAY_MS, -HOUR_MS, -5_000, 0, 5_000, HOUR_MS, 400 * DAY_MS];
const PAIRS = CLOCKS.flatMap((one) => CLOCKS.map((other) => ({ one, other })));

/** The same for a service with answers that were off by so much when it was sent, and when it is asked about. */
const offBy = (ms: number, left: SendTime): SendTime => ({ ...left, skewMs: (left.skewMs ?? 0) + ms });

describe('the age of a request', () => {
  it.each(CLOCKS)('is taken from two clocks that agree, on a machine that is ahead by %i ms', (aheadMs) => {
    const age = ageMs(sentAtNoon(aheadMs), halfAMinuteLater(aheadMs), 0);
    expect(age).toBeLessThanOrEqual(30_000);
    expect(age).toBeGreaterThan(28_000);
  });

  it.each(PAIRS.filter(({ one, other }) => Math.abs(one - other) > 30_000))(
    'is not told by machines with clocks that differ ($one ms ahead, and $other)',
    ({ one, other }) => {
      expect(ageMs(sentAtNoon(one), halfAMinuteLater(other), 0)).toBe(0);
      expect(ageMs(sentAtNoon(one), halfAMinuteLater(other), 75_000)).toBe(75_000);
    },
  );

  it.each([90_000, HOUR_MS, DAY_MS - 60_000])(
    'is not told by a service’s clock that is off by %i ms',
    (ms) => {
      const now = halfAMinuteLater(0);
      for (const off of [ms, -ms]) {
        expect(ageMs(offBy(off, sentAtNoon(0)), now, 0)).toBe(0);
        expect(ageMs(sentAtNoon(0), { ...now, skewMs: off }, 0)).toBe(0);
      }
    },
  );

  it('is the smaller one of two that about agree', () => {
    expect(ageMs(sentAtNoon(0), { nowMs: NOON + 80_000, skewMs: -15_000 }, 0)).toBeLessThan(67_000);
    expect(ageMs(sentAtNoon(0), { nowMs: NOON + 80_000, skewMs: 15_000 }, 0)).toBe(80_000);
  });

  it('is that of its own clock where the two differ by no more than a header can show', () => {
    expect(ageMs({ sentAtMs: NOON, skewMs: 480 }, { nowMs: NOON + 30_000, skewMs: -510 }, 0)).toBe(30_000);
  });

  it('is at least as long as it has been known of, whatever becomes of the service’s clock', () => {
    expect(ageMs(sentAtNoon(0), { nowMs: NOON, skewMs: -HOUR_MS }, 0)).toBe(0);
    expect(ageMs(sentAtNoon(0), { nowMs: NOON, skewMs: -HOUR_MS }, 75_000)).toBe(75_000);
  });

  it.each([
    ['its skew is missing', null, 0],
    ['ours is not known', 0, null],
    ['neither is known', null, null],
  ])('begins when it was first heard of where %s', (_title, itsMs, oursMs) => {
    const left = { sentAtMs: NOON, skewMs: itsMs };
    for (const nowMs of [NOON - HOUR_MS, NOON + 10_000, NOON + DAY_MS - 1]) {
      expect(ageMs(left, { nowMs, skewMs: oursMs }, 0)).toBe(0);
      expect(ageMs(left, { nowMs, skewMs: oursMs }, 20_000)).toBe(20_000);
    }
  });

  it('is a day where its skew is missing and a clock that the service answered calls it that', () => {
    const later = { nowMs: NOON + DAY_MS, skewMs: 0 };
    expect(ageMs({ sentAtMs: NOON, skewMs: null }, later, 0)).toBe(DAY_MS);
    expect(ageMs({ sentAtMs: NOON, skewMs: null }, { ...later, skewMs: null }, 0)).toBe(0);
    expect(ageMs({ sentAtMs: NOON, skewMs: 0 }, { ...later, skewMs: null }, 0)).toBe(0);
  });

  it('is a day only where every clock says so', () => {
    const left = { sentAtMs: NOON, skewMs: null };
    expect(ageMs(left, { nowMs: NOON + 2 * DAY_MS, skewMs: -2 * DAY_MS }, 0)).toBe(0);
    expect(ageMs(left, { nowMs: NOON, skewMs: 2 * DAY_MS }, 0)).toBe(0);
  });
});

describe('the ages that a process judges', () => {
  const aged = (skewMs: number | null) => {
    const clock = flowClock(NOON);
    const told: { skewMs: number | null; sureSkewMs: number | null; isSimulator: boolean } = {
      skewMs,
      sureSkewMs: skewMs,
      isSimulator: false,
    };
    return { clock, told, ages: new Ages(clock, { address: 'a', serverInfo: () => told }) };
  };

  it('are times on its own clock', () => {
    const { ages, clock } = aged(0);
    clock.move(30_000);
    const { sentAtMs } = ages.here(sentAtNoon(1_000), 'r-1');
    expect(sentAtMs).toBeGreaterThanOrEqual(NOON);
    expect(sentAtMs).toBeLessThan(NOON + 2_000);
  });

  it('are measured for what this process has sent, whatever the clocks say', () => {
    const { ages, clock, told } = aged(0);
    ages.leaves('r-1');
    clock.move(20_000);
    told.skewMs = HOUR_MS;
    expect(ages.ageMs(sentAtNoon(0), 'r-1')).toBe(20_000);
    expect(ages.here({ sentAtMs: NOON - DAY_MS, skewMs: 0 }, 'r-1').sentAtMs).toBe(NOON);
  });

  it('are those of the copy that is asked about; of the last one where that is not clear', () => {
    const { ages, clock } = aged(0);
    ages.leaves('r-1');
    clock.move(40_000);
    ages.leaves('r-1');
    clock.move(10_000);
    expect(ages.ageMs({ sentAtMs: NOON + 100, skewMs: null }, 'r-1')).toBe(50_000);
    expect(ages.ageMs({ sentAtMs: NOON + 40_100, skewMs: null }, 'r-1')).toBe(10_000);
    expect(ages.ageMs({ sentAtMs: NOON - HOUR_MS, skewMs: null }, 'r-1')).toBe(10_000);
  });

  it('are by the service’s clock for a person who closes an entry, on whichever machine', () => {
    const { ages, clock, told } = aged(0);
    clock.move(80_000);
    expect(ages.byServiceMs(sentAtNoon(HOUR_MS), 'r-1')).toBeGreaterThan(75_000);
    expect(ages.ageMs(sentAtNoon(HOUR_MS), 'r-1')).toBe(0);
    told.skewMs = null;
    expect(ages.byServiceMs(sentAtNoon(HOUR_MS), 'r-1')).toBeNull();
  });

  it('run from when each was first heard of, and again for one more copy', () => {
    const { ages, clock } = aged(null);
    const old = { sentAtMs: NOON - HOUR_MS, skewMs: null };
    expect(ages.here(old, 'r-1').sentAtMs).toBe(NOON);
    clock.move(50_000);
    expect(ages.here(old, 'r-1').sentAtMs).toBe(NOON);
    expect(ages.here({ ...old, sentAtMs: NOON - 1 }, 'r-1').sentAtMs).toBe(NOON + 50_000);
    expect(ages.here(old, 'r-2').sentAtMs).toBe(NOON + 50_000);
  });

  it('are given for times that no calendar has', () => {
    const { ages } = aged(0);
    for (const sentAtMs of [1e300, -1e300])
      for (const skewMs of [0, null, 1e300])
        expect(() => new Date(ages.here({ sentAtMs, skewMs }, 'r-1').sentAtMs).toISOString()).not.toThrow();
  });
});

describe('of two copies', () => {
  const early = sentAtNoon(HOUR_MS);
  const late = { sentAtMs: NOON + 60_000 - HOUR_MS, skewMs: HOUR_MS };

  it('the later one is the later by the service’s clock', () => {
    expect([laterOf(early, late), laterOf(late, early)]).toEqual([late, late]);
    expect([sentBefore(early, late), sentBefore(late, early)]).toEqual([true, false]);
  });

  it('neither is taken for the later one where that is not known', () => {
    const unknown = { sentAtMs: NOON, skewMs: null };
    expect(laterOf(unknown, early)).toEqual({ sentAtMs: NOON + HOUR_MS, skewMs: null });
    expect(laterOf(late, unknown)).toEqual({ sentAtMs: NOON + 60_000, skewMs: null });
    expect(sentBefore(late, unknown), 'its own clock says so, and the service’s does not').toBe(false);
    expect(sentBefore(unknown, { ...unknown, sentAtMs: NOON + 1 })).toBe(true);
  });

  it('the last one counts for an open entry, whichever machine sent it and whatever the order of the lines', () => {
    const resent = {
      outcome: 'unknown',
      live_id: null,
      sent_at_ms: late.sentAtMs,
      skew_ms: late.skewMs,
    } as const;
    const lines = [
      // The second machine is two hours behind the first, so its line stands before the one that it follows.
      anOutcomeLine({ at: '2026-06-01T11:01:00.000Z', unheard_ms: late.sentAtMs, ...resent }),
      anIntent({ at: '2026-06-01T13:00:00.000Z', sent_at_ms: early.sentAtMs, skew_ms: early.skewMs }),
      anOutcomeLine({
        at: '2026-06-01T13:00:30.000Z',
        outcome: 'unknown',
        live_id: null,
        sent_at_ms: early.sentAtMs,
        unheard_ms: early.sentAtMs,
        skew_ms: early.skewMs,
      }),
    ];
    for (const order of [lines, lines.toReversed()]) {
      expect(reduceLedger(order).open).toMatchObject([late]);
      const act = anActLine({ sent_at_ms: early.sentAtMs, skew_ms: early.skewMs });
      const acts = order.map((line) => (line.type === 'intent' ? act : line));
      expect(actsOf(acts)).toMatchObject([{ ...late, unconfirmed: late }]);
    }
  });

  it('a heard one closes none that left after it, although its clock was behind', () => {
    const pause = { call: 'status', live_id: '7', target: 'paused', purpose: 'declared' } as const;
    const behind = anIntent({ ...pause, entry: 'late', sent_at_ms: late.sentAtMs, skew_ms: late.skewMs });
    const heard = anIntent({ ...pause, sent_at_ms: early.sentAtMs, skew_ms: early.skewMs });
    const { open } = reduceLedger([behind, heard, anOutcomeLine()]);
    expect(open.map(({ entry }) => entry)).toEqual(['late']);
    expect(reduceLedger([behind, heard, anOutcomeLine({ entry: 'late' })]).open).toEqual([]);
  });
});
