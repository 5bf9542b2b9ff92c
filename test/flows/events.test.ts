import { describe, expect, it } from 'vitest';
import { listShape } from '../../src/cli/schemas.ts';
import { planShape } from '../../src/domain/change.ts';
import { createEvent, storedEventShape } from '../../src/events/event.ts';
import { CHAT, SEND } from './chats.ts';
import { addAll, anEvent } from '../helpers/event-builders.ts';
import { documentOf, expectEnd } from '../helpers/flows.ts';
import { MESSAGE, recorded } from './recorded.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { NOON } from '../helpers/flow-clock.ts';

const MINUTE_MS = 60_000;

/** Three events, five minutes apart. */
async function stored(): Promise<Scene> {
  const scene = aScene();
  const at = (minutes: number) => NOON - minutes * MINUTE_MS;
  await addAll(
    scene.events,
    anEvent(
      { event_id: 't1', event: 'fans.tip.received', account_id: 101, fan: { id: '7' }, amount: 5 },
      at(15),
    ),
    anEvent({ event_id: 'p1', event: 'fans.ppv.purchased', account_id: 102, fan: { id: '8' } }, at(10)),
    anEvent({ event_id: 'x1', odd: true, account_id: 999 }, at(5)),
  );
  return scene;
}

async function refsOf(scene: Scene, ...flags: string[]): Promise<string[]> {
  const { stdout } = await scene.herald('events', 'list', '--format', 'ndjson', ...flags);
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => String((JSON.parse(line) as { id: unknown }).id));
}

describe('events list', () => {
  it('shows the newest first', async () => {
    const scene = await stored();
    const { code, stdout } = await scene.herald('events', 'list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/unknown .*\n.*fans\.ppv\.purchased +bob +8 .*\n.*fans\.tip\.received +alice +7 /);
  });

  it.each([
    ['--kind=fans.*', ['p1', 't1']],
    ['--account=alice', ['t1']],
    ['--account=999', ['x1']],
    ['--fan=8', ['p1']],
    ['--from=12m', ['x1', 'p1']],
    ['--to=12m', ['t1']],
    ['--limit=1', ['x1']],
    ['--source=list', []],
  ])('takes %s', async (flag, expected) => {
    expect(await refsOf(await stored(), flag)).toEqual(expected);
  });
});

it('events list has columns for what bodies say of the message and the sender', async () => {
  const scene = aScene();
  const message = { content_type: 'ppv', user: { user_id: 12 }, svc_api_token_id: 'tok_1' };
  await addAll(scene.events, anEvent({ event_id: 'm1', event: 'chats.message.sent', message }, NOON));
  const columns = 'content_type,user_id,svc_api_token_id';
  const { stdout } = await scene.herald('events', 'list', '--columns', columns, '--format', 'csv');
  expect(stdout.trim().split(/\r?\n/)).toEqual([columns, 'ppv,12,tok_1']);
});

it('events show prints the body as it came, and JSON is herald/event/1', async () => {
  const scene = await stored();
  const { stdout } = await scene.herald('events', 'show', 't1');
  expect(stdout).toContain('account: alice');
  expect(stdout).toContain('{"event_id":"t1","event":"fans.tip.received"');
  const json = await scene.herald('events', 'show', 't1', '--format', 'json');
  expect(documentOf(json, storedEventShape).body).toContain('"amount":5');
  expectEnd(await scene.herald('events', 'show', 'nothing'), 1, 'No stored event has the ref');
});

describe('events forget', () => {
  it('erases the events of one fan, wherever the id is, and no others', async () => {
    const scene = await stored();
    await addAll(
      scene.events,
      anEvent({ event_id: 'a', buyer_id: 7 }),
      anEvent({ event_id: 'b', who: { name: 'x', list: ['7'] } }),
      anEvent({ event_id: 'c', text: 'a7', other_id: 77 }),
    );
    expectEnd(await scene.herald('events', 'forget', '7'), 1, 'Add --yes');
    const { stdout } = await scene.herald('events', 'forget', '7', '--yes');
    expect(stdout).toBe(
      'Erased 3 events of fan 7. The next comparison with the lists stores the payments and subscriptions again that the service still lists.\n',
    );
    expect(await refsOf(scene)).toEqual(expect.arrayContaining(['c', 'p1', 'x1']));
    expect(await refsOf(scene)).toHaveLength(3);
  });

  it('names events that it cannot read, and how to erase them', async () => {
    const scene = aScene();
    const bytes = Buffer.from([0xff, 0xfe, 0x00]);
    await addAll(scene.events, createEvent(bytes, NOON), anEvent({ fan_id: '90017' }));
    const { code, stdout, stderr } = await scene.herald('events', 'forget', '90017', '--yes');
    expect([code, stdout]).toEqual([4, expect.stringContaining('Erased 1 event ')]);
    expect(stderr).toContain('1 event has a body that Herald cannot read');
    expect(stderr).toMatch(/herald events show \w{10}\. .*herald events forget 90017 --unreadable/);
    const again = await scene.herald('events', 'forget', '90017', '--unreadable', '--yes');
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('Erased 1 event ')]);
  });
});

