import { describe, expect, it } from 'vitest';
import { errorOf, queued, SEND, sent } from '../helpers/chats.ts';
import { aScene, WORKSPACE, type Scene } from '../helpers/scene.ts';

const JSON_YES = ['--yes', '--format', 'json'] as const;

/** Noon in UTC is the time of a scene. */
const QUIET = "{ from: '11:00', to: '13:00', timezone: UTC }";

function withPolicy(policy: string): Scene {
  return aScene({ files: { 'herald.yaml': `${WORKSPACE}policy: { ${policy} }\n` } });
}

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

  it('refuses a message when the quiet hours begin while the service lets it wait', async () => {
    const scene = withPolicy("quiet_hours: { from: '12:01', to: '18:00', timezone: UTC }");
    await scene.fault({ kind: 'throttle', operation: 'chat.send', retry_after_sec: 90, nth: 1 });
    const ran = await scene.herald(...SEND, '--text', 'Hi', '--yes');
    expect([ran.code, ran.stderr]).toEqual([
      5,
      expect.stringContaining('The policy in herald.yaml denies it'),
    ]);
    expect(await queued(scene)).toEqual([]);
  });

  it('sends nothing where the process was frozen between the record and the request', async () => {
    const scene = withPolicy("quiet_hours: { from: '12:30', to: '18:00', timezone: UTC }");
    const onRecord = (what: string) => (what === 'begin' && scene.clock.move(3_600_000), 'done' as const);
    const ran = await scene.startAs({ onRecord }, ...SEND, '--text', 'Hi', '--yes').ran;
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining('checked and sent within 5 s')]);
    expect(await queued(scene)).toEqual([]);
  });
});
