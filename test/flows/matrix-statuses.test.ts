import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, dieBefore, outcomes, statuses, writesSent } from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { columnsOf } from '../helpers/matrix.ts';
import { aScene } from '../helpers/scene.ts';
import { expectNoOneGetsItTwice, expectQuiet } from '../helpers/truth.ts';

const campaigns = (status: string) => declaring({ campaigns: [campaign({ status })] });
const broadcasts = (status: string) => declaring({ broadcasts: [broadcast({ status })] });

const ROWS = [
  {
    row: 'LOST-2',
    action: 'pause',
    of: 'campaigns',
    to: 'paused',
    states: [campaigns('active'), campaigns('paused')],
  },
  {
    row: 'LOST-2',
    action: 'archive',
    of: 'campaigns',
    to: 'archived',
    states: [campaigns('active'), campaigns('archived')],
  },
  {
    row: 'LOST-2',
    action: 'activate',
    of: 'campaigns',
    to: 'active',
    states: [campaigns('active'), campaigns('paused'), campaigns('active')],
  },
  {
    row: 'LOST-5',
    action: 'pause',
    of: 'broadcasts',
    to: 'paused',
    states: [broadcasts('scheduled'), broadcasts('paused')],
  },
  {
    row: 'LOST-6',
    action: 'resume',
    of: 'broadcasts',
    to: 'scheduled',
    states: [broadcasts('scheduled'), broadcasts('paused'), broadcasts('scheduled')],
  },
] as const;

describe.each(ROWS)('$row, $action of $of', ({ action, of, to, states }) => {
  const kind = of === 'campaigns' ? 'campaign' : 'broadcast';
  const operation = `${of}.set-status` as const;

  const standing = madeOnce(async () => {
    const scene = aScene();
    for (const files of states.slice(0, -1)) {
      Object.assign(scene.files.tree, files);
      expect((await applied(scene)).code).toBe(0);
    }
    Object.assign(scene.files.tree, states.at(-1));
    return scene;
  });

  it.each(columnsOf(operation).filter(({ commits }) => commits !== 'beyond'))(
    '$title',
    async ({ faults, killed }) => {
      const scene = await standing();
      for (const fault of faults) await scene.fault(fault);
      if (killed) await dieBefore(scene, (line) => line.includes('"type":"outcome"'));
      const run = await applied(scene);
      expect(run.code).toBe(0);
      if (!killed) expect(outcomes(run)).toEqual([`${action} applied`]);
      expect(await statuses(scene, kind)).toEqual([to]);
      scene.clock.move(80_000);
      expect(await statuses(scene, kind), 'also after the late copy').toEqual([to]);
      await expectQuiet(scene);
      await expectNoOneGetsItTwice(scene);
    },
  );

  // ERROR-8
  it.each([1, 20, 64])(
    'FAULT-3 no opposite change before a copy of %i s can have landed',
    async (after_sec) => {
      const scene = await standing();
      await scene.fault({ kind: 'late_commit', operation, after_sec, how: 'reset', nth: 1 });
      expect((await applied(scene)).code).toBe(0);
      const opposite = states.at(-2);
      Object.assign(scene.files.tree, opposite);
      const run = await applied(scene);
      expect(run.code).toBe(0);
      const after = await statuses(scene, kind);
      scene.clock.move(130_000);
      expect(await statuses(scene, kind), 'the late copy has not undone it').toEqual(after);
      await expectQuiet(scene);
    },
  );

  it('FAULT-4 for good is unknown, and the next run brings it to its end', async () => {
    const scene = await standing();
    await scene.fault({ kind: 'broken_answer', operation, how: '502', when: 'before_commit' });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual([`${action} unknown`]);
    expect(run.code).toBe(3);
    await scene.service((control) => control.clearFaults());
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, kind)).toEqual([to]);
    await expectQuiet(scene);
  });

  it('FAULT-9 holds already: nothing is sent', async () => {
    const scene = await standing();
    await applied(scene);
    const sent = await writesSent(scene);
    expect((await applied(scene)).code).toBe(0);
    expect(await writesSent(scene)).toEqual(sent);
  });
});

// CAMPAIGN-7
describe('LOST-2 FAULT-5, half of an archive', () => {
  it.each([1, 3])('%i times: it is asked for until it is heard, and the queue is gone', async (times) => {
    const delayed = { rules: { send_delay_interval: { min_sec: 3600 } } };
    const scene = aScene({ files: declaring({ campaigns: [campaign(delayed)] }) });
    await applied(scene);
    await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ ...delayed, status: 'archived' })] }));
    await scene.fault({ kind: 'partial_commit', operation: 'campaigns.set-status', nth: 1, times });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['archive applied']);
    expect((await writesSent(scene)).filter((write) => write.includes('set-status')).length).toBe(times + 1);
    scene.clock.move(24 * 3_600_000);
    expect((await scene.oracle()).dispatches).toEqual([]);
  });
});
