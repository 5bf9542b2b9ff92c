import { describe, expect, it } from 'vitest';
import { aVisit, DAY, type Answered, type Json, type Visit } from './visit.ts';

const STATEMENTS = '/proxy/v0/platforms/platform_a/accounts/9101/statements';
const BALANCES = `${STATEMENTS}/balances`;
const REQUESTS = `${STATEMENTS}/payout-requests`;

const ask = (visit: Visit, withdrawal_amount: unknown) => visit.call('POST', REQUESTS, { withdrawal_amount });

const findList = ({ body }: Answered): Json[] => (Array.isArray(body['list']) ? body['list'] : []);
const invoices = (answer: Answered) => findList(answer).map(({ invoiceId }) => invoiceId);

describe('a payout request', () => {
  it('is answered without an invoice, takes its amount at once and is approved after its days', async () => {
    const visit = aVisit();
    const made = await ask(visit, 100.1);
    expect({ status: made.status, body: made.body }).toEqual({
      status: 200,
      body: { list: [{ state: 'new', rejectReason: '' }] },
    });
    expect((await visit.call('GET', BALANCES)).body).toMatchObject({ payoutAvailable: 1134.46 });
    const request = {
      invoiceId: 'inv-9101-0001',
      createdAt: '2026-06-01T14:00:00+02:00',
      amount: 100.1,
      currency: 'USD',
      state: 'new',
      rejectReason: '',
    };
    expect(findList(await visit.call('GET', REQUESTS))).toEqual([request]);
    visit.control.advance(3 * DAY);
    expect(findList(await visit.call('GET', REQUESTS))).toEqual([{ ...request, state: 'approved' }]);
  });

  it.each([
    [1234.57, {}, 'exceeds the available balance'],
    [100, { maximum: 99 }, 'exceeds the maximum'],
    [100, { available: 150, minimum: 151 }, 'the available balance is below the minimum'],
    [100, { currency: 'EUR' }, 'payouts of this account are in EUR'],
    [0, {}, 'above 0'],
    [0.1 + 0.2, {}, 'at most two decimals'],
  ])('of %s with %o is refused, and nothing is taken', async (amount, set, words) => {
    const visit = aVisit();
    visit.control.seed({ kind: 'payouts', account_id: '101', set });
    const { status, text } = await ask(visit, amount);
    expect(status).toBe(400);
    expect(text).toContain(words);
    expect(visit.control.oracle().payouts['101']?.committed).toEqual([]);
  });
});

it('the list of payout requests has a marker, 0 first, that keeps what comes later out of its scan', async () => {
  const visit = aVisit();
  for (const amount of [1, 2, 3])
    visit.control.seed({ kind: 'payout_request', account_id: '101', set: { amount } });
  const first = await visit.call('GET', `${REQUESTS}?limit=2`);
  expect(first.body['marker']).toBe(0);
  await ask(visit, 50);
  const next = await visit.call('GET', `${REQUESTS}?limit=2&offset=2&marker=0`);
  expect({ marker: next.body['marker'], invoices: invoices(next) }).toEqual({
    marker: 0,
    invoices: ['inv-9101-0001'],
  });
  expect(invoices(await visit.call('GET', `${REQUESTS}?limit=2&offset=2`)), 'the live list').toEqual([
    'inv-9101-0002',
    'inv-9101-0001',
  ]);
  expect((await visit.call('GET', REQUESTS)).body['marker']).toBe(1);
  expect((await visit.call('GET', REQUESTS)).body['marker'], 'the same snapshot').toBe(1);
});
