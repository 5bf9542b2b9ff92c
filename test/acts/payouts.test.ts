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
const REFUSED = 'failed payout-rejected';
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
const ANSWERS = { accepted: answers(NEW), rejected: answers(REJECTED), lost: lost.after(PAYOUT) } as const;

type Listed = readonly Partial<PayoutRequest>[] | string;

/** What became of it. The list is empty, and then has these entries; a text is a list that cannot be read. */
function pay(answer: keyof typeof ANSWERS, fresh: Listed, available: number | null): Promise<string> {
  const scene = actScene();
  const reply = (operation: FaultInput['operation'], set: Record<string, unknown>, when: object) =>
    scene.control.addFault({ kind: 'odd_reply', operation, set, ...when });
  const later = { nth: 2, times: 500 };
  reply('payouts.balances', { payoutAvailable: 500 }, { nth: 1 });
  reply('payouts.balances', { payoutAvailable: available }, later);
  reply('payouts.list', { list: [], marker: null }, { nth: 1 });
  if (typeof fresh === 'string') scene.control.addFault({ ...lost.after('payouts.list'), ...later });
  else {
    const list = fresh.map((one, at) => ({ ...one, invoiceId: `inv-${at}` }));
    reply('payouts.list', { list, marker: null }, later);
  }
  scene.control.addFault(ANSWERS[answer]);
  return request(scene, { cents: 10_000 });
}

// PAYOUT-4
it.each([
  ['new', null, 'requested'],
  ['approved', '', 'requested'],
  ['new', 'none', 'requested'],
  [' New', 'N/A', 'requested'],
  ['new', 'limit of the week', UNKNOWN],
  ['rejected', '', REFUSED],
  ['Declined', 'none', REFUSED],
  ['cancelled', 'no', REFUSED],
  ['paid', '', UNKNOWN],
  [null, '-', UNKNOWN],
  ['failed', 'no bank account', REFUSED],
  ['', 'no bank account', REFUSED],
] as const)(
  'an entry in the state %j with the reason %j makes it %s',
  async (state, rejectReason, result) => {
    expect(await pay('accepted', [entry(100, { state, rejectReason })], null)).toBe(result);
  },
);

it.each<[keyof typeof ANSWERS, string, Listed, number | null, string]>([
  ['accepted', 'listed', [OURS], 400, 'requested'],
  ['accepted', 'listed while the balance lags', [OURS], 500, 'requested'],
  ['accepted', 'listed while the balance is unread', [OURS], null, 'requested'],
  ['accepted', 'listed next to another amount', [entry(55), OURS], 345, 'requested'],
  ['accepted', 'listed, and the balance fell twice', [OURS], 300, UNKNOWN],
  ['accepted', 'listed twice', [OURS, OURS], 300, UNKNOWN],
  ['accepted', 'one without an amount is listed', [entry(null)], 400, UNKNOWN],
  ['accepted', 'listed next to one without an amount', [OURS, entry(null)], 400, UNKNOWN],
  ['accepted', 'not listed', [], 400, UNKNOWN],
  ['accepted', 'the list is unread', 'down', 400, UNKNOWN],
  ['accepted', 'listed next to a rejected one', [OURS, REJECTED_ENTRY], 400, 'requested'],
  ['accepted', 'listed in another currency', [entry(100, { currency: 'EUR' })], 400, UNKNOWN],
  ['rejected', 'not listed', [], 500, REFUSED],
  ['rejected', 'listed as rejected', [REJECTED_ENTRY], 500, REFUSED],
  ['rejected', 'the list is unread', 'down', null, REFUSED],
  ['rejected', 'listed', [OURS], 400, UNKNOWN],
  ['lost', 'listed', [OURS], 400, 'adopted'],
  ['lost', 'listed as rejected', [REJECTED_ENTRY], 500, REFUSED],
  ['lost', 'listed next to another amount', [OURS, entry(55)], 345, UNKNOWN],
  ['lost', 'another amount is listed', [entry(55)], 445, UNKNOWN],
  ['lost', 'listed twice', [OURS, OURS], 300, UNKNOWN],
  ['lost', 'not listed', [], 500, UNKNOWN],
  ['lost', 'the list is unread', 'down', null, UNKNOWN],
])('what became of a payout request of 100.00: %s, and %s', async (answer, _, fresh, available, result) => {
  expect(await pay(answer, fresh, available)).toBe(result);
});
