import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, liveOn, messages, statuses } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const CREATE = 'campaigns.create';
const STATUS = 'campaigns.set-status';

function declare(scene: Scene, text: string, more: Record<string, unknown> = {}): void {
  Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ messages: [{ text }], ...more })] }));
}

/** One version after the other, each in the place of the one before. */
async function withVersions(texts: readonly string[], more: Record<string, unknown> = {}): Promise<Scene> {
  const scene = aScene();
  for (const text of texts) {
    declare(scene, text, more);
    expect((await applied(scene)).code).toBe(0);
  }
  return scene;
}

async function ids(scene: Scene): Promise<string[]> {
  return (await liveOn(scene, '101', 'campaign')).map(({ id }) => id);
}

describe('a replace with two creates that stay silent', () => {
  const silent = {
    kind: 'broken_answer',
    operation: CREATE,
    how: 'reset',
    when: 'before_commit',
    nth: 1,
    times: 2,
  } as const;

  it('switches on again what it stopped, and nothing that earlier replaces left behind', async () => {
    const scene = await withVersions(['One', 'Two']);
    declare(scene, 'Three');
    await scene.fault(silent);
    const run = await applied(scene);
    expect(run.code).toBe(3);
    expect(messages(run)).toContain('is active again');
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
    expect((await applied(scene)).code).toBe(0);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'paused', 'active']);
  });

  it('switches nothing on next to an old version that was to be stopped only afterwards', async () => {
    const scene = await withVersions(['One', 'Two'], {
      replace: 'create_first',
    });
    declare(scene, 'Three', { replace: 'create_first' });
    await scene.fault(silent);
    expect((await applied(scene)).code).toBe(3);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });
});

describe('what a report says of several objects of one name', () => {
  it('judges a lost create of a replace by the new version, and the pause of the old one by itself', async () => {
    const scene = await withVersions(['One']);
    declare(scene, 'Two', { replace: 'create_first' });
    await scene.fault({
      kind: 'broken_answer',
      operation: CREATE,
      how: 'reset',
      when: 'after_commit',
      nth: 1,
    });
    await scene.fault({
      kind: 'broken_answer',
      operation: STATUS,
      how: 'timeout',
      when: 'before_commit',
      nth: 1,
      times: 2,
    });
    const run = await applied(scene);
    const [old, made] = await ids(scene);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
    expect(run.report.outcomes.map(({ action, outcome, live_id: id }) => [action, outcome, id])).toEqual([
      ['replace', 'adopted', made],
      ['pause', 'applied', old],
    ]);
  });

  it('judges the pause of an extra version by its own id, not by that of the one that stays', async () => {
    const scene = await withVersions(['One']);
    await scene.service((control, world) => {
      const [first] = Object.values(world.accounts['101']?.campaigns ?? {});
      const created_by = first?.live.created_by;
      control.seedCampaign('101', {
        name: 'Welcome',
        messages: [{ text: 'Other' }],
        created_by,
      });
    });
    await scene.fault({
      kind: 'broken_answer',
      operation: STATUS,
      how: 'timeout',
      when: 'after_commit',
      nth: 1,
      times: 2,
    });
    const run = await applied(scene, '--allow', 'adopt');
    const [stays, other] = await ids(scene);
    expect(await statuses(scene, 'campaign')).toEqual(['active', 'paused']);
    expect(run.report.outcomes.map(({ action, outcome, live_id: id }) => [action, outcome, id])).toEqual([
      ['keep', 'unchanged', stays],
      ['pause', 'applied', other],
    ]);
  });
});
