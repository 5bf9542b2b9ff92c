import { describe, expect, it } from 'vitest';
import { byHand, reported, withBroadcast, withCampaign } from '../helpers/by-hand.ts';
import { dieBefore, messages, outcomes, statuses, writesSent } from '../helpers/flows.ts';
import { columnsOf } from '../helpers/matrix.ts';
import type { Scene } from '../helpers/scene.ts';

const ROWS = [
  { row: 'LOST-2', of: 'campaigns', verb: 'pause', from: 'active', to: 'paused', back: 'activate' },
  { row: 'LOST-2', of: 'campaigns', verb: 'archive', from: 'active', to: 'archived', back: 'activate' },
  { row: 'LOST-2', of: 'campaigns', verb: 'activate', from: 'paused', to: 'active', back: 'pause' },
  { row: 'LOST-5', of: 'broadcasts', verb: 'pause', from: 'scheduled', to: 'paused', back: 'resume' },
  { row: 'LOST-6', of: 'broadcasts', verb: 'resume', from: 'paused', to: 'scheduled', back: 'pause' },
] as const;

const LIVE = { campaigns: withCampaign, broadcasts: withBroadcast } as const;
const IDS = { campaigns: '77', broadcasts: '55' } as const;

const outcomeLine = (line: string) => line.includes('"type":"outcome"');

/** Kills the command right after its request left. */
function killed(scene: Scene, ...words: string[]): Promise<void> {
  return dieBefore(scene, outcomeLine, [...words, '--account', 'alice', '--yes']);
}

describe.each(ROWS)('$row, herald $of $verb', ({ of, verb, from, to, back }) => {
  const kind = of === 'campaigns' ? 'campaign' : 'broadcast';
  const operation = `${of}.set-status` as const;
  const id = IDS[of];

  it.each(columnsOf(operation).filter(({ commits }) => commits !== 'beyond'))(
    '$title',
    async ({ faults, killed: dies }) => {
      const scene = await LIVE[of]({ status: from });
      for (const fault of faults) await scene.fault(fault);
      if (dies) await killed(scene, of, verb, id);
      const run = await reported(scene, of, verb, id);
      expect(run.code, run.stderr).toBe(0);
      if (!dies) expect(outcomes(run)).toEqual([`${verb} applied`]);
      expect(await statuses(scene, kind)).toEqual([to]);
      scene.clock.move(80_000);
      expect(await statuses(scene, kind), 'also after the late copy').toEqual([to]);
      const sent = await writesSent(scene);
      expect((await byHand(scene, of, verb, id)).stderr, 'all is closed').toMatch(/already|It is not paused/);
      expect(await writesSent(scene)).toEqual(sent);
    },
  );

  it.each([1, 20, 64])('FAULT-3 the opposite waits until a copy of %i s has landed', async (after_sec) => {
    const scene = await LIVE[of]({ status: from });
    await scene.fault({ kind: 'late_commit', operation, after_sec, how: 'reset', nth: 1 });
    expect((await byHand(scene, of, verb, id)).code).toBe(0);
    expect((await byHand(scene, of, back, id)).code).toBe(0);
    const after = await statuses(scene, kind);
    scene.clock.move(130_000);
    expect(await statuses(scene, kind), 'the late copy has not undone it').toEqual(after);
    expect(after).not.toEqual([to]);
  });

  it.each([1, 40])('FAULT-8 the opposite of a killed one waits for its copy of %i s', async (after_sec) => {
    const scene = await LIVE[of]({ status: from });
    await scene.fault({ kind: 'late_commit', operation, after_sec, how: 'reset', nth: 1 });
    await killed(scene, of, verb, id);
    expect((await byHand(scene, of, back, id)).code).toBe(0);
    const after = await statuses(scene, kind);
    scene.clock.move(130_000);
    expect(await statuses(scene, kind)).toEqual(after);
    expect(after).not.toEqual([to]);
  });

  it('FAULT-8 the opposite waits for the copies of the repeat that settles a killed one', async () => {
    const scene = await LIVE[of]({ status: from });
    await scene.fault({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 2 });
    await killed(scene, of, verb, id);
    scene.clock.move(60_000);
    expect((await byHand(scene, of, back, id)).code).toBe(0);
    const after = await statuses(scene, kind);
    scene.clock.move(130_000);
    expect(await statuses(scene, kind)).toEqual(after);
    expect(after).not.toEqual([to]);
  });

  it('FAULT-8 the opposite of one killed after a repeat waits for the last copy, not for the first', async () => {
    const scene = await LIVE[of]({ status: from });
    await scene.fault({ kind: 'broken_answer', operation, how: 'timeout', when: 'before_commit', nth: 1 });
    await scene.fault({ kind: 'late_commit', operation, after_sec: 60, how: 'reset', nth: 2 });
    let copies = 1;
    const isThird = (line: string) => line.includes('"sent again"') && (copies += 1) === 3;
    await dieBefore(scene, isThird, [of, verb, id, '--account', 'alice', '--yes']);
    expect((await byHand(scene, of, back, id)).code).toBe(0);
    const after = await statuses(scene, kind);
    scene.clock.move(130_000);
    expect(await statuses(scene, kind)).toEqual(after);
    expect(after).not.toEqual([to]);
  });

  it('FAULT-4 for good is unknown, exit 3, and the command again brings it to its end', async () => {
    const scene = await LIVE[of]({ status: from });
    await scene.fault({ kind: 'broken_answer', operation, how: '502', when: 'before_commit' });
    const run = await reported(scene, of, verb, id);
    expect(outcomes(run)).toEqual([`${verb} unknown`]);
    expect(messages(run)).toContain('run the same command again');
    expect(run.code).toBe(3);
    await scene.service((control) => control.clearFaults());
    expect((await byHand(scene, of, verb, id)).code).toBe(0);
    expect(await statuses(scene, kind)).toEqual([to]);
  });
});

