import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, dieBefore, liveOn, outcomes, statuses, writesSent } from '../helpers/flows.ts';
import { columnsOf } from '../helpers/matrix.ts';
import { aScene } from '../helpers/scene.ts';
import { createTimes, expectNoOneGetsItTwice, expectNoEarlyRepeat, expectQuiet } from '../helpers/truth.ts';

const ROWS = [
  {
    row: 'LOST-1',
    kind: 'campaign',
    of: 'campaigns',
    running: 'active',
    stopped: 'archived',
    files: declaring({ campaigns: [campaign()] }),
  },
  {
    row: 'LOST-4',
    kind: 'broadcast',
    of: 'broadcasts',
    running: 'scheduled',
    stopped: 'paused',
    files: declaring({ broadcasts: [broadcast()] }),
  },
] as const;

describe.each(ROWS)('$row, a $kind is created', ({ kind, of, running, stopped, files }) => {
  it.each(columnsOf(`${of}.create`))('$title', async ({ title, faults, killed, commits }) => {
    const scene = aScene({ files });
    for (const fault of faults) await scene.fault(fault);
    if (killed) await dieBefore(scene, (line) => line.includes('"type":"outcome"'));
    const run = await applied(scene);
    expect(run.code).toBe(0);

    const posts = await createTimes(scene);
    expect(posts.length).toBe(commits === 'at once' || commits === 'inside' ? 1 : 2);
    await expectNoEarlyRepeat(scene, posts.length);

    const heard = /^FAULT-[67] /.test(title) || commits === 'never' || commits === 'beyond';
    const adopted = killed ? 'keep adopted' : 'create adopted';
    expect(outcomes(run)).toEqual([heard ? 'create applied' : adopted]);
    const ids = (await liveOn(scene, '101', kind)).map(({ id }) => id);
    expect(ids, 'what is reported is live').toContain(run.report.outcomes[0]?.live_id);

    if (commits === 'beyond') {
      scene.clock.move(60_000);
      expect(await statuses(scene, kind)).toEqual([running, running]);
      expect((await scene.herald('plan', '--detailed-exitcode')).code, 'never wrongly quiet').toBe(2);
      expect(outcomes(await applied(scene))).toEqual(['retire applied']);
      expect(await statuses(scene, kind)).toEqual([running, stopped]);
    } else expect(await statuses(scene, kind)).toEqual([running]);
    await expectQuiet(scene);
    await expectNoOneGetsItTwice(scene);
  });

  it('FAULT-9 is there already, equal: nothing is sent', async () => {
    const scene = aScene({ files });
    await scene.service((control) =>
      kind === 'campaign'
        ? control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'Hey' }] })
        : control.seedBroadcast('101', {
            name: 'Teaser',
            messages: [{ text: 'Tomorrow' }],
            scheduled_at: '2026-06-01T15:00:00.000Z',
          }),
    );
    const run = await applied(scene);
    expect(run.code).toBe(0);
    expect(await writesSent(scene)).toEqual([]);
    await expectNoOneGetsItTwice(scene);
  });

  it('FAULT-9 is there already, different and not ours: blocked, nothing is sent', async () => {
    const scene = aScene({ files });
    await scene.service((control) =>
      kind === 'campaign'
        ? control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'Mine' }] })
        : control.seedBroadcast('101', {
            name: 'Teaser',
            messages: [{ text: 'Mine' }],
            scheduled_at: '2026-06-01T15:00:00.000Z',
          }),
    );
    const run = await applied(scene);
    expect(run.code).toBe(5);
    expect(await writesSent(scene)).toEqual([]);
  });
});
