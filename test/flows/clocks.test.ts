import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { byHand } from '../helpers/by-hand.ts';
import {
  applied,
  createsSent,
  dieBefore,
  liveOn,
  outcomes,
  planned,
  worstDispatch,
} from '../helpers/flows.ts';
import { aMachine } from '../helpers/machine.ts';
import { chatTruth, errorOf, SEND, sent } from '../helpers/chats.ts';
import { committed, payout } from '../helpers/payouts.ts';
import { callsOf, HELLO, UPLOAD, uploaded } from '../helpers/uploads.ts';
import { LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const HOUR = 3_600_000;
const FILES = declaring({ campaigns: [campaign()] });
const isLost = (line: string) => line.includes('"outcome":"unknown"');

/** The ledger as an earlier version wrote it. */
function withoutSkew(scene: Scene): void {
  scene.files.tree[LEDGER_FILE] = (scene.files.tree[LEDGER_FILE] ?? '').replaceAll(
    /,"(at_)?skew_ms":-?\d+/g,
    '',
  );
}

const JUMPS = [-48, -1, -0.01, 0.01, 1, 48].map((hours) => hours * HOUR);

describe.each(JUMPS)('a clock that is set by %i ms, or another machine’s, after a crash', (jumpMs) => {
  const lost = (operation: 'campaigns.create' | 'fans.label' | 'payouts.request' | 'vault.upload-export') =>
    ({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 1 }) as const;

  it('repeats no create early: what lands late is taken over', async () => {
    const { scene, setClock } = aMachine(FILES);
    await scene.fault(lost('campaigns.create'));
    await dieBefore(scene, isLost);
    await setClock(jumpMs);
    scene.clock.move(20_000);
    expect((await planned(scene)).code, 'held back').toBe(5);
    const beganMs = scene.clock.monotonicMs();
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([0, ['keep adopted']]);
    expect(scene.clock.monotonicMs() - beganMs, 'nor waits for longer than the window').toBeLessThan(80_000);
    expect(await createsSent(scene)).toBe(1);
    await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
    scene.clock.move(HOUR);
    expect(await worstDispatch(scene)).toBe(1);
  });

  it('waits the whole window for a line without a skew', async () => {
    const { scene, setClock } = aMachine(FILES);
    await scene.fault(lost('campaigns.create'));
    await dieBefore(scene, isLost);
    withoutSkew(scene);
    // What no one wrote down is taken for less than a day.
    await setClock(Math.max(-HOUR, Math.min(jumpMs, HOUR)));
    const run = await applied(scene);
    expect([run.code, outcomes(run), await createsSent(scene)]).toEqual([0, ['keep adopted'], 1]);
  });

  it('makes a campaign that may not be switched on again, after the window of a start without an answer', async () => {
    const { scene, setClock } = aMachine(FILES);
    await applied(scene);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ status: 'paused' })] }));
    await applied(scene);
    Object.assign(scene.files.tree, FILES);
    const id = (await liveOn(scene, '101', 'campaign'))[0]?.id ?? '';
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.set-status',
      how: 'reset',
      when: 'before_commit',
      nth: 1,
    });
    scene.files.tree['start.json'] = '{ "status": "active" }';
    const path = ['--param', 'account_id=101', '--param', `campaign_id=${id}`];
    await scene.herald('api', 'campaigns.set-status', ...path, '--body', 'start.json', '--yes');
    await byHand(scene, 'campaigns', 'archive', id);
    await scene.service((control) => control.setModes({ archivedToActive: 'refuse' }));
    await setClock(jumpMs);
    const beganMs = scene.clock.monotonicMs();
    const run = await applied(scene, '--allow', 'resume');
    expect([run.code, outcomes(run), await createsSent(scene)]).toEqual([0, ['activate applied'], 2]);
    expect(scene.clock.monotonicMs() - beganMs, 'within one window').toBeLessThan(80_000);
    expect(run.stderr).toMatch(/^1 request was not confirmed\. Waiting up to \d+ s to see the result/m);
    await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
    scene.clock.move(HOUR);
    expect(await worstDispatch(scene)).toBe(1);
  });

  it('undoes no later label: it waits out the earlier one', async () => {
    const { scene, setClock } = aMachine();
    await scene.herald('fans', 'label', '101002', '--account', 'alice', '--name', 'Tim', '--yes');
    await scene.fault(lost('fans.label'));
    const label = ['fans', 'label', '101001', '--account', 'alice', '--yes', '--name'];
    await dieBefore(scene, isLost, [...label, 'Tim']);
    await setClock(Math.max(-HOUR, Math.min(jumpMs, HOUR)));
    expect((await scene.herald(...label, 'Tom')).code).toBe(0);
    scene.clock.move(HOUR);
    expect((await chatTruth(scene)).labels['101001']).toMatchObject({ custom_name: 'Tom' });
  });

  it('looks for a lost payout until none can come', async () => {
    const { scene, setClock } = aMachine();
    await scene.fault(lost('payouts.request'));
    await dieBefore(scene, isLost, [
      'payouts',
      'request',
      '--account',
      'alice',
      '--amount',
      '100.10',
      '--yes',
    ]);
    await setClock(jumpMs);
    expect((await payout(scene)).item).toMatchObject({ outcome: 'made_earlier', sent: false });
    expect(await committed(scene)).toHaveLength(1);
  });

  it('uploads nothing again before a lost export can come no more', async () => {
    const { scene, setClock } = aMachine();
    scene.bytes.blobs['hello.jpg'] = HELLO;
    await scene.fault(lost('vault.upload-export'));
    await dieBefore(scene, isLost, UPLOAD);
    await setClock(jumpMs);
    expect((await uploaded(scene)).item.outcome).toBe('already');
    expect(await callsOf(scene)).toBe('start 1, export 1');
  });

  it('knows the same message of a minute ago, and forgets it after five', async () => {
    const { scene, setClock } = aMachine();
    const send = [...SEND, '--text', 'A word', '--yes', '--format', 'json'];
    expect((await scene.herald(...send)).code).toBe(0);
    await setClock(jumpMs);
    scene.clock.move(60_000);
    expect(errorOf(await scene.herald(...send)).code).toBe('similar-message');
    scene.clock.move(5 * 60_000);
    expect((await scene.herald(...send)).code).toBe(0);
    expect(await sent(scene, 'chat.send')).toBe(2);
  });
});

describe('a line without a skew', () => {
  it('is over for a plan a day later', async () => {
    const { scene } = aMachine(FILES);
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.create',
      how: 'reset',
      when: 'before_commit',
      nth: 1,
    });
    await dieBefore(scene, isLost);
    withoutSkew(scene);
    scene.clock.move(HOUR);
    expect((await planned(scene)).code).toBe(5);
    scene.clock.move(24 * HOUR);
    expect((await planned(scene)).code).toBe(0);
  });
});
