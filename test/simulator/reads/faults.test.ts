import { describe, expect, it } from 'vitest';
import { aVisit, itemsOf, type Json } from '../visit.ts';
import { ask, cursorOf, pathOf, readAll, SPRING } from './reading.ts';

const QUERY = { ...SPRING, limit: 10 };
const OPERATION = 'revenue.transactions';
const ids = (rows: readonly Json[]) => rows.map(({ id }) => id);

describe('a fault of a list by cursor', () => {
  it('repeats the cursor that was asked for', async () => {
    const visit = aVisit();
    const cursor = String(cursorOf(await ask(visit, 'transactions', QUERY)));
    visit.control.addFault({ kind: 'repeated_page', operation: OPERATION, nth: 1 });
    const page = await ask(visit, 'transactions', { ...QUERY, cursor });
    expect([cursorOf(page), itemsOf(page).length]).toEqual([cursor, 10]);
  });

  it('brings empty pages with cursors of their own, behind which no row is missing', async () => {
    const visit = aVisit();
    const whole = await readAll(visit, 'transactions', QUERY);
    visit.control.addFault({ kind: 'empty_page', operation: OPERATION, nth: 1, times: 3 });
    const cursors = new Set<string>();
    let cursor: string | undefined;
    for (let page = 0; page < 3; page += 1) {
      const more = cursor === undefined ? {} : { cursor };
      const answer = await ask(visit, 'transactions', { ...QUERY, ...more });
      expect(itemsOf(answer)).toEqual([]);
      cursor = cursorOf(answer);
      cursors.add(String(cursor));
    }
    expect(cursors.size).toBe(3);
    const page = await ask(visit, 'transactions', { ...QUERY, cursor: String(cursor) });
    expect(itemsOf(page)).toEqual(whole.slice(0, 10));
    visit.control.clearFaults();
    visit.control.addFault({ kind: 'empty_page', operation: OPERATION, nth: 3, times: 2 });
    expect(ids(await readAll(visit, 'transactions', QUERY))).toEqual(ids(whole));
  });

  it('brings empty pages to the list of accounts too', async () => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'empty_page', operation: 'accounts.list', nth: 1, times: 2 });
    const seen: unknown[] = [];
    const cursors: string[] = [];
    for (let query: Record<string, string> = {}; ;) {
      const { body } = await visit.call('GET', pathOf('/api/v0/accounts', query));
      seen.push(...(body['accounts'] as Json[]).map(({ id }) => id));
      if (typeof body['nextCursor'] !== 'string') break;
      cursors.push(body['nextCursor']);
      query = { cursor: body['nextCursor'] };
    }
    expect(seen).toEqual([101, 102, 103, 201]);
    expect(new Set(cursors).size).toBe(2);
  });

  it('lets a cursor expire, and a new scan go through', async () => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'expired_cursor', operation: OPERATION, nth: 3 });
    await expect(readAll(visit, 'transactions', QUERY)).rejects.toThrow('the cursor has expired');
    expect((await readAll(visit, 'transactions', QUERY)).length).toBeGreaterThan(300);
    const requests = visit.control.oracle().requests;
    expect(requests.filter(({ fault }) => fault === 'expired_cursor')).toMatchObject([
      { request: 3, status: 400 },
    ]);
  });

  it('leaves a first page alone that hands in no cursor', async () => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'expired_cursor' });
    expect((await ask(visit, 'transactions', QUERY)).status).toBe(200);
  });

  it.each(['truncated', 'unreadable', '500', '502', 'reset'] as const)(
    'breaks one page by %s',
    async (how) => {
      const visit = aVisit();
      visit.control.addFault({
        kind: 'broken_answer',
        when: 'after_commit',
        how,
        operation: OPERATION,
        nth: 2,
      });
      const whole = aVisit();
      await expect(readAll(visit, 'transactions', QUERY)).rejects.toThrow();
      expect(visit.control.oracle().requests).toHaveLength(2);
      expect(await readAll(visit, 'transactions', QUERY)).toEqual(
        await readAll(whole, 'transactions', QUERY),
      );
    },
  );

  it('strikes the accounts that it names by their own id', async () => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'broken_answer', when: 'before_commit', how: '500', account_id: '102' });
    const other = '/api/v0/platforms/platform_a/accounts/9102/transactions';
    expect((await ask(visit, 'transactions', QUERY)).status).toBe(200);
    expect((await ask(visit, other, QUERY)).status).toBe(500);
    visit.control.addFault({ kind: 'throttle', account_id: '9101' });
    expect((await ask(visit, 'transactions', QUERY)).status).toBe(200);
  });

  it('makes every row odd and loses no digit of the others', async () => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'odd_reply', set: { email: null, note: 'new' } });
    const { text, body } = await visit.call('GET', '/api/v0/members?limit=50&offset=0');
    expect(text).toContain('"id":9007199254000000012,');
    for (const user of body['users'] as Json[]) expect(user).toMatchObject({ email: null, note: 'new' });
    const page = await ask(visit, 'transactions', QUERY);
    expect(itemsOf(page)).toHaveLength(10);
    for (const row of itemsOf(page)) expect(row).toMatchObject({ email: null, note: 'new' });
    expect(cursorOf(page)).toBeDefined();
  });

  it('makes rows odd in the list of accounts', async () => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'odd_reply', set: { platform: 'platform_z' } });
    const { body } = await visit.call('GET', '/api/v0/accounts');
    expect(body['accounts']).toMatchObject([{ id: 101, platform: 'platform_z' }, {}, {}, {}]);
  });
});

