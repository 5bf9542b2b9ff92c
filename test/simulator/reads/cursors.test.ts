import { describe, expect, it } from 'vitest';
import { serializeWorld } from '../../../src/simulator/world.ts';
import { aVisit, itemsOf, type Visit } from '../visit.ts';
import { ask, cursorOf, PEOPLE, RANGED, readAll, SPRING, type Query } from './reading.ts';

const CURSOR_LISTS: readonly (readonly [string, Query])[] = [
  ...RANGED.map(([list]) => [list, { ...SPRING, start: '2025-01-01T00:00:00Z' }] as const),
  ...PEOPLE.map(([list]) => [list, {}] as const),
];

/** The cursor behind a first page. */
async function cursorAfter(visit: Visit, list: string, query: Query): Promise<string> {
  const cursor = cursorOf(await ask(visit, list, query));
  if (cursor === undefined) throw new Error(`${list} has one page only`);
  return cursor;
}

describe('a cursor', () => {
  it.each(CURSOR_LISTS)(
    'of %s is base64 that says nothing, and is absent on the last page',
    async (list, query) => {
      const visit = aVisit();
      visit.control.setData({
        [list.replaceAll('-', '_')]: { rows: 25, from: '2026-05-01T00:00:00Z', to: SPRING.end },
      });
      let cursor: string | undefined;
      const sizes: number[] = [];
      do {
        const page = await ask(visit, list, {
          ...query,
          limit: 10,
          ...(cursor === undefined ? {} : { cursor }),
        });
        sizes.push(itemsOf(page).length);
        cursor = cursorOf(page);
        if (cursor === undefined) expect('cursor' in page.body).toBe(false);
        else {
          expect(cursor).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
          expect(cursor.length).toBeLessThanOrEqual(512);
          expect(Buffer.from(cursor, 'base64').toString()).not.toMatch(/\d{2}/);
        }
      } while (cursor !== undefined);
      expect(sizes).toEqual([10, 10, 5]);
    },
  );

  it('is absent where the rows end with the page', async () => {
    const visit = aVisit();
    visit.control.setData({ transactions: 20 });
    const first = await ask(visit, 'transactions', { ...SPRING, limit: 10 });
    const cursor = cursorOf(first);
    const second = await ask(visit, 'transactions', { ...SPRING, limit: 10, cursor: String(cursor) });
    expect([itemsOf(second).length, cursorOf(second)]).toEqual([10, undefined]);
    expect(cursorOf(await ask(visit, 'transactions', { ...SPRING, limit: 20 }))).toBeUndefined();
  });

  it.each(CURSOR_LISTS)('of %s gives the same page whenever it is handed in', async (list, query) => {
    const visit = aVisit();
    const cursor = await cursorAfter(visit, list, { ...query, limit: 10 });
    const page = await ask(visit, list, { ...query, limit: 10, cursor });
    expect((await ask(visit, list, { ...query, limit: 10, cursor })).text).toBe(page.text);
  });

  it.each(['x', 'bm9uc2Vuc2U=', '%%%', '/oeU', 'e30='])(
    '%j that no one gave out is refused',
    async (cursor) => {
      const visit = aVisit();
      for (const [list, query] of CURSOR_LISTS) {
        const { status, body } = await ask(visit, list, { ...query, cursor });
        expect([status, body['message']]).toEqual([400, 'unknown cursor']);
      }
    },
  );

  it.each<[string, string, Query]>([
    ['another list', 'chargebacks', { ...SPRING, limit: 10 }],
    ['another range', 'transactions', { ...SPRING, start: '2026-03-02T00:00:00Z', limit: 10 }],
    ['another page size', 'transactions', { ...SPRING, limit: 20 }],
    ['another account', '/api/v0/platforms/platform_a/accounts/9102/transactions', { ...SPRING, limit: 10 }],
  ])('of %s is refused', async (_case, list, query) => {
    const visit = aVisit();
    const cursor = await cursorAfter(visit, 'transactions', { ...SPRING, limit: 10 });
    const { status, body } = await ask(visit, list, { ...query, cursor });
    expect([status, body['message']]).toEqual([400, 'the cursor belongs to another query']);
  });

  it('of one link is refused for another', async () => {
    const visit = aVisit();
    const [row] = itemsOf(await ask(visit, 'trial-link-users', {}));
    const link_id = String(row?.['link_id']);
    const cursor = await cursorAfter(visit, 'trial-link-users', { link_id, limit: 5 });
    expect((await ask(visit, 'trial-link-users', { link_id, limit: 5, cursor })).status).toBe(200);
    expect((await ask(visit, 'trial-link-users', { limit: 5, cursor })).status).toBe(400);
  });
});

describe('a million rows', () => {
  const MILLION = { rows: 1_000_000, from: '2026-03-01T00:00:00Z', to: '2026-06-09T00:00:00Z' };
  const ALL = { start: MILLION.from, end: MILLION.to, limit: 1000 };

  it('take no more space than none', () => {
    const visit = aVisit();
    const bytes = () => serializeWorld(visit.simulator.world).length;
    const small = bytes();
    visit.control.setData({ account_id: '101', transactions: MILLION });
    expect(bytes() - small).toBeLessThan(100);
  });

  it('are spread evenly, each with an id of its own', async () => {
    const visit = aVisit();
    visit.control.setData({ transactions: MILLION });
    const rows = await readAll(visit, 'transactions', {
      ...ALL,
      start: '2026-05-01T00:00:00Z',
      end: '2026-05-02T00:00:00Z',
    });
    const ids = rows.map(({ id }) => String(id));
    expect(new Set(ids).size).toBe(10_000);
    expect(ids.filter((id) => !/^[1-9]\d{0,18}$/.test(id))).toEqual([]);
  });

  it('cost a page no more than a thousand do, wherever it stands', async () => {
    const visit = aVisit();
    visit.control.setData({ transactions: MILLION });
    const cpu = process.cpuUsage();
    for (let day = 1; day <= 90; day += 1) {
      const end = new Date(Date.parse(MILLION.from) + day * 86_400_000).toISOString();
      expect(itemsOf(await ask(visit, 'transactions', { ...ALL, end }))).toHaveLength(1000);
    }
    // Walking over the rows before a page would take minutes.
    expect(process.cpuUsage(cpu).user / 1e6).toBeLessThan(5);
  });
});
