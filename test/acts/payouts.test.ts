import { describe, expect, it } from 'vitest';
import { readPayoutRequests, requestPayout, type PayoutRequest } from '../../src/acts/payouts.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { actScene, lost, outcomes, summarise, type ActScene, type RunOptions } from './act-scene.ts';
import { fullDisk } from '../engine/run-scene.ts';

interface Asking extends RunOptions {
  readonly cents?: number;
  readonly acknowledge?: boolean;
  /** What the list has now is allowed. */
  readonly allowSimilar?: boolean;
}

const account = { alias: 'alice', accountId: '101', platform: 'platform_a', platformAccountId: '9101' };

/** What the request came to: its outcome, or the code of its error. */
function request(scene: ActScene, asking: Asking = {}) {
  const { cents = 10_010, acknowledge = false, allowSimilar = false, ...options } = asking;
  const work = scene.act(async (run) => {
    const allowed = allowSimilar ? await readPayoutRequests(run.client, account) : null;
    return requestPayout(run, { account, cents }, { acknowledge, allowSimilar: allowed });
  }, options);
  return summarise(work.then(({ outcome }) => ({ kind: outcome })));
}

const committed = (scene: ActScene) =>
  (scene.control.oracle().payouts['101']?.committed ?? [])
    .filter(({ state }) => state !== 'rejected')
    .map(({ amount }) => Math.round(amount * 100));

const PAYOUT = 'payouts.request';
const UNKNOWN = 'unknown unknown-outcome';
const NEW = { state: 'new' };
const LIMITED = { state: 'new', rejectReason: 'limit' };
const LATER = { amount: 100.1, created_at: '2026-06-01T12:02:00Z' };
const REJECTED = { state: 'rejected', rejectReason: 'no' };
const answers = (...list: readonly object[]): FaultInput => ({
  kind: 'odd_reply',
  operation: PAYOUT,
  set: { list },
});
const lags = (lag_sec: number): FaultInput => ({ kind: 'lag', lag_sec, operation: PAYOUT });

