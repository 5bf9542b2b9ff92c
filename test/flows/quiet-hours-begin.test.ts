import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';

afterEach(() => vi.unstubAllGlobals());

const FLASH = { name: 'Flash sale', audience: 'everyone', messages: [{ text: 'Only today' }] };
const DRAFT = JSON.stringify({ accounts: ['alice'], broadcasts: [FLASH] });
const SEND_NOW = ['broadcasts', 'send', 'drafts/today.yaml#Flash sale', '--allow', 'now', '--yes'];
/** They begin a minute after the command. */
const POLICY = `policy: { quiet_hours: { from: '12:01', to: '18:00', timezone: UTC, hours_after: 0 } }\n`;

/** The process is frozen at its first request, or the service lets its first change wait: until the quiet hours. */
function heldUntilThen(how: 'frozen' | 'throttled') {
  let isOver = false;
  const service = altered(
    async (request, answer) => {
      if (how !== 'throttled' || request.method === 'GET' || isOver) return answer();
      isOver = true;
      return new Response('{"error":"slow down"}', { status: 429, headers: { 'retry-after': '90' } });
    },
    { files: { 'drafts/today.yaml': DRAFT } },
  );
  const { files, clock } = service.scene;
  files.tree['herald.yaml'] += POLICY;
  const onRecord = (what: string) => {
    if (how === 'frozen' && !isOver && what === 'begin') {
      isOver = true;
      clock.move(3_600_000);
    }
    return 'done' as const;
  };
  const run = (...args: readonly string[]) => service.scene.startAs({ onRecord }, ...args).ran;
  const sent = (name: string) =>
    service.simulator.control
      .oracle()
      .requests.filter(({ operation, status }) => operation === name && status !== 429).length;
  return { run, sent };
}

describe.each(['frozen', 'throttled'] as const)('quiet hours that began while a request was %s', (how) => {
  it('deny a broadcast that is sent at once', async () => {
    const { run, sent } = heldUntilThen(how);
    const ran = await run(...SEND_NOW);
    expect([ran.code, sent('broadcasts.create')], ran.stdout + ran.stderr).toEqual([1, 0]);
    expect(ran.stdout).toContain('the policy in herald.yaml denies it by now');
  });

  it('deny a chat message', async () => {
    const { run, sent } = heldUntilThen(how);
    const ran = await run('chat', 'send', '101001', '--account', 'alice', '--text', 'Hi', '--yes');
    const why =
      how === 'frozen'
        ? 'not be recorded, checked and sent within 5 s'
        : 'The policy in herald.yaml denies it';
    expect([ran.code, sent('chat.send')], ran.stderr).toEqual([how === 'frozen' ? 1 : 5, 0]);
    expect(ran.stderr).toContain(why);
  });
});
