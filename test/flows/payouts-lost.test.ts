import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
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

const lose = (how: 'timeout' | 'reset' | '500' | '502' | 'truncated' | 'unreadable') =>
  ({
    before: { kind: 'broken_answer', operation: REQUEST, how, when: 'before_commit', nth: 1 },
    after: { kind: 'broken_answer', operation: REQUEST, how, when: 'after_commit', nth: 1 },
  }) as const satisfies Record<string, FaultInput>;

/** LOST-13: FAULT-1 and FAULT-2, FAULT-4 and FAULT-5, FAULT-11, FAULT-10. */
const WAYS = ['timeout', 'reset', '500', '502', 'truncated', 'unreadable'] as const;

describe.each(WAYS)('a payout request with a lost answer by %s', (how) => {
  // PAYOUT-1
  it('before it was carried out: not seen, exit 3, nothing sent again', async () => {
    const scene = aScene();
    await scene.fault(lose(how).before);
    const error = await refusedPayout(scene, 3);
    expect(error.code).toBe('unknown-outcome');
    expect(error.message).toContain('may have been requested');
    expect(error.message).toContain('does not show it');
    expect(error.message).toContain('The available balance is unchanged: 1234.56 USD.');
    expect(error.hint).toContain('--acknowledge');
    expect(await committed(scene)).toEqual([]);
    expect((await requestTimes(scene)).length).toBe(1);
  });

  // PAYOUT-5
  it('after it was carried out: found in the list, exit 0, named by its invoice', async () => {
    const scene = aScene();
    await scene.fault(lose(how).after);
    const { code, item } = await payout(scene);
    expect(code).toBe(0);
    expect(item).toMatchObject({ outcome: 'adopted', sent: true, invoiceId: 'inv-9101-0001', state: 'new' });
    expect(await paidOut(scene)).toEqual([10010]);
    expect(await lastRequest(scene)).toMatchObject({ outcome: 'adopted', live_id: 'inv-9101-0001' });
  });

  it('and not seen stays open: the next run looks, sends nothing and says so', async () => {
    const scene = aScene();
    await scene.fault(lose(how).before);
    await refusedPayout(scene, 3);
    const error = await refusedPayout(scene, 3);
    expect(error.code).toBe('open-payout');
    expect(error.message).toMatch(
      /The earlier request of 100\.10 USD, requested at 2026-06-01T12:00:\d\d\S+ by tester, is unconfirmed\./,
    );
    const other = await refusedPayout(scene, 3, '--amount', '55', '--allow-similar');
    expect(other.code, 'whatever the amount').toBe('open-payout');
    expect((await requestTimes(scene)).length).toBe(1);
    const next = await payout(scene, '--acknowledge', '--allow-similar');
    expect(next.item).toMatchObject({ outcome: 'requested', invoiceId: 'inv-9101-0001' });
    expect(await paidOut(scene)).toEqual([10010]);
  });
});

describe('a payout request that is carried out late (FAULT-3)', () => {
  it.each([1, 15, 60, 65])('by %i s is found by the same run', async (after_sec) => {
    const scene = aScene();
    await scene.fault({ kind: 'late_commit', operation: REQUEST, after_sec, how: 'reset', nth: 1 });
    const { code, item } = await payout(scene);
    expect({ code, outcome: item['outcome'] }).toEqual({ code: 0, outcome: 'adopted' });
    expect(await paidOut(scene)).toEqual([10010]);
    expect((await requestTimes(scene)).length).toBe(1);
  });

  it('beyond the contract (FAULT-12) is found by the next run, which sends nothing and ends well', async () => {
    const scene = aScene({ world: { modes: { requestTimeoutSec: 3_600 } } });
    await scene.fault({ kind: 'late_commit', operation: REQUEST, after_sec: 3_600, how: 'reset', nth: 1 });
    await refusedPayout(scene, 3);
    await refusedPayout(scene, 3);
    scene.clock.move(3_600_000);
    const { code, item, stdout } = await payout(scene);
    expect({ code, ...item }).toMatchObject({
      code: 0,
      outcome: 'made_earlier',
      sent: false,
      invoiceId: 'inv-9101-0001',
    });
    expect(stdout).toContain('"herald/item/1"');
    expect(await paidOut(scene)).toEqual([10010]);
    expect((await requestTimes(scene)).length).toBe(1);
  });

  // PAYOUT-5
  it('is waited for in full: absence before that means nothing', async () => {
    const scene = aScene();
    await scene.fault({
      kind: 'broken_answer',
      operation: REQUEST,
      how: 'reset',
      when: 'before_commit',
      nth: 1,
    });
    const startedMs = scene.clock.now();
    const { stderr } = await scene.herald(...ASK, '-v');
    expect(scene.clock.now() - startedMs).toBeGreaterThanOrEqual(SETTLE_SEC * 1000);
    expect(stderr).toMatch(
      /1 request was not confirmed\. Waiting up to 90 s to see the result; nothing is sent again before that\./,
    );
    const lists = sentIn(stderr).filter((line) => line.startsWith('GET payout-requests'));
    expect(lists.length, 'the baseline, a look after the window, and one for the report').toBe(3);
    expect(stderr, 'a marker would hide what is new').not.toContain('marker');
  });

  // PAYOUT-7
  it('blocks for 24 hours; after that nothing is expected of it any more', async () => {
    const scene = aScene();
    await scene.fault({
      kind: 'broken_answer',
      operation: REQUEST,
      how: 'reset',
      when: 'before_commit',
      nth: 1,
    });
    await refusedPayout(scene, 3);
    scene.clock.move(23 * 3_600_000);
    expect((await refusedPayout(scene, 3)).code).toBe('open-payout');
    scene.clock.move(3_600_000);
    const { code, item, stderr } = await payout(scene);
    expect({ code, outcome: item['outcome'] }).toEqual({ code: 0, outcome: 'requested' });
    expect(stderr).toContain('did not appear in the list within 24 hours');
    expect(await paidOut(scene)).toEqual([10010]);
  });
});

