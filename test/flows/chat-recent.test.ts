import { afterEach, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { CHAT, SEND } from './chats.ts';
import { errorOf } from '../helpers/flows.ts';

const ORDER = [...SEND, '--text', 'A word', '--yes', '--format', 'json'] as const;
afterEach(() => vi.unstubAllEnvs());

// CHAT-6
it.each(['UTC', 'America/New_York', 'Pacific/Kiritimati'])(
  'the same words of a minute ago are found by a machine in %s, although the service names no zone of its dates',
  async (zone) => {
    vi.stubEnv('TZ', zone);
    const pages: string[] = [];
    const { scene, simulator } = altered(async (request, answer) => {
      const real = await answer();
      if (request.method === 'GET' && new URL(request.url).pathname.endsWith('/messages'))
        pages.push(request.url);
      const text = await real.text();
      const withoutZone = text.replaceAll(/"created_at":"([\d-]+)T([\d:]+)[^"]*"/g, '"created_at":"$1 $2"');
      return new Response(withoutZone, real);
    });
    const of = { account_id: '101' };
    simulator.control.seed({ ...of, kind: 'chat', set: { chat_id: CHAT, messages: 500 } });
    const said = { chat_id: CHAT, text: 'A word', from_me: true };
    simulator.control.seed({ ...of, kind: 'chat_message', set: said });
    scene.clock.move(60_000);
    const ran = await scene.herald(...ORDER);
    expect([ran.code, errorOf(ran).code], ran.stderr).toEqual([5, 'similar-message']);
    expect(pages, 'a date of last year is old in any zone').toHaveLength(1);
    expect((await scene.herald(...SEND, '--text', 'Another', '--yes')).code).toBe(0);
    scene.clock.move(25 * 3_600_000);
    expect((await scene.herald(...ORDER)).code, 'no zone is a day away').toBe(0);
  },
);