const KIND = 'firewall.message_guard.violation.svc_api';
const NOTHING = { 'live/all.yaml': 'campaigns: []\n' };

/** A scene in which one chat message was accepted at noon. */
async function accepted(text = 'Hello'): Promise<{ scene: Scene; sendId: string }> {
  const scene = aScene({ files: NOTHING });
  expect((await scene.herald(...SEND, '--text', text, '--yes')).code).toBe(0);
  const [request] = await scene.requests();
  return { scene, sendId: request?.live_id ?? '' };
}

async function blocked(scene: Scene, body: object, afterMs = MINUTE_MS): Promise<void> {
  const event = { event: KIND, account_id: 101, user_id: null, svc_api_token_id: 5, ...body };
  await addAll(scene.events, anEvent(event, NOON + afterMs));
}

async function items(scene: Scene): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const ran = await scene.herald('history', '--format', 'json');
  return documentOf(ran, listShape).items as Readonly<Record<string, unknown>>[];
}

async function drift(scene: Scene, ...flags: string[]) {
  const ran = await scene.herald('drift', '--format', 'json', ...flags);
  const { diagnostics } = documentOf(ran, planShape);
  const found = diagnostics.filter(({ code }) => code === 'message-blocked' || code === 'events-not-read');
  return { code: ran.code, found };
}

describe('a message that was accepted and blocked afterwards', () => {
  // EVENT-3
  it('is blocked in history and in drift, with what to do next', async () => {
    const { scene, sendId } = await accepted();
    expect((await drift(scene)).code).toBe(0);
    await blocked(scene, { send_id: sendId, chat_id: CHAT });
    const [item] = await items(scene);
    expect(item).toMatchObject({
      outcome: 'blocked',
      live_id: sendId,
      message: expect.stringContaining(`To send another text: herald chat send ${CHAT} --account alice`),
    });
    const { code, found } = await drift(scene);
    expect([code, found]).toMatchObject([2, [{ severity: 'warning' }]]);
    expect(found[0]?.message).toContain('blocked a message of alice');
    expect(found[0]?.message).toContain("herald history 'alice/message/*'");
    const text = await scene.herald('drift');
    expect(text.stdout).toMatch(/No other drift: .*1 message stopped by the guard\./);
    expect((await scene.herald('drift', '--format', 'markdown')).stdout).toContain(
      '### Herald drift: 1 message stopped by the guard',
    );
  });

  it('is not one with a lost answer, for an event that names no message', async () => {
    const { scene } = await accepted();
    await scene.fault({ kind: 'broken_answer', operation: 'chat.send', when: 'after_commit', how: 'reset' });
    expect((await scene.herald(...SEND, '--text', 'Other words', '--yes')).code).toBe(3);
    await blocked(scene, { account_id: 102 });
    expect((await items(scene)).map(({ outcome }) => outcome)).toEqual(['unknown', 'done']);
  });

  it('is named by events of other kinds, too', async () => {
    const { scene, sendId } = await accepted();
    await blocked(scene, { event: 'chat.message.read', send_id: sendId, content_type: 'message' });
    const [item] = await items(scene);
    expect(item).toMatchObject({
      outcome: 'done',
      message: expect.stringMatching(/names it \(chat\.message\.read\): herald events show \w+$/),
    });
  });

  it('leaves drift once another message was sent to the chat, and stays blocked in history', async () => {
    const { scene, sendId } = await accepted();
    await blocked(scene, { send_id: sendId });
    expect((await scene.herald(...SEND, '--text', 'Another text', '--yes')).code).toBe(0);
    expect(await drift(scene)).toEqual({ code: 0, found: [] });
    expect((await items(scene)).map(({ outcome }) => outcome)).toEqual(['done', 'blocked']);
  });
});

