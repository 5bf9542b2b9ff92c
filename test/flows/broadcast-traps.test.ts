import { describe, expect, it } from 'vitest';
import { broadcast, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, messages, outcomes, statuses } from '../helpers/flows.ts';
import { aScene } from '../helpers/scene.ts';

const HOUR = 3_600_000;
const teaser = declaring({ broadcasts: [broadcast()] });
const other = declaring({ broadcasts: [broadcast({ messages: [{ text: 'Not tomorrow' }] })] });

describe('a broadcast that has just left is not replaced', () => {
  const edited = async () => {
    const scene = aScene({ files: teaser });
    await applied(scene);
    Object.assign(
      scene.files.tree,
      declaring({ broadcasts: [broadcast({ scheduled_at: '2026-06-01T16:00Z' })] }),
    );
    return scene;
  };

  it('when it left between the plan and the pause', async () => {
    const scene = await edited();
    await scene.fault({
      kind: 'change_before',
      operation: 'broadcasts.set-status',
      edit: {
        account_id: '101',
        kind: 'broadcast',
        name: 'Teaser',
        set: { status: 'sending', scheduled_at: null },
      },
    });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['replace failed']);
    expect(messages(run)).toMatch(
      /had begun to go out before it was paused, so nothing new .* broadcasts resume \d+/,
    );
    expect(run.code, 'it was paused, so something was changed').toBe(4);
    expect(await createsSent(scene)).toBe(1);
  });

  it('and drift does not call it as declared, although nothing can be done', async () => {
    const scene = await edited();
    scene.clock.move(3 * HOUR - 60_000);
    Object.assign(scene.files.tree, other);
    const drift = await scene.herald('drift');
    expect(drift.code).toBe(0);
    expect(drift.stdout).toContain('too-late');
    expect(drift.stdout).toMatch(/\nNo other drift: 0 resources match; 1 too late to replace\.\n$/);
    scene.clock.move(HOUR);
    expect((await scene.herald('drift')).stdout).toBe(
      'Service: simulator .herald/world.json\n\nNo drift: 0 resources match; 1 done.\n',
    );
  });

  it('when it was already over by the time of the pause', async () => {
    const scene = await edited();
    await scene.fault({
      kind: 'change_before',
      operation: 'broadcasts.set-status',
      edit: {
        account_id: '101',
        kind: 'broadcast',
        name: 'Teaser',
        set: { status: null, scheduled_at: null },
      },
    });
    const run = await applied(scene);
    expect(run.code).toBe(1);
    expect(outcomes(run)).toEqual(['replace failed']);
    expect(await createsSent(scene)).toBe(1);
  });

  it('nor when it cannot be read after the pause', async () => {
    const scene = await edited();
    await scene.fault({
      kind: 'broken_answer',
      operation: 'broadcasts.get',
      when: 'after_commit',
      how: '502',
    });
    await scene.fault({
      kind: 'broken_answer',
      operation: 'broadcasts.list',
      when: 'after_commit',
      how: '500',
      nth: 2,
      times: 1000,
    });
    const run = await applied(scene);
    expect([run.code, outcomes(run)]).toEqual([4, ['replace failed']]);
    expect(messages(run)).toMatch(/cannot be read, .* Herald paused the old version \d+/);
    await scene.service((control) => control.clearFaults());
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
  });

  it('yet an unreadable one is proved by its list entry', async () => {
    const scene = await edited();
    await scene.fault({
      kind: 'broken_answer',
      operation: 'broadcasts.get',
      when: 'after_commit',
      how: '502',
    });
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, 'broadcast')).toEqual(['paused', 'scheduled']);
  });
});
