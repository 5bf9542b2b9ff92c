import { describe, expect, it } from 'vitest';
import { applyReportShape } from '../../src/domain/change.ts';
import { BREAKAGES, type FaultInput } from '../../src/simulator/fault-shape.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  decisions,
  dieAtLine,
  dieBefore,
  documentOf,
  liveOn,
  messages,
  outcomes,
  planned,
  statuses,
  worstDispatch,
} from '../helpers/flows.ts';
import { aScene, NOON } from '../helpers/scene.ts';
import { createTimes, expectNoOneGetsItTwice, expectNoEarlyRepeat, expectQuiet } from '../helpers/truth.ts';

const SETTLE = 75_000;

const KINDS = [
  {
    kind: 'campaign',
    operation: 'campaigns.create',
    files: declaring({ campaigns: [campaign()] }),
    status: 'active',
  },
  {
    kind: 'broadcast',
    operation: 'broadcasts.create',
    files: declaring({ broadcasts: [broadcast()] }),
    status: 'scheduled',
  },
] as const;
const MOMENTS = ['before_commit', 'after_commit'] as const;

const CASES = KINDS.flatMap((what) =>
  BREAKAGES.flatMap((how) =>
    MOMENTS.map((when) => ({ ...what, how, when, title: `${what.kind}, ${how} ${when}` })),
  ),
);

describe.each(CASES)(
  'a create with a lost answer: $title',
  ({ kind, operation, files, status, how, when }) => {
    const runLost = async () => {
      const scene = aScene({ files });
      await scene.fault({ kind: 'broken_answer', operation, how, when, nth: 1 });
      return { scene, run: await applied(scene) };
    };
    let made: ReturnType<typeof runLost> | null = null;
    /** Each test gets a copy of the scene after the same run. */
    const lost = async () => {
      made ??= runLost();
      const { scene, run } = await made;
      return { scene: scene.copy(), run };
    };

    // ERROR-9
    it('is settled by the same run: adopted when it was made, else created once more', async () => {
      const { scene, run } = await lost();
      expect(run.code).toBe(0);
      expect(outcomes(run)).toEqual([when === 'after_commit' ? 'create adopted' : 'create applied']);
      expect(messages(run)).toContain(
        when === 'after_commit'
          ? 'it was found in the list and adopted'
          : 'did not succeed; the second one succeeded',
      );
      const [made] = await liveOn(scene, '101', kind);
      expect(run.report.outcomes.map(({ live_id }) => live_id)).toEqual([made?.id]);
    });

    // CAMPAIGN-2
    it('is sent again only when it was not carried out, and not before the window has passed', async () => {
      const { scene } = await lost();
      const times = await createTimes(scene);
      expect(times.length).toBe(when === 'after_commit' ? 1 : 2);
      await expectNoEarlyRepeat(scene, times.length);
    });

    it('ends with exactly one live object and one dispatch', async () => {
      const { scene } = await lost();
      expect(await statuses(scene, kind)).toEqual([status]);
      await expectQuiet(scene);
      await expectNoOneGetsItTwice(scene);
      expect(await worstDispatch(scene)).toBe(1);
    });

    // ERROR-9
    it('and lost again is unknown, says that nothing is there, and is not sent a third time', async () => {
      const scene = aScene({ files });
      await scene.fault({ kind: 'broken_answer', operation, how, when: 'before_commit', nth: 1, times: 2 });
      const run = await applied(scene);
      expect(run.code).toBe(3);
      expect(outcomes(run)).toEqual(['create unknown']);
      expect(messages(run)).toMatch(/^Not created: .* Run herald apply again when the service answers\.$/);
      expect((await createTimes(scene)).length).toBe(2);
      await expectNoEarlyRepeat(scene, 2);
      const next = await applied(scene);
      expect(outcomes(next)).toEqual(['create applied']);
      await expectNoEarlyRepeat(scene, 3);
      expect(await statuses(scene, kind)).toEqual([status]);
    });
  },
);

