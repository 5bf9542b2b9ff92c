import { describe, expect, it } from 'vitest';
import { followFan, labelFan, type FanLabels } from '../../src/acts/fans.ts';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { ALICE, actScene, lost, outcomes, summarise, type ActScene, type RunOptions } from './act-scene.ts';

const FAN = '101001';
const VIP = { note: 'vip' };
const place = { account: ALICE, fanId: FAN };
const reportDone = () => ({ kind: 'done' });

function label(scene: ActScene, options: RunOptions = {}, labels: FanLabels = VIP) {
  return summarise(scene.act((run) => labelFan(place, labels).send(run).then(reportDone), options));
}

const follow = (scene: ActScene, options: RunOptions = {}) =>
  summarise(scene.act((run) => followFan(place).send(run).then(reportDone), options));

const labelsOf = (scene: ActScene) => scene.control.oracle().chats['101']?.labels[FAN];

/** How often alice was charged for following someone. */
const charges = (scene: ActScene) => scene.control.oracle().chats['101']?.follows.length ?? 0;

const LABEL = 'fans.label';
const FOLLOW = 'fans.follow';

// CHAT-9, CHAT-10
describe.each([
  ['a label', LABEL, label, (scene: ActScene) => (labelsOf(scene) === undefined ? 0 : 1), 'label-denied'],
  ['a follow', FOLLOW, follow, charges, 'not-following'],
] as const)('%s of a fan', (_title, operation, send, effects, denied) => {
  const isLabel = operation === LABEL;
  const repeated = isLabel ? 'done*' : 'closed, done';
  const unconfirmed = isLabel ? 'open*, open*' : 'open, open';

  /** A success that says this of what was asked for. */
  const saying = (success: boolean | null): FaultInput => ({
    kind: 'odd_reply',
    operation,
    set: isLabel ? { success } : { subscribed: success },
  });

  it.each<[string, FaultInput, string, string]>([
    ['is refused by an answer that says so', saying(false), `failed ${denied}`, 'refused'],
    ['is repeated after a success that does not say so', { ...saying(null), nth: 1 }, 'done', repeated],
    ['stays unconfirmed if no success says so', saying(null), 'unknown unknown-outcome', unconfirmed],
  ])('%s', async (_, fault, result, recorded) => {
    const scene = actScene();
    scene.control.addFault(fault);
    expect(await send(scene)).toBe(result);
    expect(await outcomes(scene)).toBe(recorded);
    scene.clock.move(200_000);
    expect(effects(scene)).toBe(1);
  });

  it.each(['begun', 'answered'] as const)(
    'is open after a kill when it has %s, and the next run waits and has it once',
    async (killAt) => {
      const scene = actScene();
      expect(await send(scene, { killAt })).toBe('killed');
      expect(await outcomes(scene)).toBe('open');
      expect(effects(scene)).toBe(killAt === 'answered' ? 1 : 0);
      const beganMs = scene.clock.monotonicMs();
      expect(await send(scene)).toBe('done');
      expect(scene.clock.monotonicMs() - beganMs).toBeGreaterThan(75_000);
      expect(await outcomes(scene)).toBe('closed, done');
      expect(effects(scene)).toBe(1);
    },
  );
});

it('a label waits for another value that may still take effect, so that the newer one stays', async () => {
  const scene = actScene();
  scene.control.addFault({ kind: 'late_commit', after_sec: 60, how: 'reset', operation: LABEL });
  await label(scene, {}, { note: 'old' });
  scene.control.clearFaults();
  expect(await label(scene)).toBe('done');
  scene.clock.move(100_000);
  expect(labelsOf(scene)).toMatchObject(VIP);
  expect(await outcomes(scene)).toBe('closed, closed, done');
});

it('a follow stays unconfirmed if the second request is refused: the first one may have been carried out', async () => {
  const scene = actScene();
  scene.control.addFault(lost.after(FOLLOW));
  scene.control.addFault({ kind: 'throttle', nth: 2, times: 1000, operation: FOLLOW });
  expect(await follow(scene)).toBe('unknown unknown-outcome');
  expect(charges(scene)).toBe(1);
});

it('an interrupted wait ends with an unconfirmed follow, and nothing more is sent', async () => {
  const scene = actScene();
  scene.control.addFault(lost.before(FOLLOW));
  const onEvent: RunOptions['onEvent'] = ({ kind }, interrupt) => kind === 'settling' && interrupt();
  expect(await follow(scene, { onEvent })).toBe('unknown unknown-outcome');
  expect(scene.count(FOLLOW)).toBe(1);
  expect(await follow(scene, { isInterrupted: true })).toBe('interrupted interrupted');
  expect(await follow(scene)).toBe('done');
  expect(charges(scene)).toBe(1);
});
