import { describe, expect, it } from 'vitest';
import { followFan, labelFan, type FanLabels } from '../../src/acts/fans.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { ALICE, actScene, lost, outcomes, summarise, type ActScene, type RunOptions } from './act-scene.ts';

const FAN = '101001';
const VIP = { note: 'vip' };

const reportDone = () => ({ kind: 'done' });
const following = () => ({ kind: 'following' });

function label(scene: ActScene, labels: FanLabels = VIP, options: RunOptions = {}) {
  return summarise(
    scene.act((run) => labelFan(run, { account: ALICE, fanId: FAN }, labels).then(reportDone), options),
  );
}

const labelsOf = (scene: ActScene) => scene.control.oracle().chats['101']?.labels[FAN];
const always = (fault: FaultInput): FaultInput => ({ ...fault, nth: undefined });

// CHAT-9
describe('a label of a fan', () => {
  it.each<[string, FaultInput | null, string, string, object | undefined]>([
    ['is set', null, 'done', 'done', VIP],
    ['is repeated after a lost request', lost.before('fans.label'), 'done', 'done*', VIP],
    ['is repeated after a lost answer', lost.after('fans.label'), 'done', 'done*', VIP],
    ['is repeated although the first one takes effect later', lost.late('fans.label'), 'done', 'done*', VIP],
    ['is sent again after a 429', lost.throttled('fans.label'), 'done', 'done', VIP],
    ['is sent again without a connection', lost.refusedConnection('fans.label'), 'done', 'done', VIP],
    [
      'stays unconfirmed when no answer is heard',
      always(lost.before('fans.label')),
      'unknown unknown-outcome',
      'open*, open*',
      undefined,
    ],
    [
      'is refused by an answer that says so',
      { kind: 'odd_reply', operation: 'fans.label', set: { success: false } },
      'failed label-denied',
      'refused',
      VIP,
    ],
  ])('%s', async (_, fault, result, recorded, labels) => {
    const scene = actScene();
    if (fault !== null) scene.control.addFault(fault);
    expect(await label(scene)).toBe(result);
    expect(await outcomes(scene)).toBe(recorded);
    if (labels === undefined) expect(labelsOf(scene)).toBeUndefined();
    else expect(labelsOf(scene)).toMatchObject(labels);
  });

  it('waits for another value that may still take effect, so that the newer one stays', async () => {
    const scene = actScene();
    scene.control.addFault({ kind: 'late_commit', after_sec: 60, how: 'reset', operation: 'fans.label' });
    await label(scene, { note: 'old' });
    scene.control.clearFaults();
    const beganMs = scene.clock.monotonicMs();
    expect(await label(scene)).toBe('done');
    expect(scene.clock.monotonicMs() - beganMs).toBeGreaterThan(75_000);
    scene.clock.move(100_000);
    expect(labelsOf(scene)).toMatchObject(VIP);
    expect(await outcomes(scene)).toBe('closed, closed, done');
  });

  it.each([
    ['begun', 'open', undefined],
    ['answered', 'open', VIP],
  ] as const)(
    'is open after a kill when it has %s, and the next run resolves it',
    async (killAt, recorded, labels) => {
      const scene = actScene();
      expect(await label(scene, VIP, { killAt })).toBe('killed');
      expect(await outcomes(scene)).toBe(recorded);
      expect(labelsOf(scene)?.note).toBe(labels?.note);
      expect(await label(scene)).toBe('done');
      expect(await outcomes(scene)).toBe('closed, done');
    },
  );

  it('is not sent after an interrupt', async () => {
    const scene = actScene();
    expect(await label(scene, VIP, { isInterrupted: true })).toBe('interrupted interrupted');
    expect(scene.count('fans.label')).toBe(0);
  });
});

const follow = (scene: ActScene, options: RunOptions = {}) =>
  summarise(scene.act((run) => followFan(run, { account: ALICE, fanId: FAN }).then(following), options));

/** How often alice was charged for following someone. */
const charges = (scene: ActScene) => scene.control.oracle().chats['101']?.follows.length ?? 0;

// CHAT-10
describe('a follow of a fan', () => {
  it.each<[string, FaultInput | null, string, string, number]>([
    ['is answered', null, 'following', 'done', 1],
    ['is sent once more after a lost request', lost.before('fans.follow'), 'following', 'closed, done', 1],
    ['is sent once more after a lost answer', lost.after('fans.follow'), 'following', 'closed, done', 1],
    [
      'is charged once although the first one is late',
      lost.late('fans.follow'),
      'following',
      'closed, done',
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
      expect(await outcomes(scene)).toBe('closed, done');
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