describe('a lost status change', () => {
  it('LOST-2 FAULT-5, half of an archive, is asked for until it is heard and the queue is gone', async () => {
    const scene = await withCampaign({ rules: { send_delay_interval: { min_sec: 3600 } } });
    await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
    await scene.fault({ kind: 'partial_commit', operation: 'campaigns.set-status', nth: 1, times: 2 });
    expect(outcomes(await reported(scene, 'campaigns', 'archive', '77'))).toEqual(['archive applied']);
    expect((await writesSent(scene)).length).toBe(3);
    scene.clock.move(24 * 3_600_000);
    expect((await scene.oracle()).dispatches).toEqual([]);
  });

  it('LOST-2 FAULT-8, half done and killed, is asked for again although its status shows already', async () => {
    const scene = await withCampaign({ rules: { send_delay_interval: { min_sec: 3600 } } });
    await scene.service((control) => control.fireTrigger('101', 'welcome_message', 'f1'));
    await scene.fault({ kind: 'partial_commit', operation: 'campaigns.set-status', nth: 1, times: 1 });
    await dieBefore(scene, (line) => line.includes('"type":"intent"') && !line.includes('run1'), [
      'campaigns',
      'archive',
      '77',
      '--account',
      'alice',
      '--yes',
    ]);
    expect((await byHand(scene, 'campaigns', 'archive', '77')).code).toBe(0);
    scene.clock.move(24 * 3_600_000);
    expect((await scene.oracle()).dispatches).toEqual([]);
  });

  it('LOST-5 the same pause is asked for at once after a kill: an hour may come within the window', async () => {
    const scene = await withBroadcast({ scheduled_at: '2026-06-01T13:00:00Z' });
    await scene.fault({
      kind: 'broken_answer',
      operation: 'broadcasts.set-status',
      how: 'reset',
      when: 'before_commit',
      nth: 1,
    });
    scene.clock.move(3_600_000 - 20_000);
    await killed(scene, 'broadcasts', 'pause', '55');
    expect((await byHand(scene, 'broadcasts', 'pause', '55')).code).toBe(0);
    scene.clock.move(3_600_000);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused']);
    expect((await scene.oracle()).dispatches).toEqual([]);
  });

  it('LOST-2 FAULT-8 what is to be stopped is not switched on again first', async () => {
    const scene = await withCampaign({ status: 'paused' });
    await killed(scene, 'campaigns', 'activate', '77');
    expect((await byHand(scene, 'campaigns', 'pause', '77')).code).toBe(0);
    expect((await writesSent(scene)).length, 'one activation, one pause').toBe(2);
    expect(await statuses(scene, 'campaign')).toEqual(['paused']);
    // The next one closes the entry of the activation, and sends nothing.
    expect((await byHand(scene, 'campaigns', 'pause', '77')).code).toBe(0);
    expect((await writesSent(scene)).length).toBe(2);
    expect((await byHand(scene, 'campaigns', 'pause', '77')).stderr).toBe(
      'It is paused already. If that change broke off half-way, send it once more: add --again.\n',
    );
  });

  it('LOST-6 FAULT-8 a killed resume is not repeated by a plan or an apply', async () => {
    const scene = await withBroadcast({ status: 'paused' });
    const operation = 'broadcasts.set-status';
    await scene.fault({ kind: 'broken_answer', operation, how: '502', when: 'before_commit' });
    await killed(scene, 'broadcasts', 'resume', '55');
    await scene.service((control) => control.clearFaults());
    scene.clock.move(80_000);
    const plan = await scene.herald('plan');
    expect(plan.stdout).toContain('(of 55 to queued) did not succeed, so the plan decides again');
    await scene.herald('apply', '--yes');
    expect(await statuses(scene, 'broadcast')).toEqual(['paused']);
  });
});

