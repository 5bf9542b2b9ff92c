import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import {
  applied,
  createsSent,
  decisions,
  liveOn,
  messages,
  outcomes,
  planned,
  statuses,
  worstDispatch,
  writesSent,
} from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const welcome = declaring({ campaigns: [campaign()] });

async function standing(files = welcome): Promise<Scene> {
  const scene = aScene({ files });
  expect((await applied(scene)).code).toBe(0);
  return scene;
}

async function rewrite(scene: Scene, files: Record<string, string>): Promise<void> {
  Object.assign(scene.files.tree, files);
}

describe('what a person did to a campaign stays', () => {
  // CONTENT-5
  it('one of the same name that was built by hand blocks until --allow adopt', async () => {
    const scene = aScene({ files: welcome });
    await scene.service((control) =>
      control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'Mine' }] }),
    );
    const run = await applied(scene);
    expect(run.code).toBe(5);
    expect(messages(run)).toContain('It needs --allow adopt');
    expect(await writesSent(scene)).toEqual([]);
    expect((await applied(scene, '--allow', 'adopt')).code).toBe(0);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });
});

describe('a rename', () => {
  const renamed = declaring({ campaigns: [campaign({ name: 'Hello' })] });

  // CONTENT-4
  it('without renamed_from is blocked, because every fan would get both', async () => {
    const scene = await standing();
    await rewrite(scene, renamed);
    const run = await applied(scene);
    expect(run.code).toBe(5);
    expect(messages(run)).toContain('renamed_from: "Welcome"');
    expect(await statuses(scene, 'campaign')).toEqual(['active']);
  });

  it('with renamed_from keeps what is live, permanently', async () => {
    const scene = await standing();
    await rewrite(scene, declaring({ campaigns: [campaign({ name: 'Hello', renamed_from: 'Welcome' })] }));
    expect((await applied(scene)).code).toBe(0);
    expect(await createsSent(scene)).toBe(1);
    await rewrite(scene, renamed);
    expect(decisions(await planned(scene)), 'renamed_from may go once the state knows').toEqual([]);
  });

  it('with renamed_from and other words is a replace', async () => {
    const scene = await standing();
    await rewrite(
      scene,
      declaring({
        campaigns: [campaign({ name: 'Hello', renamed_from: 'Welcome', messages: [{ text: 'New' }] })],
      }),
    );
    expect(outcomes(await applied(scene))).toEqual(['replace applied']);
    const objects = await liveOn(scene, '101', 'campaign');
    expect(objects.map(({ name, status }) => `${name} ${status}`)).toEqual([
      'Welcome paused',
      'Hello active',
    ]);
    expect(decisions(await planned(scene))).toEqual([]);
  });
});

describe('a list that does not show everything', () => {
  it('writes nothing when its second page fails', async () => {
    const scene = aScene({ files: welcome });
    await scene.service((control) => {
      for (let index = 0; index < 120; index += 1) control.seedCampaign('101', { name: `Other ${index}` });
    });
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.list',
      how: '500',
      when: 'after_commit',
      nth: 2,
      times: 100,
    });
    const ran = await scene.herald('apply', '--yes');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/^error: .*answered 500.*offset=100/);
    expect(await writesSent(scene)).toEqual([]);
  });

  // ACCOUNT-11
  it('writes nothing when the key may not read', async () => {
    const scene = aScene({
      files: welcome,
      world: {
        keys: [{ key: 'edit-only', permissions: ['auto_messages.edit', 'priority_mass_messages.edit'] }],
      },
    });
    const ran = await scene.herald('apply', '--yes');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('The key lacks the permission auto_messages.view');
    expect(await writesSent(scene)).toEqual([]);
  });

  it('that is empty although the state knows objects blocks creates, and says the way out', async () => {
    const scene = await standing();
    delete scene.files.tree['.herald/world.json'];
    const run = await applied(scene);
    expect(run.code).toBe(5);
    expect(messages(run)).toContain(
      'The service lists nothing, but the state knows 1 campaign of this account',
    );
    const herald = scene.files.tree['herald.yaml'] ?? '';
    scene.files.tree['herald.yaml'] = herald.replace('.herald/world.json', '.herald/new-world.json');
    expect((await applied(scene)).code).toBe(0);
  });

  // ACCOUNT-12
  it('stops everything when the key is refused in the middle, and says what was created', async () => {
    const many = Array.from({ length: 3 }, (_, index) =>
      campaign({ name: `C${index}`, messages: [{ text: `T${index}` }] }),
    );
    const scene = aScene({
      files: declaring({ campaigns: many }),
      world: { keys: [{ key: 'view', permissions: ['auto_messages.view'] }] },
    });
    const run = await applied(scene);
    expect(outcomes(run)).toEqual(['create failed', 'create not_attempted', 'create not_attempted']);
    expect(messages(run)).toContain('The key lacks the permission auto_messages.edit');
    expect(run.code).toBe(1);
    expect(await worstDispatch(scene)).toBe(0);
  });
});
