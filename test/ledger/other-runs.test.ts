import { expect, it } from 'vitest';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { OtherRuns } from '../../src/ledger/other-runs.ts';
import { NewStops } from '../../src/ledger/stops.ts';

it('readings at the same time take each line once', async () => {
  const added = ['one', 'two'].map((entry) => ({ type: 'acknowledged', entry }) as LedgerLine);
  let read = 0;
  const others = new OtherRuns(
    {
      read: async () => {
        const from = read;
        await new Promise((resolve) => setImmediate(resolve));
        const lines = added.slice(from, from + 1);
        read += lines.length;
        return lines;
      },
      name: 'the ledger',
      clock: { now: () => 0 },
      service: { serverInfo: () => ({ skewMs: 0, sureSkewMs: 0, isSimulator: false }) },
      stops: new NewStops(new Set(), 'r'),
      known: new Set(),
    },
    [],
  );
  const heard = await Promise.all([others.hear(), others.hear(), others.hear()]);
  expect(heard).toEqual([[added[0]], [added[1]], []]);
});

it('a reading that fails does not stop the next one', async () => {
  let reads = 0;
  const others = new OtherRuns(
    {
      read: () => {
        reads += 1;
        return reads === 1 ? Promise.reject(new Error('it is gone')) : Promise.resolve([]);
      },
      name: 'the ledger',
      clock: { now: () => 0 },
      service: { serverInfo: () => ({ skewMs: 0, sureSkewMs: 0, isSimulator: false }) },
      stops: new NewStops(new Set(), 'r'),
      known: new Set(),
    },
    [],
  );
  await expect(others.hear()).rejects.toThrow('it is gone');
  expect(await others.hear()).toEqual([]);
});