describe('a payout request', () => {
  // PAYOUT-1, PAYOUT-5
  it.each<[string, FaultInput, string, string]>([
    ['is found if its answer says yes, and why not', answers(LIMITED), 'adopted', 'adopted'],
    ['is not trusted if its answer says yes and no', answers(NEW, REJECTED), UNKNOWN, 'adopted'],
    ['is not trusted if it is rejected, and in the list', answers(REJECTED), UNKNOWN, 'refused'],
    ['is not confirmed while the list does not show it', lags(120), UNKNOWN, 'done'],
  ])('%s', async (_, fault, result, recorded) => {
    const scene = actScene();
    scene.control.addFault(fault);
    expect(await request(scene)).toBe(result);
    expect(await outcomes(scene)).toBe(recorded);
    scene.clock.move(200_000);
    expect(committed(scene)).toEqual([10_010]);
  });

  it('is rejected by an answer with a reason', async () => {
    const scene = actScene({ modes: { payoutRejectReason: 'not verified' } });
    expect(await request(scene)).toBe('failed payout-rejected');
    expect(await outcomes(scene)).toBe('refused');
  });

  it('that is acknowledged still counts as a request of its amount', async () => {
    const scene = actScene();
    scene.control.addFault(lost.before(PAYOUT));
    await request(scene);
    const acknowledge = true;
    expect(await request(scene, { acknowledge })).toBe('blocked similar-payout');
    expect(await request(scene, { acknowledge, allowSimilar: true })).toBe('requested');
    expect(committed(scene)).toEqual([10_010]);
  });

  it.each([
    ['begun', 'unknown open-request', []],
    ['answered', 'made_earlier', [10_010]],
  ] as const)('is looked up by the next run after a kill when it has %s', async (killAt, result, cents) => {
    const scene = actScene();
    expect(await request(scene, { killAt })).toBe('killed');
    expect(await outcomes(scene)).toBe('open');
    expect(await request(scene)).toBe(result);
    expect(committed(scene)).toEqual(cents);
    expect(scene.count(PAYOUT)).toBe(cents.length);
  });

  it('of another amount is blocked once by an earlier one that was made after all', async () => {
    const scene = actScene();
    await request(scene, { killAt: 'answered' });
    expect(await request(scene, { cents: 5_000 })).toBe('blocked earlier-payout-made');
    expect(await request(scene, { cents: 5_000 })).toBe('requested');
    expect(committed(scene)).toEqual([10_010, 5_000]);
  });

  it('blocks for a day: after a day without a sign of it, it no longer counts', async () => {
    const scene = actScene();
    await request(scene, { killAt: 'begun' });
    scene.clock.move(24 * 3_600_000);
    expect(await request(scene)).toBe('requested');
    expect(await outcomes(scene)).toBe('absent, done');
  });

  it('waits for a list that may be late, and is refused if it shows one that no one was asked about', async () => {
    const scene = actScene();
    scene.control.addFault({ ...lags(9), nth: 1 });
    await request(scene, { killAt: 'recorded' });
    expect(await request(scene, { allowSimilar: true })).toBe('blocked similar-payout');
    expect(await request(scene, { allowSimilar: true })).toBe('requested');
  });

  it('without an answer is found also where the state cannot record that', async () => {
    const scene = actScene();
    scene.control.addFault(lost.after(PAYOUT));
    const consent = { acknowledge: false, allowSimilar: null };
    const order = { account, cents: 10_010 };
    const made = await scene.act((run) => requestPayout(fullDisk(run, 'end'), order, consent));
    expect(made).toMatchObject({ outcome: 'adopted', unrecorded: 'the disk is full' });
  });

  it('is unknown if the list cannot be read, and found by the next run', async () => {
    const scene = actScene();
    scene.control.addFault(lost.after(PAYOUT));
    scene.control.addFault({ ...lost.after('payouts.list'), nth: 2, times: 500 });
    expect(await request(scene)).toBe(UNKNOWN);
    scene.control.clearFaults();
    expect(await request(scene)).toBe('made_earlier');
    expect(committed(scene)).toEqual([10_010]);
  });

  it.each([
    ['another amount next to a lost one is unknown', { amount: 55 }, lost.after(PAYOUT), UNKNOWN],
    ['the same amount next to a lost one is unknown', { amount: 100.1 }, lost.after(PAYOUT), UNKNOWN],
    ['the same amount after the window of a lost one is not that', LATER, lost.before(PAYOUT), UNKNOWN],
    ['another amount next to an answered one is named', { amount: 55 }, null, 'requested'],
  ] as const)('of a person of %s', async (_, made, fault, result) => {
    const scene = actScene();
    if (fault !== null) scene.control.addFault(fault);
    const set = { created_at: '2026-06-01T12:00:30Z', ...made };
    const seed = { kind: 'payout_request', account_id: '101', set } as const;
    scene.control.addFault({ kind: 'change_before', operation: 'payouts.list', nth: 2, seed });
    expect(await request(scene)).toBe(result);
    expect(scene.count(PAYOUT)).toBe(1);
  });

  it('counts for 24 hours by its record, also where the list does not show it', async () => {
    const scene = actScene();
    await request(scene);
    scene.control.addFault({ kind: 'odd_reply', operation: 'payouts.list', set: { list: [], marker: null } });
    scene.clock.move(23 * 3_600_000);
    expect(await request(scene)).toBe('blocked similar-payout');
    scene.clock.move(3_600_000);
    expect(await request(scene)).not.toBe('blocked similar-payout');
  });

  it.each([
    [{ state: 'approved' }, 'blocked similar-payout'],
    [{ created_at: '2026-05-31T12:01:00Z' }, 'blocked similar-payout'],
    [{ created_at: '2026-05-31T11:00:00Z' }, 'requested'],
    [{ state: 'Declined', reject_reason: 'none' }, 'requested'],
  ])('after one in the list with %j is %s', async (set, result) => {
    const scene = actScene();
    scene.control.seed({ kind: 'payout_request', account_id: '101', set: { amount: 100.1, ...set } });
    expect(await request(scene)).toBe(result);
  });

  it('is not sent after an interrupt, and a wait for an earlier one ends', async () => {
    const scene = actScene();
    expect(await request(scene, { isInterrupted: true })).toBe('interrupted interrupted');
    await request(scene, { killAt: 'begun' });
    const onEvent: RunOptions['onEvent'] = ({ kind }, interrupt) => kind === 'settling' && interrupt();
    expect(await request(scene, { onEvent })).toBe('interrupted interrupted');
    expect(scene.count(PAYOUT)).toBe(0);
  });
});

const entry = (amount: number | null, more: Partial<PayoutRequest> = {}): Partial<PayoutRequest> => ({
  amount,
  currency: 'USD',
  state: 'new',
  ...more,
});
const OURS = entry(100);
const REJECTED_ENTRY = entry(100, { state: 'rejected' });