const RECALLS = [
  { row: 'LOST-3', of: 'campaigns', from: 'active', attempts: 3 },
  { row: 'LOST-7', of: 'broadcasts', from: 'scheduled', attempts: 4 },
] as const;

describe.each(RECALLS)('$row, herald $of unsend', ({ of, from, attempts }) => {
  const kind = of === 'campaigns' ? 'campaign' : 'broadcast';
  const operation = `${of}.unsend` as const;
  const id = IDS[of];
  const recalls = async (scene: Scene) =>
    (await scene.oracle()).commits.filter(({ change }) => change === 'unsend').length;

  it.each(columnsOf(operation).filter(({ commits }) => commits !== 'beyond'))(
    '$title',
    async ({ title, faults, killed: dies, commits }) => {
      const scene = await LIVE[of]({ status: from });
      for (const fault of faults) await scene.fault(fault);
      if (dies) await killed(scene, of, 'unsend', id);
      const run = await reported(scene, of, 'unsend', id);
      expect(run.code, run.stderr).toBe(0);
      if (!dies) expect(outcomes(run)).toEqual(['recall applied']);
      scene.clock.move(130_000);
      expect(await statuses(scene, kind)).toEqual(['recalled']);
      expect(await recalls(scene), 'one effect').toBe(1);
      if (of === 'campaigns' && commits === 'at once' && !/FAULT-[67] /.test(title))
        expect((await writesSent(scene)).length, 'a recall that has begun is not repeated').toBe(1);
      const next = await reported(scene, of, 'unsend', id);
      expect(next.code).toBe(0);
      expect(outcomes(next), 'nothing is left open').toEqual([]);
      expect((await scene.herald('plan')).stdout).not.toContain('Unconfirmed');
    },
  );

  it.each(['502', 'reset'] as const)('FAULT-4 %s for good: a few attempts, then unknown', async (how) => {
    const scene = await LIVE[of]({ status: from });
    await scene.fault({ kind: 'broken_answer', operation, how, when: 'before_commit' });
    const run = await reported(scene, of, 'unsend', id);
    expect(outcomes(run)).toEqual(['recall unknown']);
    expect(run.code).toBe(3);
    expect((await writesSent(scene)).length).toBe(attempts);
    expect(await recalls(scene)).toBe(0);
    await scene.service((control) => control.clearFaults());
    expect((await byHand(scene, of, 'unsend', id)).code).toBe(0);
    expect(await recalls(scene)).toBe(1);
  });

  it('FAULT-8 while an unsend may still be carried out, nothing is switched on', async () => {
    const scene = await LIVE[of]({ status: 'paused' });
    await scene.fault({ kind: 'late_commit', operation, after_sec: 40, how: 'reset' });
    await killed(scene, of, 'unsend', id);
    const verb = of === 'campaigns' ? 'activate' : 'resume';
    const ran = await byHand(scene, of, verb, id);
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain('got no answer and may still succeed');
    scene.clock.move(80_000);
    expect((await byHand(scene, of, verb, id)).code, 'recalled by then').toBe(1);
    expect(await recalls(scene)).toBe(1);
  });
});