describe.each(KINDS)(
  'a run that ends while a lost $kind create is settled',
  ({ kind, operation, files, status }) => {
    const settling = async (when: 'before_commit' | 'after_commit') => {
      const scene = aScene({ files });
      await scene.fault({ kind: 'broken_answer', operation, how: 'reset', when, nth: 1 });
      // The process dies before it can write that no one answered.
      await dieBefore(scene, (line) => line.includes('"outcome":"unknown"'));
      return scene;
    };

    it.each(MOMENTS)('is taken up by the next one at once, the create lost %s', async (when) => {
      const scene = await settling(when);
      const plan = await planned(scene);
      expect(plan.code, 'a plan does not wait').toBe(when === 'after_commit' ? 0 : 5);
      const run = await applied(scene);
      expect(run.code).toBe(0);
      expect(outcomes(run)).toEqual([when === 'after_commit' ? 'keep adopted' : 'create applied']);
      expect(await statuses(scene, kind)).toEqual([status]);
      await expectNoEarlyRepeat(scene, when === 'after_commit' ? 1 : 2);
      await expectQuiet(scene);
    });

    it('by an interrupt reports it as unknown and sends nothing more', async () => {
      const scene = aScene({ files });
      await scene.fault({ kind: 'broken_answer', operation, how: 'reset', when: 'before_commit', nth: 1 });
      const run = scene.start('apply', '--yes', '--format', 'json');
      void scene.clock.sleep(30_000).then(() => run.interrupt());
      const ran = await run.ran;
      expect(ran.code).toBe(3);
      expect(outcomes({ report: documentOf(ran, applyReportShape) })).toEqual(['create unknown']);
      expect((await createTimes(scene)).length).toBe(1);
      expect(outcomes(await applied(scene))).toEqual(['create applied']);
      await expectNoEarlyRepeat(scene, 2);
      expect(await statuses(scene, kind)).toEqual([status]);
    });

    it('because the lists cannot be read reports it as unknown, and says why', async () => {
      const scene = aScene({ files });
      await scene.fault({ kind: 'broken_answer', operation, how: 'reset', when: 'before_commit', nth: 1 });
      await scene.fault({
        kind: 'broken_answer',
        operation: `${kind}s.list`,
        how: '500',
        when: 'after_commit',
        nth: 3,
        times: 5,
      });
      const run = await applied(scene);
      expect(run.code).toBe(3);
      expect(outcomes(run)).toEqual(['create unknown']);
      expect(run.stderr).toContain('The unconfirmed requests could not be resolved');
      expect((await createTimes(scene)).length).toBe(1);
      await scene.service((control) => control.clearFaults());
      expect((await applied(scene)).code).toBe(0);
      await expectNoEarlyRepeat(scene, 2);
    });
  },
);

describe.each(KINDS)('a $kind create that commits late', ({ kind, operation, files, status }) => {
  const late = (after_sec: number, more: Partial<FaultInput> = {}): FaultInput =>
    ({ kind: 'late_commit', operation, after_sec, how: 'reset', nth: 1, ...more }) as FaultInput;

  it.each([1, 15, 60, 74])('by %i s is adopted by the same run, and sent once', async (seconds) => {
    const scene = aScene({ files });
    await scene.fault(late(seconds));
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['create adopted']);
    expect(run.code).toBe(0);
    expect((await createTimes(scene)).length).toBe(1);
    await expectQuiet(scene);
  });

  // ERROR-5
  it('beyond the contract leaves one of two standing', async () => {
    const scene = aScene({ files });
    await scene.fault(late(120));
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['create applied']);
    scene.clock.move(60_000);
    expect(await statuses(scene, kind)).toEqual([status, status]);
    const { code, plan } = await planned(scene, '--detailed-exitcode');
    expect(decisions({ plan })).toEqual([
      `retire alice/${kind}/${kind === 'campaign' ? 'Welcome' : 'Teaser'}`,
    ]);
    expect(code).toBe(2);
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, kind)).toEqual([status, kind === 'campaign' ? 'archived' : 'paused']);
    await expectNoOneGetsItTwice(scene);
  });

  it('beyond the contract twice: both are ours, also when no answer was ever heard', async () => {
    const scene = aScene({ files });
    await scene.fault(late(180));
    await scene.fault(late(30, { nth: 2, times: 1 }));
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['create adopted']);
    scene.clock.move(60_000);
    expect(await statuses(scene, kind)).toEqual([status, status]);
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, kind)).toEqual([status, kind === 'campaign' ? 'archived' : 'paused']);
    await expectNoOneGetsItTwice(scene);
  });

  it('beyond the contract while the second is settled: the duplicate is stopped by the same run', async () => {
    const scene = aScene({ files });
    await scene.fault(late(90));
    await scene.fault(late(30, { nth: 2, times: 1 }));
    const run = await applied(scene);
    expect(run.code).toBe(0);
    scene.clock.move(60_000);
    await applied(scene);
    expect(await statuses(scene, kind)).toEqual([status, kind === 'campaign' ? 'archived' : 'paused']);
    await expectQuiet(scene);
    await expectNoOneGetsItTwice(scene);
  });
});

