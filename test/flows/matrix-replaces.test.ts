import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  dieBefore,
  liveOn,
  messages,
  outcomes,
  planned,
  statuses,
  writesSent,
} from '../helpers/flows.ts';
import { madeOnce } from '../helpers/made-once.ts';
import { columnsOf } from '../helpers/matrix.ts';
import { aScene } from '../helpers/scene.ts';
import { createTimes, expectNoOneGetsItTwice, expectNoEarlyRepeat, expectQuiet } from '../helpers/truth.ts';

const first = { campaigns: [campaign()], broadcasts: [broadcast()] };
const second = {
  campaigns: [campaign({ messages: [{ text: 'Hello' }] })],
  broadcasts: [broadcast({ messages: [{ text: 'Tonight' }] })],
};
const ROWS = [
  { row: 'LOST-8', kind: 'campaign', of: 'campaigns', running: 'active', stopped: 'archived' },
  { row: 'LOST-9', kind: 'broadcast', of: 'broadcasts', running: 'scheduled', stopped: 'paused' },
] as const;

const edited = madeOnce(async (of: 'campaigns' | 'broadcasts') => {
  const scene = aScene({ files: declaring({ [of]: first[of] }) });
  expect((await applied(scene)).code).toBe(0);
  Object.assign(scene.files.tree, declaring({ [of]: second[of] }));
  return scene;
});

describe.each(ROWS)('$row, a $kind is replaced', ({ kind, of, running, stopped }) => {
  it.each(columnsOf(`${of}.create`))('its create: $title', async ({ title, faults, killed, commits }) => {
    const scene = await edited(of);
    for (const fault of faults) await scene.fault(fault);
    let outcomeLines = 0;
    // The first outcome of the run is the pause's, the second the create's.
    if (killed)
      await dieBefore(scene, (line) => line.includes('"type":"outcome"') && (outcomeLines += 1) === 2);
    const run = await applied(scene);
    expect(run.code).toBe(0);

    const posts = (await createTimes(scene)).slice(1);
    expect(posts.length).toBe(commits === 'at once' || commits === 'inside' ? 1 : 2);
    await expectNoEarlyRepeat(scene, posts.length);
    const heard = /^FAULT-[67] /.test(title) || commits === 'never' || commits === 'beyond';
    const adopted = killed ? 'keep adopted' : 'replace adopted';
    expect(outcomes(run)).toEqual([heard ? 'replace applied' : adopted]);

    if (commits === 'beyond') {
      scene.clock.move(60_000);
      expect(outcomes(await applied(scene))).toEqual(['retire applied']);
      expect(await statuses(scene, kind)).toEqual(['paused', running, stopped]);
    } else expect(await statuses(scene, kind)).toEqual(['paused', running]);
    await expectQuiet(scene);
    await expectNoOneGetsItTwice(scene);
  });

  it.each(columnsOf(`${of}.set-status`).filter(({ commits }) => commits !== 'beyond'))(
    'its pause: $title',
    async ({ faults, killed }) => {
      const scene = await edited(of);
      for (const fault of faults) await scene.fault(fault);
      if (killed) await dieBefore(scene, (line) => line.includes('"type":"outcome"'));
      const run = await applied(scene);
      expect(run.code).toBe(0);
      expect(outcomes(run)).toEqual(['replace applied']);
      expect((await createTimes(scene)).length).toBe(2);
      scene.clock.move(80_000);
      expect(await statuses(scene, kind)).toEqual(['paused', running]);
      const { commits } = await scene.oracle();
      const paused = commits.findIndex(({ change, status }) => change === 'status' && status === 'paused');
      const created = commits.findLastIndex(({ change }) => change === 'create');
      expect(paused, 'nothing is created while the old one may run').toBeLessThan(created);
      await expectQuiet(scene);
      await expectNoOneGetsItTwice(scene);
    },
  );

  it.each([90, 120])(
    'FAULT-12 its pause lands %i s late: nothing is other than declared',
    async (after_sec) => {
      const scene = await edited(of);
      await scene.fault({
        kind: 'late_commit',
        operation: `${of}.set-status`,
        after_sec,
        how: 'reset',
        nth: 1,
      });
      expect((await applied(scene)).code).toBe(0);
      scene.clock.move(130_000);
      expect(await statuses(scene, kind)).toEqual(['paused', running]);
      await expectQuiet(scene);
    },
  );

  it('a create refused after a pause with a first copy that may still land: the old one runs again after that', async () => {
    const scene = await edited(of);
    await scene.fault({
      kind: 'late_commit',
      operation: `${of}.set-status`,
      after_sec: 60,
      how: 'reset',
      nth: 1,
    });
    await scene.fault({ kind: 'throttle', operation: `${of}.create`, retry_after_sec: 200 });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['replace failed']);
    expect(run.code).toBe(1);
    scene.clock.move(80_000);
    expect(await statuses(scene, kind), 'not paused again by the late copy').toEqual([running]);
  });

  it('FAULT-9 another operator was faster: nothing is created', async () => {
    const scene = await edited(of);
    await scene.service((control) =>
      kind === 'campaign'
        ? control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'Hello' }] })
        : control.seedBroadcast('101', {
            name: 'Teaser',
            messages: [{ text: 'Tonight' }],
            scheduled_at: '2026-06-01T15:00:00.000Z',
          }),
    );
    expect((await applied(scene)).code).toBe(0);
    expect((await createTimes(scene)).length).toBe(1);
    expect(await statuses(scene, kind)).toContain(running);
    expect((await statuses(scene, kind)).filter((status) => status === running).length).toBe(1);
    await expectNoOneGetsItTwice(scene);
  });
});

