import { describe, expect, it } from 'vitest';
import { withBroadcast } from '../helpers/by-hand.ts';
import { acts, CHAT, queued, SEND } from '../helpers/chats.ts';
import { lastAct, paidOut, payout, refusedPayout } from '../helpers/payouts.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const HOUR_MS = 3_600_000;

/** `herald api OPERATION` with this body from standard input. */
function api(scene: Scene, operation: string, body: object, ...flags: readonly string[]) {
  scene.input = JSON.stringify(body);
  return scene.herald('api', operation, '--yes', '--body', '-', ...flags);
}

const pay = (scene: Scene, usd: number, ...flags: readonly string[]) =>
  api(scene, 'payouts.request', { withdrawal_amount: usd }, '--account', 'alice', ...flags);

const say = (scene: Scene, text: string, ...flags: readonly string[]) =>
  api(scene, 'chat.send', { text }, '--account', 'alice', '--param', `chat_id=${CHAT}`, ...flags);

describe('an answer to herald api that is not a success', () => {
  it.each([
    [
      'a state that no one knows',
      { state: 'pending_review', rejectReason: '' },
      'the state "pending_review"',
    ],
    ['no state', { state: null, rejectReason: null }, 'no state'],
    ['a state and a reason', { state: 'new', rejectReason: 'none' }, 'the rejection reason "none"'],
  ])('%s of a payout: it is printed, exit 3, and the next steps', async (_title, entry, words) => {
    const scene = aScene();
    await scene.fault({ kind: 'odd_reply', operation: 'payouts.request', set: { list: [entry] } });
    const ran = await pay(scene, 100.1);
    expect(ran.code).toBe(3);
    expect(JSON.parse(ran.stdout)).toEqual({ list: [entry] });
    expect(ran.stderr.match(/^error: /gm)).toHaveLength(1);
    expect(ran.stderr).toContain('error: unknown-outcome: The service answered, and the answer does not say');
    expect(ran.stderr).toContain(words);
    expect(ran.stderr).toContain('Check herald payouts list and the service.');
    expect(await lastAct(scene)).toMatchObject({ outcome: 'unknown' });
  });

  it('a rejected payout: it is printed, exit 1, and the reason', async () => {
    const scene = aScene();
    await scene.service((control) => control.setModes({ payoutRejectReason: 'documents are missing' }));
    const ran = await pay(scene, 100.1);
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toEqual({
      list: [{ state: 'rejected', rejectReason: 'documents are missing' }],
    });
    expect(ran.stderr).toContain('error: not-done: The service answered, and did not do it');
    expect(ran.stderr).toContain('(rejected: documents are missing)');
    expect(await lastAct(scene)).toMatchObject({ outcome: 'refused' });
  });

  // BROADCAST-18
  it('a pause that is answered with another status: exit 1', async () => {
    const scene = await withBroadcast();
    await scene.fault({ kind: 'odd_reply', operation: 'broadcasts.set-status', set: { status: 'sending' } });
    const place = ['--param', 'account_id=101', '--param', 'campaign_id=55'];
    const ran = await api(scene, 'broadcasts.set-status', { status: 'paused' }, ...place);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toContain('"sending"');
    expect(ran.stderr).toContain('(answered with the status sending)');
    expect(scene.files.tree[LEDGER_FILE]).toContain('"outcome":"refused"');
  });

  it('a label that was not set: exit 1', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'odd_reply', operation: 'fans.label', set: { success: false } });
    const place = ['--account', 'alice', '--param', 'fan_id=101001'];
    const ran = await api(scene, 'fans.label', { note: 'x' }, ...place, '--format', 'json');
    expect(ran.code).toBe(1);
    expect(JSON.parse(ran.stdout)).toMatchObject({ success: false });
    expect(ran.stderr).toContain('(answered success: false)');
    expect(acts(scene)[0]?.outcome).toBe('refused');
  });
});

describe('herald api payouts.request', () => {
  it('refuses the same amount within 24 hours, unless it is allowed', async () => {
    const scene = aScene();
    expect((await pay(scene, 100.1)).code).toBe(0);
    scene.clock.move(23 * HOUR_MS);
    const refused = await pay(scene, 100.1);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('Nothing was sent.');
    expect(refused.stderr).toContain('add --allow-similar');
    expect((await pay(scene, 100.11)).code, 'another amount').toBe(0);
    expect((await pay(scene, 100.1, '--allow-similar')).code).toBe(0);
    expect(await paidOut(scene)).toEqual([10010, 10011, 10010]);
  });

  it('requests the same amount after 24 hours, and after a rejection', async () => {
    const scene = aScene();
    expect((await pay(scene, 100.1)).code).toBe(0);
    scene.clock.move(25 * HOUR_MS);
    expect((await pay(scene, 100.1)).code).toBe(0);
    await scene.service((control) => control.setModes({ payoutRejectReason: 'documents are missing' }));
    expect((await pay(scene, 20)).code).toBe(1);
    await scene.service((control) => control.setModes({ payoutRejectReason: null }));
    expect((await pay(scene, 20)).code).toBe(0);
  });

  it('refuses the amount of herald payouts request, and the other way round', async () => {
    const scene = aScene();
    await payout(scene);
    expect((await pay(scene, 100.1)).code).toBe(5);
    expect((await pay(scene, 50)).code).toBe(0);
    expect((await refusedPayout(scene, 5, '--amount', '50')).code).toBe('similar-payout');
    expect(await paidOut(scene)).toEqual([10010, 5000]);
  });

  it('pays the same amount from another account', async () => {
    const scene = aScene();
    expect((await pay(scene, 100.1)).code).toBe(0);
    const ran = await api(scene, 'payouts.request', { withdrawal_amount: 100.1 }, '--account', '102');
    expect(ran.code, ran.stderr).toBe(0);
  });

  it('does not let an unconfirmed request pass', async () => {
    const scene = aScene();
    await scene.fault({
      kind: 'broken_answer',
      operation: 'payouts.request',
      how: 'reset',
      when: 'after_commit',
    });
    expect((await pay(scene, 100.1)).code).toBe(3);
    expect((await pay(scene, 100.1, '--allow-similar')).code).toBe(3);
    expect(await paidOut(scene)).toEqual([10010]);
  });
});

describe('herald api chat.send', () => {
  it('with a price of 0 sends the same message as herald chat send without one', async () => {
    const scene = aScene({ world: { modes: { chatDelaySec: 120 } } });
    const body = { text: 'A word', price: 0 };
    const one = await api(scene, 'chat.send', body, '--account', 'alice', '--param', `chat_id=${CHAT}`);
    expect(one.code, one.stderr).toBe(0);
    const two = await scene.herald(...SEND, '--text', 'A word', '--yes');
    expect(two.code, two.stdout).toBe(5);
    expect(await queued(scene)).toEqual(['A word']);
  });

  it('refuses the same words within five minutes, unless they are allowed', async () => {
    const scene = aScene();
    expect((await say(scene, 'Hi')).code).toBe(0);
    const refused = await say(scene, 'Hi');
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('add --allow-similar');
    expect((await say(scene, 'Hello')).code).toBe(0);
    expect((await say(scene, 'Hi', '--allow-similar')).code).toBe(0);
    scene.clock.move(6 * 60_000);
    expect((await say(scene, 'Hi')).code).toBe(0);
    expect(await queued(scene)).toEqual(['Hi', 'Hello', 'Hi', 'Hi']);
  });
});
