import { describe, expect, it } from 'vitest';
import { errorReportShape, applyReportShape } from '../../src/domain/change.ts';
import { itemShape } from '../../src/cli/schemas.ts';
import type { CampaignSeed } from '../../src/simulator/seed-shape.ts';
import { documentOf } from '../helpers/flows.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

async function withCampaigns(...seeds: readonly CampaignSeed[]): Promise<Scene> {
  const scene = aScene();
  await scene.service((control) => {
    for (const seed of seeds) control.seedCampaign('101', { name: 'Welcome', ...seed });
  });
  return scene;
}

async function paused(scene: Scene, ...words: string[]): Promise<string | null | undefined> {
  const ran = await scene.herald('campaigns', 'pause', ...words, '--yes', '--format', 'json');
  expect(ran.code, ran.stdout).toBe(0);
  return documentOf(ran, applyReportShape).outcomes[0]?.live_id;
}

async function refused(scene: Scene, ...words: string[]) {
  const ran = await scene.herald(...words, '--format', 'json');
  const { code, message, hint } = documentOf(ran, errorReportShape);
  return { exit: ran.code, code, message, hint };
}

describe('an address', () => {
  it('means the version that runs, not an older one of the name', async () => {
    const scene = await withCampaigns(
      { id: '1', status: 'archived' },
      { id: '2', status: 'paused' },
      { id: '3', status: 'active' },
      { id: '4', status: 'active', name: 'Welcome back' },
    );
    expect(await paused(scene, 'alice/campaign/Welcome')).toBe('3');
  });

  it('means the only one that is not archived, where none runs', async () => {
    const scene = await withCampaigns({ id: '1', status: 'archived' }, { id: '2', status: 'paused' });
    const ran = await scene.herald('campaigns', 'get', 'alice/campaign/Welcome', '--format', 'json');
    expect(documentOf(ran, itemShape).item['id']).toBe('2');
  });

  it('may have slashes in its name', async () => {
    const scene = await withCampaigns({ id: '1', status: 'active', name: 'shop/Welcome' });
    expect(await paused(scene, 'alice/campaign/shop/Welcome')).toBe('1');
  });

  it('that several fit is refused with their ids, and nothing is sent', async () => {
    const scene = await withCampaigns({ id: '1', status: 'active' }, { id: '2', status: 'active' });
    expect(await refused(scene, 'campaigns', 'pause', 'alice/campaign/Welcome', '--yes')).toEqual({
      exit: 1,
      code: 'ambiguous-name',
      message:
        '2 campaigns have the address alice/campaign/Welcome: 1 (active), 2 (active). Nothing was sent.',
      hint: 'Use an id: herald campaigns pause 1 --account alice',
    });
  });

  it('that none fits is refused with what is there', async () => {
    const scene = await withCampaigns({ id: '1', status: 'active' }, { id: '2', name: 'Other' });
    expect(await refused(scene, 'campaigns', 'archive', 'alice/campaign/Welcom', '--yes')).toEqual({
      exit: 1,
      code: 'no-match',
      message: 'alice/campaign/Welcom does not exist. Nothing was sent.',
      hint: 'Did you mean "Welcome"? There: 1 "Welcome" (active).',
    });
  });

  it.each([
    [['broadcasts', 'pause', 'alice/campaign/Welcome'], 'alice/campaign/Welcome is a campaign'],
    [['campaigns', 'pause', 'alice/campaign/Welcome', '--account', 'bob'], 'The address is on alice'],
    [
      ['campaigns', 'pause', 'Welcome'],
      '"Welcome" is not the id or the address of a campaign. Nothing was sent.',
    ],
    [['campaigns', 'pause', 'stranger/campaign/Welcome'], 'stranger'],
  ])('is refused before anything is sent: %s', async (words, message) => {
    const scene = await withCampaigns({ id: '1', status: 'active' });
    expect((await refused(scene, ...words, '--yes')).message).toContain(message);
  });

  it('names the id as the way out where the list cannot be read', async () => {
    const scene = await withCampaigns({ id: '1', status: 'active' });
    await scene.fault({
      kind: 'broken_answer',
      operation: 'campaigns.list',
      when: 'before_commit',
      how: '500',
    });
    expect(await refused(scene, 'campaigns', 'pause', 'alice/campaign/Welcome', '--yes')).toMatchObject({
      code: 'incomplete-list',
      hint: 'Use the id, which needs no list: herald campaigns pause ID --account alice',
    });
  });

  it('of a fan names its account', async () => {
    const scene = await withCampaigns();
    const ran = await scene.herald('fans', 'label', 'alice/fan/101001', '--name', 'Tom', '--yes');
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining('fan 101001 of alice')]);
  });

  it('of a chat names its account', async () => {
    const scene = await withCampaigns();
    const ran = await scene.herald('chat', 'messages', 'alice/chat/101001', '--format', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    const other = await scene.herald('chat', 'messages', 'alice/chat/101001', '--account', 'bob');
    expect(other.stderr).toContain('The address is on alice, and --account is bob.');
  });
});
