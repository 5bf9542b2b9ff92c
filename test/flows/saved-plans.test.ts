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
  it('names its service, and is refused for another one before anything is asked of that', async () => {
    const scene = await saved();
    const service = { origin: 'simulator:.herald/world.json', source: 'herald.yaml', simulator: true };
    expect(JSON.parse(scene.files.tree['plan.json'] ?? '')).toMatchObject({ service, plan: { service } });
    scene.env['HERALD_BASE_URL'] = 'https://prod.example';
    scene.env['HERALD_API_KEY'] = 'key';
    const ran = await scene.herald('apply', 'plan.json', '--yes');
    expect(ran.code).toBe(5);
    expect(ran.stderr).toBe(
      'error: The plan in plan.json is stale, so nothing was changed: this plan was made for simulator ' +
        '.herald/world.json, and this run works with https://prod.example (from HERALD_BASE_URL).\n' +
        'Make it again and review it: herald plan --out plan.json\n',
    );
  });

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
      says: 'alice/broadcast/Teaser: the plan would create it, and now it is missed (Its time 2026-06-01T15:00:00Z is less than 5 minutes away), so Herald would leave it as it is',
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
