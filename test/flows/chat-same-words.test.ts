import { describe, expect, it } from 'vitest';
import { CHAT, errorOf, queued, SEND } from '../helpers/chats.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

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
    ['with another form of its price', [...words, '--locked', '--price', '5'], [...words, '--locked', '--price', '5.00']],
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

  it('is refused after a raw call with a price of 0', async () => {
    const scene = slowChat();
    scene.input = '{"text":"A word","price":0}';
    const raw = [
      'api',
      'chat.send',
      '--account',
      'alice',
      '--param',
      `chat_id=${CHAT}`,
      '--yes',
      '--body',
      '-',
    ];
    await expectCode(scene, 0, ...raw);
    await expectCode(scene, 5, ...SEND, ...words, ...YES);
    expect(await queued(scene)).toEqual(['A word']);
  });

  it('is sent as it was typed', async () => {
    const scene = slowChat();
    await expectCode(scene, 0, ...SEND, '--text', ' Cafe\u0301\r\n', ...YES);
    expect(await queued(scene)).toEqual([' Cafe\u0301\r\n']);
  });

  it('is known from a ledger of an earlier version, which has no digest of the normal form', async () => {
    const scene = slowChat();
    await expectCode(scene, 0, ...SEND, ...words, ...YES);
    const text = scene.files.tree[LEDGER_FILE] ?? '';
    const earlier = text.replace(/,"normal_digest":"[^"]*"/, '');
    expect(earlier).not.toBe(text);
    scene.files.tree[LEDGER_FILE] = earlier;
    await expectCode(scene, 5, ...SEND, ...words, ...YES);
    await expectCode(scene, 0, ...SEND, '--text', 'Another', ...YES);
  });
});
