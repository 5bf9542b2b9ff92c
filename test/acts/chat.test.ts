import { describe, expect, it } from 'vitest';
import { type ChatConsent, type ChatDraft, sendChatMessage } from '../../src/acts/chat.ts';
import { ALICE, actScene, lost, outcomes, summarise, type ActScene, type RunOptions } from './act-scene.ts';
import { fullDisk } from '../engine/run-scene.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';
import { EXIT } from '../../src/domain/exit-codes.ts';

const CHAT = '101001';
const PLACE = { account: ALICE, chatId: CHAT };
const HELLO: ChatDraft = { text: 'Hello', price: null, lockedText: false, media: [] };
const YES: ChatConsent = { acknowledge: false, allowSimilar: false, obeyPolicy: () => undefined };

interface Sending extends RunOptions {
  readonly text?: string | null;
  readonly media?: ChatDraft['media'];
  readonly consent?: Partial<ChatConsent>;
}

function send(scene: ActScene, { text = 'Hello', media = [], consent, ...options }: Sending = {}) {
  const draft = { ...HELLO, text, media };
  const work = scene.act((run) => sendChatMessage(run, PLACE, draft, { ...YES, ...consent }), options);
  return summarise(work.then(() => ({ kind: 'queued' })));
}

/** The texts that the fan really gets. */
const queued = (scene: ActScene) =>
  (scene.control.oracle().chats['101']?.sends[CHAT] ?? []).map(({ text }) => text);

describe('a chat message', () => {
  // CHAT-2
  it('is held back by an earlier one without an answer', async () => {
    const scene = actScene();
    await send(scene, { killAt: 'answered' });
    expect(await send(scene, { text: 'Other' })).toBe('unknown open-request');
    expect(await send(scene, { text: 'Other', consent: { acknowledge: true } })).toBe('queued');
    expect(await outcomes(scene)).toBe('closed, done');
    expect(queued(scene)).toEqual(['Hello', 'Other']);
  });

  it('that is acknowledged still counts as the same message', async () => {
    const scene = actScene();
    scene.control.addFault(lost.before('chat.send'));
    await send(scene);
    expect(await send(scene, { consent: { acknowledge: true } })).toBe('blocked similar-message');
    expect(await send(scene, { consent: { acknowledge: true, allowSimilar: true } })).toBe('queued');
  });

  it('is refused if the same one was sent within five minutes, in whatever spelling', async () => {
    const scene = actScene();
    await send(scene);
    expect(await send(scene, { text: ' Hello\r\n' })).toBe('blocked similar-message');
    expect(await send(scene, { text: 'Hello you' })).toBe('queued');
    expect(await send(scene, { consent: { allowSimilar: true } })).toBe('queued');
    scene.clock.move(310_000);
    expect(await send(scene)).toBe('queued');
    expect(queued(scene)).toEqual(['Hello', 'Hello you', 'Hello', 'Hello']);
  });

  it('is refused if the chat shows the same one, sent by a person', async () => {
    const scene = actScene();
    scene.control.seed({ kind: 'chat_message', account_id: '101', set: { chat_id: CHAT, text: 'Hello' } });
    expect(await send(scene)).toBe('blocked similar-message');
    expect(scene.count('chat.send')).toBe(0);
  });

  it('is not sent if the policy forbids it by then', async () => {
    const scene = actScene();
    let asked = 0;
    const obeyPolicy = () => {
      asked += 1;
      if (asked > 1)
        throw new HeraldError('policy-denied', 'Quiet hours have begun.', '', { exit: EXIT.blocked });
    };
    scene.control.addFault(lost.throttled('chat.send'));
    expect(await send(scene, { consent: { obeyPolicy } })).toBe('blocked policy-denied');
    expect(queued(scene)).toEqual([]);
  });

  it('is not sent if it cannot be recorded, and stays unconfirmed if its end cannot be', async () => {
    const scene = actScene();
    const unrecorded = scene.act((run) => sendChatMessage(fullDisk(run, 'begin'), PLACE, HELLO, YES));
    await expect(unrecorded).rejects.toThrow('Nothing was sent, because the state cannot record it');
    expect(queued(scene)).toEqual([]);
    const sent = await scene.act((run) => sendChatMessage(fullDisk(run, 'end'), PLACE, HELLO, YES));
    expect(sent).toMatchObject({ unrecorded: 'the disk is full' });
    expect(await send(scene, { text: 'Other' })).toBe('unknown open-request');
    expect(queued(scene)).toEqual(['Hello']);
  });

  it('counts as the same one by the service if this machine is ahead', async () => {
    const scene = actScene();
    await send(scene);
    expect(await send(scene, { aheadMs: 3_600_000 })).toBe('blocked similar-message');
  });
});

it('a message of media alone is compared by its media', async () => {
  const scene = actScene();
  const photo = (id: string) => ({ text: null, media: [{ id, type: 'photo', isPaid: false }] });
  expect(await send(scene, photo('55012'))).toBe('queued');
  expect(await send(scene, photo('55013'))).toBe('queued');
  expect(await send(scene, photo('55012'))).toBe('blocked similar-message');
});

it('a message without an answer says so also where its chat cannot be read', async () => {
  const scene = actScene();
  scene.control.addFault(lost.after('chat.send'));
  scene.control.addFault({ kind: 'refusal', operation: 'chat.messages', status: 403, nth: 2, times: 9 });
  expect(await send(scene)).toBe('unknown unknown-outcome');
});
