import { beforeEach, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { CATALOGUE, rowOf, type Operation } from '../../src/api/catalogue.ts';
import { aVisit, DAY, itemsOf, type Answered, type Json, type Visit } from './visit.ts';

type Query = Readonly<Record<string, string | number>>;

const SPRING = { start: '2026-03-01T00:00:00Z', end: '2026-06-01T12:00:00Z' };
const EVER = { start: '2024-01-01T00:00:00Z', end: SPRING.end, limit: 1000 };

interface Family {
  readonly operation: Operation;
  /** The member of its rows that a range is on. */
  readonly at: string;
  /** For people: the list of the links that brought them. Their range is optional. */
  readonly links?: Operation;
}

/** Every list by cursor. */
const FAMILIES = [
  { operation: 'traffic.subscriptions', at: 'subscribed_at' },
  { operation: 'traffic.tracking-links', at: 'created_at' },
  { operation: 'traffic.trial-links', at: 'created_at' },
  { operation: 'revenue.chargebacks', at: 'chargeback_timestamp' },
  { operation: 'revenue.transactions', at: 'timestamp' },
  { operation: 'traffic.tracking-link-users', at: 'collected_at', links: 'traffic.tracking-links' },
  { operation: 'traffic.trial-link-users', at: 'collected_at', links: 'traffic.trial-links' },
] as const satisfies readonly Family[];
const TRANSACTIONS = 'revenue.transactions';

/** The path of a list with its query; nothing of a cursor is lost on the way. */
function pathOf(operation: Operation, query: Query, account = '9101'): string {
  const search = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  );
  const path = rowOf(operation).path.replace('{platform}', 'platform_a');
  return `${path.replace('{platform_account_id}', account)}?${search.toString()}`;
}

const ask = (visit: Visit, operation: Operation, query: Query, account?: string) =>
  visit.call('GET', pathOf(operation, query, account));

const cursorOf = ({ body }: Answered) => (typeof body['cursor'] === 'string' ? body['cursor'] : undefined);

/** All rows, page by page. */
async function readAll(visit: Visit, operation: Operation, query: Query, account?: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let more: Query | null = {}; more !== null;) {
    const page: Answered = await ask(visit, operation, { ...query, ...more }, account);
    if (page.status !== 200) throw new Error(`${operation}: ${page.status} ${page.text}`);
    rows.push(...itemsOf(page));
    const cursor = cursorOf(page);
    more = cursor === undefined ? null : { cursor };
  }
  return rows;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A range in the words of the list. */
function between({ links }: Family, start?: unknown, end?: unknown): Query {
  const [from, to] = links === undefined ? ['start', 'end'] : ['collected_from', 'collected_to'];
  return {
    ...(start === undefined ? {} : { [from]: text(start) }),
    ...(end === undefined ? {} : { [to]: text(end) }),
  };
}

const instants = (rows: readonly Json[], member: string) =>
  rows.map((row) => Date.parse(String(row[member])));

describe.each(FAMILIES)('the list of $operation', (family: Family) => {
  const { operation, at, links } = family;
  let visit = aVisit();
  const all = () => readAll(visit, operation, links === undefined ? EVER : { limit: 750 });
  beforeEach(() => {
    visit = aVisit();
  });

  it('is newest first, in the shape that clients read', async () => {
    const rows = await all();
    expect(rows.length).toBeGreaterThan(20);
    expect(instants(rows, at)).toEqual(instants(rows, at).toSorted((left, right) => right - left));
    const shape: z.ZodType = CATALOGUE[operation as 'traffic.subscriptions'].reply;
    expect(shape.safeParse({ items: rows }).success).toBe(true);
    const ids = rows.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { id = '1' } of rows) expect(id).toEqual(expect.stringMatching(/^[1-9]\d{0,18}$/));
  });

  it('has both ends of a range', async () => {
    const rows = await all();
    const range = between(family, rows[9]?.[at], rows[4]?.[at]);
    expect(await readAll(visit, operation, range)).toEqual(rows.slice(4, 10));
    expect((await ask(visit, operation, between(family, rows[4]?.[at], rows[9]?.[at]))).status).toBe(400);
    const past = between(family, '1970-01-01T00:00:00Z', '2023-12-31T00:00:00Z');
    expect(await readAll(visit, operation, past)).toEqual([]);
    const future = between(family, '2026-06-01T13:00:00Z', '2999-01-01T00:00:00Z');
    expect(await readAll(visit, operation, future)).toEqual([]);
  });

  it('pages by a cursor that says nothing, and that no other query may use', async () => {
    const name = operation.split('.')[1]?.replaceAll('-', '_') ?? '';
    visit.control.setData({ [name]: 25 });
    const query = links === undefined ? { ...SPRING, limit: 10 } : { limit: 10 };
    const sizes: number[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const more = cursor === '' ? {} : { cursor };
      const page = await ask(visit, operation, { ...query, ...more });
      expect((await ask(visit, operation, { ...query, ...more })).text, 'the same again').toBe(page.text);
      sizes.push(itemsOf(page).length);
      cursor = cursorOf(page);
      if (cursor === undefined) break;
      expect(cursor).toMatch(/^[A-Za-z0-9+/]{1,510}={0,2}$/);
      expect(Buffer.from(cursor, 'base64').toString()).not.toMatch(/\d{2}/);
      for (const [changed, account] of [
        [{ limit: 20 }, '9101'],
        [between(family, '2026-03-02T00:00:00Z'), '9101'],
        [{}, '9102'],
      ] as const)
        expect((await ask(visit, operation, { ...query, ...changed, cursor }, account)).status).toBe(400);
    }
    expect(sizes).toEqual([10, 10, 5]);
    for (const cursor of ['', 'x', 'bm9uc2Vuc2U=', '%%%', '/oeU', 'e30='])
      expect((await ask(visit, operation, { ...query, cursor })).status).toBe(400);
    expect((await ask(visit, operation, { ...query, offset: 0 })).status).toBe(400);
    for (const half of [{ start: SPRING.start }, { end: SPRING.end }])
      expect((await ask(visit, operation, half)).status).toBe(400);
  });
});

it('time brings new rows, changes none, and shifts nothing in a list that is being read', async () => {
  const visit = aVisit();
  const open = { ...SPRING, end: '2030-01-01T00:00:00Z', limit: 50 };
  const before = await readAll(visit, TRANSACTIONS, open);
  const first = await ask(visit, TRANSACTIONS, open);
  visit.control.advance(30 * DAY);
  const second = await ask(visit, TRANSACTIONS, { ...open, cursor: String(first.body['cursor']) });
  expect([...itemsOf(first), ...itemsOf(second)]).toEqual(before.slice(0, 100));
  const after = await readAll(visit, TRANSACTIONS, open);
  expect(after.length - before.length).toBeGreaterThan(115);
  expect(after.slice(-before.length)).toEqual(before);
});

it('the members and their figures are read by offset under the name of users; a full last page says nothing of the end', async () => {
  const visit = aVisit();
  visit.control.setData({ members: 60 });
  const read = (offset: number) => ask(visit, 'team.members', { limit: 30, offset });
  const [first, second, third] = [await read(0), await read(30), await read(60)];
  // The ids as they stand on the wire, digit by digit.
  const ids = [first, second].flatMap(({ text: body }) => body.match(/"id":\d+,/g));
  expect(new Set(ids).size).toBe(60);
  expect(third.text).toBe('{"users":[]}');
});
