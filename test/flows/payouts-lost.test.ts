import { describe, expect, it } from 'vitest';
import { dieBefore } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';
import { committed, lastRequest, paidOut, payout, refusedPayout, requestTimes } from '../helpers/payouts.ts';

const SETTLE_SEC = 75;
const REQUEST = 'payouts.request';
const ASK = ['payouts', 'request', '--account', 'alice', '--amount', '100.10', '--yes'];

/** `POST payout-requests 200` for each request about payouts that `-v` shows. */
const sentIn = (stderr: string): string[] =>
  [...stderr.matchAll(/(GET|POST) \S+\/statements\/(\S+?)(?:\?\S*)? -> (\d+)/g)].map(
    ([, method, path, status]) => `${method} ${path} ${status}`,
  );

const lose = (when: 'before_commit' | 'after_commit') =>
  ({ kind: 'broken_answer', operation: REQUEST, how: 'reset', when, nth: 1 }) as const;

describe('a payout request with a lost answer', () => {
  // PAYOUT-1, PAYOUT-5
  it('that was not carried out: waits in full, lists the facts, exit 3, and stays unconfirmed', async () => {
    const scene = aScene();
    await scene.fault(lose('before_commit'));
    const startedMs = scene.clock.now();
    const { code, stderr } = await scene.herald(...ASK, '-v');
    expect(code).toBe(3);
    expect(scene.clock.now() - startedMs).toBeGreaterThanOrEqual(SETTLE_SEC * 1000);
    expect(stderr).toMatch(
      /1 request was not confirmed\. Waiting up to 90 s to see the result; nothing is sent again before that\./,
    );
    expect(stderr).toMatch(
      /error: Unconfirmed: the request to pay out 100\.10 USD to alice .* may have been carried out\.\n {2}answer: .*\n {2}new in the list: none\n {2}available before: 1234\.56 USD\n {2}available now: 1234\.56 USD\nCheck the payouts of the account before .* To see them: herald payouts list --account alice/,
    );
    const lists = sentIn(stderr).filter((line) => line.startsWith('GET payout-requests'));
    expect(lists.length, 'the baseline, and a look after the window').toBe(2);
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
    expect((await requestTimes(scene)).length).toBe(1);
    const next = await payout(scene, '--acknowledge', '--allow-similar');
    expect(next.item).toMatchObject({ outcome: 'requested', invoiceId: 'inv-9101-0001' });
    expect(await paidOut(scene)).toEqual([10010]);
  });

  it('that was carried out is found in the list: exit 0, named by its invoice', async () => {
    const scene = aScene();
    await scene.fault(lose('after_commit'));
    const { code, item } = await payout(scene);
    expect(code).toBe(0);
    expect(item).toMatchObject({ outcome: 'adopted', sent: true, invoiceId: 'inv-9101-0001', state: 'new' });
    expect(await paidOut(scene)).toEqual([10010]);
    expect(await lastRequest(scene)).toMatchObject({ outcome: 'adopted', live_id: 'inv-9101-0001' });
  });

  it('that is carried out beyond the contract (FAULT-12) is found by the next run, which sends nothing', async () => {
    const scene = aScene({ world: { modes: { requestTimeoutSec: 3_600 } } });
    await scene.fault({ kind: 'late_commit', operation: REQUEST, after_sec: 3_600, how: 'reset', nth: 1 });
    await refusedPayout(scene, 3);
    await refusedPayout(scene, 3);
    scene.clock.move(3_600_000);
    const { code, item } = await payout(scene);
    expect({ code, ...item }).toMatchObject({
      code: 0,
      outcome: 'made_earlier',
      sent: false,
      invoiceId: 'inv-9101-0001',
    });
    expect(await paidOut(scene)).toEqual([10010]);
    expect((await requestTimes(scene)).length).toBe(1);
  });

  // PAYOUT-7
  it('blocks for 24 hours; after that nothing is expected of it any more', async () => {
    const scene = aScene();
    await scene.fault(lose('before_commit'));
    await refusedPayout(scene, 3);
    scene.clock.move(23 * 3_600_000);
    expect((await refusedPayout(scene, 3)).code).toBe('open-request');
    scene.clock.move(3_600_000);
    const { code, item } = await payout(scene);
    expect({ code, outcome: item['outcome'] }).toEqual({ code: 0, outcome: 'requested' });
    expect((await scene.requests()).map(({ outcome }) => outcome)).toEqual(['absent', 'done']);
    expect(await paidOut(scene)).toEqual([10010]);
  });

  it('that was acknowledged for another amount still counts as one of its amount', async () => {
    const scene = aScene();
    await scene.fault({
      kind: 'odd_reply',
      operation: 'payouts.list',
      set: { list: [], marker: null },
      times: 99,
    });
    await scene.fault(lose('after_commit'));
    await refusedPayout(scene, 3);
    await refusedPayout(scene, 3, '--amount', '50', '--acknowledge');
    expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
    expect((await refusedPayout(scene, 5, '--acknowledge')).code).toBe('similar-payout');
    expect(await paidOut(scene)).toEqual([10010, 5000]);
  });
});

