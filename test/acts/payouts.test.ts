import { describe, expect, it } from 'vitest';
import { requestPayout, type PayoutConsent, type PayoutEnd } from '../../src/acts/payouts.ts';
import { parsePayoutAmount } from '../../src/acts/payout-look.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { actScene, lost, outcomes, summarise, type ActScene, type RunOptions } from './act-scene.ts';

interface Asking extends RunOptions {
  readonly amount?: string;
  readonly consent?: Partial<PayoutConsent>;
}

/** What the request came to: `made`, `earlier made`, or the code of its error. */
function request(scene: ActScene, { amount: typed = '100.10', consent, ...options }: Asking = {}) {
  const amount = parsePayoutAmount(typed);
  if (typeof amount === 'string') throw new Error(amount);
  const account = { alias: 'alice', accountId: '101', platform: 'platform_a', platformAccountId: '9101' };
  const all = { acknowledge: false, allowSimilar: false, ask: null, ...consent };
  const work = scene.act((run) => requestPayout(run, { account, amount }, all), options);
  return summarise(work.then((end) => ({ kind: summariseEnd(end) })));
}

function summariseEnd(end: PayoutEnd): string {
  if (end.kind === 'failed') return 'failed';
  if (end.kind === 'earlier') return `earlier ${end.finding.kind}`;
  return end.isAdopted ? `adopted ${end.finding.kind}` : end.finding.kind;
}

const committed = (scene: ActScene) =>
  (scene.control.oracle().payouts['101']?.committed ?? [])
    .filter(({ state }) => state !== 'rejected')
    .map(({ amount }) => Math.round(amount * 100));

const PAYOUT = 'payouts.request';

describe('a payout request', () => {
  // PAYOUT-1, PAYOUT-5
  it.each<[string, FaultInput | null, string, string, readonly number[]]>([
    ['is made', null, 'made', 'done', [10_010]],
    ['stays unconfirmed after a lost request', lost.before(PAYOUT), 'adopted not_seen', 'open', []],
    ['is found in the list after a lost answer', lost.after(PAYOUT), 'adopted made', 'adopted', [10_010]],
    ['is found although it took effect late', lost.late(PAYOUT), 'adopted made', 'adopted', [10_010]],
    [
      'is checked and sent again after a 429',
      lost.throttled(PAYOUT),
      'made',
      'not_sent, not_sent, done',
      [10_010],
    ],
    [
      'is checked and sent again without a connection',
      lost.refusedConnection(PAYOUT),
      'made',
      'not_sent, done',
      [10_010],
    ],
    [
      'is found in the list if the answer cannot be read',
      { kind: 'broken_answer', when: 'after_commit', how: 'unreadable', nth: 1, operation: PAYOUT },
      'adopted made',
      'adopted',
      [10_010],
    ],
    [
      'is found in the list if the answer has an unknown state',
      { kind: 'odd_reply', operation: PAYOUT, set: { list: [{ state: 'odd', rejectReason: null }] } },
      'adopted made',
      'adopted',
      [10_010],
    ],
    [
      'is not trusted if the answer rejects it and the list shows it',
      { kind: 'odd_reply', operation: PAYOUT, set: { list: [{ state: 'rejected', rejectReason: 'no' }] } },
      'unclear',
      'refused',
      [10_010],
    ],
    [
      'is made although the list shows it only after some seconds',
      { kind: 'lag', lag_sec: 4, operation: PAYOUT },
      'made',
      'done',
      [10_010],
    ],
  ])('%s', async (_, fault, result, recorded, cents) => {
    const scene = actScene();
    if (fault !== null) scene.control.addFault(fault);
    expect(await request(scene)).toBe(result);
    expect(await outcomes(scene)).toBe(recorded);
    scene.clock.move(200_000);
    expect(committed(scene)).toEqual(cents);
  });

  it('is rejected by an answer with a reason', async () => {
    const scene = actScene({ modes: { payoutRejectReason: 'not verified' } });
    expect(await request(scene)).toBe('rejected');
    expect(await outcomes(scene)).toBe('refused');
  });

  it('fails for an organisation without access', async () => {
    const scene = actScene({ modes: { payoutsEnabled: false } });
    expect(await request(scene)).toBe('failed');
    expect(await outcomes(scene)).toBe('refused');
  });

  it('is not possible above the balance', async () => {
    const scene = actScene();
    expect(await request(scene, { amount: '999999.99' })).toBe('failed payout-not-possible');
    expect(await outcomes(scene)).toBe('');
  });

  it('blocks the account while an earlier one is unconfirmed', async () => {
    const scene = actScene();
    scene.control.addFault(lost.before(PAYOUT));
    await request(scene);
    expect(await request(scene, { amount: '50.00' })).toBe('unknown open-payout');
    expect(scene.count(PAYOUT)).toBe(1);
    expect(await request(scene, { amount: '50.00', consent: { acknowledge: true } })).toBe('made');
    expect(await outcomes(scene)).toBe('closed, done');
  });

  it('that is acknowledged still counts as a request of its amount', async () => {
    const scene = actScene();
    scene.control.addFault(lost.before(PAYOUT));
    await request(scene);
    const acknowledge = true;
    expect(await request(scene, { consent: { acknowledge } })).toBe('blocked similar-payout');
    expect(await request(scene, { consent: { acknowledge, allowSimilar: true } })).toBe('made');
    expect(committed(scene)).toEqual([10_010]);
  });

  it.each([
    ['begun', 'unknown open-payout', []],
    ['answered', 'earlier made', [10_010]],
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
    expect(await request(scene, { amount: '50.00' })).toBe('blocked earlier-payout-made');
    expect(await request(scene, { amount: '50.00' })).toBe('made');
    expect(committed(scene)).toEqual([10_010, 5_000]);
  });

  it('blocks for a day: after a day without a sign of it, it no longer counts', async () => {
    const scene = actScene();
    await request(scene, { killAt: 'begun' });
    scene.clock.move(24 * 3_600_000);
    expect(await request(scene)).toBe('made');
    expect(await outcomes(scene)).toBe('absent, done');
  });

  it('of the same amount within a day is refused, and with allow-similar made', async () => {
    const scene = actScene();
    await request(scene);
    expect(await request(scene)).toBe('blocked similar-payout');
    expect(await request(scene, { consent: { allowSimilar: true } })).toBe('made');
    scene.clock.move(24 * 3_600_000);
    expect(await request(scene)).toBe('made');
    expect(committed(scene)).toEqual([10_010, 10_010, 10_010]);
  });

  it('is refused, even with allow-similar, if a request of this amount appears while Herald asks', async () => {
    const scene = actScene();
    const ask = () => {
      scene.control.seed({ kind: 'payout_request', account_id: '101', set: { amount: 100.1 } });
      return Promise.resolve();
    };
    expect(await request(scene, { consent: { ask, allowSimilar: true } })).toBe('blocked similar-payout');
    expect(scene.count(PAYOUT)).toBe(0);
  });

  it('is reported as two if a person requests the same amount at the same time', async () => {
    const scene = actScene();
    scene.control.addFault({
      kind: 'change_before',
      operation: PAYOUT,
      nth: 1,
      seed: { kind: 'payout_request', account_id: '101', set: { amount: 100.1 } },
    });
    expect(await request(scene)).toBe('two');
    expect(await outcomes(scene)).toBe('done');
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