/** The answers to a payout of 100.00 from a balance of 500.00: `lost` is none. */
const ANSWERS = {
  accepted: answers(NEW),
  rejected: answers(REJECTED),
  lost: lost.after(PAYOUT),
} as const satisfies Record<string, FaultInput>;

/** How each result is called here. */
const BECAME: Readonly<Record<string, string>> = {
  requested: 'made',
  adopted: 'made',
  'failed payout-rejected': 'rejected',
  [UNKNOWN]: 'unknown',
};

type Listed = readonly Partial<PayoutRequest>[] | string;

/** What became of it. The list is empty, and then has these entries; a text is a list that cannot be read. */
async function becomes(
  answer: keyof typeof ANSWERS,
  fresh: Listed,
  availableCents: number | null,
): Promise<string> {
  const scene = actScene();
  const replies = (
    operation: 'payouts.list' | 'payouts.balances',
    ...sets: readonly Record<string, unknown>[]
  ) => {
    const [before, after] = sets.map((set): FaultInput => ({ kind: 'odd_reply', operation, set }));
    if (before !== undefined) scene.control.addFault({ ...before, nth: 1 });
    if (after !== undefined) scene.control.addFault({ ...after, nth: 2, times: 500 });
  };
  const list = typeof fresh === 'string' ? [] : fresh.map((one, at) => ({ ...one, invoiceId: `inv-${at}` }));
  if (typeof fresh === 'string')
    scene.control.addFault({ ...lost.after('payouts.list'), nth: 2, times: 500 });
  replies('payouts.list', { list: [], marker: null }, { list, marker: null });
  const available = availableCents === null ? null : availableCents / 100;
  replies('payouts.balances', { payoutAvailable: 500 }, { payoutAvailable: available });
  scene.control.addFault(ANSWERS[answer]);
  const result = await request(scene, { cents: 10_000 });
  return BECAME[result] ?? result;
}

// PAYOUT-4
it.each([
  ['new', null, 'made'],
  ['approved', '', 'made'],
  ['new', 'none', 'made'],
  [' New', 'N/A', 'made'],
  ['new', 'limit of the week', 'unknown'],
  ['rejected', '', 'rejected'],
  ['Declined', 'none', 'rejected'],
  ['cancelled', 'no', 'rejected'],
  ['paid', '', 'unknown'],
  [null, '-', 'unknown'],
  ['failed', 'no bank account', 'rejected'],
  ['', 'no bank account', 'rejected'],
] as const)(
  'a payout request whose entry has the state %j and the reason %j is %s',
  async (state, rejectReason, kind) => {
    expect(await becomes('accepted', [entry(100, { state, rejectReason })], null)).toBe(kind);
  },
);

it.each<[keyof typeof ANSWERS, string, Listed, number | null, string]>([
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
  ['accepted', 'listed as rejected', [REJECTED_ENTRY], 50_000, 'rejected'],
  ['accepted', 'listed next to a rejected one', [OURS, REJECTED_ENTRY], 40_000, 'made'],
  ['accepted', 'listed in an unknown state', [entry(100, { state: 'paid' })], 40_000, 'unknown'],
  ['accepted', 'listed in another currency', [entry(100, { currency: 'EUR' })], 40_000, 'unknown'],
  ['rejected', 'not listed', [], 50_000, 'rejected'],
  ['rejected', 'listed as rejected', [REJECTED_ENTRY], 50_000, 'rejected'],
  ['rejected', 'the list is unread', 'down', null, 'rejected'],
  ['rejected', 'listed', [OURS], 40_000, 'unknown'],
  ['lost', 'listed', [OURS], 40_000, 'made'],
  ['lost', 'listed as rejected', [REJECTED_ENTRY], 50_000, 'rejected'],
  ['lost', 'listed next to another amount', [OURS, entry(55)], 34_500, 'unknown'],
  ['lost', 'another amount is listed', [entry(55)], 44_500, 'unknown'],
  ['lost', 'listed twice', [OURS, OURS], 30_000, 'unknown'],
  ['lost', 'not listed', [], 50_000, 'unknown'],
  ['lost', 'the list is unread', 'down', null, 'unknown'],
])(
  'what became of a payout request of 100.00: %s, and %s',
  async (answer, _, fresh, availableCents, kind) => {
    expect(await becomes(answer, fresh, availableCents)).toBe(kind);
  },
);