describe('LOST-8 FAULT-1 and FAULT-4, a replace with a create that stays silent twice', () => {
  const silent = async (how: 'timeout' | '502') => {
    const scene = await edited('campaigns');
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.create',
      how,
      when: 'before_commit',
      nth: 1,
      times: 2,
    });
    return scene;
  };

  it.each(['timeout', '502'] as const)('%s: the old version runs again once that is certain', async (how) => {
    const scene = await silent(how);
    const run = await applied(scene);
    expect(run.code).toBe(3);
    expect(outcomes(run)).toEqual(['replace unknown']);
    expect(messages(run)).toMatch(/The old version \d+ is active again/);
    expect(messages(run)).not.toContain('stays paused');
    expect(await statuses(scene, 'campaign')).toEqual(['active']);
    const posts = (await createTimes(scene)).slice(1);
    expect(posts.length).toBe(2);
    await expectNoEarlyRepeat(scene, 2);
    const on = (await scene.oracle()).commits.findLast(({ status }) => status === 'active');
    expect(
      Date.parse(on?.at ?? '') / 1000 - Date.UTC(2026, 5, 1, 12) / 1000 - (posts[1] ?? 0),
    ).toBeGreaterThanOrEqual(75);
    expect(outcomes(await applied(scene)), 'the next run tries again').toEqual(['replace applied']);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });

  it.each([80, 100])(
    'FAULT-12 and then the second turns up %i s late: one is live after the next apply',
    async (after_sec) => {
      const scene = await edited('campaigns');
      await scene.fault({
        kind: 'broken_answer',
        operation: 'campaigns.create',
        how: '502',
        when: 'before_commit',
        nth: 1,
      });
      await scene.fault({
        kind: 'late_commit',
        operation: 'campaigns.create',
        how: '502',
        after_sec,
        nth: 2,
      });
      expect((await applied(scene)).code).toBe(3);
      scene.clock.move(60_000);
      expect((await planned(scene, '--detailed-exitcode')).code).toBe(2);
      expect((await applied(scene)).code).toBe(0);
      const live = await liveOn(scene, '101', 'campaign');
      expect(live.map(({ text, status }) => `${text} ${status}`)).toEqual(['Hey paused', 'Hello active']);
      await expectQuiet(scene);
      await expectNoOneGetsItTwice(scene);
    },
  );

  it('an interrupt before it is certain leaves the old one paused, and says so', async () => {
    const scene = await silent('502');
    const run = scene.start('apply', '--yes');
    void scene.clock.sleep(100_000).then(() => run.interrupt());
    expect((await run.ran).code).toBe(3);
    expect(await statuses(scene, 'campaign')).toEqual(['paused']);
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });
});

describe('LOST-9 FAULT-1 and FAULT-4, a replaced broadcast with a create that stays silent twice', () => {
  it('leaves the old one paused, and the next run creates it', async () => {
    const scene = await edited('broadcasts');
    await scene.fault({
      kind: 'broken_answer',
      operation: 'broadcasts.create',
      how: '502',
      when: 'before_commit',
      nth: 1,
      times: 2,
    });
    const run = await applied(scene);
    expect(run.code).toBe(3);
    expect(messages(run)).toMatch(/The old version \d+ stays paused/);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused']);
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
    await expectNoOneGetsItTwice(scene);
  });

  it('dispatched between the plan and the pause: nothing is created in its place', async () => {
    const scene = await edited('broadcasts');
    await scene.fault({
      kind: 'change_before',
      operation: 'broadcasts.set-status',
      nth: 1,
      edit: {
        kind: 'broadcast',
        account_id: '101',
        name: 'Teaser',
        set: { status: 'sending', scheduled_at: null },
      },
    });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['replace failed']);
    expect(messages(run)).toContain('has already been sent');
    expect((await createTimes(scene)).length).toBe(1);
  });

  it('is never resumed by us afterwards', async () => {
    const scene = await edited('broadcasts');
    await applied(scene);
    await applied(scene);
    const resumed = (await writesSent(scene)).filter((write) => write.includes('set-status'));
    expect(resumed.length).toBe(1);
  });
});

describe('a replaced campaign with old_queue: clear with a lost create', () => {
  it.each(['before_commit', 'after_commit'] as const)('%s loses its old queue all the same', async (when) => {
    const slow = { rules: { send_delay_interval: { min_sec: 3600 } } };
    const scene = aScene({ files: declaring({ campaigns: [campaign(slow)] }) });
    await applied(scene);
    await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f0'));
    const words = { messages: [{ text: 'Hello' }], old_queue: 'clear' };
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ ...slow, ...words })] }));
    await scene.fault({ kind: 'broken_answer', operation: 'campaigns.create', how: 'reset', when, nth: 1 });
    const run = await applied(scene);
    expect(run.code).toBe(0);
    expect(await statuses(scene, 'campaign')).toEqual(['archived', 'active']);
    scene.clock.move(24 * 3_600_000);
    expect((await scene.oracle()).dispatches).toEqual([]);
  });
});
