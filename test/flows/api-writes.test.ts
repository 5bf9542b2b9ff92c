import { describe, expect, it } from 'vitest';
import { errorReportShape } from '../../src/domain/change.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { byHand, withBroadcast, withCampaign } from '../helpers/by-hand.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  documentOf,
  outcomes,
  planned,
  statuses,
  writesSent,
} from '../helpers/flows.ts';
import { lastAct, paidOut, payout, refusedPayout } from '../helpers/payouts.ts';
import { aScene, LEDGER_FILE, type Ran, type Scene } from '../helpers/scene.ts';

const WELCOME = {
  trigger: 'welcome_message',
  action: 'send_message',
  name: 'Welcome',
  messages: [{ text: 'Hey' }],
};
const TWENTY = { withdrawal_amount: 20 };
const HI = { text: 'Hi', media: [] };

/** `herald api OPERATION` with this body, and `account_id=101` unless other parameters are given. */
function call(scene: Scene, operation: string, body?: unknown, ...params: string[]): Promise<Ran> {
  if (body !== undefined) scene.files.tree['body.json'] = JSON.stringify(body);
  const given = params.length === 0 ? ['account_id=101'] : params;
  const flags = given.flatMap((param) => ['--param', param]);
  return scene.herald(
    'api',
    operation,
    ...flags,
    ...(body === undefined ? [] : ['--body', 'body.json']),
    '--yes',
    '--format',
    'json',
  );
}

const create = (scene: Scene, body: object = WELCOME) => call(scene, 'campaigns.create', body);
const pay = (scene: Scene) =>
  call(scene, 'payouts.request', TWENTY, 'platform=platform_a', 'platform_account_id=9101');
const say = (scene: Scene, body: object = HI) =>
  call(scene, 'chat.send', body, 'account_id=101', 'chat_id=101001');
const set = (scene: Scene, status: string, id = '77') =>
  call(scene, 'campaigns.set-status', { status }, 'account_id=101', `campaign_id=${id}`);

const lost = (operation: string, when: 'before_commit' | 'after_commit' = 'before_commit') =>
  ({ kind: 'broken_answer', operation, how: 'reset', when, nth: 1 }) as FaultInput;

async function refusal(ran: Promise<Ran>) {
  const done = await ran;
  return { exit: done.code, ...documentOf(done, errorReportShape) };
}

const history = async (scene: Scene) => (await scene.herald('history', '--format', 'json')).stdout;
const check = async (scene: Scene) => (await scene.herald('ledger', 'check')).stdout.replaceAll(/\s+/g, ' ');

