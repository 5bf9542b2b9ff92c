import { HeraldError } from '../../src/domain/herald-error.ts';
import { describe, expect, it } from 'vitest';
import type { PayoutSettings } from '../../src/simulator/state.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { committed, lastRequest, paidOut, payout, refusedPayout } from '../helpers/payouts.ts';
import { writesSent } from '../helpers/flows.ts';

const paying = (scene: Scene, set: Partial<PayoutSettings>) =>
  scene.service((control) => control.seed({ kind: 'payouts', account_id: '101', set }));

describe('herald payouts request', () => {
  it('goes ahead once it is confirmed, also as the first command of a workspace', async () => {
    const scene = aScene();
    scene.answer = () => true;
    const ran = await scene.herald('payouts', 'request', '--account', 'alice', '--amount', '100.10');
    expect(ran.code, ran.stderr).toBe(0);
    expect(await paidOut(scene)).toEqual([10_010]);
  });

  it('requests the payout once, and names its invoice', async () => {
    const scene = aScene();
    const { code, item } = await payout(scene);
    expect(code).toBe(0);
    expect(item).toEqual({
      account: 'alice',
      account_id: '101',
      platform_account_id: '9101',
      outcome: 'requested',
      sent: true,
      withdrawal_amount: 100.1,
      invoiceId: 'inv-9101-0001',
      createdAt: '2026-06-01T14:00:02+02:00',
      state: 'new',
    });
    expect(await paidOut(scene)).toEqual([10010]);
    expect(await lastRequest(scene)).toMatchObject({
      operation: 'payouts.request',
      account: 'alice',
      account_id: '9101',
      outcome: 'done',
      asked: JSON.stringify({ cents: 10010, baseline: [], available_cents: 123456 }),
    });
  });

  it('says the same to people', async () => {
    const { stdout, code } = await aScene().herald(
      'payouts',
      'request',
      '--amount=20',
      '--account=102',
      '--yes',
    );
    expect(code).toBe(0);
    expect(stdout).toBe(
      'A payout of 20.00 USD for 102 (account 102, platform account 9102, @bob_x) was requested: invoice inv-9102-0001, state new.\n',
    );
  });

  it('asks with everything that a person should know, and takes the baseline after the answer', async () => {
    const scene = aScene();
    const questions: string[] = [];
    scene.answer = (question) => questions.push(question) === 2;
    const args = ['payouts', 'request', '--account', 'alice', '--amount', '100.10'];
    const first = await scene.herald(...args);
    expect({ code: first.code, stderr: first.stderr }).toEqual({
      code: 1,
      stderr:
        'Service: simulator .herald/world.json\nerror: The answer was not "100.10". Nothing was sent.\n',
    });
    expect(await writesSent(scene)).toEqual([]);
    expect((await scene.herald(...args)).code).toBe(0);
    expect(questions[0]).toBe(
      'Request a payout of 100.10 USD for alice (account 101, platform account 9101, @alice_x) at simulator .herald/world.json? 1234.56 USD are available. This cannot be undone. Type 100.10 to request this amount:',
    );
    expect(await paidOut(scene)).toEqual([10010]);
  });

  it('refuses without a terminal and without --yes, before it asks the service anything', async () => {
    const scene = aScene();
    const { code, stderr } = await scene.herald(
      'payouts',
      'request',
      '--account=alice',
      '--amount=100.10',
      '-v',
    );
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr:
        'error: A payout cannot be undone, and Herald cannot ask without a terminal. Nothing was sent.\nAdd --yes.\n',
    });
  });

  it('wants to know for which account, where there are several', async () => {
    const { code, stderr } = await aScene().herald('payouts', 'request', '--amount', '1', '--yes');
    expect(code).toBe(1);
    expect(stderr).toContain('Use --account with one of: alice, bob.');
  });

  it('sends the amount as a plain number', async () => {
    const scene = aScene();
    await paying(scene, { available: 2_000_000, maximum: 2_000_000 });
    for (const amount of ['1000000', '0.29', '100.10', '1.1'])
      expect((await payout(scene, '--amount', amount)).code).toBe(0);
    expect(await paidOut(scene)).toEqual([100_000_000, 29, 10010, 110]);
  });
});

