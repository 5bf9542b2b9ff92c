import { afterEach, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';

afterEach(() => vi.unstubAllGlobals());

const FLASH = { name: 'Flash sale', audience: 'everyone', messages: [{ text: 'Only today' }] };
const DRAFT = JSON.stringify({ accounts: ['alice'], broadcasts: [FLASH] });
const SEND_NOW = ['broadcasts', 'send', 'drafts/today.yaml#Flash sale', '--allow', 'now', '--yes'];
/** They begin a minute after the command. */
const POLICY = `policy: { quiet_hours: { from: '12:01', to: '18:00', timezone: UTC, hours_after: 0 } }\n`;

/** The process is frozen at its first intent, or the service lets its first change wait: until the quiet hours. */
function heldUntilThen(how: 'frozen' | 'throttled') {
  let isOver = false;
  const service = altered(
    async (request, answer) => {
      if (how !== 'throttled' || request.method === 'GET' || isOver) return answer();
      isOver = true;
      return new Response('{"error":"slow down"}', { status: 429, headers: { 'retry-after': '120' } });
    },
    { files: { 'drafts/today.yaml': DRAFT } },
  );
  const { files, clock } = service.scene;
  files.tree['herald.yaml'] += POLICY;
  files.onWrite = (_path, text) => {
    if (how === 'frozen' && !isOver && /"type":"(?:act|intent)"/.test(text)) {
      isOver = true;
      clock.move(3_600_000);
    }
    return 'done';
  };
  const sent = (name: string) =>
    service.simulator.control
      .oracle()
      .requests.filter(({ operation, status }) => operation === name && status !== 429).length;
  return { ...service, sent };
}

describe.each(['frozen', 'throttled'] as const)('quiet hours that began while a request was %s', (how) => {
  it('deny a broadcast that is sent at once', async () => {
    const { scene, sent } = heldUntilThen(how);
    const ran = await scene.herald(...SEND_NOW);
    expect([ran.code, sent('broadcasts.create')], ran.stdout + ran.stderr).toEqual([1, 0]);
    expect(ran.stdout).toContain('the policy in herald.yaml denies it by now');
  });

  it.each([
    ['broadcasts.create', ['account_id=101'], { name: 'Now', messages: [{ text: 'Hi' }] }],
    ['chat.send', ['account_id=101', 'chat_id=101001'], { text: 'Hi', media: [] }],
  ] as const)('deny a raw %s', async (operation, params, body) => {
    const { scene, sent } = heldUntilThen(how);
    scene.files.tree['body.json'] = JSON.stringify(body);
    const flags = params.flatMap((param) => ['--param', param]);
    const ran = await scene.herald('api', operation, ...flags, '--body', 'body.json', '--yes');
    expect([ran.code, sent(operation)], ran.stderr).toEqual([5, 0]);
    expect(ran.stderr).toContain('The policy in herald.yaml denies it');
  });
});
