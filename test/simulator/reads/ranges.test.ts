import { describe, expect, it } from 'vitest';
import { aVisit, DAY, HOUR, itemsOf } from '../visit.ts';
import { ask, instantsOf, PEOPLE, pathOf, RANGED, readAll, SPRING } from './reading.ts';

describe('a list by range', () => {
  it.each(RANGED)('of %s holds the rows with a %s in the range, newest first', async (list, member) => {
    const visit = aVisit();
    const all = instantsOf(await readAll(visit, list, SPRING), member);
    expect(all.length).toBeGreaterThan(5);
    expect(all).toEqual(all.toSorted((left, right) => right - left));
    const [from = 0, to = 0] = [all[4], all[1]];
    const iso = (ms: number) => new Date(ms).toISOString();
    const some = await readAll(visit, list, { start: iso(from), end: iso(to) });
    expect(instantsOf(some, member)).toEqual(all.slice(1, 5));
    const inner = await readAll(visit, list, { start: iso(from + 1), end: iso(to - 1) });
    expect(instantsOf(inner, member)).toEqual(all.slice(2, 4));
  });

  it.each(RANGED)('of %s leaves its later end out where the service does', async (list, member) => {
    const visit = aVisit({ modes: { rangeEnds: 'half_open' } });
    const all = await readAll(visit, list, SPRING);
    const range = { start: String(all[3]?.[member]), end: String(all[0]?.[member]) };
    expect(await readAll(visit, list, range)).toEqual(all.slice(1, 4));
  });

  it('takes an instant with an offset for what it is', async () => {
    const visit = aVisit();
    const utc = { start: '2026-05-01T00:00:00Z', end: '2026-05-08T00:00:00Z' };
    const local = { start: '2026-05-01T02:00:00+02:00', end: '2026-05-07T19:00:00-05:00' };
    expect(await readAll(visit, 'transactions', local)).toEqual(await readAll(visit, 'transactions', utc));
  });

  it.each(RANGED)('of %s that ends before it begins is refused', async (list) => {
    const { status } = await ask(aVisit(), list, { start: SPRING.end, end: SPRING.start });
    expect(status).toBe(400);
  });

  it('has nothing before its beginning and nothing of the future', async () => {
    const visit = aVisit();
    const past = { start: '1970-01-01T00:00:00Z', end: '2023-12-31T00:00:00Z' };
    const future = { start: '2026-06-01T13:00:00Z', end: '2999-01-01T00:00:00Z' };
    for (const [list] of RANGED) {
      expect(await readAll(visit, list, past)).toEqual([]);
      expect(await readAll(visit, list, future)).toEqual([]);
    }
  });
});

describe('the people of a link', () => {
  it.each(PEOPLE)('are all in %s when no range is given', async (list) => {
    const visit = aVisit();
    const all = await readAll(visit, list, { limit: 750 });
    expect(all.length).toBeGreaterThan(700);
    const collected = instantsOf(all, 'collected_at');
    expect(collected).toEqual(collected.toSorted((left, right) => right - left));
  });

  it.each(PEOPLE)('are in %s by when they were collected, from or to or both', async (list) => {
    const visit = aVisit();
    const all = await readAll(visit, list, { limit: 750 });
    const at = (index: number) => String(all[index]?.['collected_at']);
    const some = (query: Record<string, string>) => readAll(visit, list, { limit: 750, ...query });
    expect(await some({ collected_from: at(9) })).toEqual(all.slice(0, 10));
    expect(await some({ collected_to: at(9) })).toEqual(all.slice(9));
    expect(await some({ collected_from: at(9), collected_to: at(4) })).toEqual(all.slice(4, 10));
    expect((await ask(visit, list, { collected_from: at(4), collected_to: at(9) })).status).toBe(400);
  });

  it.each(PEOPLE)('are collected in %s after they subscribed', async (list) => {
    for (const row of await readAll(aVisit(), list, { limit: 750 }))
      expect(Date.parse(String(row['subscribed_at']))).toBeLessThan(Date.parse(String(row['collected_at'])));
  });

  it.each(PEOPLE)(
    'of one link are in %s those who name it, and it is one of the links',
    async (list, links) => {
      const visit = aVisit();
      const all = await readAll(visit, list, { limit: 750 });
      const known = await readAll(visit, links, { start: '2024-01-01T00:00:00Z', end: SPRING.end });
      const named = [...new Set(all.map((row) => String(row['link_id'])))];
      expect(named.length).toBeGreaterThan(1);
      for (const link_id of named) {
        expect(known.map(({ id }) => id)).toContain(link_id);
        const own = all.filter((row) => row['link_id'] === link_id);
        expect(await readAll(visit, list, { link_id, limit: 10 })).toEqual(own);
        const newest = String(own[2]?.['collected_at']);
        expect(await readAll(visit, list, { link_id, collected_from: newest })).toEqual(own.slice(0, 3));
      }
    },
  );

  it.each(PEOPLE)('of a link that no one came by are none in %s', async (list) => {
    const answer = await ask(aVisit(), list, { link_id: '4711' });
    expect([answer.status, answer.text]).toEqual([200, '{"items":[]}']);
  });
});