describe('which message an event is about', () => {
  it('is found by its send id wherever it is in the body', async () => {
    const { scene, sendId } = await accepted();
    await blocked(scene, { data: { context: { request: sendId } } });
    expect((await items(scene))[0]).toMatchObject({ outcome: 'blocked' });
  });

  it.each([
    ['its chat', { chat_id: CHAT }],
    ['its account', {}],
  ])('is not known if the event names only %s: drift warns, and history says nothing', async (_, named) => {
    const { scene } = await accepted();
    await blocked(scene, named);
    expect((await items(scene))[0]).toMatchObject({ outcome: 'done', message: '' });
    const { code, found } = await drift(scene);
    expect(code).toBe(2);
    expect(found[0]?.message).toContain('herald events list --account alice --kind');
  });
});

it('events reconcile with a range that has not come to its end yet finds nothing', async () => {
  const ran = await aScene().herald('events', 'reconcile', '--since', '1m');
  expect([ran.code, ran.stderr]).toEqual([0, '']);
});

it('events reconcile stores what lists show once, and says what no list can show', async () => {
  const scene = aScene();
  const fan = { account_id: '101', fan_id: '5550001' } as const;
  // A fan tipped twice and bought once. No receiver was there.
  await scene.service((control) => {
    control.setData({ transactions: 0, subscriptions: 0 });
    control.fanActs({ ...fan, does: 'tip', amount: 5 });
    control.advance(60_000);
    control.fanActs({ ...fan, does: 'tip', amount: 5 });
    control.fanActs({ ...fan, does: 'purchase', amount: 9 });
    control.advance(60_000);
  });
  // What happened just now is left to the next comparison.
  await scene.clock.sleep(300_000);
  const first = await scene.herald('events', 'reconcile', '--since', '1h');
  expect([first.code, first.stdout]).toEqual([0, expect.stringContaining('3 events had not come')]);
  expect(first.stdout).toContain('fans.tip.received: 2');
  expect(first.stdout).toContain('Events about blocked messages may be missing too');
  const again = await scene.herald('events', 'reconcile', '--since', '1h', '--format', 'json');
  expect(JSON.parse(again.stdout)).toMatchObject({ item: { added: 0 } });
  const flags = ['--kind', 'fans.tip.received', '--columns', 'account,source', '--format', 'csv'];
  const { stdout } = await scene.herald('events', 'list', ...flags);
  expect(stdout).toBe('account,source\nalice,list\nalice,list\n');
});

it('events that cannot be read do not hold up what only adds to them', async () => {
  const scene = aScene();
  await recorded(scene, MESSAGE, { outcome: 'done', live_id: 'send-1' });
  Object.assign(scene.events, { read: () => Promise.reject(new Error('it is damaged')) });
  const ran = await scene.herald('history');
  expectEnd(ran, 0, 'warning: events-not-read: Blocked messages may be missing, because the stored events');
});
