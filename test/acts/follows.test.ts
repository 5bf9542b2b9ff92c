import { describe, expect, it } from 'vitest';
import { followFan } from '../../src/acts/follows.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { ALICE, actScene, lost, outcomes, summarise, type ActScene, type RunOptions } from './act-scene.ts';

const follow = (scene: ActScene, options: RunOptions = {}) =>
  summarise(scene.act((run) => followFan(run, { account: ALICE, fanId: '101001' }, null), options));

/** How often alice was charged for following someone. */
const charges = (scene: ActScene) => scene.control.oracle().chats['101']?.follows.length ?? 0;

describe('a follow of a fan', () => {
  it.each<[string, FaultInput | null, string, string, number]>([
    ['is answered', null, 'following', 'done', 1],
    ['is sent once more after a lost request', lost.before('fans.follow'), 'following', 'adopted, done', 1],
    ['is sent once more after a lost answer', lost.after('fans.follow'), 'following', 'adopted, done', 1],
    [
      'is charged once although the first one is late',
      lost.late('fans.follow'),
      'following',
      'adopted, done',
      1,
    ],
    ['is sent again after a 429', lost.throttled('fans.follow'), 'following', 'done', 1],
    ['is sent again without a connection', lost.refusedConnection('fans.follow'), 'following', 'done', 1],
    [
      'stays unconfirmed after two lost answers',
      { ...lost.before('fans.follow'), nth: undefined },
      'unknown unknown-outcome',
      'open, open',
      0,
    ],
    [
      'is refused by an answer that says so',
      { kind: 'odd_reply', operation: 'fans.follow', set: { subscribed: false } },
      'failed not-following',
      'refused',
      1,
    ],
    [
      'counts an answer without details as a success',
      { kind: 'broken_answer', when: 'after_commit', how: 'unreadable', nth: 1, operation: 'fans.follow' },
      'following',
      'done',
      1,
    ],
  ])('%s', async (_, fault, result, recorded, charged) => {
    const scene = actScene();
    if (fault !== null) scene.control.addFault(fault);
    expect(await follow(scene)).toBe(result);
    expect(await outcomes(scene)).toBe(recorded);
    scene.clock.move(200_000);
    expect(charges(scene)).toBe(charged);
  });

  it('stays unconfirmed if the second request is refused: the first one may have been carried out', async () => {
    const scene = actScene();
    scene.control.addFault(lost.after('fans.follow'));
    scene.control.addFault({ kind: 'throttle', nth: 2, times: 1000, operation: 'fans.follow' });
    expect(await follow(scene)).toBe('unknown unknown-outcome');
    expect(charges(scene)).toBe(1);
  });

  it.each(['begun', 'answered'] as const)(
    'is followed once by the next run after a kill when it has %s',
    async (killAt) => {
      const scene = actScene();
      expect(await follow(scene, { killAt })).toBe('killed');
      expect(await outcomes(scene)).toBe('open');
      const beganMs = scene.clock.monotonicMs();
      expect(await follow(scene)).toBe('following');
      expect(scene.clock.monotonicMs() - beganMs).toBeGreaterThan(75_000);
      expect(await outcomes(scene)).toBe('adopted, done');
      expect(charges(scene)).toBe(1);
    },
  );

  it('ends an interrupted wait with an unconfirmed request, and sends nothing more', async () => {
    const scene = actScene();
    scene.control.addFault(lost.before('fans.follow'));
    const onEvent: RunOptions['onEvent'] = ({ kind }, interrupt) => kind === 'settling' && interrupt();
    expect(await follow(scene, { onEvent })).toBe('unknown unknown-outcome');
    expect(scene.count('fans.follow')).toBe(1);
    expect(await follow(scene, { isInterrupted: true })).toBe('interrupted interrupted');
    expect(await follow(scene)).toBe('following');
    expect(charges(scene)).toBe(1);
  });
});
