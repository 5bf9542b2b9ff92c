import { describe, expect, it } from 'vitest';
import type { SeedOf } from '../../src/simulator/seed-shape.ts';
import { aScene, type Scene, WORKSPACE } from '../helpers/scene.ts';
import { writesSent, errorOf, itemOf } from '../helpers/flows.ts';
import type { RequestRow } from '../../src/state/shapes.ts';

/** A request of 100.10 for alice, unless the flags say otherwise. */
function ask(scene: Scene, flags: readonly string[]) {
  const usual = { '--account': 'alice', '--amount': '100.10', '--format': 'json' };
  const left = Object.entries(usual).flatMap((pair) => (flags.includes(pair[0]) ? [] : pair));
  return scene.herald('payouts', 'request', '--yes', ...left, ...flags);
}

/** A payout that ends with an item. */
async function payout(scene: Scene, ...flags: readonly string[]) {
  const ran = await ask(scene, flags);
  return { ...ran, item: itemOf(ran) };
}

/** A payout that ends with an error of this exit code. */
async function refusedPayout(scene: Scene, code: number, ...flags: readonly string[]) {
  const ran = await ask(scene, flags);
  const error = errorOf(ran);
  if (ran.code !== code) throw new Error(`exit ${ran.code} instead of ${code}: ${ran.stdout}${ran.stderr}`);
  return error;
}

/** What alice has really asked for, oldest first. */
async function committed(scene: Scene) {
  return (await scene.oracle()).payouts['101']?.committed ?? [];
}

/** The same in cents, without what was rejected. */
async function paidOut(scene: Scene): Promise<number[]> {
  return (await committed(scene))
    .filter(({ state }) => state !== 'rejected')
    .map(({ amount }) => Math.round(amount * 100));
}

/** The last request on record. */
async function lastRequest(scene: Scene): Promise<RequestRow | undefined> {
  return (await scene.requests()).at(-1);
}

const paying = (scene: Scene, set: SeedOf<'payouts'>) =>
  scene.service((control) => control.seed({ kind: 'payouts', account_id: '101', set }));

describe('herald payouts request', () => {
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
      createdAt: expect.stringMatching(/^2026-06-01T14:00:/),
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

  it('asks with everything that a person should know, and takes the baseline after the answer', async () => {
    const scene = aScene();
    const questions: string[] = [];
    scene.answer = (question) => questions.push(question) === 2;
    const args = ['payouts', 'request', '--account', 'alice', '--amount', '100.10'];
    const first = await scene.herald(...args);
    expect({ code: first.code, stderr: first.stderr }).toEqual({
      code: 1,
      stderr:
        'Service: simulator .herald/world.json\nACCOUNT  AVAILABLE  MINIMUM  PENDING   ASKED\nalice      1234.56    20.00   345.67  100.10\nerror: The answer was not "100.10". Nothing was sent.\n',
    });
    expect(await writesSent(scene)).toEqual([]);
    expect((await scene.herald(...args)).code).toBe(0);
    expect(questions[0]).toBe(
      'Request a payout of 100.10 USD for alice (account 101, platform account 9101, @alice_x) at simulator .herald/world.json? This cannot be undone. Type 100.10 to send it:',
    );
    expect(await paidOut(scene)).toEqual([10010]);
  });
});

describe('herald payouts request for several accounts', () => {
  it('requests what is available on each account, with one typed total', async () => {
    const scene = aScene();
    const args = ['--account=alice', '--account=bob', '--amount=all', '--yes', '--format=json'];
    const ran = await scene.herald('payouts', 'request', ...args);
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      items: [
        { account: 'alice', outcome: 'requested', error: null },
        { account: 'bob', outcome: 'requested', error: null },
      ],
    });
  });

  it('run again requests what failed, and names the command for each one that has its payout', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'refusal', status: 409, operation: 'payouts.request', nth: 2 });
    const args = ['payouts', 'request', '--account=alice', '--account=bob', '--amount=50', '--yes'];
    const first = await scene.herald(...args);
    expect([first.code, first.stdout]).toEqual([
      4,
      expect.stringMatching(
        /^Failed: Request a payout of 50\.00 USD for bob \(.*\): The payout of 50\.00 USD for bob was not requested: answered 409/m,
      ),
    ]);
    const again = await scene.herald(...args);
    expect(again.code).toBe(4);
    const [alice, bob] = again.stdout.split('\n');
    expect(alice).toMatch(
      /^Failed: Request a payout of 50\.00 USD for alice \(.*\): The payout of 50\.00 USD for alice may already have been requested within the last 24 hours\. Nothing was sent\. in the list: .*; To request the same amount again: herald payouts request --account alice --amount 50\.00 --allow-similar$/,
    );
    expect(bob).toContain('was requested: invoice');
    expect(await paidOut(scene)).toEqual([5000]);
  });

  it('requests nothing after any answer but the total of all accounts', async () => {
    const scene = aScene();
    const args = ['payouts', 'request', '--account=alice', '--account=bob', '--amount=10'];
    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), false);
    const ran = await scene.herald(...args);
    expect(ran.code).toBe(1);
    expect(questions).toEqual([
      'Request 20.00 USD in 2 payouts at simulator .herald/world.json? This cannot be undone. Type 20.00 to send all of them:',
    ]);
    expect((await scene.herald('payouts', 'request', '--amount=10', '--yes')).stderr).toContain(
      'Use --account with one of: alice, bob',
    );
    expect(await writesSent(scene)).toEqual([]);
  });
});