describe('the size of a list', () => {
  const bare = { key: null };
  const countOf = async (visit: ReturnType<typeof aVisit>, account = '9101') =>
    (
      await readAll(visit, `/api/v0/platforms/platform_a/accounts/${account}/transactions`, {
        start: '2020-01-01T00:00:00Z',
        end: '2999-01-01T00:00:00Z',
        limit: 1000,
      })
    ).length;

  it('is set for all accounts or for one, through the control surface', async () => {
    const visit = aVisit();
    expect((await visit.call('POST', '/__sim/data', { transactions: 7 }, bare)).body).toEqual({ ok: true });
    await visit.call('POST', '/__sim/data', { account_id: '102', transactions: { rows: 2345 } }, bare);
    expect([await countOf(visit), await countOf(visit, '9102')]).toEqual([7, 2345]);
    visit.control.setData({ transactions: 0 });
    expect([await countOf(visit), await countOf(visit, '9102')]).toEqual([0, 2345]);
  });

  it('holds while time passes', async () => {
    const visit = aVisit();
    visit.control.setData({ transactions: 50 });
    visit.control.advance(100 * 86_400_000);
    expect(await countOf(visit)).toBe(50);
  });

  it('is part of a new world, pinned or with a range of its own', async () => {
    const nowMs = Date.UTC(2026, 5, 1, 12);
    expect(await countOf(aVisit({ nowMs, data: { transactions: 9 } }))).toBe(9);
    const range = { from: '2025-01-01T00:00:00Z', to: '2025-01-02T00:00:00Z' };
    const visit = aVisit({ data: { transactions: { rows: 24, ...range } } });
    const query = { start: range.from, end: range.to };
    expect(await readAll(visit, 'transactions', query)).toHaveLength(24);
    expect(() => aVisit({ data: { transactions: 9 } })).toThrow('give from and to');
  });

  it.each([
    [{ transactions: -1 }, 'transactions'],
    [{ transaction: 1 }, 'transaction'],
    [{ account_id: '101', members: 3 }, 'members belong to the organisation'],
    [{ account_id: '404', transactions: 3 }, 'Account 404'],
    [{ account_id: 'constructor', transactions: 3 }, 'Account constructor'],
    [{ members: 100_001 }, 'members'],
    [
      { transactions: { rows: 2, from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' } },
      'from must be before to',
    ],
    [
      { transactions: { rows: 2000, from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:00:01Z' } },
      'one row per millisecond',
    ],
  ])('%j is refused', async (settings, message) => {
    const visit = aVisit();
    const { status, text } = await visit.call('POST', '/__sim/data', settings, bare);
    expect([status, text]).toEqual([400, expect.stringContaining(message)]);
  });
});
