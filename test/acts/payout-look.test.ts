import { expect, it } from 'vitest';
import { judgeLook, readStanding, type Look, type PayoutRequest } from '../../src/acts/payout-look.ts';

// PAYOUT-4
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
] as const)(
  'an entry of a payout request in the state %j with the reason %j is %s',
  (state, rejectReason, standing) => {
    expect(readStanding({ state, rejectReason })).toBe(standing);
  },
);

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

it.each<['accepted' | 'rejected' | 'lost', string, Look['fresh'], number | null, string]>([
  ['accepted', 'listed', [OURS], 40_000, 'made'],
  ['accepted', 'listed while the balance lags', [OURS], 50_000, 'made'],
  ['accepted', 'listed while the balance is unread', [OURS], null, 'made'],
  ['accepted', 'listed next to another amount', [entry(55), OURS], 34_500, 'made'],
  ['accepted', 'listed, and the balance fell twice', [OURS], 30_000, 'unknown'],
  ['accepted', 'listed twice', [OURS, OURS], 30_000, 'unknown'],
  ['accepted', 'one without an amount is listed', [entry(null)], 40_000, 'unknown'],
  ['accepted', 'listed next to one without an amount', [OURS, entry(null)], 40_000, 'unknown'],
  ['accepted', 'not listed', [], 40_000, 'unknown'],
  ['accepted', 'the list is unread', 'down', 40_000, 'unknown'],
  ['accepted', 'listed as rejected', [REJECTED], 50_000, 'rejected'],
  ['accepted', 'listed next to a rejected one', [OURS, REJECTED], 40_000, 'made'],
  ['accepted', 'listed in an unknown state', [entry(100, { state: 'paid' })], 40_000, 'unknown'],
  ['accepted', 'listed in another currency', [entry(100, { currency: 'EUR' })], 40_000, 'unknown'],
  ['rejected', 'not listed', [], 50_000, 'rejected'],
  ['rejected', 'listed as rejected', [REJECTED], 50_000, 'rejected'],
  ['rejected', 'the list is unread', 'down', null, 'rejected'],
  ['rejected', 'listed', [OURS], 40_000, 'unknown'],
  ['lost', 'listed', [OURS], 40_000, 'made'],
  ['lost', 'listed as rejected', [REJECTED], 50_000, 'rejected'],
  ['lost', 'listed next to another amount', [OURS, entry(55)], 34_500, 'unknown'],
  ['lost', 'another amount is listed', [entry(55)], 44_500, 'unknown'],
  ['lost', 'listed twice', [OURS, OURS], 30_000, 'unknown'],
  ['lost', 'not listed', [], 50_000, 'unknown'],
  ['lost', 'the list is unread', 'down', null, 'unknown'],
])('what became of a payout request of 100.00: %s, and %s', (answer, _, fresh, availableCents, kind) => {
  expect(judgeLook(trace, { fresh, availableCents }, answer).kind).toBe(kind);
});
