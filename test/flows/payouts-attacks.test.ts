import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { aScene, WORLD_FILE, type Scene } from '../helpers/scene.ts';
import { paidOut, payout, refusedPayout, requestTimes } from '../helpers/payouts.ts';

const REQUEST = 'payouts.request';
const LIST = 'payouts.list';

const LOST = {
  kind: 'broken_answer',
  operation: REQUEST,
  how: 'reset',
  when: 'before_commit',
  nth: 1,
} as const;

const worldShape = z.looseObject({ clockOffsetMs: z.number() });

/** This machine's clock, and not the service's. */
function aheadByTwoDays(scene: Scene): void {
  const world = worldShape.parse(JSON.parse(scene.files.tree[WORLD_FILE] ?? ''));
  world.clockOffsetMs -= 2 * 86_400_000;
  scene.files.tree[WORLD_FILE] = JSON.stringify(world);
  scene.clock.move(2 * 86_400_000);
}

describe('a second payout of the same amount', () => {
  it('is refused while the list does not show the first one: the state knows it', async () => {
    const scene = aScene();
    await payout(scene);
    await scene.fault({ kind: 'odd_reply', operation: LIST, set: { list: [], marker: null } });
    const error = await refusedPayout(scene, 5);
    expect(error.code).toBe('similar-payout');
    expect(await paidOut(scene)).toEqual([10010]);
    expect((await payout(scene, '--allow-similar')).item).toMatchObject({ outcome: 'requested' });
  });

  it('is judged by the service clock, whatever this machine believes', async () => {
    const scene = aScene();
    await scene.service((control) =>
      control.seed({ kind: 'payout_request', account_id: '101', set: { amount: 100.1 } }),
    );
    aheadByTwoDays(scene);
    expect((await refusedPayout(scene, 5)).code).toBe('similar-payout');
  });
});

describe('an open request', () => {
  it('does not become a thing of the past because this clock jumped ahead', async () => {
    const scene = aScene();
    await scene.fault(LOST);
    await refusedPayout(scene, 3);
    aheadByTwoDays(scene);
    expect((await refusedPayout(scene, 3)).code).toBe('open-payout');
    expect((await requestTimes(scene)).length).toBe(1);
  });

  it('is acknowledged only by the run that goes on: a no at the question leaves it open', async () => {
    const scene = aScene();
    await scene.fault(LOST);
    await refusedPayout(scene, 3);
    scene.answer = () => false;
    const args = ['payouts', 'request', '--account', 'alice', '--amount', '100.10'];
    expect((await scene.herald(...args, '--acknowledge', '--allow-similar')).code).toBe(1);
    scene.answer = null;
    expect((await refusedPayout(scene, 3)).code).toBe('open-payout');
  });

  it('that was made days ago is for a person to decide: nothing was sent now, and that is not a success', async () => {
    const scene = aScene({ world: { modes: { requestTimeoutSec: 3_600 } } });
    await scene.fault({ kind: 'late_commit', operation: REQUEST, after_sec: 3_600, how: 'reset', nth: 1 });
    await refusedPayout(scene, 3);
    scene.clock.move(7 * 86_400_000);
    const error = await refusedPayout(scene, 5);
    expect(error.code).toBe('earlier-payout-made');
    expect((await payout(scene)).item).toMatchObject({ outcome: 'requested' });
    expect(await paidOut(scene)).toEqual([10010, 10010]);
  });
});

describe('an answer that says yes and no', () => {
  it('and a list that shows nothing: no one knows, exit 3, and nothing is sent again', async () => {
    const scene = aScene();
    const list = [{ state: 'new' }, { state: 'rejected', rejectReason: 'limit of the week' }];
    await scene.fault({ kind: 'odd_reply', operation: REQUEST, set: { list } });
    await scene.fault({
      kind: 'odd_reply',
      operation: LIST,
      nth: 2,
      times: 20,
      set: { list: [], marker: null },
    });
    expect((await refusedPayout(scene, 3)).code).toBe('unknown-outcome');
    await scene.service((control) => control.clearFaults());
    expect((await payout(scene)).item).toMatchObject({ outcome: 'made_earlier', sent: false });
    expect((await requestTimes(scene)).length).toBe(1);
  });
});

describe('a question that is answered late', () => {
  it('meets a balance that has fallen: the payout is not possible any more', async () => {
    const scene = aScene();
    scene.answer = () => true;
    await scene.fault({
      kind: 'change_before',
      operation: 'payouts.balances',
      nth: 2,
      seed: { kind: 'payouts', account_id: '101', set: { available: 50 } },
    });
    const ran = await scene.herald(
      'payouts',
      'request',
      '--account=alice',
      '--amount=100.10',
      '--format=json',
    );
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('payout-not-possible');
    expect((await requestTimes(scene)).length).toBe(0);
  });
});
