import { expect, it } from 'vitest';
import type { FaultInput } from '../../src/simulator/fault-shape.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { dieAtLine, liveOn, planned } from '../helpers/flows.ts';
import { runs } from '../helpers/properties.ts';
import { aScene } from '../helpers/scene.ts';

const SEEDS = Array.from({ length: runs(10).numRuns }, (_, index) => index + 1);
const SETTLE = 75_000;
const HOUR = 3_600_000;
const ACCOUNTS = ['alice', 'bob'];

/** Everything that may happen to an answer, each with the same small chance. */
const FAULTS: readonly FaultInput[] = [
  ...(['timeout', 'reset', '500', '502', 'truncated', 'unreadable'] as const).flatMap((how) =>
    (['before_commit', 'after_commit'] as const).map((when): FaultInput => ({
      kind: 'broken_answer',
      how,
      when,
    })),
  ),
  { kind: 'late_commit', after_sec: 20, how: 'reset' },
  { kind: 'late_commit', after_sec: 60, how: '502' },
  { kind: 'throttle' },
  { kind: 'connection_refused' },
  { kind: 'list_lag', lag_sec: 3 },
];

const FILES = [
  declaring(
    { campaigns: [campaign()], broadcasts: [broadcast({ scheduled_at: '2026-06-03T15:00Z' })] },
    ACCOUNTS,
  ),
  declaring(
    {
      campaigns: [campaign({ messages: [{ text: 'Hello' }] })],
      broadcasts: [broadcast({ scheduled_at: '2026-06-03T16:00Z' })],
    },
    ACCOUNTS,
  ),
];

it.each(SEEDS)(
  'whatever happens to answers (seed %i), all is as declared in the end and no one gets it twice',
  async (seed) => {
    const scene = aScene({ world: { seed } });
    for (const files of FILES) {
      Object.assign(scene.files.tree, files);
      await scene.service((control) => {
        for (const fault of FAULTS)
          control.addFault({ ...fault, method: seed % 2 === 0 ? 'POST' : 'PATCH', probability: 0.05 });
        for (const fault of FAULTS) control.addFault({ ...fault, probability: 0.01 });
      });
      for (let run = 0; run < 3; run += 1) {
        if ((seed + run) % 5 === 0) await dieAtLine(scene, 1 + ((seed + run) % 7));
        await scene.herald('apply', '--yes');
        scene.clock.move(run % 2 === 0 ? 10_000 : SETTLE);
      }
    }
    await scene.service((control) => control.clearFaults());
    for (let run = 0; run < 3; run += 1) {
      await scene.herald('apply', '--yes');
      scene.clock.move(SETTLE);
    }
    const { code, plan } = await planned(scene, '--detailed-exitcode');
    expect(code, JSON.stringify(plan.changes, null, 1)).toBe(0);
    expect((await scene.oracle()).throttled, 'only those that were made up').toBeLessThan(100);
    for (const account of ['101', '102']) {
      const campaigns = await liveOn(scene, account, 'campaign');
      expect(campaigns.filter(({ status }) => status === 'active').map(({ text }) => text)).toEqual([
        'Hello',
      ]);
      const broadcasts = await liveOn(scene, account, 'broadcast');
      expect(broadcasts.filter(({ status }) => status === 'scheduled').length).toBe(1);
      await scene.service((control) => control.fireTrigger(account, 'welcome_message', 'f1'));
    }
    scene.clock.move(80 * HOUR);
    const { dispatch_counts: counts } = await scene.oracle();
    expect(counts.filter(({ count }) => count > 1)).toEqual([]);
    expect(counts.length).toBeGreaterThan(2);
  },
);
