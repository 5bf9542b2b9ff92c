import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { byHand, withCampaign } from '../helpers/by-hand.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { applied, decisions, planned } from '../helpers/flows.ts';
import { aScene, LEDGER_FILE, NOON } from '../helpers/scene.ts';

beforeAll(async () => {
  await byHand(await withCampaign(), 'campaigns', 'pause', '77');
}, 60_000);
afterEach(() => vi.unstubAllGlobals());

describe('two operators with ledgers of their own', () => {
  // For how long the pause of the apply gets no answer after the stop by hand.
  it.each([0, 20_000])(
    'what one stops while the pause of the other gets no answer stays stopped after a merge: %i ms',
    async (lostMs) => {
      const flow = flowClock(NOON);
      // The pauses of the apply do not reach the service until the other operator has stopped the campaign.
      let isLost = false;
      const { scene, simulator, world } = altered(
        async (request, answer) => {
          if (isLost && request.method === 'PATCH') throw new TypeError('fetch failed');
          return answer();
        },
        { clock: flow },
      );
      simulator.control.seedCampaign('101', { id: '77', name: 'Welcome', messages: [{ text: 'Hey' }] });
      Object.assign(scene.files.tree, declaring({ campaigns: [campaign()] }));
      expect((await applied(scene, '--allow', 'adopt')).code).toBe(0);
      const other = aScene({ files: { ...scene.files.tree }, clock: flow, who: 'ana' });
      Object.assign(other.env, { HERALD_API_KEY: 'sim-key' });
      const before = scene.files.tree[LEDGER_FILE] ?? '';
      flow.move(60_000);
      Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ status: 'paused' })] }));
      isLost = true;
      const apply = applied(scene);
      await flow.sleep(3_000);
      isLost = false;
      const stop = await byHand(other, 'campaigns', 'pause', '77');
      expect([stop.code, stop.stdout]).toEqual([0, expect.stringContaining('1 applied')]);
      isLost = true;
      await flow.sleep(lostMs);
      isLost = false;
      const { code, report } = await apply;
      expect([code, report.outcomes.map(({ outcome }) => outcome)]).toEqual([0, ['applied']]);
      const theirs = (other.files.tree[LEDGER_FILE] ?? '').slice(before.length);
      expect(theirs).toContain('by_hand');
      const ours = (scene.files.tree[LEDGER_FILE] ?? '').slice(before.length);
      // The release of the pause in the files, one hour later, with the merged ledger.
      Object.assign(scene.files.tree, declaring({ campaigns: [campaign()] }));
      scene.files.tree[LEDGER_FILE] = `${before}${theirs}${ours}`;
      flow.move(3_600_000);
      const next = await planned(scene);
      await applied(scene);
      const status = Object.values(world.accounts['101']?.campaigns ?? {})[0]?.live.status;
      expect([decisions(next), status], ours + theirs).toEqual([
        ['blocked alice/campaign/Welcome'],
        'paused',
      ]);
    },
  );
});
