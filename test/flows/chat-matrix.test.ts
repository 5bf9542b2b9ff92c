import { describe, expect, it } from 'vitest';
import { CHAT, errorOf, queued, SEND, sent } from '../helpers/chats.ts';
import { dieBefore } from '../helpers/flows.ts';
import { listDeaths } from '../helpers/deaths.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const ORDER = [...SEND, '--text', 'A word', '--yes'] as const;
const JSON_FORMAT = ['--format', 'json'] as const;

/** How often it was really queued, also after everything that may still land. */
async function landed(scene: Scene): Promise<number> {
  scene.clock.move(200_000);
  return (await queued(scene)).length;
}

// CHAT-2
describe('LOST-10, a chat send with a lost answer', () => {
  it.each([
    { title: 'and carried out', when: 'after_commit', times: 1 },
    { title: 'and not carried out', when: 'before_commit', times: 0 },
  ] as const)(
    '$title: exit 3, never repeated, the chat shown, open for the next run',
    async ({ when, times }) => {
      const scene = aScene();
      await scene.fault({ kind: 'broken_answer', operation: 'chat.send', how: 'reset', when, nth: 1 });
      const error = errorOf(await expectCode(scene, 3, ...ORDER, ...JSON_FORMAT));
      expect(error.code).toBe('unknown-outcome');
      expect(error.message).toContain(
        'Unconfirmed: the message to chat 101001 of alice (account 101) may have been sent',
      );
      expect(error.details).toMatchObject({ entry: 'run1-1', tail_problem: null });
      expect((error.details as { tail: unknown[] }).tail.length).toBeGreaterThan(0);
      expect(await sent(scene, 'chat.send')).toBe(1);
      expect(await landed(scene)).toBe(times);

      const next = errorOf(await expectCode(scene, 3, ...ORDER, ...JSON_FORMAT));
      expect(next).toMatchObject({
        code: 'open-send',
        details: { open: [{ entry: 'run1-1', outcome: null }] },
      });
      expect(next.message).toContain('"A word" (entry run1-1)');
      expect(await sent(scene, 'chat.send'), 'nothing was sent by the second run').toBe(1);

      // It may have been sent within five minutes: having looked at the chat, no one sends it twice by accident.
      await expectCode(scene, 5, ...ORDER, '--acknowledge');
      await expectCode(scene, 0, ...ORDER, '--acknowledge', '--allow-similar');
      expect(await outcomesOnRecord(scene)).toEqual(['closed', 'done']);
      expect(
        (await scene.herald(...SEND, '--text', 'Another', '--yes')).code,
        'nothing is open any more',
      ).toBe(0);
    },
  );
});

describe('LOST-10, a chat send that was certainly not carried out at first', () => {
  it('FAULT-6 for good: exit 1, nothing sent, nothing open', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'connection_refused', operation: 'chat.send' });
    const ran = await expectCode(scene, 1, ...ORDER);
    expect(ran.stderr).toContain('Nothing was sent.');
    expect(new Set(await outcomesOnRecord(scene))).toEqual(new Set(['not_sent']));
  });

  it('FAULT-7 and long: each copy that leaves has an entry that is not older than it', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'throttle', operation: 'chat.send', retry_after_sec: 30, nth: 1 });
    await scene.fault({
      kind: 'broken_answer',
      operation: 'chat.send',
      how: 'reset',
      when: 'after_commit',
      nth: 2,
    });
    await expectCode(scene, 3, ...ORDER);
    const [first, second] = await scene.requests();
    expect(first?.outcome).toBe('not_sent');
    expect(second?.outcome).toBe(null);
    expect((second?.sent_at ?? 0) - (first?.sent_at ?? 0)).toBeGreaterThanOrEqual(29_000);
  });
});

describe('LOST-10, a process that dies', () => {
  it.each(listDeaths('chat.send'))('$title: the next run shows the open entry', async ({ faults, times }) => {
    const scene = aScene();
    for (const fault of faults) await scene.fault(fault);
    await dieBefore(scene, (what) => what === 'end', ORDER);
    const ran = await expectCode(scene, 3, ...ORDER);
    expect(ran.stderr).toContain('is unconfirmed, so nothing was sent now. Sent at Mon 1 Jun 2026 12:00 UTC');
    expect(ran.stderr).toContain('--acknowledge');
    expect(await sent(scene, 'chat.send')).toBe(1);
    expect(await landed(scene)).toBe(times);
  });

  it('before its entry was on the disk has sent nothing', async () => {
    const scene = aScene();
    await dieBefore(scene, (what) => what === 'begin', ORDER);
    expect(await sent(scene, 'chat.send')).toBe(0);
    await expectCode(scene, 0, ...ORDER);
    expect(await landed(scene)).toBe(1);
  });
});

