import { describe, expect, it } from 'vitest';
import { judgeLook, readStanding, type Look, type PayoutRequest } from '../../src/acts/payout-look.ts';

// PAYOUT-4
describe('an entry of a payout request', () => {
  it.each([
    ['new', null, 'accepted'],
    ['approved', '', 'accepted'],
    ['new', 'none', 'accepted'],
    [' New', 'N/A', 'accepted'],
    ['new', 'limit of the week', 'unclear'],
    ['rejected', '', 'rejected'],
    ['Declined', 'none', 'rejected'],
    ['cancelled', 'no', 'rejected'],
    ['paid', '', 'unclear'],
    [null, '-', 'unclear'],
    ['failed', 'no bank account', 'rejected'],
    ['', 'no bank account', 'rejected'],
  ] as const)('in the state %j with the reason %j is %s', (state, rejectReason, standing) => {
    expect(readStanding({ state, rejectReason })).toBe(standing);
  });
});

const entry = (amount: number | null, more: Partial<PayoutRequest> = {}): PayoutRequest => ({
  invoiceId: `${amount}`,
  amount,
  currency: 'USD',
  state: 'new',
  ...more,
});
const OURS = entry(100);
const REJECTED = entry(100, { state: 'rejected' });
const trace = { cents: 10_000, baseline: [], available_cents: 50_000 };

describe('what became of a payout request of 100.00', () => {
  it.each<[string, 'accepted' | 'rejected' | 'lost', Look['fresh'], number | null, string]>([
    ['accepted, and listed', 'accepted', [OURS], 40_000, 'made'],
    ['accepted, and listed while the balance lags', 'accepted', [OURS], 50_000, 'made'],
    ['accepted, and listed while the balance is unread', 'accepted', [OURS], null, 'made'],
    ['accepted, and listed next to another amount', 'accepted', [entry(55), OURS], 34_500, 'made'],
    ['accepted, and the balance fell twice', 'accepted', [OURS], 30_000, 'unknown'],
    ['accepted, and two are listed', 'accepted', [OURS, OURS], 30_000, 'unknown'],
    ['accepted, and one without an amount is listed', 'accepted', [entry(null)], 40_000, 'unknown'],
    [
      'accepted, and listed next to one without an amount',
      'accepted',
      [OURS, entry(null)],
      40_000,
      'unknown',
    ],
    ['accepted, and not listed', 'accepted', [], 40_000, 'unknown'],
    ['accepted, and the list is unread', 'accepted', 'down', 40_000, 'unknown'],
    ['accepted, and listed as rejected', 'accepted', [REJECTED], 50_000, 'rejected'],
    ['accepted, and listed next to a rejected one', 'accepted', [OURS, REJECTED], 40_000, 'made'],
    [
      'accepted, and listed in an unknown state',
      'accepted',
      [entry(100, { state: 'paid' })],
      40_000,
      'unknown',
    ],
    [
      'accepted, and listed in another currency',
      'accepted',
      [entry(100, { currency: 'EUR' })],
      40_000,
      'unknown',
    ],
    ['rejected, and not listed', 'rejected', [], 50_000, 'rejected'],
    ['rejected, and listed as rejected', 'rejected', [REJECTED], 50_000, 'rejected'],
    ['rejected, and the list is unread', 'rejected', 'down', null, 'rejected'],
    ['rejected, and listed', 'rejected', [OURS], 40_000, 'unknown'],
    ['lost, and listed', 'lost', [OURS], 40_000, 'made'],
    ['lost, and listed as rejected', 'lost', [REJECTED], 50_000, 'rejected'],
    ['lost, and listed next to another amount', 'lost', [OURS, entry(55)], 34_500, 'unknown'],
    ['lost, and another amount is listed', 'lost', [entry(55)], 44_500, 'unknown'],
    ['lost, and two are listed', 'lost', [OURS, OURS], 30_000, 'unknown'],
    ['lost, and not listed', 'lost', [], 50_000, 'unknown'],
    ['lost, and the list is unread', 'lost', 'down', null, 'unknown'],
  ])('%s: %s', (_, answer, fresh, availableCents, kind) => {
    expect(judgeLook(trace, { fresh, availableCents }, answer).kind).toBe(kind);
  });
});
