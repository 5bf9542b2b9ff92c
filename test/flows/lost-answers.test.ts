import { describe, expect, it } from 'vitest';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  dieAtLine,
  dieBefore,
  liveOn,
  messages,
  outcomes,
  planned,
  statuses,
  worstDispatch,
} from '../helpers/flows.ts';
import { aScene, NOON } from '../helpers/scene.ts';

const SETTLE = 75_000;
const HOUR = 3_600_000;

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
const BREAKAGES = ['timeout', 'reset', '500', '502', 'truncated', 'unreadable'] as const;
const MOMENTS = ['before_commit', 'after_commit'] as const;

const CASES = KINDS.flatMap((what) =>
  BREAKAGES.flatMap((how) =>
    MOMENTS.map((when) => ({ ...what, how, when, title: `${what.kind}, ${how} ${when}` })),
  ),
);

describe.each(CASES)(
  'a create whose answer is lost: $title',
  ({ kind, operation, files, status, how, when }) => {
    const lost = async () => {
      const scene = aScene({ files });
      await scene.fault({ kind: 'broken_answer', operation, how, when, nth: 1 });
      return { scene, run: await applied(scene) };
    };

    it('is unknown, and says what may be where and what to do', async () => {
      const { scene, run } = await lost();
      expect(run.code).toBe(3);
      expect(outcomes(run)).toEqual(['create unknown']);
      expect(messages(run)).toMatch(/^(Campaign "Welcome"|Broadcast "Teaser") may exist on account alice: /);
      expect(messages(run)).toMatch(/Run "herald apply" again after 2026-06-01T12:0\d:\d\dZ/);
      expect(await createsSent(scene), 'never repeated by the request path').toBe(1);
    });

    it('is not sent again within the settle window', async () => {
      const { scene } = await lost();
      const again = await applied(scene);
      const timedOut = how === 'timeout';
      if (when === 'before_commit' && !timedOut) {
        expect(outcomes(again)).toEqual(
          ['create not_attempted'].map((words) => words.replace('create', 'blocked')),
        );
        expect(again.code).toBe(5);
        expect(messages(again)).toContain('may still appear until');
        expect(await createsSent(scene)).toBe(1);
      } else if (when === 'after_commit') {
        expect(outcomes(again)).toEqual(['keep adopted']);
        expect(again.code).toBe(0);
      }
      expect((await statuses(scene, kind)).length).toBeLessThanOrEqual(1);
    });

    it('ends with exactly one live object and one dispatch', async () => {
      const { scene } = await lost();
      scene.clock.move(SETTLE);
      expect((await applied(scene)).code).toBe(0);
      expect(await statuses(scene, kind)).toEqual([status]);
      expect(await createsSent(scene)).toBe(when === 'before_commit' ? 2 : 1);
      expect(decisions(await planned(scene))).toEqual([]);
      await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
      scene.clock.move(4 * HOUR);
      expect(await worstDispatch(scene)).toBe(1);
    });
  },
);

describe.each(KINDS)('a $kind create that commits late', ({ kind, operation, files, status }) => {
  const late = (after_sec: number, more: Partial<FaultInput> = {}): FaultInput =>
    ({ kind: 'late_commit', operation, after_sec, how: 'reset', nth: 1, ...more }) as FaultInput;

  it('is adopted when it turned up, and sent once', async () => {
    const scene = aScene({ files });
    await scene.fault(late(60));
    expect((await applied(scene)).code).toBe(3);
    scene.clock.move(10_000);
    expect((await applied(scene)).code, 'not there yet').toBe(5);
    scene.clock.move(60_000);
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['keep adopted']);
    expect(run.code).toBe(0);
    expect(await createsSent(scene)).toBe(1);
  });

  it('beyond the contract leaves one of two standing', async () => {
    const scene = aScene({ files });
    await scene.fault(late(120));
    await applied(scene);
    scene.clock.move(SETTLE);
    expect((await applied(scene)).code).toBe(0);
    scene.clock.move(60_000);
    expect(await statuses(scene, kind)).toEqual([status, status]);
    const { code, plan } = await planned(scene, '--detailed-exitcode');
    expect(decisions({ plan })).toEqual([
      `retire alice/${kind}/${kind === 'campaign' ? 'Welcome' : 'Teaser'}`,
    ]);
    expect(code).toBe(2);
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, kind)).toEqual([status, kind === 'campaign' ? 'archived' : 'paused']);
    await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
    scene.clock.move(4 * HOUR);
    expect(await worstDispatch(scene)).toBe(1);
  });

  it('beyond the contract twice: both are ours, also when no answer was ever heard', async () => {
    const scene = aScene({ files });
    await scene.fault(late(120));
    await scene.fault(late(30, { nth: 2, times: 1 }));
    await applied(scene);
    scene.clock.move(SETTLE);
    expect((await applied(scene)).code).toBe(3);
    scene.clock.move(60_000);
    expect(await statuses(scene, kind)).toEqual([status, status]);
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, kind)).toEqual([status, kind === 'campaign' ? 'archived' : 'paused']);
  });
});

describe('a lost create and a changed file', () => {
  it('is taken over and replaced, without asking for adoption', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.create',
      how: 'reset',
      when: 'after_commit',
      nth: 1,
    });
    await applied(scene);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ messages: [{ text: 'Hello' }] })] }));
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['replace applied']);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });

  it('and a broadcast whose lead is lost while waiting is not created after all', async () => {
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
    expect((await applied(scene)).code).toBe(3);
    scene.clock.move(SETTLE);
    const { plan } = await planned(scene);
    expect(decisions({ plan })).toEqual(['missed alice/broadcast/Teaser']);
    expect((await applied(scene)).code).toBe(0);
    expect(await createsSent(scene)).toBe(1);
  });
});

describe('the settle window', () => {
  it.each([60_000, -60_000])(
    'is measured on one clock, also when the service runs %i ms beside ours',
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
      await applied(scene);
      scene.clock.move(SETTLE - 5_000);
      expect((await applied(scene)).code).toBe(5);
      scene.clock.move(5_000);
      expect((await applied(scene)).code).toBe(0);
      expect(await createsSent(scene)).toBe(2);
    },
  );

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
    // The send that the service heard is the third; the process dies before it can write that nobody answered.
    await dieBefore(scene, (line) => line.includes('"outcome":"unknown"'));
    scene.clock.move(50_000);
    expect((await applied(scene)).code, 'eighty seconds of waiting do not count').toBe(5);
    scene.clock.move(20_000);
    expect(outcomes(await applied(scene))).toEqual(['keep adopted']);
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
