import { describe, expect, it } from 'vitest';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { holdLease } from '../helpers/held-lease.ts';
import { aScene, type Scene } from '../helpers/scene.ts';

const FILES = declaring({ campaigns: [campaign()] });

/** Another run has the lease, until `release`. */
async function heldScene() {
  const scene = aScene({ files: FILES });
  const release = await holdLease(scene);
  return { scene, release };
}

async function sent(scene: Scene): Promise<number> {
  return (await scene.oracle()).requests.filter(({ method }) => method !== 'GET').length;
}

describe('a command that finds the lease held', () => {
  it.each([
    ['apply', '--yes'],
    ['import'],
    ['state', 'prune', '--before', '2026-01-01'],
    ['campaigns', 'activate', '77', '--account', 'alice', '--yes'],
    ['chat', 'send', '101001', '--account', 'alice', '--text', 'Hey', '--yes'],
  ])('is refused at once without a terminal, with what to do: %s %s', async (...args) => {
    const { scene } = await heldScene();
    const before = scene.clock.now();
    const ran = await scene.herald(...args);
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('Another herald run is active: other, process 4711 on this-machine.');
    expect(ran.stderr).toContain('--lock-timeout 10m');
    expect(scene.clock.now() - before).toBeLessThan(5_000);
    expect(await sent(scene)).toBe(0);
  });

  it('waits no longer than its timeout, says for whom, and goes on when the other run ends', async () => {
    const { scene, release } = await heldScene();
    const apply = scene.start('apply', '--yes', '--lock-timeout', '10m');
    await scene.clock.sleep(300_000);
    await release();
    const ran = await apply.ran;
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr).toContain(
      'Another herald run is active: other, process 4711 on this-machine. Waiting up to 10 min for it to finish.',
    );
    expect(ran.stdout).toContain('1 applied');
  });

  it('ends with exit 1 when the time is over', async () => {
    const { scene } = await heldScene();
    const before = scene.clock.now();
    const ran = await scene.herald('apply', '--yes', '--lock-timeout', '30s');
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain('process 4711 on this-machine.');
    expect(scene.clock.now() - before).toBeGreaterThanOrEqual(30_000);
    expect(await sent(scene)).toBe(0);
  });

  it('does not wait with a time of 0, and takes no time that it cannot read', async () => {
    const { scene } = await heldScene();
    scene.answer = () => true;
    expect((await scene.herald('apply', '--lock-timeout', '0')).stderr).not.toContain('Herald waited');
    const bad = await scene.herald('apply', '--lock-timeout', 'soon');
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining('Give a time such as 90s')]);
  });
});

describe('a stop', () => {
  it('does not wait for another run, whatever its timeout', async () => {
    const scene = aScene({ files: FILES });
    await scene.service((control) => control.seedCampaign('101', { id: '77', name: 'Old' }));
    await holdLease(scene);
    const before = scene.clock.now();
    const args = ['campaigns', 'pause', '77', '--account', 'alice', '--yes', '--lock-timeout', '10m'];
    const ran = await scene.herald(...args);
    expect(ran.code, ran.stderr).toBe(0);
    expect(scene.clock.now() - before).toBeLessThan(60_000);
  });
});
