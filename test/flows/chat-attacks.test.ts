import { describe, expect, it } from 'vitest';
import { CHAT, chatTruth, errorOf, queued, SEND, sent } from '../helpers/chats.ts';
import { dieBefore } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { HeraldError } from '../../src/domain/herald-error.ts';

const ORDER = [...SEND, '--text', 'A word', '--yes'] as const;
const FOLLOW = ['fans', 'follow', '101001', '--account', 'alice', '--yes'] as const;
const JSON_FORMAT = ['--format', 'json'] as const;

const LOST = { kind: 'broken_answer', operation: 'fans.follow', how: 'reset', nth: 1 } as const;

async function expectCode(scene: Scene, code: number, ...args: readonly string[]) {
  const ran = await scene.herald(...args);
  expect(ran.code, `${ran.stdout}\n${ran.stderr}`).toBe(code);
  return ran;
}

it('a lost message to the chat holds back one under another alias of the account', async () => {
  const scene = aScene();
  await scene.fault({
    kind: 'broken_answer',
    operation: 'chat.send',
    how: 'reset',
    when: 'after_commit',
    nth: 1,
  });
  await expectCode(scene, 3, ...ORDER);
  scene.files.tree['herald.yaml'] = (scene.files.tree['herald.yaml'] ?? '').replace('alice:', 'alicia:');
  const other = ['chat', 'send', CHAT, '--account', 'alicia', '--text', 'Other', '--yes', ...JSON_FORMAT];
  expect(errorOf(await expectCode(scene, 3, ...other)).code).toBe('open-send');
  expect(await queued(scene)).toEqual(['A word']);
});

describe('a follow with a lost first answer', () => {
  it.each(['before_commit', 'after_commit'] as const)(
    'and with a repeat that cannot be put on record is unknown, exit 3, never a plain failure (%s)',
    async (when) => {
      const scene = aScene();
      await scene.fault({ ...LOST, when });
      let begins = 0;
      const onRecord = (what: string) =>
        what === 'begin' && (begins += 1) > 1 ? new HeraldError('state-failed', 'disk is full', '') : 'done';
      const ran = await scene.startAs({ onRecord }, ...FOLLOW, ...JSON_FORMAT).ran;
      expect([ran.code, errorOf(ran).code], ran.stderr).toEqual([3, 'unknown-outcome']);
      expect(await sent(scene, 'fans.follow')).toBe(1);
    },
  );

  it('and with a repeat that says that the fan is not followed is on record as that', async () => {
    const scene = aScene();
    await scene.fault({ ...LOST, when: 'before_commit' });
    await scene.fault({ kind: 'odd_reply', operation: 'fans.follow', set: { subscribed: false }, nth: 2 });
    expect(errorOf(await expectCode(scene, 1, ...FOLLOW, ...JSON_FORMAT)).code).toBe('not-following');
    expect((await scene.requests()).map(({ outcome }) => outcome)).toEqual([null, 'refused']);
    expect((await chatTruth(scene)).follows.length).toBeLessThanOrEqual(1);
  });
});

describe('a label that was killed after its repeat', () => {
  it('its window is waited out from its last copy on: the first one is long over by then', async () => {
    const scene = aScene();
    const operation = 'fans.label';
    await scene.fault({ kind: 'broken_answer', operation, how: 'timeout', when: 'before_commit', nth: 1 });
    await scene.fault({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 2, times: 3 });
    const label = ['fans', 'label', '101001', '--account', 'alice', '--yes', '--name'] as const;
    await dieBefore(scene, (what) => what === 'end', [...label, 'Tom']);
    await expectCode(scene, 0, ...label, 'Ada');
    scene.clock.move(130_000);
    expect((await chatTruth(scene)).labels['101001']).toMatchObject({ custom_name: 'Ada' });
  });
});