describe('a campaign that herald api creates', () => {
  const files = declaring({ campaigns: [campaign()] });

  it.each([1, 40])(
    'with a lost answer and that comes %i s late: apply waits for it and takes it over',
    async (after_sec) => {
      const scene = aScene({ files });
      await scene.fault({
        kind: 'late_commit',
        operation: 'campaigns.create',
        after_sec,
        how: 'reset',
        nth: 1,
      });
      const error = await refusal(create(scene));
      expect({ exit: error.exit, code: error.code }).toEqual({ exit: 3, code: 'unknown-outcome' });
      expect(error.hint).toContain('Run herald apply to find out what happened');
      const run = await applied(scene);
      expect(run.code, run.stderr).toBe(0);
      expect(outcomes(run)).toEqual(['keep adopted']);
      expect(await createsSent(scene)).toBe(1);
      expect(await statuses(scene, 'campaign')).toEqual(['active']);
    },
  );

  it('with a lost answer and that never comes: apply creates it once', async () => {
    const scene = aScene({ files });
    await scene.fault(lost('campaigns.create'));
    await create(scene);
    expect(outcomes(await applied(scene))).toEqual(['create applied']);
    expect(await statuses(scene, 'campaign')).toEqual(['active']);
  });

  it('is not created again by herald api while its answer is lost', async () => {
    const scene = aScene({ files });
    await scene.fault(lost('campaigns.create', 'after_commit'));
    await create(scene);
    const error = await refusal(create(scene));
    expect({ exit: error.exit, code: error.code }).toEqual({ exit: 3, code: 'open-request' });
    expect(error.message).toContain('the create of alice/campaign/Welcome');
    expect(await createsSent(scene)).toBe(1);
    expect((await create(scene, { ...WELCOME, name: 'Other' })).code, 'another name').toBe(0);
  });

  it('is in the history, and Herald knows it as its own', async () => {
    const scene = aScene({ files });
    expect((await create(scene)).code).toBe(0);
    expect(await history(scene)).toContain('"action":"create"');
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ messages: [{ text: 'Hello' }] })] }));
    expect(decisions(await planned(scene)), 'no --allow adopt').toEqual(['replace alice/campaign/Welcome']);
  });

  it('without a name is on record for a person, who closes it', async () => {
    const scene = aScene();
    await scene.fault(lost('campaigns.create'));
    const { name: _, ...nameless } = WELCOME;
    const error = await refusal(create(scene, nameless));
    expect(error.exit).toBe(3);
    expect(await check(scene)).toContain('campaigns.create of one object on alice');
    scene.clock.move(80_000);
    const entry = (await lastAct(scene))?.entry ?? '';
    expect((await scene.herald('ledger', 'close', entry, '--because', 'not there', '--yes')).code).toBe(0);
  });

  it('is not created where the list of its name cannot be read', async () => {
    const scene = aScene();
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.list',
      how: '502',
      when: 'before_commit',
    });
    expect((await create(scene)).code).toBe(1);
    expect(await writesSent(scene)).toEqual([]);
  });

  it('does not wait: while another run has the lock, it is refused', async () => {
    const scene = await withCampaign();
    const seen: Ran[] = [];
    scene.answer = async () => {
      seen.push(await create(scene));
      return false;
    };
    await scene.herald('campaigns', 'activate', '77', '--account', 'alice');
    await scene.herald('campaigns', 'unsend', '77', '--account', 'alice');
    expect(seen.map(({ code }) => code)).toEqual([1]);
    expect(seen[0]?.stdout).toContain('"code": "locked"');
  });

  it('is refused before the question where it breaks a bound, and leaves nothing on record', async () => {
    const scene = aScene();
    expect((await refusal(create(scene, { name: 'X' }))).code).toBe('invalid-call');
    expect(scene.files.tree[LEDGER_FILE]).toBeUndefined();
  });
});

describe('a broadcast that herald api creates', () => {
  it.each([
    [{ scheduled_at: '2026-06-01T15:00:00', scheduled_at_timezone_mode: 'utc' }, 'keep adopted'],
    [{ scheduled_at: '2026-06-01T15:00:00+02:00', scheduled_at_timezone_mode: 'utc' }, 'keep adopted'],
  ])('with a lost answer is taken over by apply (%j)', async (schedule, end) => {
    const declared = {
      name: 'Teaser',
      scheduled_at: '2026-06-01T15:00Z',
      audience: 'everyone',
      messages: [{ text: 'Hey' }],
    };
    const scene = aScene({ files: declaring({ broadcasts: [declared] }) });
    await scene.fault({
      kind: 'late_commit',
      operation: 'broadcasts.create',
      after_sec: 30,
      how: 'reset',
      nth: 1,
    });
    await call(scene, 'broadcasts.create', { name: 'Teaser', messages: [{ text: 'Hey' }], ...schedule });
    expect(outcomes(await applied(scene))).toEqual([end]);
    expect(await statuses(scene, 'broadcast')).toEqual(['scheduled']);
  });
});

