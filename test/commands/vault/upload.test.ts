import { describe, expect, it } from 'vitest';
import { writesSent } from '../../helpers/flows.ts';
import { aScene } from '../../helpers/scene.ts';

describe('herald vault upload', () => {
  it('uploads a file to each account, and nothing when it runs again', async () => {
    const scene = aScene();
    scene.bytes.blobs['hello.jpg'] = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
    const args = ['vault', 'upload', 'hello.jpg', '--account=alice', '--account=bob', '--format=json'];
    const ran = await scene.herald(...args);
    expect(ran.code, ran.stderr).toBe(0);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      items: [
        { account: 'alice', outcome: 'exported' },
        { account: 'bob', outcome: 'exported' },
      ],
    });
    const sent = await writesSent(scene);
    const again = await scene.herald(...args);
    expect(JSON.parse(again.stdout)).toMatchObject({
      items: [{ outcome: 'already' }, { outcome: 'already' }],
    });
    expect(await writesSent(scene)).toEqual(sent);
  });
});
