import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { CATALOGUE } from '../../../src/api/catalogue.ts';
import { aVisit, type Json, type Visit } from '../visit.ts';
import { ask, PEOPLE, readAll } from './reading.ts';

const EVER = { start: '2024-01-01T00:00:00Z', end: '2026-06-01T12:00:00Z', limit: 1000 };

/** The members of each list's rows. */
const FIELDS = {
  subscriptions: 'fan price_gross regular_price_gross action type subscribed_at expires_at',
  'tracking-links': 'id name subscribers url is_active clicks created_at',
  'tracking-link-users': 'link_id fan subscribed_at collected_at',
  'trial-links': 'id name claims claims_limit url duration_days expires_at is_active clicks created_at',
  'trial-link-users': 'link_id fan subscribed_at collected_at',
  chargebacks: 'id amount fan type status chargeback_timestamp transaction_timestamp',
  transactions: 'id amount fan type status timestamp',
} as const;
const LISTS = Object.keys(FIELDS) as (keyof typeof FIELDS)[];

const isPeople = (list: string) => PEOPLE.some(([name]) => name === list);
const allOf = (visit: Visit, list: string) => readAll(visit, list, isPeople(list) ? { limit: 750 } : EVER);

/** Distinct values of a member, as text. */
const distinct = (rows: readonly Json[], member: string) => new Set(rows.map((row) => String(row[member])));

describe('a row', () => {
  it.each(LISTS)('of %s has the documented fields', async (list) => {
    const rows = await allOf(aVisit({ modes: { extraFields: false } }), list);
    const fields = FIELDS[list].split(' ').toSorted();
    for (const row of rows) expect(Object.keys(row).toSorted()).toEqual(fields);
  });

  it.each(LISTS)('of %s has one that no document names, unless that is switched off', async (list) => {
    for (const row of await allOf(aVisit(), list)) expect(row).toHaveProperty('revision', 1);
  });

  it.each(LISTS)('of %s passes the shape that clients read it by', async (list) => {
    const family = list === 'chargebacks' || list === 'transactions' ? 'revenue' : 'traffic';
    const shape: z.ZodType = CATALOGUE[`${family}.${list}` as 'traffic.subscriptions'].reply;
    expect(shape.safeParse({ items: await allOf(aVisit(), list) }).success).toBe(true);
  });

  it.each(['tracking-links', 'trial-links', 'chargebacks', 'transactions'])(
    'of %s has an id that is its own, text of at most 19 digits',
    async (list) => {
      const rows = await allOf(aVisit(), list);
      for (const { id } of rows) expect(id).toEqual(expect.stringMatching(/^[1-9]\d{0,18}$/));
      expect(distinct(rows, 'id').size).toBe(rows.length);
    },
  );

  it('has ids of 19 digits and shorter ones in one list', async () => {
    const rows = await allOf(aVisit(), 'transactions');
    const lengths = new Set(rows.map(({ id }) => String(id).length));
    expect(lengths).toContain(19);
    expect(lengths.size).toBeGreaterThan(1);
  });

  it('names the fans of the account, and some who have left', async () => {
    const visit = aVisit({ accounts: [{ id: '101', fans: ['7001', '7002'] }] });
    const rows = await allOf(visit, 'transactions');
    const fans = new Set(rows.map(({ fan }) => (fan as Json)['id']));
    expect(fans).toContain('7001');
    expect(fans).toContain('7002');
    expect([...fans].some((id) => String(id).length === 19)).toBe(true);
    for (const id of fans) expect(id).toEqual(expect.stringMatching(/^[1-9]\d{0,18}$/));
    const stranger = aVisit({ accounts: [{ id: '101', fans: [] }] });
    for (const { fan } of await allOf(stranger, 'transactions'))
      expect((fan as Json)['id']).toEqual(expect.stringMatching(/^[1-9]\d{0,18}$/));
  });

  it.each([
    ['subscriptions', 'action', 'gifted'],
    ['subscriptions', 'type', 'bundle_2'],
    ['chargebacks', 'type', 'stream_ticket'],
    ['chargebacks', 'status', 'pre_arbitration'],
    ['transactions', 'type', 'gift_card'],
    ['transactions', 'status', 'held_2'],
  ])('of %s has now and then a word for %s that is new', async (list, member, novel) => {
    const rows = await allOf(aVisit({ data: { chargebacks: RECENT } }), list);
    const often = rows.filter((row) => row[member] === novel).length;
    expect(often).toBeGreaterThan(0);
    expect(often).toBeLessThan(rows.length / 20);
    expect(distinct(rows, member).size).toBeGreaterThan(2);
  });

  it('has amounts with both decimals on the wire', async () => {
    const visit = aVisit();
    const { text } = await ask(visit, 'transactions', EVER);
    const amounts = [...text.matchAll(/"amount":([^,]+),/g)].map(([, amount]) => amount);
    expect(amounts).toHaveLength(1000);
    for (const amount of amounts) expect(amount).toMatch(/^\d+\.\d\d$/);
  });

  it('costs nothing as a trial and has a regular price all the same', async () => {
    const rows = await allOf(aVisit(), 'subscriptions');
    const trials = rows.filter(({ type }) => type === 'trial');
    expect(trials.length).toBeGreaterThan(10);
    for (const { price_gross, regular_price_gross } of trials) {
      expect(price_gross).toBe(0);
      expect(regular_price_gross).toBeGreaterThan(4);
    }
  });

  it('of a trial link may have no limit and no end, and never more claims than its limit', async () => {
    const rows = await allOf(aVisit(), 'trial-links');
    expect(distinct(rows, 'expires_at')).toContain('null');
    expect(distinct(rows, 'claims_limit')).toContain('0');
    for (const { claims, claims_limit } of rows)
      if (claims_limit !== 0) expect(claims).toBeLessThanOrEqual(Number(claims_limit));
  });

  it('charges back a transaction of days before', async () => {
    for (const row of await allOf(aVisit(), 'chargebacks'))
      expect(Date.parse(String(row['transaction_timestamp']))).toBeLessThan(
        Date.parse(String(row['chargeback_timestamp'])),
      );
  });
});

const RECENT = { rows: 1000, from: '2026-01-01T00:00:00Z', to: '2026-06-01T00:00:00Z' };

describe('a name', () => {
  it('of a fan may be wide, look like a formula or break a line, and is the same wherever the fan is', async () => {
    const names = new Map<string, string>();
    const visit = aVisit();
    for (const [list] of PEOPLE)
      for (const { fan } of await allOf(visit, list)) {
        const { id, name } = fan as { id: string; name: string };
        expect(names.get(id) ?? name).toBe(name);
        names.set(id, name);
      }
    const all = [...new Set(names.values())];
    for (const hostile of ['=1+1', '李小龍', 'Line\nbreak', '\u001b[31mred\u001b[0m'])
      expect(all).toContain(hostile);
  });
});