// PAYOUT-3
describe('a payout that is not possible', () => {
  it.each([
    [
      'is above what is available',
      { available: 100.09 },
      '100.10 is more than the 100.09 available (payoutAvailable)',
    ],
    [
      'is above the maximum',
      { maximum: 50 },
      '100.10 is more than the 50.00 that can be withdrawn (maxPayoutSumm)',
    ],
    [
      'meets a balance below the minimum',
      { available: 150, minimum: 200 },
      'The available 150.00 is below the 200.00 that a payout needs (minPayoutSumm)',
    ],
    // PAYOUT-2
    ['is for an account in another currency', { currency: 'EUR' }, 'The currency of the account is EUR'],
  ] as const)('because it %s is refused here, and nothing is sent', async (_title, set, words) => {
    const scene = aScene();
    await paying(scene, set);
    const error = await refusedPayout(scene, 1);
    expect(error.code).toBe('payout-not-possible');
    expect(error.message).toContain(words);
    expect(await writesSent(scene)).toEqual([]);
    expect(await lastRequest(scene)).toBeUndefined();
  });

  it('may be the whole balance, to the cent', async () => {
    const scene = aScene();
    await paying(scene, { available: 100.1, maximum: 5000, minimum: 100.1 });
    expect((await payout(scene)).code).toBe(0);
  });

  it.each([
    [{ currency: null }, 'The currency of the account is missing'],
    [{ maxPayoutSumm: null }, 'The balances lack'],
    [{ minPayoutSumm: 'twenty' }, 'The balances lack'],
    [{ payoutAvailable: -0.5 }, '100.10 is more than the -0.50 available (payoutAvailable)'],
    [{ minPayoutSumm: -1 }, 'The balances lack'],
    [{ payoutAvailable: null }, 'not what the document says at payoutAvailable'],
  ] as const)('because the balances say %o is refused: no one guesses about money', async (set, words) => {
    const scene = aScene();
    await scene.fault({ kind: 'odd_reply', operation: 'payouts.balances', set });
    expect((await refusedPayout(scene, 1)).message).toContain(words);
    expect(await writesSent(scene)).toEqual([]);
  });

  it('is refused for its amount before anything else', async () => {
    const scene = aScene();
    const error = await refusedPayout(scene, 1, '--amount', '100.101');
    expect(error).toMatchObject({ code: 'bad-amount', hint: 'Nothing was sent.' });
    expect(error.message).toContain('has 3 decimals; a payout has at most 2');
  });
});

// PAYOUT-7
it('a request of the same amount within a day (FAULT-9) is refused, exit 5, unless it is meant', async () => {
  const scene = aScene();
  await scene.service((control) =>
    control.seed({ kind: 'payout_request', account_id: '101', set: { amount: 100.1 } }),
  );
  const error = await refusedPayout(scene, 5);
  expect(error.code).toBe('similar-payout');
  expect(error.details).toMatchObject({
    facts: [expect.stringContaining('in the list: inv-9101-0001 (100.10 USD, state "new"')],
  });
  expect(error.hint).toContain('--allow-similar');
  expect(await writesSent(scene)).toEqual([]);
  expect((await payout(scene, '--allow-similar')).item).toMatchObject({ invoiceId: 'inv-9101-0002' });
});

describe('an answer that is not a success', () => {
  // PAYOUT-6
  it('a plain 403 says that the organisation has no access', async () => {
    const scene = aScene();
    await scene.service((control) => control.setModes({ payoutsEnabled: false }));
    const error = await refusedPayout(scene, 1);
    expect(error.message).toContain('was not requested: answered 403');
    expect(error.hint).toBe('Payout requests are not enabled for the organisation.');
    expect(JSON.stringify(error)).not.toContain('permission');
    expect(await lastRequest(scene)).toMatchObject({ outcome: 'refused' });
  });

  // PAYOUT-4
  it('a 200 with a reject reason is a failure, with the reason', async () => {
    const scene = aScene();
    await scene.service((control) => control.setModes({ payoutRejectReason: 'documents are missing' }));
    const error = await refusedPayout(scene, 1);
    expect(error.code).toBe('payout-rejected');
    expect(error.message).toContain(
      'was rejected: state "rejected", rejection reason "documents are missing".',
    );
    expect(await lastRequest(scene)).toMatchObject({ outcome: 'refused' });
    expect((await committed(scene)).map(({ state }) => state)).toEqual(['rejected']);
  });

  it('a state that cannot record it keeps the request from being sent', async () => {
    const scene = aScene();
    const onRecord = (what: string) =>
      what === 'begin' ? new HeraldError('state-failed', 'no space left', '') : 'done';
    const ran = await scene.startAs(
      { onRecord },
      'payouts',
      'request',
      '--account',
      'alice',
      '--amount',
      '100.10',
      '--yes',
    ).ran;
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('no space left')]);
    expect(await writesSent(scene)).toEqual([]);
  });
});
