import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import type { Simulator } from '../../src/simulator/simulator.ts';
import { altered } from '../helpers/altered.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { until, type FlowClock } from '../helpers/flow-clock.ts';
import type { Scene } from '../helpers/scene.ts';
import { dieAfter } from '../helpers/flows.ts';
import { ACTIVE, answered, CHANGED, live, PAUSE, PAUSED } from './live-scene.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RECALL = ['campaigns', 'recall', 'alice/campaign/Welcome', '--yes'];
const PAYOUT = ['payouts', 'request', '--account', 'alice', '--amount', '100', '--yes'];
const MESSAGE = ['chat', 'send', '101001', '--account', 'alice', '--text', 'Hi there', '--yes'];

const declared = (more: Readonly<Record<string, unknown>> = {}) => declaring({ campaigns: [campaign(more)] });
const behind = ({ clock }: Scene, ms: number): FlowClock => ({ ...clock, now: () => clock.now() - ms });

function countWrites({ world }: Simulator): number {
  return world.requests.filter(({ method, status }) => method !== 'GET' && (status ?? 500) < 300).length;
}

/** Welcome is live, a minute passes, and the files say something else. The service takes `slowMs` for the next change of a status. */
async function changed(more: Readonly<Record<string, unknown>>, slowMs = 0) {
  const at = await live(ACTIVE);
  at.on.write = async (answer) => {
    delete at.on.write;
    await at.scene.clock.sleep(slowMs);
    return answer();
  };
  Object.assign(at.scene.files.tree, declared(more));
  return at;
}

describe('a machine with a clock that is behind', () => {
  it('has requested a payout, and another one does not request it again', async () => {
    const { scene, simulator } = altered();
    simulator.control.addFault({ kind: 'lag', operation: 'payouts.request', lag_sec: 9 });
    await dieAfter(scene, 'end', PAYOUT, behind(scene, 25 * HOUR_MS));
    await scene.herald(...PAYOUT);
    expect(countWrites(simulator)).toBe(1);
  });

  it('has sent a chat message, and another one does not send it again', async () => {
    const { scene, simulator } = altered(undefined, { world: { modes: { chatDelaySec: 240 } } });
    await scene.startAs({ clock: behind(scene, HOUR_MS) }, ...MESSAGE).ran;
    scene.clock.move(60_000);
    await scene.herald(...MESSAGE);
    expect(countWrites(simulator)).toBe(1);
  });

  it('has paused a campaign, and what a person archives an hour later stays archived', async () => {
    const { scene, active, apply, person } = await changed({ status: 'paused' });
    await scene.startAs({ clock: behind(scene, 8 * DAY_MS) }, 'apply', '--yes').ran;
    scene.clock.move(HOUR_MS);
    person('archived');
    expect([(await apply(ACTIVE)).code, active()]).toEqual([5, []]);
  });
});

describe('a stop that was confirmed a moment ago, with lists that still show what ran', () => {
  const late = (operation: 'campaigns.set-status' | 'campaigns.unsend'): FaultInput => {
    return { kind: 'lag', operation, nth: 1, lag_sec: 9, reads: true };
  };

  it.each([
    ['by hand on a machine with a clock that is behind', PAUSE, HOUR_MS, 0],
    ['by hand, answered after 20 s', PAUSE, 0, 20_000],
    ['by a recall by hand', RECALL, 0, 0],
  ])('stays a stop: %s', async (_, words, behindMs, slowMs) => {
    const { scene, simulator, active } = await changed({ messages: [{ text: 'Hello' }] }, slowMs);
    simulator.control.addFault(late(words === RECALL ? 'campaigns.unsend' : 'campaigns.set-status'));
    await dieAfter(scene, 'end', words, behind(scene, behindMs));
    expect((await scene.herald('apply', '--yes')).code).toBe(5);
    expect(active()).toEqual([]);
  });

  it("is not called a person's where it was the apply's, answered after 20 s", async () => {
    const { scene, simulator, active, apply } = await changed({ status: 'paused' }, 20_000);
    simulator.control.addFault(late('campaigns.set-status'));
    await dieAfter(scene, 'end', ['apply', '--yes']);
    expect((await apply(ACTIVE)).stdout).toContain('applied activate');
    expect(active()).toEqual(['Welcome']);
  });
});

describe('what a person has stopped', () => {
  it('is recorded by the apply that sees it, also where Herald had paused it before', async () => {
    const { scene, active, apply, person } = await live(ACTIVE, PAUSED);
    scene.clock.move(DAY_MS);
    person('archived');
    expect((await apply(ACTIVE)).code).toBe(5);
    // For all that the status tells, the service could have archived it by now.
    scene.clock.move(7 * DAY_MS);
    const later = await apply();
    expect([later.code, active()]).toEqual([5, []]);
    expect(later.stderr + later.stdout).toContain('Archived outside Herald');
  });

  it('is not judged before the last copy of its stop is a window old', async () => {
    const { scene, on } = await live(ACTIVE);
    Object.assign(scene.files.tree, CHANGED);
    on.write = async () => answered(502);
    const copiesMs: number[] = [];
    const stop = scene.startAs(
      {
        onRecord: (what) => {
          if (what === 'begin' || what === 'repeat') copiesMs.push(scene.clock.monotonicMs());
          return 'done';
        },
      },
      ...PAUSE,
    );
    await until(() => copiesMs.length >= 3);
    const beganMs: number[] = [];
    const apply = scene.startAs(
      {
        onRecord: (what) => {
          if (what === 'begin') {
            delete on.write;
            beganMs.push(scene.clock.monotonicMs());
          }
          return 'done';
        },
      },
      'apply',
      '--yes',
    );
    await Promise.all([apply.ran, stop.ran]);
    expect((beganMs[0] ?? Number.POSITIVE_INFINITY) - (copiesMs.at(-1) ?? 0)).toBeGreaterThanOrEqual(65_000);
  });
});

it('what a person declines is not recorded: the adoption of what is there as declared', async () => {
  const two = campaign({ name: 'Two', messages: [{ text: 'two' }] });
  const { scene, simulator, active, apply } = await live({});
  Object.assign(scene.files.tree, declaring({ campaigns: [campaign(), two] }));
  simulator.control.seedCampaign('101', { id: '77', name: 'Welcome', messages: [{ text: 'Hey' }] });
  scene.answer = () => false;
  expect((await scene.herald('apply', '--allow', 'adopt')).stderr).toContain('Nothing was changed.');
  scene.answer = null;
  expect((await apply(CHANGED)).code).toBe(5);
  expect(active()).toEqual(['Welcome']);
});
