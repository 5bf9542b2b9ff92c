import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { withoutDate } from '../helpers/altered.ts';
import { byHand, withCampaign } from '../helpers/by-hand.ts';
import { applied, decisions, dieBefore, planned } from '../helpers/flows.ts';
import { saying, welcomeOnASetClock } from '../helpers/set-clock.ts';

beforeAll(async () => {
  await byHand(await withCampaign(), 'campaigns', 'pause', '77');
}, 60_000);
afterEach(() => vi.unstubAllGlobals());

// `aheadMs`, `handMs`: how far ahead the machine of the apply is, and that of the person. `isTimeKnown`: whether the person's
// run hears the time of the service.
describe.each([
  { aheadMs: 0, handMs: 0, isTimeKnown: true },
  { aheadMs: 60_000, handMs: 0, isTimeKnown: true },
  { aheadMs: 0, handMs: 0, isTimeKnown: false },
  { aheadMs: 60_000, handMs: 0, isTimeKnown: false },
  { aheadMs: 0, handMs: -60_000, isTimeKnown: false },
])(
  'an apply $aheadMs ms ahead that was killed while it replaced a campaign, and a person $handMs ms ahead',
  (known) => {
    const { aheadMs, handMs, isTimeKnown } = known;
    it(`what the person stops after that stays stopped, time known: ${isTimeKnown}`, async () => {
      let tellsTime = true;
      const { scene, simulator, world, flow, setClock } = await welcomeOnASetClock(async (_, answer) =>
        tellsTime ? answer() : withoutDate(await answer()),
      );
      flow.move(600_000);
      setClock(aheadMs);
      Object.assign(scene.files.tree, saying('Hello'));
      simulator.control.addFault({
        kind: 'late_commit',
        operation: 'campaigns.set-status',
        after_sec: 30,
        how: 'reset',
        nth: 1,
      });
      await dieBefore(scene, (line) => line.includes('"type":"outcome"'));
      setClock(handMs);
      flow.move(10_000);
      tellsTime = isTimeKnown;
      const stop = await byHand(scene, 'campaigns', 'pause', '77');
      tellsTime = true;
      setClock(0);
      expect([stop.code, stop.stdout]).toEqual([0, expect.stringContaining('1 applied')]);
      flow.move(600_000);
      const next = await planned(scene);
      await applied(scene);
      const after = Object.values(world.accounts['101']?.campaigns ?? {}).map(({ live }) => live.status);
      expect([decisions(next), after]).toEqual([['blocked alice/campaign/Welcome'], ['paused']]);
    });
  },
);
