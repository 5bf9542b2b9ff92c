import { describe, expect, it } from 'vitest';
import { madeOnce } from '../../helpers/made-once.ts';
import { aScene } from '../../helpers/scene.ts';
import { expectEnd } from '../../helpers/flows.ts';

const aVault = madeOnce(async () => {
  const scene = aScene();
  await scene.service((control) => {
    const upload = (account_id: string, name: string) =>
      control.seed({ account_id, kind: 'vault_upload', set: { name, status: 'exported' } });
    upload('101', 'Beach day.jpg');
    upload('101', 'studio.mp4');
    upload('102', 'beach.mp4');
    control.seed({
      account_id: '101',
      kind: 'vault_folder',
      set: { id: '77', name: 'BEACH 2026', photos: 2 },
    });
  });
  return scene;
});

const rows = (stdout: string) => stdout.trimEnd().split('\n').slice(1);

describe('vault find', () => {
  it('finds media by the names of uploads and folders, on all accounts', async () => {
    const scene = await aVault();
    const ran = await scene.herald('vault', 'find', 'beach', '--format', 'csv');
    expect(ran.code, ran.stderr).toBe(0);
    expect(rows(ran.stdout)).toHaveLength(4);
    expect(ran.stdout).toContain('Beach day.jpg,photo');
    expect(ran.stdout).toContain('beach.mp4,photo');
    expect(ran.stdout.match(/BEACH 2026/g)).toHaveLength(2);
    expect(ran.stdout).not.toContain('studio.mp4');
  });

  it('leaves out other types and other accounts', async () => {
    const scene = await aVault();
    const photos = await scene.herald('vault', 'find', 'beach', '--type=photo', '--format=csv');
    expect(rows(photos.stdout)).toHaveLength(4);
    const videos = await scene.herald('vault', 'find', 'beach', '--type=video', '--format=csv');
    expect(rows(videos.stdout)).toEqual([]);
    const bob = await scene.herald('vault', 'find', 'beach', '--account=bob', '--format=csv');
    expect(rows(bob.stdout)).toHaveLength(1);
  });

  it('refuses an empty text, before it asks for anything', async () => {
    const ran = await aScene().herald('vault', 'find', ' ');
    expectEnd(ran, 1, 'TEXT is empty.');
  });
});