describe('time', () => {
  it('brings new rows and changes none', async () => {
    const visit = aVisit();
    const open = { ...SPRING, end: '2030-01-01T00:00:00Z' };
    const before = await readAll(visit, 'transactions', open);
    visit.control.advance(30 * DAY);
    const after = await readAll(visit, 'transactions', open);
    expect(after.length - before.length).toBeGreaterThan(115);
    expect(after.slice(-before.length)).toEqual(before);
  });

  it('shifts nothing in a list that is being read', async () => {
    const visit = aVisit();
    const query = { start: SPRING.start, end: '2030-01-01T00:00:00Z', limit: 50 };
    const before = await readAll(visit, 'transactions', query);
    const first = await ask(visit, 'transactions', query);
    visit.control.advance(DAY);
    const second = await ask(visit, 'transactions', { ...query, cursor: String(first.body['cursor']) });
    expect([...itemsOf(first), ...itemsOf(second)]).toEqual(before.slice(0, 100));
  });

  it('never shows what has not happened: a row appears at its instant', async () => {
    const visit = aVisit();
    const to = '2026-06-01T13:00:00Z';
    visit.control.setData({ transactions: { rows: 60, from: '2026-06-01T12:00:00Z', to } });
    const query = { start: SPRING.start, end: to };
    const rows = async () => (await readAll(visit, 'transactions', query)).length;
    expect(await rows()).toBeLessThan(2);
    visit.control.advance(HOUR / 2);
    expect(await rows()).toBeGreaterThan(28);
    visit.control.advance(HOUR / 2);
    expect(await rows()).toBe(60);
  });
});

describe('the same seed', () => {
  const lists = [...RANGED.map(([list]) => pathOf(list, SPRING)), ...PEOPLE.map(([list]) => pathOf(list))];
  const readBytes = async (seed: number, account = '101') => {
    const visit = aVisit({ seed });
    const texts: string[] = [];
    for (const path of lists) {
      const { text } = await visit.call('GET', path.replace('9101', `9${account}`));
      texts.push(text);
    }
    return texts;
  };

  it('shows the same bytes, and another seed or account shows others', async () => {
    const first = await readBytes(1);
    expect(await readBytes(1)).toEqual(first);
    for (const [index, text] of (await readBytes(2)).entries()) expect(text).not.toBe(first[index]);
    for (const [index, text] of (await readBytes(1, '102')).entries()) expect(text).not.toBe(first[index]);
  });

  it('shows the same rows however they are cut into pages', async () => {
    const visit = aVisit();
    for (const [list] of RANGED) {
      const whole = await readAll(visit, list, { ...SPRING, limit: 1000 });
      expect(await readAll(visit, list, { ...SPRING, limit: 10 })).toEqual(whole);
    }
  });
});
