import { expect, it } from 'vitest';
import { aScene } from '../helpers/scene.ts';

it.each([
  ['the one that runs', ['paused', 'active'], '^id +2$'],
  ['the only one that is not archived', ['paused', 'archived'], '^id +1$'],
  ['none of several that run', ['active', 'active'], 'Use an id: herald campaigns get 1 --account alice'],
])('a name with several campaigns means %s', async (_, statuses, words) => {
  const scene = aScene();
  await scene.service((control) => {
    for (const [at, status] of statuses.entries())
      control.seedCampaign('101', { id: String(at + 1), name: 'Welcome', status });
  });
  const ran = await scene.herald('campaigns', 'get', 'alice/campaign/Welcome');
  expect(`${ran.stdout}${ran.stderr}`).toMatch(new RegExp(words, 'm'));
});
