import { describe, expect, it } from 'vitest';
import { errorOf, queued, SEND, sent } from '../helpers/chats.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';

const JSON_YES = ['--yes', '--format', 'json'] as const;

/** Noon in UTC is the time of a scene. */
const QUIET = "{ from: '11:00', to: '13:00', timezone: UTC }";

function withPolicy(policy: string): Scene {
  return aScene({ files: { 'herald.yaml': `${WORKSPACE}policy: { ${policy} }\n` } });
}

function raw(scene: Scene, operation: string, body: object, ...params: string[]) {
  scene.files.tree['body.json'] = JSON.stringify(body);
  const flags = ['account_id=101', ...params].flatMap((param) => ['--param', param]);
  return scene.herald('api', operation, ...flags, '--body', 'body.json', ...JSON_YES);
}

const CAMPAIGN = { trigger: 'welcome_message', action: 'send_message', name: 'Welcome' };

describe('the policy and herald chat send', () => {
  it.each([
    ['banned_words: [casino]', ['--text', 'The best CASINO ever'], 'policy-banned-word'],
    ['max_price_gross: 20', ['--text', 'Hi', '--price', '49', '--locked'], 'policy-max-price'],
    ['min_price_gross: 3', ['--text', 'Hi', '--price', '2.99', '--locked'], 'policy-min-price'],
    [`quiet_hours: ${QUIET}`, ['--text', 'Hi'], 'policy-quiet-hours'],
  ])('refuses what %s denies, and sends nothing', async (policy, flags, code) => {
    const scene = withPolicy(policy);
    const ran = await scene.herald(...SEND, ...flags, ...JSON_YES);
    expect(ran.code).toBe(5);
    expect(errorOf(ran)).toMatchObject({ code: 'policy-denied', details: { findings: [{ code }] } });
    expect(await sent(scene, 'chat.send')).toBe(0);
  });

  it('sends what the policy only warns about, with the warning', async () => {
    const scene = withPolicy('banned_words: { words: [casino], level: warn }');
    const ran = await scene.herald(...SEND, '--text', 'casino', '--yes');
    expect(ran.code).toBe(0);
    expect(ran.stderr).toContain(
      'warning: policy-banned-word: the message says "casino", which policy.banned_words forbids.',
    );
    expect(await queued(scene)).toEqual(['casino']);
  });

  it('sends what breaks no rule, at the last minute before the quiet hours', async () => {
    const scene = withPolicy(
      "max_price_gross: 20, banned_words: [casino], quiet_hours: { from: '12:01', to: '13:00', timezone: UTC }",
    );
    const ran = await scene.herald(...SEND, '--text', 'casinos', '--price', '20', '--locked', '--yes');
    expect(ran.code, ran.stderr).toBe(0);
  });

  it('refuses a message when the quiet hours begin during the question', async () => {
    const scene = withPolicy("quiet_hours: { from: '12:30', to: '13:00', timezone: UTC }");
    scene.answer = async () => {
      await scene.clock.sleep(45 * 60_000);
      return true;
    };
    const ran = await scene.herald(...SEND, '--text', 'Hi');
    expect(ran.code).toBe(5);
    expect(await queued(scene)).toEqual([]);
  });
});

describe('the policy and herald api', () => {
  it.each([
    ['a chat message', 'chat.send', { text: 'casino', media: [] }, ['chat_id=101001'], 'policy-banned-word'],
    [
      'a campaign with a banned word',
      'campaigns.create',
      { ...CAMPAIGN, messages: [{ text: 'casino' }] },
      [],
      'policy-banned-word',
    ],
    [
      'a campaign with a price above the limit',
      'campaigns.create',
      { ...CAMPAIGN, messages: [{ text: 'Hi', price_gross: 49, text_is_paid: true }] },
      [],
      'policy-max-price',
    ],
    [
      'a broadcast at once in quiet hours',
      'broadcasts.create',
      { name: 'Now', messages: [{ text: 'Hi' }] },
      [],
      'policy-quiet-hours',
    ],
    [
      'a broadcast with a past schedule in quiet hours',
      'broadcasts.create',
      {
        name: 'Past',
        scheduled_at: '2026-05-31T20:00:00Z',
        scheduled_at_timezone_mode: 'utc',
        messages: [{ text: 'Hi' }],
      },
      [],
      'policy-quiet-hours',
    ],
    [
      'a broadcast with an unknown clock',
      'broadcasts.create',
      {
        name: 'Unknown',
        scheduled_at: '2026-06-05T20:00:00',
        scheduled_at_timezone_mode: 'fan',
        messages: [{ text: 'Hi' }],
      },
      [],
      'policy-quiet-hours',
    ],
  ])('refuses %s, and sends nothing', async (_, operation, body, params, code) => {
    const scene = withPolicy(`banned_words: [casino], max_price_gross: 20, quiet_hours: ${QUIET}`);
    const ran = await raw(scene, operation, body, ...params);
    expect(ran.code, ran.stderr).toBe(5);
    expect(errorOf(ran)).toMatchObject({
      code: 'policy-denied',
      details: { findings: expect.arrayContaining([expect.objectContaining({ code })]) },
    });
    expect(await sent(scene, operation)).toBe(0);
  });

  it('creates a broadcast for an hour that is not quiet', async () => {
    const scene = withPolicy(`quiet_hours: ${QUIET}`);
    const body = {
      name: 'Evening',
      scheduled_at: '2026-06-05T20:00:00Z',
      scheduled_at_timezone_mode: 'utc',
      messages: [{ text: 'Hi' }],
    };
    expect((await raw(scene, 'broadcasts.create', body)).code).toBe(0);
  });

  it('never denies a stop', async () => {
    const scene = withPolicy(`quiet_hours: ${QUIET}, banned_words: [casino]`);
    const body = { ...CAMPAIGN, messages: [{ text: 'Hi' }] };
    expect((await raw(scene, 'campaigns.create', body)).code, 'a campaign has no hour').toBe(0);
    const list = await scene.herald('campaigns', 'list', '--account', 'alice', '--format', 'ndjson');
    const { id } = JSON.parse(list.stdout) as { id: string };
    const stop = await raw(scene, 'campaigns.set-status', { status: 'paused' }, `campaign_id=${id}`);
    expect(stop.code, stop.stderr).toBe(0);
  });
});
