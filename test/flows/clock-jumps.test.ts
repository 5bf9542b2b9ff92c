import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Operation } from '../../src/api/catalogue.ts';
import { altered, withoutDate } from '../helpers/altered.ts';
import { itemOf } from '../helpers/chats.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { payout, refusedPayout } from '../helpers/payouts.ts';
import { NOON } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

const HOUR = 3_600_000;

/** This machine's clock is set ahead right after the answer to the operation was lost; the service's goes on. */
function setAheadAfterLoss(operation: Operation, afterSec: number) {
  const flow = flowClock(NOON);
  let aheadMs = 0;
  const made = altered((_, answer) => answer(), { clock: { ...flow, now: () => flow.now() + aheadMs } });
  const { scene, simulator } = made;
  simulator.control.addFault({ kind: 'late_commit', operation, after_sec: afterSec, how: 'reset', nth: 1 });
  scene.files.onWrite = (_path, text) => {
    if (!text.includes('"outcome":"unknown"') || aheadMs > 0) return 'done';
    aheadMs = HOUR;
    simulator.world.clockOffsetMs -= HOUR;
    return 'done';
  };
  const seconds = () =>
    simulator.control
      .oracle()
      .requests.filter((request) => request.operation === operation)
      .map(({ at }) => (Date.parse(at) - NOON) / 1000);
  return { scene, simulator, seconds };
}

describe('a clock that is set ahead while a lost request may still be carried out', () => {
  it('lets no second follow run next to the first', async () => {
    const { scene, seconds } = setAheadAfterLoss('fans.follow', 60);
    const follow = ['fans', 'follow', '101001', '--account', 'alice', '--yes', '--format', 'json'];
    const ran = await scene.herald(...follow);
    expect(itemOf(ran)).toMatchObject({ subscribed: true, repeated: true });
    const [first = 0, second = 0] = seconds();
    expect(second - first).toBeGreaterThanOrEqual(75);
  });

  it('makes no one say that a payout is not in the list before it can be', async () => {
    const { scene, seconds } = setAheadAfterLoss('payouts.request', 60);
    expect((await payout(scene)).item).toMatchObject({ outcome: 'adopted' });
    expect(seconds()).toHaveLength(1);
  });
});

it('a service that does not send its time, and a clock here that is ahead: a payout of minutes ago counts', async () => {
  const flow = flowClock(NOON);
  let aheadMs = 0;
  const { scene, simulator } = altered(async (_, answer) => withoutDate(await answer()), {
    clock: { ...flow, now: () => flow.now() + aheadMs },
  });
  aheadMs = 24 * HOUR - 600_000;
  simulator.world.clockOffsetMs -= aheadMs;
  simulator.control.seed({ kind: 'payout_request', account_id: '101', set: { amount: 100.1 } });
  flow.move(1_200_000);
  expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
});
