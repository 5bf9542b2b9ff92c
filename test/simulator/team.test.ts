import { describe, expect, it } from 'vitest';
import { aVisit, itemsOf, type Answered, type Visit } from './visit.ts';

type Query = Readonly<Record<string, string | number>>;

const ask = (visit: Visit, path: string, query: Query): Promise<Answered> =>
  visit.call(
    'GET',
    `${path}?${new URLSearchParams(
      Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
    ).toString()}`,
  );

const MEMBERS = '/api/v0/members';
const METRICS = '/api/v0/users/metrics';
const WEEK = { from: '2026-05-01T00:00:00Z', to: '2026-05-08T00:00:00Z' };

const metricsOf = async (visit: Visit, query: Query = {}) =>
  itemsOf(await ask(visit, METRICS, { ...WEEK, limit: 100, offset: 0, ...query }));

/** The ids as they stand on the wire, digit by digit. */
const idsIn = ({ text }: Answered, member: string) =>
  [...text.matchAll(new RegExp(`"${member}":(\\d+),`, 'g'))].map(([, id = '']) => id);

describe('members', () => {
  it('are read by offset under the name of users; a full last page says nothing of the end', async () => {
    const visit = aVisit({ data: { members: 60 } });
    const pages = [0, 30, 60].map((offset) => ask(visit, MEMBERS, { limit: 30, offset }));
    const [first, second, third] = await Promise.all(pages);
    if (first === undefined || second === undefined || third === undefined) throw new Error('no pages');
    expect(new Set([...idsIn(first, 'id'), ...idsIn(second, 'id')]).size).toBe(60);
    expect(third.text).toBe('{"users":[]}');
    for (const page of [first, second, third]) expect(Object.keys(page.body)).toEqual(['users']);
  });

  it('have ids that are integers, some beyond 2^53', async () => {
    const ids = idsIn(await ask(aVisit(), MEMBERS, { limit: 50, offset: 0 }), 'id').map(BigInt);
    expect(ids).toHaveLength(12);
    const huge = ids.filter((id) => BigInt(Number(id)) !== id);
    expect(huge.length).toBeGreaterThan(0);
    expect(huge.length).toBeLessThan(ids.length);
  });

  it('who join between two pages shift them', async () => {
    const visit = aVisit();
    const first = await ask(visit, MEMBERS, { limit: 5, offset: 0 });
    visit.control.addFault({ kind: 'change_before', nth: 1, data: { members: 13 } });
    const second = await ask(visit, MEMBERS, { limit: 5, offset: 5 });
    expect(idsIn(second, 'id')[0]).toBe(idsIn(first, 'id')[4]);
  });
});

describe('metrics', () => {
  it('have figures for each member, of the same people as the members', async () => {
    const visit = aVisit({ modes: { extraFields: false } });
    const members = await ask(visit, MEMBERS, { limit: 50, offset: 0 });
    const metrics = await ask(visit, METRICS, { ...WEEK, limit: 100, offset: 0 });
    expect(idsIn(metrics, 'user_id')).toEqual(idsIn(members, 'id'));
    for (const row of itemsOf(metrics)) {
      const { user_id: _id, creator_ids, ...figures } = row;
      expect(Object.keys(figures)).toHaveLength(40);
      expect(creator_ids).toEqual(expect.any(Array));
      for (const [name, value] of Object.entries(figures)) {
        expect(value).toBeGreaterThanOrEqual(0);
        if (name.includes('_count')) expect(Number.isInteger(value)).toBe(true);
      }
    }
  });

  it('are filtered by user, however many digits the id has', async () => {
    const visit = aVisit();
    const all = idsIn(await ask(visit, METRICS, { ...WEEK, limit: 100, offset: 0 }), 'user_id');
    const [huge = '', small = ''] = [all.find((id) => id.length === 19), all.find((id) => id.length < 9)];
    const query = new URLSearchParams({ ...WEEK, limit: '100', offset: '0' }).toString();
    for (const style of [`user_ids=${huge}&user_ids=${small}`, `user_ids[]=${huge}&user_ids[]=${small}`]) {
      const page = await visit.call('GET', `${METRICS}?${query}&${style}`);
      expect(idsIn(page, 'user_id').toSorted()).toEqual([huge, small].toSorted());
    }
    // The nearest number of its own precision is someone else.
    expect(await metricsOf(visit, { user_ids: `${huge.slice(0, -1)}9` })).toEqual([]);
  });

  it('are filtered by creator, group and role, and by all of them together', async () => {
    const visit = aVisit({ data: { members: 90 } });
    const all = await metricsOf(visit);
    const of102 = await metricsOf(visit, { creator_ids: 102 });
    expect(of102.length).toBeGreaterThan(20);
    expect(of102).toEqual(all.filter(({ creator_ids }) => (creator_ids as number[]).includes(102)));
    const groups = await Promise.all([1, 2, 3].map((id) => metricsOf(visit, { account_group_id: id })));
    expect(groups.map(({ length }) => length).reduce((sum, count) => sum + count)).toBe(90);
    const role = await metricsOf(visit, { role_id: 1 });
    const both = await metricsOf(visit, { role_id: 1, creator_ids: 102 });
    expect(both).toEqual(role.filter((row) => (row['creator_ids'] as number[]).includes(102)));
    expect(await metricsOf(visit, { role_id: 99 })).toEqual([]);
  });

  it('of days that end before they begin are refused', async () => {
    const query = { from: WEEK.to, to: WEEK.from, limit: 100, offset: 0 };
    expect((await ask(aVisit(), METRICS, query)).status).toBe(400);
  });
});
