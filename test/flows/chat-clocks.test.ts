import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered, withoutDate } from '../helpers/altered.ts';
import { CHAT, errorOf, SEND } from '../helpers/chats.ts';

afterEach(() => vi.unstubAllGlobals());

const ORDER = [...SEND, '--text', 'A word', '--yes', '--format', 'json'] as const;

/** A service that does not tell its time. */
const serviceWithoutTime = () => altered(async (_, answer) => withoutDate(await answer()));

describe('a service that does not send its time', () => {
  it('other words are sent without a word about time', async () => {
    const { scene } = serviceWithoutTime();
    expect((await scene.herald(...ORDER)).code).toBe(0);
    const other = await scene.herald(...SEND, '--text', 'Another', '--yes');
    expect([other.code, other.stderr]).toEqual([
      0,
      'Service: http://localhost:1 (from herald.yaml; a simulator)\n',
    ]);
  });
});

it('a service that lists a chat from its beginning: the end of it is looked at all the same', async () => {
  const { scene, simulator } = altered(async (request, answer) => {
    const url = new URL(request.url);
    if (request.method !== 'GET' || !url.pathname.endsWith('/messages') || url.searchParams.has('order'))
      return answer();
    url.searchParams.set('order', 'asc');
    return simulator.fetch(new Request(url, { headers: request.headers }));
  });
  simulator.control.seed({ account_id: '101', kind: 'chat', set: { chat_id: CHAT, messages: 250 } });
  const set = { chat_id: CHAT, text: 'A word' };
  simulator.control.seed({ account_id: '101', kind: 'chat_message', set });
  const ran = await scene.herald(...ORDER);
  expect(errorOf(ran).code).toBe('similar-message');
  expect(simulator.control.oracle().chats['101']?.sends[CHAT] ?? []).toEqual([]);
});
