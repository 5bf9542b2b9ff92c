import { describe, expect, it } from 'vitest';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied, createsSent, liveOn, outcomes, statuses, writesSent } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const HOUR = 3_600_000;

async function saved(...flags: string[]): Promise<Scene> {
  const scene = aScene({ files: declaring({ campaigns: [campaign()], broadcasts: [broadcast()] }) });
  const ran = await scene.herald('plan', '--out', 'plan.json', ...flags);
  expect(ran.code).toBe(0);
  expect(ran.stderr).toContain('herald apply plan.json');
  return scene;
}

describe('a saved plan', () => {
  it('is applied exactly', async () => {
    const scene = await saved();
    const run = await applied(scene, 'plan.json');
    expect(run.code).toBe(0);
    expect(outcomes(run)).toEqual(['create applied', 'create applied']);
    expect(await createsSent(scene)).toBe(2);
  });

  it('is stale once it was applied', async () => {
    const scene = await saved();
    await applied(scene, 'plan.json');
    expect((await scene.herald('apply', 'plan.json', '--yes')).code).toBe(5);
    expect(await createsSent(scene)).toBe(2);
  });

  it.each<{ title: string; spoil: (scene: Scene) => Promise<unknown>; says: string }>([
    {
      title: 'the files were changed',
      spoil: async (scene) =>
        Object.assign(
          scene.files.tree,
          declaring({ campaigns: [campaign({ messages: [{ text: 'Else' }] })] }),
        ),
      says: 'the files have changed since',
    },
    {
      title: 'the workspace allows more',
      spoil: async (scene) => (scene.files.tree['herald.yaml'] += 'allow: [resume]\n'),
      says: 'the files have changed since',
    },
    {
      title: 'an object of a touched name appeared',
      spoil: (scene) => scene.service((control) => control.seedCampaign('101', { name: 'Welcome' })),
      says: 'alice/campaign/Welcome has changed on the service since',
    },
    {
      title: 'a day has passed',
      spoil: async (scene) => scene.clock.move(25 * HOUR),
      says: 'longer ago than --max-plan-age allows',
    },
    {
      title: 'a schedule came too near',
      spoil: async (scene) => scene.clock.move(3 * HOUR - 60_000),
      says: 'alice/broadcast/Teaser would now be left alone instead of create',
    },
    {
      title: 'somebody gave it allowances by hand',
      spoil: async (scene) => {
        await scene.service((control) =>
          control.seedCampaign('101', { name: 'Hand', messages: [{ text: 'Mine' }] }),
        );
        Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ name: 'Hand' })] }));
        await scene.herald('plan', '--out', 'plan.json');
        scene.files.tree['plan.json'] = (scene.files.tree['plan.json'] ?? '').replace(
          '"allow": []',
          '"allow": ["adopt"]',
        );
      },
      says: 'alice/campaign/Hand',
    },
  ])('is refused when $title, and nothing is written', async ({ spoil, says }) => {
    const scene = await saved();
    await spoil(scene);
    const sent = await writesSent(scene);
    const ran = await scene.herald('apply', 'plan.json', '--yes');
    expect(ran.code).toBe(5);
    expect(ran.stderr).toContain(says);
    expect(await writesSent(scene)).toEqual(sent);
  });

  it.each(['', '{', '{"schema":"herald/saved-plan/1"}', '[]'])(
    'is refused when its file holds %j',
    async (text) => {
      const scene = await saved();
      scene.files.tree['plan.json'] = text;
      const ran = await scene.herald('apply', 'plan.json', '--yes');
      expect(ran.code).toBe(1);
      expect(ran.stderr).toContain('plan.json');
      expect(await createsSent(scene)).toBe(0);
    },
  );

  it('that is missing is named', async () => {
    const scene = await saved();
    const ran = await scene.herald('apply', 'other.json', '--yes');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('other.json');
  });

  it('carries its own allowances and takes no others', async () => {
    const scene = aScene({ files: declaring({ campaigns: [campaign()] }) });
    await scene.service((control) =>
      control.seedCampaign('101', { name: 'Welcome', messages: [{ text: 'Mine' }] }),
    );
    expect((await scene.herald('plan', '--out', 'plan.json', '--allow', 'adopt')).code).toBe(0);
    expect((await scene.herald('apply', 'plan.json', '--yes', '--allow', 'adopt')).code).toBe(1);
    expect((await applied(scene, 'plan.json')).code).toBe(0);
    expect(await statuses(scene, 'campaign')).toEqual(['paused', 'active']);
  });

  it('is not moved by what stands beside its groups', async () => {
    const scene = await saved();
    await scene.service((control) =>
      control.seedCampaign('101', { name: 'Something else', messages: [{ text: 'Else' }] }),
    );
    expect((await applied(scene, 'plan.json')).code).toBe(0);
    expect((await liveOn(scene, '101', 'campaign')).length).toBe(2);
  });
});
