import { describe, expect, it } from 'vitest';
import { writesSent } from '../helpers/flows.ts';
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