describe('a payout request that is answered 429 (FAULT-7)', () => {
  it('waits two seconds, is checked once more and is repeated', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'throttle', operation: REQUEST, nth: 1 });
    const { stderr } = await scene.herald(...ASK, '-v');
    expect(sentIn(stderr)).toEqual([
      'GET balances 200',
      'GET payout-requests 200',
      'POST payout-requests 429',
      'GET balances 200',
      'GET payout-requests 200',
      'POST payout-requests 200',
      'GET payout-requests 200',
      'GET balances 200',
    ]);
    const [first = 0, second = 0] = (await scene.oracle()).requests
      .filter(({ operation }) => operation === REQUEST)
      .map(({ at }) => Date.parse(at));
    expect(second - first).toBeGreaterThanOrEqual(2_000);
    expect(await paidOut(scene)).toEqual([10010]);
  });

  it('while the list shows a new request of the same amount is not repeated', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'throttle', operation: REQUEST, nth: 1 });
    await scene.fault({
      kind: 'change_before',
      operation: 'payouts.list',
      nth: 2,
      seed: { kind: 'payout_request', account_id: '101', set: { amount: 100.1 } },
    });
    expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
    expect(await committed(scene), 'nothing came through the API').toEqual([]);
  });
});

describe('a run that dies right after the request left (FAULT-8)', () => {
  const died = async (when: 'before_commit' | 'after_commit') => {
    const scene = aScene();
    await scene.fault({ kind: 'broken_answer', operation: REQUEST, how: 'timeout', when, nth: 1 });
    await dieBefore(scene, (what) => what === 'end', ASK);
    return scene;
  };

  it('leaves an entry with which the next run finds the payout, sends nothing and says so', async () => {
    const scene = await died('after_commit');
    const ran = await scene.herald(...ASK);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(
      /^A payout of 100\.10 USD for alice .* was requested: invoice inv-9101-0001, state new\. An earlier run requested it; nothing was sent now\.\n$/,
    );
    expect(await paidOut(scene)).toEqual([10010]);
  });

  it('and another amount than was asked for now is for a person to decide: exit 5, once', async () => {
    const scene = await died('after_commit');
    const error = await refusedPayout(scene, 5, '--amount', '55.00');
    expect(error.code).toBe('earlier-payout-made');
    expect((await payout(scene, '--amount', '55.00')).item).toMatchObject({ outcome: 'requested' });
    expect(await paidOut(scene)).toEqual([10010, 5500]);
  });

  it('blocks the account, and no other, while no one knows what it came to', async () => {
    const scene = await died('before_commit');
    expect((await refusedPayout(scene, 3)).code).toBe('open-request');
    const bob = await payout(scene, '--account', 'bob');
    expect(bob.item).toMatchObject({ account: 'bob', outcome: 'requested' });
    expect(await committed(scene)).toEqual([]);
  });
});