// PAYOUT-3
describe('a payout that is not possible', () => {
  it.each([
    [{ available: 100.09 }, '100.10 is more than the 100.09 available (payoutAvailable)'],
    [{ maximum: 50 }, '100.10 is more than the 50.00 that can be withdrawn (maxPayoutSumm)'],
    [{ available: 150, minimum: 200 }, 'The available 150.00 is below the 200.00 that a payout needs'],
    // PAYOUT-2
    [{ currency: 'EUR' }, 'The currency of the account is EUR'],
  ] as const)('with %o is refused here, and nothing is sent', async (set, words) => {
    const scene = aScene();
    await paying(scene, set);
    const error = await refusedPayout(scene, 1);
    expect(error.code).toBe('payout-not-possible');
    expect(error.message).toContain(words);
    expect(await writesSent(scene)).toEqual([]);
    expect(await lastRequest(scene)).toBeUndefined();
  });

  it.each([
    [{ currency: null }, 'The currency of the account is missing'],
    [{ minPayoutSumm: 'twenty' }, 'The balances lack'],
    [{ payoutAvailable: -0.5 }, '100.10 is more than the -0.50 available (payoutAvailable)'],
    [{ payoutAvailable: null }, 'not what the document says at payoutAvailable'],
  ] as const)('because the balances say %o is refused: no one guesses about money', async (set, words) => {
    const scene = aScene();
    await scene.fault({ kind: 'odd_reply', operation: 'payouts.balances', set });
    expect((await refusedPayout(scene, 1)).message).toContain(words);
    expect(await writesSent(scene)).toEqual([]);
  });
});

it('a payout goes to no other account than the one with the id of the files', async () => {
  const workspace = WORKSPACE.replace('id: "101"', 'id: "101", platform_account_id: "9102"');
  const scene = aScene({ files: { 'herald.yaml': workspace } });
  expect((await refusedPayout(scene, 1)).message).toContain('and herald.yaml says 9102');
  expect(await writesSent(scene)).toEqual([]);
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

// PAYOUT-6
it('a plain 403 says that the organisation has no access', async () => {
  const scene = aScene();
  await scene.service((control) => control.setModes({ payoutsEnabled: false }));
  const error = await refusedPayout(scene, 1);
  expect(error.message).toContain('was not requested: answered 403');
  expect(error.hint).toContain('the feature is not enabled for the organisation');
  expect(JSON.stringify(error)).not.toContain('permission');
  expect(await lastRequest(scene)).toMatchObject({ outcome: 'refused' });
});

// PAYOUT-1, PAYOUT-5
it('a payout request with a lost answer waits in full, lists the facts, ends with exit 3, and stays unconfirmed', async () => {
  const scene = aScene();
  const lost = { how: 'reset', when: 'before_commit', nth: 1 } as const;
  await scene.fault({ kind: 'broken_answer', operation: 'payouts.request', ...lost });
  const startedMs = scene.clock.now();
  const { code, stderr } = await ask(scene, ['--format', 'text', '-v']);
  expect(code).toBe(3);
  expect(scene.clock.now() - startedMs).toBeGreaterThanOrEqual(75_000);
  expect(stderr).toMatch(
    /1 request was not confirmed\. Waiting up to 90 s to see the result; nothing is sent again before that\.\n/,
  );
  expect(stderr).toMatch(
    /error: Unconfirmed: the request to pay out 100\.10 USD to alice .* may have been carried out\.\n {2}answer: .*\n {2}new in the list: none\n {2}available before: 1234\.56 USD\n {2}available now: 1234\.56 USD\nCheck the payouts of the account before .* To see them: herald payouts list --account alice/,
  );
  expect(stderr, 'a marker would hide what is new').not.toContain('marker');

  const error = await refusedPayout(scene, 3);
  expect(error.code).toBe('open-request');
  expect(error.details).toMatchObject({
    facts: [
      expect.stringMatching(/^unconfirmed: entry \S+, sent at 2026-06-01T12:00:\d\d\S+ by tester$/),
      expect.stringMatching(/^asked for: 100\.10 USD, requested at /),
      'new in the list: none',
      'available before: 1234.56 USD',
      'available now: 1234.56 USD',
    ],
  });
  const other = await refusedPayout(scene, 3, '--amount', '55', '--allow-similar');
  expect(other.code, 'whatever the amount').toBe('open-request');
  expect(await writesSent(scene)).toHaveLength(1);
});