describe('a payout request that never left (FAULT-6)', () => {
  it('is sent again, each time with an intent of its own', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'connection_refused', operation: REQUEST, nth: 1, times: 2 });
    expect((await payout(scene)).item).toMatchObject({ outcome: 'requested' });
    expect(await paidOut(scene)).toEqual([10010]);
  });

  it('three times over is given up: exit 1, and nothing is open', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'connection_refused', operation: REQUEST });
    const error = await refusedPayout(scene, 1);
    expect(error.message).toContain('was not requested: no connection');
    await scene.service((control) => control.clearFaults());
    expect((await payout(scene)).item).toMatchObject({ outcome: 'requested' });
    expect(await paidOut(scene)).toEqual([10010]);
  });
});

describe('a payout request that is answered 429 (FAULT-7)', () => {
  it('waits two seconds, reads the list once more and is repeated once', async () => {
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
    const { requests } = await scene.oracle();
    const [first = 0, second = 0] = requests
      .filter(({ operation }) => operation === REQUEST)
      .map(({ at }) => Date.parse(at));
    expect(second - first).toBeGreaterThanOrEqual(2_000);
    expect(await paidOut(scene)).toEqual([10010]);
  });

  it('twice is given up: exit 1, nothing requested and nothing open', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'throttle', operation: REQUEST });
    const error = await refusedPayout(scene, 1);
    expect(error.message).toContain('was not requested: answered 429');
    await scene.service((control) => control.clearFaults());
    expect((await payout(scene)).code).toBe(0);
    expect(await paidOut(scene)).toEqual([10010]);
  });

  it('while someone requests another amount is repeated all the same', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'throttle', operation: REQUEST, nth: 1 });
    await scene.fault({
      kind: 'change_before',
      operation: 'payouts.list',
      nth: 2,
      seed: { kind: 'payout_request', account_id: '101', set: { amount: 55 } },
    });
    expect((await payout(scene)).item).toMatchObject({ outcome: 'requested', invoiceId: 'inv-9101-0002' });
    expect(await paidOut(scene)).toEqual([5500, 10010]);
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
      /^The earlier request of 100\.10 USD, requested at .* by tester, was made as invoice inv-9101-0001, state new\. Nothing was sent now\.\n$/,
    );
    expect(await paidOut(scene)).toEqual([10010]);
  });

  it('and another amount than was asked for now is for a person to decide: exit 5, once', async () => {
    const scene = await died('after_commit');
    const error = await refusedPayout(scene, 5, '--amount', '55.00');
    expect(error.code).toBe('earlier-payout-made');
    expect(error.message).toContain('It was for another amount than 55.00 USD');
    expect((await payout(scene, '--amount', '55.00')).item).toMatchObject({ outcome: 'requested' });
    expect(await paidOut(scene)).toEqual([10010, 5500]);
  });

  it('blocks the account, and no other, while no one knows what it came to', async () => {
    const scene = await died('before_commit');
    expect((await refusedPayout(scene, 3)).code).toBe('open-payout');
    const bob = await payout(scene, '--account', 'bob');
    expect(bob.item).toMatchObject({ account: 'bob', outcome: 'requested' });
    expect(await committed(scene)).toEqual([]);
  });
});

describe('new requests that are not certainly ours', () => {
  const others = async (...amounts: readonly number[]) => {
    const scene = aScene();
    await scene.fault({
      kind: 'broken_answer',
      operation: REQUEST,
      how: 'reset',
      when: 'after_commit',
      nth: 1,
    });
    for (const amount of amounts)
      await scene.fault({
        kind: 'change_before',
        operation: 'payouts.list',
        nth: 2,
        seed: { kind: 'payout_request', account_id: '101', set: { amount } },
      });
    return scene;
  };

  it.each([
    ['of another amount next to it', [55]],
    ['of the same amount next to it', [100.1]],
  ] as const)('%s are named, exit 3, and only a person ends it', async (_title, amounts) => {
    const scene = await others(...amounts);
    const error = await refusedPayout(scene, 3);
    expect(error.message).toContain('possible matches: inv-9101-0002');
    expect(error.message).toContain('The available balance has fallen from 1234.56 to');
    expect((await refusedPayout(scene, 3)).code).toBe('open-payout');
    expect((await requestTimes(scene)).length).toBe(1);
  });

  it('are not taken from a list that cannot be read', async () => {
    const scene = await others();
    await scene.fault({
      kind: 'broken_answer',
      operation: 'payouts.list',
      how: '500',
      when: 'after_commit',
      nth: 2,
      times: 500,
    });
    const error = await refusedPayout(scene, 3);
    expect(error.message).toContain('The list of payout requests did not show if it was made: answered 500');
    const again = await refusedPayout(scene, 3, '--acknowledge');
    expect(again.code, 'no one acknowledges what no one could see').toBe('open-payout');
    await scene.service((control) => control.clearFaults());
    expect((await payout(scene)).item).toMatchObject({ outcome: 'made_earlier' });
    expect(await paidOut(scene)).toEqual([10010]);
  });
});
