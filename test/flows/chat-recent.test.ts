import { afterEach, describe, expect, it } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { CHAT, SEND } from '../helpers/chats.ts';
import { errorOf } from '../helpers/flows.ts';

const ORDER = [...SEND, '--text', 'A word', '--yes', '--format', 'json'] as const;

/** A service that counts the pages of chats. `change` alters what they say. */
function aChat(change: (page: string) => string = (page) => page) {
  const pages: string[] = [];
  const { scene, simulator } = altered(async (request, answer) => {
    const response = await answer();
    if (request.method !== 'GET' || !new URL(request.url).pathname.endsWith('/messages')) return response;
    pages.push(request.url);
    const text = change(await response.text());
    return new Response(text, { status: response.status, headers: response.headers });
  });
  const seed = (texts: readonly string[], from_me: boolean) => {
    for (const text of texts)
      simulator.control.seed({
        account_id: '101',
        kind: 'chat_message',
        set: { chat_id: CHAT, text, from_me },
      });
  };
  const history = (messages: number) =>
    simulator.control.seed({ account_id: '101', kind: 'chat', set: { chat_id: CHAT, messages } });
  const sends = () => (simulator.control.oracle().chats['101']?.sends[CHAT] ?? []).length;
  return { scene, pages, seed, history, sends };
}

const datesAs = (change: (date: string) => string) => (page: string) =>
  page.replaceAll(/"created_at":"([^"]*)"/g, (_, date: string) => `"created_at":${change(date)}`);

// CHAT-6
describe('a service with dates of messages without a zone', () => {
  const realZone = process.env['TZ'];
  afterEach(() => {
    if (realZone === undefined) delete process.env['TZ'];
    else process.env['TZ'] = realZone;
  });

  it.each(['UTC', 'America/New_York', 'Asia/Tokyo', 'Pacific/Kiritimati'])(
    'the same words of a minute ago are found by a machine in %s',
    async (zone) => {
      process.env['TZ'] = zone;
      const withoutZone = datesAs((date) => `"${date.slice(0, 19).replace('T', ' ')}"`);
      const { scene, pages, seed, history, sends } = aChat(withoutZone);
      history(500);
      seed(['A word'], true);
      scene.clock.move(60_000);
      const ran = await scene.herald(...ORDER);
      const error = errorOf(ran);
      expect([ran.code, error.code], ran.stderr).toEqual([5, 'similar-message']);
      expect([pages.length, sends()], 'a date of last year is old in any zone').toEqual([1, 0]);
      expect((await scene.herald(...SEND, '--text', 'Another', '--yes')).code).toBe(0);
      scene.clock.move(25 * 3_600_000);
      expect((await scene.herald(...ORDER)).code, 'no zone is a day away').toBe(0);
    },
  );
});
