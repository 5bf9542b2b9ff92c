import { describe, expect, it } from 'vitest';
import { broadcast, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  decisions,
  liveOn,
  messages,
  outcomes,
  planned,
  statuses,
  worstDispatch,
  writesSent,
} from '../helpers/flows.ts';
import { addLineOfNow } from '../helpers/line-of-now.ts';
import { aScene, type Scene } from '../helpers/scene.ts';
import { expectQuiet } from '../helpers/truth.ts';

const HOUR = 3_600_000;
const RECALL = ['--allow', 'recall'] as const;
const IN_THREE_DAYS = { scheduled_at: '2026-06-04T12:00Z' };

async function recalledAfter(hours: number, parts: Readonly<Record<string, unknown>> = {}): Promise<Scene> {
  const scene = aScene({ files: declaring({ broadcasts: [broadcast(parts)] }) });
  expect((await applied(scene)).code).toBe(0);
  scene.clock.move(hours * HOUR);
  Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast({ ...parts, status: 'recalled' })] }));
  return scene;
}

async function unsends(scene: Scene): Promise<number> {
  return (await writesSent(scene)).filter((write) => write.includes('unsend')).length;
}

describe('a broadcast that waits longer than 24 hours already', () => {
  // BROADCAST-20
  it('is paused before it is recalled, so it never goes out', async () => {
    const scene = await recalledAfter(30, IN_THREE_DAYS);
    const run = await applied(scene, ...RECALL);
    expect(outcomes(run)).toEqual(['recall applied']);
    expect((await writesSent(scene)).slice(1)).toEqual([
      'PATCH broadcasts.set-status',
      'POST broadcasts.unsend',
    ]);
    scene.clock.move(60 * HOUR);
    expect(await worstDispatch(scene)).toBe(0);
    await expectQuiet(scene, ...RECALL);
  });

  it('stays paused when its recall is never answered, and says so', async () => {
    const scene = await recalledAfter(30, IN_THREE_DAYS);
    await scene.fault({
      kind: 'broken_answer',
      when: 'before_commit',
      how: '502',
      operation: 'broadcasts.unsend',
    });
    const run = await applied(scene, ...RECALL);
    expect(run.code).toBe(3);
    expect(messages(run)).toMatch(/It is paused, so it sends nothing\./);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused']);
  });

  it('is not resumed by a change of mind while no one knows whether it was taken back', async () => {
    const scene = await recalledAfter(30, IN_THREE_DAYS);
    await scene.fault({
      kind: 'broken_answer',
      when: 'after_commit',
      how: 'reset',
      operation: 'broadcasts.unsend',
      nth: 1,
      times: 1000,
    });
    expect((await applied(scene, ...RECALL)).code).toBe(3);
    Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast(IN_THREE_DAYS)] }));
    const [{ id } = { id: '' }] = await liveOn(scene, '101', 'broadcast');
    // As a service would show it that keeps the status of what it took back (BROADCAST-8).
    await scene.service((control) => control.editBroadcast('101', id, { status: 'paused' }));
    const { code } = await applied(scene);
    expect(code).toBe(5);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused']);
  });

  it('is not recalled before its pause was heard', async () => {
    const scene = await recalledAfter(30, IN_THREE_DAYS);
    await scene.fault({
      kind: 'broken_answer',
      when: 'before_commit',
      how: '502',
      operation: 'broadcasts.set-status',
    });
    const run = await applied(scene, ...RECALL);
    expect(outcomes(run)).toEqual(['recall unknown']);
    expect(await unsends(scene)).toBe(0);
  });
});

describe('one that leaves before its pause arrives', () => {
  const leaves = async (set: Readonly<Record<string, unknown>>, hours = 1) => {
    const scene = await recalledAfter(hours);
    const [{ id } = { id: '' }] = await liveOn(scene, '101', 'broadcast');
    await scene.fault({
      kind: 'change_before',
      operation: 'broadcasts.set-status',
      edit: { account_id: '101', kind: 'broadcast', id, set: { scheduled_at: null, ...set } },
    });
    return scene;
  };

  it('is taken back all the more, although the pause is refused', async () => {
    const scene = await leaves({ status: 'sent' });
    const run = await applied(scene, ...RECALL);
    expect([run.code, outcomes(run)]).toEqual([0, ['recall applied']]);
    expect(messages(run)).toMatch(/^It could not be paused first: .*has finished/);
    await expectQuiet(scene, ...RECALL);
  });

  it('is taken back as well where the answer says that it goes out', async () => {
    const scene = await recalledAfter(1);
    await scene.fault({ kind: 'odd_reply', operation: 'broadcasts.set-status', set: { status: 'sending' } });
    const run = await applied(scene, ...RECALL);
    expect([run.code, outcomes(run)]).toEqual([0, ['recall applied']]);
    expect(await unsends(scene)).toBe(1);
  });

  it('is never reported as paused when the recall is not answered', async () => {
    const scene = await leaves({ status: 'sent' });
    await scene.fault({
      kind: 'broken_answer',
      when: 'before_commit',
      how: '502',
      operation: 'broadcasts.unsend',
    });
    const run = await applied(scene, ...RECALL);
    expect(run.code).toBe(3);
    expect(messages(run)).toContain('It could not be paused first');
    expect(messages(run)).not.toContain('It is paused');
  });
});

