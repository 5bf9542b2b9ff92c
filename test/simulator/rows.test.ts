import { describe, expect, it } from 'vitest';
import { firstRowFrom, rowTime } from '../../src/simulator/rows.ts';
import { fc } from '../helpers/properties.ts';

const FROM = Date.UTC(2026, 0);

const grids = fc.record({
  seed: fc.nat(),
  plan: fc.record({
    fromMs: fc.constant(FROM),
    stepMs: fc.double({ min: 1, max: 5000, noNaN: true }),
    rows: fc.integer({ min: 0, max: 60 }),
  }),
});

describe('the grid of a list', () => {
  it('finds by arithmetic the row that counting would find', () => {
    fc.assert(
      fc.property(grids, fc.double({ min: -0.2, max: 1.2, noNaN: true }), (grid, share) => {
        const ms = FROM + Math.round(share * grid.plan.stepMs * grid.plan.rows);
        const instants = Array.from({ length: grid.plan.rows }, (_, k) => rowTime(grid, k));
        const counted = instants.findIndex((instant) => instant >= ms);
        expect(firstRowFrom(grid, ms)).toBe(counted === -1 ? grid.plan.rows : counted);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps its rows in their order, each within its own cell', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const { stepMs, rows } = grid.plan;
        for (let k = 0; k < rows; k += 1) {
          const offset = rowTime(grid, k) - FROM;
          expect(offset).toBeGreaterThanOrEqual(Math.floor(k * stepMs));
          expect(offset).toBeLessThan(Math.floor((k + 1) * stepMs));
        }
      }),
    );
  });

  it('is the same a billion rows on', () => {
    const grid = { seed: 7, plan: { fromMs: FROM, stepMs: 1.5, rows: null } };
    for (const k of [10 ** 9, 10 ** 9 + 1, 10 ** 12]) expect(firstRowFrom(grid, rowTime(grid, k))).toBe(k);
  });
});
