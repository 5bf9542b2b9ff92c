import { describe, expect, it } from 'vitest';
import { chatTruth, errorOf, itemOf, sent } from '../helpers/chats.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const FAN = '101001';
const LABEL = ['fans', 'label', FAN, '--account', 'alice'] as const;
const FOLLOW = ['fans', 'follow', FAN, '--account', 'alice'] as const;
const JSON_FORMAT = ['--format', 'json'] as const;

async function labels(scene: Scene) {
  scene.clock.move(200_000);
  return (await chatTruth(scene)).labels[FAN];
}

async function charges(scene: Scene): Promise<number> {
  scene.clock.move(200_000);
  return (await chatTruth(scene)).follows.length;
}

async function expectCode(scene: Scene, code: number, ...args: readonly string[]) {
  const ran = await scene.herald(...args);
  expect(ran.code, `${ran.stdout}\n${ran.stderr}`).toBe(code);
  return ran;
}

describe('herald fans label', () => {
  // CHAT-7
  it('sets only what was given, and an empty text where one was typed', async () => {
    const scene = aScene();
    const ran = await expectCode(scene, 0, ...LABEL, '--name', 'Tom', '--note', 'likes dogs', '--yes');
    expect(ran.stdout).toBe(
      'set the name "Tom" and the note "likes dogs" for fan 101001 of alice (account 101)\n',
    );
    await expectCode(scene, 0, ...LABEL, '--note', '', '--yes');
    expect(await labels(scene)).toEqual({ custom_name: 'Tom', note: '' });
    const json = await expectCode(scene, 0, ...LABEL, '--name', 'Tim', '--yes', ...JSON_FORMAT);
    expect(itemOf(json)).toEqual({
      account: 'alice',
      account_id: '101',
      fan_id: FAN,
      custom_name: 'Tim',
      success: true,
    });
  });

  it('asks, and refuses without a terminal and without anything to set', async () => {
    const scene = aScene();
    const questions: string[] = [];
    expect(errorOf(await expectCode(scene, 1, ...LABEL, '--name', 'Tom', ...JSON_FORMAT)).code).toBe(
      'needs-yes',
    );
    expect(errorOf(await expectCode(scene, 1, ...LABEL, '--yes', ...JSON_FORMAT)).code).toBe('bad-flag');
    scene.answer = (question) => (questions.push(question), false);
    await expectCode(scene, 1, ...LABEL, '--name', 'Tom');
    expect(questions).toEqual([
      'Set the name "Tom" for fan 101001 of alice (account 101) at simulator .herald/world.json? Type y or n:',
    ]);
    expect(await sent(scene, 'fans.label')).toBe(0);
  });

  // CHAT-8
  it('warns of a note that is very long, and leaves the decision to the service', async () => {
    const scene = aScene();
    const ran = await expectCode(scene, 1, ...LABEL, '--note', 'x'.repeat(10_001), '--yes');
    expect(ran.stderr).toContain('note has 10001 characters; the service may refuse it');
    expect(await sent(scene, 'fans.label')).toBe(1);
  });

  // CHAT-9
  it('takes a success of false for a failure, and a refusal as it is', async () => {
    const scene = aScene();
    await scene.fault({ kind: 'odd_reply', operation: 'fans.label', set: { success: false }, nth: 1 });
    const denied = errorOf(await expectCode(scene, 1, ...LABEL, '--name', 'Tom', '--yes', ...JSON_FORMAT));
    expect(denied.code).toBe('label-denied');
    const long = await expectCode(scene, 1, ...LABEL, '--note', 'x'.repeat(10_001), '--yes');
    expect(long.stderr).toContain('warning: long-label: note has 10001 characters');
    expect(long.stderr).toContain('at most 1000 characters');
  });
});

describe('herald fans follow', () => {
  // CHAT-11
  it('warns that it may cost money, asks, and says what it cost', async () => {
    const scene = aScene();
    const questions: string[] = [];
    scene.answer = (question) => (questions.push(question), questions.length > 1);
    await expectCode(scene, 1, ...FOLLOW);
    expect(questions).toEqual([
      'Following a fan may cost money; the service does not show the price in advance. Follow fan 101001 of alice (account 101) at simulator .herald/world.json? Type yes to follow:',
    ]);
    expect(await sent(scene, 'fans.follow')).toBe(0);
    const { stdout } = await expectCode(scene, 0, ...FOLLOW);
    expect(stdout).toMatch(
      /^following fan 101001 of alice \(account 101\): 4\.99 USD, since 2026-06-01T12:00:\d\dZ?.*, until 2026-07-01T12:00:\d\d.*, renews by itself\n$/,
    );
  });

  it('gives the subscription as JSON, and costs nothing the second time', async () => {
    const scene = aScene();
    const first = itemOf(await expectCode(scene, 0, ...FOLLOW, '--yes', ...JSON_FORMAT));
    expect(first).toMatchObject({
      account: 'alice',
      fan_id: FAN,
      subscribed: true,
      price_gross: 4.99,
      repeated: false,
    });
    expect(itemOf(await expectCode(scene, 0, ...FOLLOW, '--yes', ...JSON_FORMAT))).toEqual(first);
    expect(await charges(scene)).toBe(1);
  });

  // CHAT-12
  it('calls free what costs nothing, and says that it has no end', async () => {
    const scene = aScene({ world: { modes: { followPriceUsd: 0 } } });
    const { stdout } = await expectCode(scene, 0, ...FOLLOW, '--yes');
    expect(stdout).toMatch(/: free, since \S+, without an end\n$/);
  });

  it('refuses without a terminal, a key without the permission, and an answer that says no', async () => {
    const scene = aScene();
    expect((await expectCode(scene, 1, ...FOLLOW)).stderr).toContain('Following a fan may cost money');
    await scene.fault({ kind: 'odd_reply', operation: 'fans.follow', set: { subscribed: false } });
    expect((await expectCode(scene, 1, ...FOLLOW, '--yes')).stderr).toContain(
      'is not followed (subscribed: false)',
    );
    await scene.service((control) => control.addKey({ key: 'sim-key', permissions: ['onlyfans.messages'] }));
    expect((await expectCode(scene, 1, ...FOLLOW, '--yes')).stderr).toContain(
      'lacks the permission onlyfans.collections',
    );
  });
});