describe('LOST-10, FAULT-9: the same words a moment ago', () => {
  it('are refused with --yes, exit 5, unless they are meant', async () => {
    const scene = aScene();
    await expectCode(scene, 0, ...ORDER);
    const error = errorOf(await expectCode(scene, 5, ...ORDER, ...JSON_FORMAT));
    expect(error).toMatchObject({
      code: 'similar-message',
      hint: expect.stringContaining('--allow-similar'),
    });
    expect(await queued(scene)).toEqual(['A word']);
    await expectCode(scene, 0, ...ORDER, '--allow-similar');
    expect(await queued(scene)).toEqual(['A word', 'A word']);
  });

  it('are seen no matter who wrote them, with or without a record', async () => {
    const scene = aScene();
    await scene.service((control) =>
      control.seed({ account_id: '101', kind: 'chat_message', set: { chat_id: CHAT, text: ' A word\n' } }),
    );
    const { details } = errorOf(await expectCode(scene, 5, ...ORDER, ...JSON_FORMAT));
    expect(details).toMatchObject({ same: [], similar: [{ text: ' A word\n', is_sent_by_me: true }] });
    scene.clock.move(5 * 60_000 + 1_000);
    await expectCode(scene, 0, ...ORDER);
  });

  it('are nothing when the fan said them, or in another chat', async () => {
    const scene = aScene();
    await scene.service((control) =>
      control.seed({
        account_id: '101',
        kind: 'chat_message',
        set: { chat_id: CHAT, text: 'A word', from_me: false },
      }),
    );
    await expectCode(scene, 0, ...ORDER);
    await expectCode(scene, 0, 'chat', 'send', '101002', '--account', 'alice', '--text', 'A word', '--yes');
  });

  it('are shown and asked about at a terminal', async () => {
    const scene = aScene();
    await expectCode(scene, 0, ...ORDER);
    scene.clock.move(10_000);
    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), true);
    const ran = await expectCode(scene, 0, ...SEND, '--text', 'A word');
    expect(questions).toEqual([
      'Send it anyway at simulator .herald/world.json? It cannot be recalled. Type yes to send it:',
    ]);
    expect(ran.stderr).toContain('The chat has the same text, sent within the last five minutes');
    expect(await queued(scene)).toEqual(['A word', 'A word']);
  });

  it('that turn up while it is asked stop it', async () => {
    const scene = aScene();
    await scene.fault({
      kind: 'change_before',
      operation: 'chat.messages',
      nth: 2,
      seed: { account_id: '101', kind: 'chat_message', set: { chat_id: CHAT, text: 'A word' } },
    });
    scene.answer = () => true;
    const ran = await expectCode(scene, 5, ...SEND, '--text', 'A word');
    expect(ran.stderr).toContain('appeared in the chat while Herald waited');
    expect(await queued(scene)).toEqual([]);
  });
});

describe('LOST-10, FAULT-10: a 202 with a body that cannot be read', () => {
  it.each(['truncated', 'unreadable'] as const)('%s: accepted, exit 0, with a warning', async (how) => {
    const scene = aScene();
    await scene.fault({ kind: 'broken_answer', operation: 'chat.send', how, when: 'after_commit', nth: 1 });
    const ran = await expectCode(scene, 0, ...ORDER);
    expect(ran.stderr).toContain(
      'warning: send-not-tracked: The service accepted the message, but returned no send_id',
    );
    expect(ran.stdout).toContain('send_id unknown');
    expect(await scene.requests()).toMatchObject([{ outcome: 'done', live_id: null }]);
    expect(await landed(scene)).toBe(1);
  });

  it.each([{ send_id: null }, { send_id: 7 }, { send_id: undefined }])(
    'with %j in it: the same',
    async (set) => {
      const scene = aScene();
      await scene.fault({ kind: 'odd_reply', operation: 'chat.send', set });
      expect((await expectCode(scene, 0, ...ORDER)).stderr).toContain(
        set.send_id === undefined ? '' : 'returned no send_id',
      );
    },
  );
});

it('an interrupt while it waits for its turn sends nothing and exits 130', async () => {
  const scene = aScene();
  await scene.fault({ kind: 'throttle', operation: 'chat.send', retry_after_sec: 30, nth: 1 });
  const run = scene.start(...ORDER);
  while ((await sent(scene, 'chat.send')) === 0) await new Promise((resolve) => setImmediate(resolve));
  run.interrupt();
  const ran = await run.ran;
  expect(ran.code).toBe(130);
  expect(ran.stderr).toContain('Interrupted; nothing was sent.');
  expect(await landed(scene)).toBe(0);
});

it('a chat with an end that cannot be read sends nothing', async () => {
  const scene = aScene();
  await scene.fault({ kind: 'broken_answer', operation: 'chat.messages', how: '500', when: 'before_commit' });
  expect((await scene.herald(...ORDER)).code).toBe(1);
  expect(await sent(scene, 'chat.send')).toBe(0);
});

it('a lost answer with a chat that cannot be read either says both', async () => {
  const scene = aScene();
  await scene.fault({ kind: 'broken_answer', operation: 'chat.send', how: 'reset', when: 'after_commit' });
  await scene.fault({
    kind: 'broken_answer',
    operation: 'chat.messages',
    how: '500',
    when: 'before_commit',
    nth: 2,
    times: 99,
  });
  const ran = await expectCode(scene, 3, ...ORDER);
  expect(ran.stderr).toContain('The last messages of chat 101001 of alice (account 101) cannot be shown');
  expect(ran.stderr).toContain('may have been sent');
});

it('a lost answer shows the end of the chat as a table', async () => {
  const scene = aScene();
  await scene.fault({ kind: 'broken_answer', operation: 'chat.send', how: 'timeout', when: 'after_commit' });
  const ran = await expectCode(scene, 3, ...ORDER);
  expect(ran.stderr).toMatch(
    /Last messages of chat 101001 of alice \(account 101\):\ncreated +from +text +price +media\n/,
  );
  expect(ran.stderr).toMatch(/2026-06-01T12:00:\S+ +us +A word +free +0\n/);
});

async function outcomesOnRecord(scene: Scene) {
  return (await scene.requests()).map(({ outcome }) => outcome);
}

async function expectCode(scene: Scene, code: number, ...args: readonly string[]) {
  const ran = await scene.herald(...args);
  expect(ran.code, `${ran.stdout}\n${ran.stderr}`).toBe(code);
  return ran;
}
