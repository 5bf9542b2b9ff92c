import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, dieBefore, outcomes, statuses, writesSent } from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { columnsOf } from '../helpers/matrix.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { expectQuiet } from '../helpers/truth.ts';

const RECALL = ['--allow', 'recall'] as const;
const ROWS = [
  {
    row: 'LOST-3',
    kind: 'campaign',
    operation: 'campaigns.unsend',
    live: declaring({ campaigns: [campaign()] }),
    recalled: declaring({ campaigns: [campaign({ status: 'recalled' })] }),
    attempts: 3,
  },
  {
    row: 'LOST-7',
    kind: 'broadcast',
    operation: 'broadcasts.unsend',
    live: declaring({ broadcasts: [broadcast()] }),
    recalled: declaring({ broadcasts: [broadcast({ status: 'recalled' })] }),
    attempts: 4,
  },
] as const;

describe.each(ROWS)('$row, a $kind is recalled', ({ kind, operation, live, recalled, attempts }) => {
  const standing = madeOnce(async () => {
    const scene = aScene({ files: live });
    expect((await applied(scene)).code).toBe(0);
    Object.assign(scene.files.tree, recalled);
    return scene;
  });
  const recalls = async (scene: Scene) =>
    (await scene.oracle()).commits.filter(({ change }) => change === 'unsend').length;
  const unsends = async (scene: Scene) =>
    (await writesSent(scene)).filter((write) => write.includes('unsend')).length;

  it.each(columnsOf(operation).filter(({ commits }) => commits !== 'beyond'))(
    '$title',
    async ({ title, faults, killed, commits }) => {
      const scene = await standing();
      for (const fault of faults) await scene.fault(fault);
      if (killed) await dieBefore(scene, (line) => line.includes('"type":"outcome"'));
      const run = await applied(scene, ...RECALL);
      expect(run.code).toBe(0);
      if (!killed) expect(outcomes(run)).toEqual(['recall applied']);
      scene.clock.move(130_000);
      expect(await statuses(scene, kind)).toEqual(['recalled']);
      expect(await recalls(scene), 'one effect').toBe(1);
      if (kind === 'campaign' && commits === 'at once' && !killed && !/FAULT-[67] /.test(title))
        expect(await unsends(scene), 'a recall that has begun is not repeated').toBe(1);
      await expectQuiet(scene, ...RECALL);
    },
  );

  // CAMPAIGN-13, BROADCAST-21
  it.each(['502', 'reset'] as const)('FAULT-4 %s for good: a few attempts, then unknown', async (how) => {
    const scene = await standing();
    await scene.fault({ kind: 'broken_answer', operation, how, when: 'before_commit' });
    const run = await applied(scene, ...RECALL);
    expect(outcomes(run)).toEqual(['recall unknown']);
    expect(run.code).toBe(3);
    expect(await unsends(scene)).toBe(attempts);
    expect(await recalls(scene)).toBe(0);
    const blocked = await applied(scene);
    expect(blocked.code, 'no one asked for it again').toBe(5);
    expect(await unsends(scene)).toBe(attempts);
    await scene.service((control) => control.clearFaults());
    expect((await applied(scene, ...RECALL)).code).toBe(0);
    expect(await recalls(scene)).toBe(1);
  });

  it('FAULT-9 recalled already: nothing is sent', async () => {
    const scene = await standing();
    await applied(scene, ...RECALL);
    const sent = await writesSent(scene);
    expect((await applied(scene, ...RECALL)).code).toBe(0);
    expect(await writesSent(scene)).toEqual(sent);
  });
});