describe('a status that herald api sets', () => {
  it('counts as by hand: what a person stops stays stopped', async () => {
    const scene = await withCampaign();
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign()] }));
    await scene.service((control) => control.editCampaign('101', '77', { messages: [{ text: 'Hey' }] }));
    expect((await set(scene, 'paused')).code).toBe(0);
    expect(decisions(await planned(scene))).toEqual(['blocked alice/campaign/Welcome']);
    expect((await byHand(scene, 'campaigns', 'activate', '77')).code).toBe(0);
  });

  it('is not sent next to a lost one of another status', async () => {
    const scene = await withCampaign();
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.set-status',
      how: '502',
      when: 'before_commit',
    });
    expect((await set(scene, 'archived')).code).toBe(3);
    await scene.service((control) => control.clearFaults());
    const sent = await writesSent(scene);
    expect(await refusal(set(scene, 'active'))).toMatchObject({ exit: 3, code: 'open-request' });
    expect(await writesSent(scene)).toEqual(sent);
    expect((await set(scene, 'archived')).code, 'the same one may be asked for again').toBe(0);
  });

  it('is not sent while a copy of another status may still arrive', async () => {
    const scene = await withCampaign();
    await scene.fault({
      kind: 'late_commit',
      operation: 'campaigns.set-status',
      after_sec: 40,
      how: 'reset',
      nth: 1,
    });
    expect((await set(scene, 'paused')).code, 'answered at the second attempt').toBe(0);
    const error = await refusal(set(scene, 'active'));
    expect(error).toMatchObject({ exit: 3, code: 'open-request' });
    expect(error.hint).toMatch(/^Try again after 2026-06-01T12:01:/);
    scene.clock.move(80_000);
    expect((await set(scene, 'active')).code).toBe(0);
    expect(await statuses(scene, 'campaign')).toEqual(['active']);
  });

  // BROADCAST-18
  it('of a broadcast that answers with another status is not on record as paused', async () => {
    const scene = await withBroadcast();
    await scene.fault({ kind: 'odd_reply', operation: 'broadcasts.set-status', set: { status: 'sending' } });
    await call(scene, 'broadcasts.set-status', { status: 'paused' }, 'account_id=101', 'campaign_id=55');
    expect(await history(scene)).toContain('"outcome":"refused"');
  });

  it('and a recall: one with a lost answer is shown, and not asked for again next to it', async () => {
    const scene = await withCampaign();
    await scene.fault(lost('campaigns.unsend'));
    const unsend = () => call(scene, 'campaigns.unsend', undefined, 'account_id=101', 'campaign_id=77');
    expect((await unsend()).code).toBe(3);
    expect(await check(scene)).toContain('the recall of alice/campaign/Welcome (77)');
    expect(await refusal(unsend())).toMatchObject({ exit: 3, code: 'open-request' });
    expect(await refusal(set(scene, 'active'))).toMatchObject({ exit: 3, code: 'open-request' });
  });
});

describe('a payout that herald api requests', () => {
  it('with a lost answer holds back herald payouts request, which finds it', async () => {
    const scene = aScene();
    await scene.fault(lost('payouts.request'));
    expect((await pay(scene)).code).toBe(3);
    expect((await refusedPayout(scene, 3, '--amount', '20')).code).toBe('open-payout');
    expect(await refusal(pay(scene))).toMatchObject({ exit: 3, code: 'open-request' });
    expect(await paidOut(scene)).toEqual([]);
  });

  it('that comes late is found by herald payouts request: one payout', async () => {
    const scene = aScene();
    await scene.fault({
      kind: 'late_commit',
      operation: 'payouts.request',
      after_sec: 40,
      how: 'reset',
      nth: 1,
    });
    await pay(scene);
    const { item } = await payout(scene, '--amount', '20');
    expect(item).toMatchObject({ outcome: 'made_earlier', sent: false });
    expect(await paidOut(scene)).toEqual([2000]);
  });

  it('counts as the same one for a day', async () => {
    const scene = aScene();
    expect((await pay(scene)).code).toBe(0);
    expect(await lastAct(scene)).toMatchObject({ account: '9101', outcome: 'done', subject: '20.00 USD' });
    expect((await refusedPayout(scene, 5, '--amount', '20')).code).toBe('similar-payout');
  });

  it('is held back by a lost one of herald payouts request', async () => {
    const scene = aScene();
    await scene.fault(lost('payouts.request'));
    await refusedPayout(scene, 3, '--amount', '20');
    expect(await refusal(pay(scene))).toMatchObject({ exit: 3, code: 'open-request' });
    expect(await paidOut(scene)).toEqual([]);
  });
});