describe('a recall that comes too late', () => {
  // BROADCAST-20
  it('fails once, is reported from then on, and is not asked for again', async () => {
    const scene = await recalledAfter(40);
    const run = await applied(scene, ...RECALL);
    expect(outcomes(run)).toEqual(['recall failed']);
    expect(run.code).toBe(1);
    expect(await unsends(scene)).toBe(1);
    const { code, plan } = await planned(scene, '--detailed-exitcode', ...RECALL);
    expect(code).toBe(0);
    expect(decisions({ plan })).toEqual(['done alice/broadcast/Teaser']);
    expect(plan.diagnostics.map((one) => one.code)).toEqual(['recall-refused']);
    expect((await applied(scene, ...RECALL)).code).toBe(0);
    expect(await unsends(scene)).toBe(1);
  });

  it('is reported as well once the ledger was compacted', async () => {
    const scene = await recalledAfter(40);
    await applied(scene, ...RECALL);
    scene.clock.move(400 * 24 * HOUR);
    addLineOfNow(scene);
    expect((await scene.herald('ledger', 'compact')).code).toBe(0);
    const { plan } = await planned(scene, ...RECALL);
    expect(plan.diagnostics.map((one) => one.code)).toContain('recall-refused');
  });

  it('may be tried by hand', async () => {
    const scene = await recalledAfter(40);
    await applied(scene, ...RECALL);
    const [{ id } = { id: '' }] = await liveOn(scene, '101', 'broadcast');
    await scene.service((control) => control.editBroadcast('101', id, { status: 'paused' }));
    const ran = await scene.herald('broadcasts', 'unsend', id, '--account', 'alice', '--yes');
    expect(ran.code, ran.stderr).toBe(0);
    expect((await planned(scene, ...RECALL)).plan.diagnostics).toEqual([]);
  });

  it('is asked for again where the key was refused: that is not about its age', async () => {
    const scene = await recalledAfter(1);
    const key = 'sim-key';
    await scene.service((control) =>
      control.addKey({ key, permissions: ['priority_mass_messages.view', 'auto_messages.view'] }),
    );
    expect(outcomes(await applied(scene, ...RECALL))).toEqual(['recall failed']);
    await scene.service((control) => control.addKey({ key, permissions: 'all' }));
    const { plan } = await planned(scene, ...RECALL);
    expect(plan.summary.recall).toBe(1);
    expect(plan.diagnostics).toEqual([]);
  });

  it('of one that Herald did not know leaves it its name', async () => {
    const scene = aScene({ files: declaring({ broadcasts: [broadcast()] }) });
    const theirs = { name: 'Theirs', scheduled_at: '2026-06-04T12:00:00Z' };
    await scene.service((control) => control.seedBroadcast('101', theirs));
    scene.clock.move(30 * HOUR);
    const [{ id } = { id: '' }] = await liveOn(scene, '101', 'broadcast');
    const byHand = (verb: string) => scene.herald('broadcasts', verb, id, '--account', 'alice', '--yes');
    expect((await byHand('unsend')).code, 'too late').toBe(1);
    const { code, stdout } = await byHand('pause');
    expect(code).toBe(0);
    expect(stdout).toContain('alice/broadcast/Theirs');
  });
});

describe('one that was taken back, and that someone has switched on again', () => {
  async function switchedOn(status: string): Promise<{ scene: Scene; id: string }> {
    const scene = await recalledAfter(1, IN_THREE_DAYS);
    expect((await applied(scene, ...RECALL)).code).toBe(0);
    const [{ id } = { id: '' }] = await liveOn(scene, '101', 'broadcast');
    await scene.service((control) => control.editBroadcast('101', id, { status }));
    return { scene, id };
  }

  it('is stopped and taken back again', async () => {
    const { scene } = await switchedOn('scheduled');
    expect((await planned(scene)).code).toBe(5);
    expect(outcomes(await applied(scene, ...RECALL))).toEqual(['recall applied']);
    scene.clock.move(90 * HOUR);
    expect(await worstDispatch(scene)).toBe(0);
  });

  it('is taken back by hand as well', async () => {
    const { scene, id } = await switchedOn('scheduled');
    const before = await unsends(scene);
    expect((await scene.herald('broadcasts', 'unsend', id, '--account', 'alice', '--yes')).code).toBe(0);
    expect(await unsends(scene)).toBe(before + 1);
  });

  it('is no longer recalled on record once Herald has resumed it by command', async () => {
    // As a service would have it that keeps the status of what it took back (BROADCAST-8).
    const { scene } = await switchedOn('paused');
    Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast(IN_THREE_DAYS)] }));
    expect(outcomes(await applied(scene, '--allow', 'resume'))).toEqual(['resume applied']);
    const paused = broadcast({ ...IN_THREE_DAYS, status: 'paused' });
    Object.assign(scene.files.tree, declaring({ broadcasts: [paused] }));
    expect(outcomes(await applied(scene))).toEqual(['pause applied']);
    Object.assign(scene.files.tree, declaring({ broadcasts: [broadcast(IN_THREE_DAYS)] }));
    expect(outcomes(await applied(scene))).toEqual(['resume applied']);
  });
});
