import { describe, expect, it } from 'vitest';
import { errorOf, queued, SEND, sent } from '../helpers/chats.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const YES = ['--yes', '--format', 'json'] as const;

/** A chat that shows what was queued only after minutes (CHAT-2). */
const slowChat = (): Scene => aScene({ world: { modes: { chatDelaySec: 240 } } });

async function expectCode(scene: Scene, code: number, ...args: readonly string[]) {
  const ran = await scene.herald(...args);
  expect(ran.code, `${ran.stdout}\n${ran.stderr}`).toBe(code);
  return ran;
}

describe('the same message, typed in another way while the chat does not show the first one', () => {
  const words = ['--text', 'A word'] as const;
  it.each<[string, readonly string[], readonly string[]]>([
    ['with a price of 0', words, [...words, '--price', '0']],
    ['with a space at the end', words, ['--text', 'A word ']],
    ['with letters in parts', ['--text', 'Caf\u00e9'], ['--text', 'Cafe\u0301']],
    ['with other line ends', ['--text', 'a\nb'], ['--text', 'a\r\nb']],
    [
      'with another form of its price',
      [...words, '--locked', '--price', '5'],
      [...words, '--locked', '--price', '5.00'],
    ],
    [
      'with media in another order',
      ['--media', '1:photo', '--media', '2:photo'],
      ['--media', '2:photo', '--media', '1:photo'],
    ],
  ])('%s is refused', async (_, first, second) => {
    const scene = slowChat();
    await expectCode(scene, 0, ...SEND, ...first, ...YES);
    scene.clock.move(10_000);
    const ran = await expectCode(scene, 5, ...SEND, ...second, ...YES);
    expect(errorOf(ran)).toMatchObject({ code: 'similar-message', details: { similar: [] } });
    expect(await queued(scene)).toHaveLength(1);
    await expectCode(scene, 0, ...SEND, ...second, ...YES, '--allow-similar');
  });

  it('is sent as it was typed', async () => {
    const scene = slowChat();
    await expectCode(scene, 0, ...SEND, '--text', ' Cafe\u0301\r\n', ...YES);
    expect(await queued(scene)).toEqual([' Cafe\u0301\r\n']);
  });
});

describe('the same words as a message with a lost answer', () => {
  const ORDER = [...SEND, '--text', 'A word', ...YES] as const;
  const lostMessage = async (when: 'before_commit' | 'after_commit') => {
    const scene = slowChat();
    await scene.fault({ kind: 'broken_answer', operation: 'chat.send', when, how: 'reset', nth: 1 });
    const { hint } = errorOf(await expectCode(scene, 3, ...ORDER));
    expect(hint).toContain('--acknowledge');
    expect(hint).toContain('--allow-similar');
    return scene;
  };

  it('are refused after it was acknowledged with another message', async () => {
    const scene = await lostMessage('after_commit');
    await expectCode(scene, 0, ...SEND, '--text', 'Other', ...YES, '--acknowledge');
    const error = errorOf(await expectCode(scene, 5, ...ORDER));
    expect(error.code).toBe('similar-message');
    expect(error.message).toContain('may have been sent to chat 101001');
    expect(await queued(scene)).toEqual(['A word', 'Other']);
    await expectCode(scene, 0, ...ORDER, '--allow-similar');
  });

  it('need --allow-similar next to --acknowledge, which is only about going on', async () => {
    const scene = await lostMessage('before_commit');
    expect(errorOf(await expectCode(scene, 5, ...ORDER, '--acknowledge')).code).toBe('similar-message');
    expect((await scene.requests())[0]?.outcome, 'nothing was decided').toBe(null);
    await expectCode(scene, 0, ...ORDER, '--acknowledge', '--allow-similar');
    expect(await queued(scene)).toEqual(['A word']);
  });

  it('are shown as that at a terminal', async () => {
    const scene = await lostMessage('after_commit');
    scene.answer = () => false;
    const ran = await scene.herald(...SEND, '--text', 'A word');
    expect(ran.stderr).toContain('The same message may have been sent within the last five minutes.');
    expect(await sent(scene, 'chat.send')).toBe(1);
  });

  it('are sent five minutes later', async () => {
    const scene = await lostMessage('before_commit');
    scene.clock.move(5 * 60_000);
    await expectCode(scene, 0, ...ORDER, '--acknowledge');
    expect(await queued(scene)).toEqual(['A word']);
  });

  it('are sent at once after a refusal', async () => {
    const scene = slowChat();
    await scene.fault({ kind: 'connection_refused', operation: 'chat.send' });
    await expectCode(scene, 1, ...ORDER);
    await scene.service((control) => control.clearFaults());
    await expectCode(scene, 0, ...ORDER);
  });
});
