import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered, withoutDate, type AlteredOptions } from '../helpers/altered.ts';
import { CHAT, errorOf, SEND } from '../helpers/chats.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { NOON } from '../helpers/scene.ts';

afterEach(() => vi.unstubAllGlobals());

const HOUR = 3_600_000;
const ORDER = [...SEND, '--text', 'A word', '--yes', '--format', 'json'] as const;

/** A service that does not tell its time. */
const serviceWithoutTime = (options: AlteredOptions = {}) =>
  altered(async (_, answer) => withoutDate(await answer()), options);

describe('a service that does not send its time', () => {
  it('the same message of yesterday: no one can tell, and "within five minutes" is not said', async () => {
    const { scene, simulator } = serviceWithoutTime();
    expect((await scene.herald(...ORDER)).code).toBe(0);
    scene.clock.move(30 * HOUR);
    const ran = await scene.herald(...ORDER);
    const error = errorOf(ran);
    expect([ran.code, error.code]).toEqual([5, 'similar-message']);
    expect(error.message).not.toContain('within');
    expect(error.message).toContain('its age is not known to be above five minutes');
    scene.answer = () => true;
    const asked = await scene.herald(...SEND, '--text', 'A word');
    expect(asked.code, asked.stderr).toBe(0);
    expect(asked.stderr).not.toContain('within');
    scene.answer = null;
    scene.clock.move(72 * HOUR);
    expect((await scene.herald(...ORDER)).code, 'no clock errs by days').toBe(0);
    expect(simulator.control.oracle().chats['101']?.sends[CHAT]).toHaveLength(3);
  });

  it('and a clock here that is ahead: the same words of a minute ago are not overlooked', async () => {
    const flow = flowClock(NOON);
    let aheadMs = 0;
    const { scene, simulator } = serviceWithoutTime({ clock: { ...flow, now: () => flow.now() + aheadMs } });
    simulator.world.clockOffsetMs -= 2 * HOUR;
    aheadMs += 2 * HOUR;
    const set = { chat_id: CHAT, text: 'A word' };
    simulator.control.seed({ account_id: '101', kind: 'chat_message', set });
    flow.move(60_000);
    expect(errorOf(await scene.herald(...ORDER)).code).toBe('similar-message');
    expect(simulator.control.oracle().chats['101']?.sends[CHAT] ?? []).toEqual([]);
  });

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