describe('a chat message that herald api sends', () => {
  const send = (scene: Scene, ...flags: string[]) =>
    scene.herald(
      'chat',
      'send',
      '101001',
      '--account',
      'alice',
      '--text',
      'Hi',
      '--yes',
      '--format',
      'json',
      ...flags,
    );

  it('with a lost answer holds back herald chat send, and the other way round', async () => {
    for (const [first, second] of [
      [say, send],
      [send, say],
      [say, say],
    ] as const) {
      const scene = aScene();
      await scene.fault(lost('chat.send'));
      expect((await first(scene)).code).toBe(3);
      expect((await second(scene)).code).toBe(3);
      expect((await writesSent(scene)).length).toBe(1);
    }
  });

  it('counts as the same message for herald chat send', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'odd_reply', operation: 'chat.messages', set: { items: [], has_more: false } });
    expect((await say(scene)).code).toBe(0);
    const error = await refusal(send(scene));
    expect({ exit: error.exit, code: error.code }).toEqual({ exit: 5, code: 'similar-message' });
  });

  it('is not sent where a line of the ledger cannot be read: it may be an open one', async () => {
    const scene = aScene({ files: { [LEDGER_FILE]: '{"v":1,"type":"act",entry:"x"}\n' } });
    expect((await refusal(say(scene))).code).toBe('damaged-ledger');
    expect(await writesSent(scene)).toEqual([]);
  });
});

describe('what herald api does with a fan or an upload', () => {
  const fan = ['account_id=101', 'fan_id=101001'];

  it('no fan is followed where a line of the ledger cannot be read: it may be an open follow', async () => {
    const scene = aScene({ files: { [LEDGER_FILE]: 'nonsense\n' } });
    expect((await refusal(call(scene, 'fans.follow', undefined, ...fan))).code).toBe('damaged-ledger');
    expect(await writesSent(scene)).toEqual([]);
  });

  it('a lost follow is waited for by herald fans follow, and not repeated next to it', async () => {
    const scene = aScene();
    await scene.fault(lost('fans.follow', 'after_commit'));
    expect((await call(scene, 'fans.follow', undefined, ...fan)).code).toBe(3);
    expect(await refusal(call(scene, 'fans.follow', undefined, ...fan))).toMatchObject({
      code: 'open-request',
    });
    const ran = await scene.herald('fans', 'follow', '101001', '--account', 'alice', '--yes');
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain('Unconfirmed: an earlier request');
  });

  it('a lost label holds back another value, and the same one may be set again', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'broken_answer', operation: 'fans.label', how: '502', when: 'before_commit' });
    const label = (name: string) => call(scene, 'fans.label', { custom_name: name }, ...fan);
    expect((await label('Tom')).code).toBe(3);
    await scene.service((control) => control.clearFaults());
    expect(await refusal(label('Tim'))).toMatchObject({ code: 'open-request' });
    expect((await label('Tom')).code).toBe(0);
  });

  it('a start of an upload is on record with the digest of its body; a fan’s link is only looked up', async () => {
    const scene = aScene();
    const file = { name: 'a.jpg', size: 3, content_type: 'image/jpeg' };
    expect((await call(scene, 'vault.upload-start', file)).code).toBe(0);
    expect(await lastAct(scene)).toMatchObject({ operation: 'vault.upload-start', outcome: 'done' });
    expect((await lastAct(scene))?.details['body_digest']).toMatch(/\S/);
    const before = scene.files.tree[LEDGER_FILE];
    await call(scene, 'vault.verify-fan', { fan_link: 'https://platform.example/x' });
    expect(scene.files.tree[LEDGER_FILE]).toBe(before);
  });
});