describe('a lost create and a changed file', () => {
  it('is taken over and replaced, without asking for adoption', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await dieAtLine(scene, 2);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ messages: [{ text: 'Hello' }] })] }));
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['replace applied']);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });

  // BROADCAST-2
  it('and a broadcast with a lost lead while waiting is not created after all', async () => {
    const scene = aScene({
      files: declaring({ broadcasts: [broadcast({ scheduled_at: '2026-06-01T13:00Z' })] }),
    });
    scene.clock.move(54 * 60_000);
    await scene.fault({
      kind: 'broken_answer',
      operation: 'broadcasts.create',
      how: '500',
      when: 'before_commit',
      nth: 1,
    });
    const run = await applied(scene);
    expect(run.code, 'nothing is live, and no one may think so').toBe(3);
    expect(outcomes(run)).toEqual(['create unknown']);
    expect((await createTimes(scene)).length).toBe(1);
    expect(await statuses(scene, 'broadcast')).toEqual([]);
    const { plan } = await planned(scene);
    expect(decisions({ plan })).toEqual(['missed alice/broadcast/Teaser']);
    expect((await applied(scene)).code).toBe(0);
    expect((await createTimes(scene)).length).toBe(1);
  });
});

describe('the settle window', () => {
  it.each([60_000, -60_000])(
    'is measured on one clock, also when the service runs %i ms next to ours',
    async (skewMs) => {
      const scene = aScene({
        files: declaring({ campaigns: [campaign()] }),
        world: { nowMs: NOON + skewMs },
      });
      await scene.fault({
        kind: 'broken_answer',
        operation: 'campaigns.create',
        how: 'reset',
        when: 'before_commit',
        nth: 1,
      });
      await dieBefore(scene, (line) => line.includes('"outcome":"unknown"'));
      scene.clock.move(SETTLE - 5_000);
      expect((await planned(scene)).code).toBe(5);
      expect((await applied(scene)).code).toBe(0);
      const times = await createTimes(scene);
      expect(times.length).toBe(2);
      await expectNoEarlyRepeat(scene, 2);
      expect((times[1] ?? 0) - (times[0] ?? 0), 'nor much later').toBeLessThan(80);
    },
  );

  // ERROR-5
  it('counts from the send and not from the moment at which a create began to wait for its turn', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.fault({
      kind: 'throttle',
      operation: 'campaigns.create',
      nth: 1,
      times: 2,
      retry_after_sec: 40,
    });
    await scene.fault({
      kind: 'late_commit',
      operation: 'campaigns.create',
      after_sec: 64,
      how: 'reset',
      nth: 3,
      times: 1,
    });
    // The send that the service heard is the third; the process dies before it can write that no one answered.
    await dieBefore(scene, (line) => line.includes('"outcome":"unknown"'));
    scene.clock.move(50_000);
    expect((await planned(scene)).code, 'eighty seconds of waiting do not count').toBe(5);
    expect(outcomes(await applied(scene))).toEqual(['keep adopted']);
    expect((await createTimes(scene)).length).toBe(1);
    expect(await statuses(scene, 'campaign')).toEqual(['active']);
  });
});

describe('an answer that is lost together with the process', () => {
  it.each(['before the request left', 'after the answer came'] as const)('%s', async (moment) => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await dieAtLine(scene, moment === 'before the request left' ? 1 : 2);
    const run = await applied(scene);
    expect(run.code).toBe(0);
    expect(outcomes(run)).toEqual([moment === 'before the request left' ? 'create applied' : 'keep adopted']);
    expect((await liveOn(scene, '101', 'campaign')).length).toBe(1);
  });
});
