import { describe, expect, it } from 'vitest';
import { byHand } from '../helpers/by-hand.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, liveOn, messages, outcomes, planned, statuses } from '../helpers/flows.ts';
import { addLineOfNow } from '../helpers/line-of-now.ts';
import { aScene, LEDGER_FILE, type Scene } from '../helpers/scene.ts';

const HOUR_SEC = 3_600;
const DAY_MS = 86_400_000;
const ACTIVE = declaring({ campaigns: [campaign()] });
const PAUSED = declaring({ campaigns: [campaign({ status: 'paused' })] });
const EDITED = declaring({ campaigns: [campaign({ messages: [{ text: 'New' }] })] });

/** All servers of the service are off by so much from now on, and this machine is not. */
const setServers = (scene: Scene, offSec: number) =>
  scene.service((_, world) => (world.modes.serverClocksSec = [offSec]));

const declare = (scene: Scene, files: Readonly<Record<string, string>>) =>
  Object.assign(scene.files.tree, files);

describe.each([-HOUR_SEC, 90, HOUR_SEC, 24 * HOUR_SEC])(
  'servers of which the clocks were off by %i s',
  (offSec) => {
    it('do not undo a stop by a person of the time after that', async () => {
      const scene = aScene({ files: ACTIVE });
      expect((await applied(scene)).code).toBe(0);
      await setServers(scene, offSec);
      declare(scene, PAUSED);
      expect(outcomes(await applied(scene))).toEqual(['pause applied']);
      await setServers(scene, 0);
      const id = (await liveOn(scene, '101', 'campaign'))[0]?.id ?? '';
      for (const verb of ['activate', 'pause']) {
        scene.clock.move(10_000);
        expect((await byHand(scene, 'campaigns', verb, id)).code).toBe(0);
      }
      declare(scene, ACTIVE);
      const next = await planned(scene);
      expect([decisions(next), next.plan.changes[0]?.needs]).toEqual([
        ['blocked alice/campaign/Welcome'],
        ['resume'],
      ]);
      expect((await applied(scene)).code).toBe(5);
      expect(await statuses(scene, 'campaign')).toEqual(['paused']);
    });

    it('do not keep a protection that was lifted after that, also once the ledger was compacted', async () => {
      const scene = aScene({ files: ACTIVE });
      await setServers(scene, offSec);
      declare(scene, declaring({ campaigns: [campaign({ protect: true })] }));
      expect((await applied(scene)).code).toBe(0);
      await setServers(scene, 0);
      scene.clock.move(10_000);
      declare(scene, ACTIVE);
      expect((await applied(scene)).code).toBe(0);
      declare(scene, EDITED);
      expect(decisions(await planned(scene))).toEqual(['replace alice/campaign/Welcome']);
      scene.clock.move(100 * DAY_MS);
      addLineOfNow(scene);
      expect((await scene.herald('ledger', 'compact')).stdout).toContain('lines of finished history');
      expect(decisions(await planned(scene))).toEqual(['replace alice/campaign/Welcome']);
    });

    it('leave what was created then ours', async () => {
      const scene = aScene({ files: ACTIVE });
      await setServers(scene, offSec);
      expect((await applied(scene)).code).toBe(0);
      declare(scene, EDITED);
      const run = await applied(scene);
      expect([run.code, outcomes(run), messages(run)]).toEqual([0, ['replace applied'], expect.anything()]);
    });
  },
);

describe('the order of lines', () => {
  it('is on record only where the clocks contradict it', async () => {
    const scene = aScene({ files: ACTIVE });
    await applied(scene);
    declare(scene, PAUSED);
    await applied(scene);
    expect(scene.files.tree[LEDGER_FILE]).not.toContain('after_ms');
    await setServers(scene, -HOUR_SEC);
    declare(scene, ACTIVE);
    await applied(scene);
    expect(scene.files.tree[LEDGER_FILE]).toContain('after_ms');
    expect((await scene.herald('ledger', 'check')).code).toBe(0);
  });
});
