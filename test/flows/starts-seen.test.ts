import { describe, expect, it } from 'vitest';
import { campaign, declaring, FILES_OF_KINDS } from '../helpers/declare-live.ts';
import { applied, liveOn, statuses } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const HOUR = 3_600_000;

/** Applied as each of these, one after the other. */
async function afterEach(files: readonly Readonly<Record<string, string>>[]): Promise<Scene> {
  const scene = aScene();
  for (const [index, tree] of files.entries()) {
    Object.assign(scene.files.tree, tree);
    if (index < files.length - 1) expect((await applied(scene)).code).toBe(0);
  }
  return scene;
}

async function personSets(scene: Scene, kind: 'campaign' | 'broadcast', status: string): Promise<void> {
  const [id = ''] = (await liveOn(scene, '101', kind)).map((live) => live.id);
  const set = { status, ...(kind === 'broadcast' && status === 'paused' ? { pause_reason: 'manual' } : {}) };
  await scene.service((control) =>
    kind === 'campaign'
      ? control.editCampaign('101', id, set as never)
      : control.editBroadcast('101', id, set as never),
  );
}

describe.each(FILES_OF_KINDS)('a %s that Herald had paused', (kind, running, files) => {
  it('and that a run has seen active, without an answer to its start, stays stopped as well', async () => {
    const scene = await afterEach([
      files({ name: 'A' }),
      files({ name: 'A', status: 'paused' }),
      files({ name: 'A' }),
    ]);
    await scene.fault({
      kind: 'broken_answer',
      operation: `${kind}s.set-status`,
      when: 'after_commit',
      how: 'reset',
    });
    await applied(scene);
    await scene.service((control) => control.clearFaults());
    expect(await statuses(scene, kind)).toEqual([running]);
    scene.clock.move(HOUR / 2);
    await personSets(scene, kind, 'paused');
    scene.clock.move(HOUR / 2);
    const run = await applied(scene);
    expect([run.code, await statuses(scene, kind)]).toEqual([5, ['paused']]);
  });
});

describe('an activation that may be half done', () => {
  it.each([
    ['paused', { status: 'paused' }, 'status paused'],
    ['archived', { status: 'archived' }, 'status archived'],
  ])('is not sent again if the files want it %s by now', async (_, parts, expected) => {
    const as = (more: Readonly<Record<string, unknown>>) => declaring({ campaigns: [campaign(more)] });
    const scene = await afterEach([as({}), as({ status: 'paused' }), as({})]);
    await scene.fault({ kind: 'partial_commit', operation: 'campaigns.set-status' });
    expect((await applied(scene)).code).toBe(3);
    await scene.service((control) => control.clearFaults());
    scene.clock.move(HOUR);
    Object.assign(scene.files.tree, as(parts));
    const before = (await scene.oracle()).commits.length;
    expect((await applied(scene)).code).toBe(0);
    const since = (await scene.oracle()).commits.slice(before);
    expect(since.map(({ change, status }) => `${change} ${status ?? ''}`)[0]).toBe(expected);
    const again = await scene.herald('plan', '--format', 'json');
    expect([again.code, again.stdout.includes('half-done')]).toEqual([0, false]);
  });
});
