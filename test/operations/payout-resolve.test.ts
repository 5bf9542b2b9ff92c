import { describe, expect, it } from 'vitest';
import type { PayoutRequest } from '../../src/operations/payout-list.ts';
import { judgePayout } from '../../src/operations/payout-resolve.ts';

const aRequest = (invoiceId: string, more: Partial<PayoutRequest> = {}): PayoutRequest => ({
  invoiceId,
  createdAt: '2026-06-01T14:00:00+02:00',
  amount: 100.1,
  currency: 'USD',
  state: 'new',
  rejectReason: '',
  ...more,
});

const judge = (requests: readonly PayoutRequest[], taken: readonly string[] = []) =>
  judgePayout({ cents: 10010, baseline: ['old'] }, requests, taken).kind;

describe('what a list says about a lost payout request', () => {
  it.each([
    ['nothing new', [aRequest('old')], 'not_seen'],
    ['an empty list', [], 'not_seen'],
    ['one new of the same amount', [aRequest('new'), aRequest('old')], 'made'],
    ['one new without a currency', [aRequest('new', { currency: null })], 'made'],
    ['one new of another amount', [aRequest('new', { amount: 100.11 })], 'ambiguous'],
    ['one new of no amount', [aRequest('new', { amount: null })], 'ambiguous'],
    ['one new in another currency', [aRequest('new', { currency: 'EUR' })], 'ambiguous'],
    ['two new ones', [aRequest('new'), aRequest('newer')], 'ambiguous'],
    ['one of the same amount and another', [aRequest('new'), aRequest('newer', { amount: 5 })], 'ambiguous'],
  ] as const)('%s: %s', (_title, requests, kind) => {
    expect(judge(requests)).toBe(kind);
  });

  it('leaves out what belongs to another request on record', () => {
    expect(judge([aRequest('new'), aRequest('theirs')], ['theirs'])).toBe('made');
    expect(judge([aRequest('theirs')], ['theirs'])).toBe('not_seen');
  });
});
