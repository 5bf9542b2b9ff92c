import { describe, expect, it } from 'vitest';
import { errorOf, writesSent } from '../helpers/flows.ts';
import { recorded } from '../helpers/recorded.ts';
import { aScene } from '../helpers/scene.ts';

describe('stops by hand', () => {
  it('stops everything with --all after one question, and each object once', async () => {
    const scene = aScene();
    await scene.service((control) => {
      control.seedCampaign('101', { id: '1', name: 'Welcome' });
      control.seedCampaign('101', { id: '2', name: 'shop/Thanks' });
      control.seedCampaign('102', { id: '3', name: 'Welcome' });
    });
    let questions = 0;
    scene.answer = () => (questions += 1) > 0;
    const ran = await scene.herald('campaigns', 'pause', '--all');
    expect([ran.code, questions], ran.stderr).toEqual([0, 1]);
    expect(await writesSent(scene)).toEqual(Array(3).fill('PATCH campaigns.set-status'));
  });

  it.each([
    ['campaigns pause', 'alice/**', ['1', '2']],
    ['campaigns archive', 'team/**', ['1', '2', '3']],
    ['campaigns recall', '*/**', ['1', '2', '3']],
    ['broadcasts pause', 'alice/**', ['4']],
    ['broadcasts recall', 'alice/**', ['4']],
  ])('%s %s stops all of its kind that the accounts have', async (command, pattern, ids) => {
    const scene = aScene();
    scene.files.tree['herald.yaml'] += 'groups: { team: [alice, bob] }\n';
    await scene.service((control) => {
      control.seedCampaign('101', { id: '1', name: 'Welcome' });
      control.seedCampaign('101', { id: '2', name: 'shop/Thanks' });
      control.seedCampaign('102', { id: '3', name: 'Welcome' });
      control.seedBroadcast('101', { id: '4', name: 'News' });
    });
    const ran = await scene.herald(...command.split(' '), pattern, '--yes', '--format', 'json');
    expect(ran.code, ran.stderr + ran.stdout).toBe(0);
    const { outcomes } = JSON.parse(ran.stdout) as { outcomes: readonly { live_id: string }[] };
    expect(outcomes.map(({ live_id: id }) => id)).toEqual(ids);
  });

  it('stops what it finds of several names, and says which one does not exist', async () => {
    const scene = aScene();
    await scene.service((control) => control.seedCampaign('101', { id: '1', name: 'Welcome' }));
    const names = ['alice/campaign/Welcome', '1', 'alice/campaign/Typo'];
    const ran = await scene.herald('campaigns', 'pause', ...names, '--account=alice', '--yes');
    expect(ran.code, ran.stderr).toBe(4);
    expect(ran.stdout + ran.stderr).toContain('Typo');
    expect(await writesSent(scene)).toEqual(['PATCH campaigns.set-status']);
  });
});

it('a name in a list that cannot be read is not guessed: an id needs no list', async () => {
  const scene = aScene();
  await scene.service((control) => control.seedCampaign('101', { id: '77', name: 'Welcome' }));
  await scene.fault({ kind: 'refusal', operation: 'campaigns.list', status: 403 });
  for (const command of ['get', 'pause']) {
    const ran = await scene.herald('campaigns', command, 'alice/campaign/Welcome', '--format', 'json');
    expect(errorOf(ran), ran.stderr).toMatchObject({
      code: 'incomplete-list',
      hint: `Use the id, which needs no list: herald campaigns ${command} ID --account alice`,
    });
  }
});

it('a stop waits for a start of its name that may still take effect, although nothing is live yet', async () => {
  const scene = aScene();
  await recorded(scene);
  const ran = await scene.herald('campaigns', 'pause', 'alice/campaign/Welcome', '--yes');
  expect(ran.stdout + ran.stderr).not.toContain('does not exist');
});
