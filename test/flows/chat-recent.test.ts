import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { CHAT, errorOf, SEND } from '../helpers/chats.ts';
import { aScene } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

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

const chatter = (length: number) => Array.from({ length }, (_, index) => `lol ${index}`);

describe('the same words of a colleague without a shared state', () => {
  it.each([
    [25, 1],
    [250, 3],
  ])('are found behind %i messages of the fan', async (count, expected) => {
    const { scene, pages, seed, sends } = aChat();
    seed(['A word'], true);
    scene.clock.move(10_000);
    seed(chatter(count), false);
    scene.clock.move(30_000);
    const ran = await scene.herald(...ORDER);
    expect([ran.code, errorOf(ran).code], ran.stderr).toEqual([5, 'similar-message']);
    expect([pages.length, sends()]).toEqual([expected, 0]);
  });

  it('are not looked for behind a message that is older than five minutes', async () => {
    const { scene, pages, seed, history, sends } = aChat();
    history(500);
    seed(['A word'], true);
    scene.clock.move(5 * 60_000);
    seed(['Hi'], false);
    const ran = await scene.herald(...ORDER);
    expect(ran.code, ran.stderr).toBe(0);
    expect([pages.length, sends()], 'one request in a normal chat').toEqual([1, 1]);
  });

  it('are looked for up to a limit, and what is behind it counts against sending', async () => {
    const { scene, pages, seed, sends } = aChat();
    seed(['A word', ...chatter(5_000)], true);
    const ran = await scene.herald(...ORDER);
    const error = errorOf(ran);
    expect([ran.code, error.code], ran.stderr).toEqual([5, 'similar-message']);
    expect(error.message).toContain('may have been sent');
    expect(error.message).toContain('could not read the chat far enough back');
    expect(error.hint).toContain('--allow-similar');
    expect([pages.length, sends()]).toEqual([50, 0]);

    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), false);
    const asked = await scene.herald(...SEND, '--text', 'A word');
    expect(asked.stderr).toContain('could not read the chat far enough back');
    expect(questions).toEqual([expect.stringContaining('Send it anyway at')]);
    scene.answer = null;

    expect((await scene.herald(...ORDER, '--allow-similar')).code).toBe(0);
    expect(sends()).toBe(1);
  });

  it('may be in a chat that says that it goes on and shows nothing', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'empty_page', operation: 'chat.messages' });
    const ran = await scene.herald(...ORDER);
    const { message } = errorOf(ran);
    expect([ran.code, message], ran.stderr).toEqual([5, expect.stringContaining('far enough back')]);
  });
});

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
      expect(error.message).toContain('its age is not known to be above five minutes');
      expect([pages.length, sends()], 'a date of last year is old in any zone').toEqual([1, 0]);
      expect((await scene.herald(...SEND, '--text', 'Another', '--yes')).code).toBe(0);
      scene.clock.move(25 * 3_600_000);
      expect((await scene.herald(...ORDER)).code, 'no zone is a day away').toBe(0);
    },
  );
});

it('a message without a date does not end the search', async () => {
  const { scene, pages, seed, history, sends } = aChat(datesAs(() => 'null'));
  history(120);
  seed(['Another'], true);
  expect((await scene.herald(...ORDER)).code).toBe(0);
  expect([pages.length, sends()], 'the chat is read to its end').toEqual([2, 1]);
});
