import { describe, expect, it } from 'vitest';
import { planShape } from '../../src/domain/change.ts';
import { listShape } from '../../src/cli/schemas.ts';
import { CHAT, SEND } from '../helpers/chats.ts';
import { addAll, anEvent } from '../helpers/event-builders.ts';
import { documentOf } from '../helpers/flows.ts';
import { aScene, NOON, type Scene } from '../helpers/scene.ts';

const KIND = 'firewall.message_guard.violation.svc_api';
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
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

  it('can be read with the command that the message names', async () => {
    const { scene, sendId } = await accepted();
    await blocked(scene, { send_id: sendId });
    const [item] = await items(scene);
    const [, ref = ''] = /herald events show (\w+)/.exec(String(item?.['message'])) ?? [];
    expect((await scene.herald('events', 'show', ref)).stdout).toContain(sendId);
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

  it('is in drift for a week', async () => {
    const { scene, sendId } = await accepted();
    await blocked(scene, { send_id: sendId });
    await scene.clock.sleep(6.9 * DAY_MS);
    expect((await drift(scene)).code).toBe(2);
    await scene.clock.sleep(0.2 * DAY_MS);
    expect(await drift(scene)).toEqual({ code: 0, found: [] });
  });
});

it('events that cannot be read are named in drift and history, which go on', async () => {
  const { scene } = await accepted();
  scene.events.read = () => Promise.reject(new Error('the disk is gone'));
  const { code, found } = await drift(scene);
  expect([code, found]).toMatchObject([0, [{ code: 'events-not-read' }]]);
  const { code: listed, stderr } = await scene.herald('history');
  expect([listed, stderr]).toEqual([
    0,
    expect.stringContaining('warning: events-not-read: Blocked messages may be'),
  ]);
});
