import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { byHand, withCampaign } from '../helpers/by-hand.ts';
import { campaign, declaring } from '../helpers/declare-live.ts';
import { applied, decisions, planned } from '../helpers/flows.ts';
import type { Ran } from '../helpers/scene.ts';
import { saying, welcomeOnASetClock } from '../helpers/set-clock.ts';

// What a command loads, it loads now: while a module is read the clock of a flow goes on.
beforeAll(async () => {
  await byHand(await withCampaign(), 'campaigns', 'pause', '77');
}, 60_000);
afterEach(() => vi.unstubAllGlobals());

// `applyMs`, `handMs`: how far ahead the machine of the apply is, and that of the person. They share one ledger. The
// last case is one machine: it knows its difference only to a second, and 2 s count as none.
describe.each([
  { applyMs: 0, handMs: 0, laterMs: 0 },
  { applyMs: 1_000, handMs: 0, laterMs: 0 },
  { applyMs: 1_900, handMs: 0, laterMs: 1_000 },
  { applyMs: 60_000, handMs: 0, laterMs: 0 },
  { applyMs: 2_000, handMs: 2_000, laterMs: 900 },
])('an apply $applyMs ms ahead, a person $handMs ms ahead', ({ applyMs, handMs, laterMs }) => {
  it('what a person stops during the apply stays stopped', async () => {
    const stops: Ran[] = [];
    const { scene, world, flow, setClock } = await welcomeOnASetClock((_, answer) => answer());
    flow.move(60_000);
    setClock(applyMs);
    Object.assign(scene.files.tree, saying('Hello'));
    let isCreate = false;
    const apply = scene.startAs(
      {
        onWrite: (_, text) => {
          isCreate = text.includes('"call":"create"');
          return 'done';
        },
        // The apply has paused 77 and is about to create the new version: a person stops 77 now.
        disk: async () => {
          if (!isCreate || stops.length > 0) return;
          flow.move(laterMs);
          setClock(handMs);
          stops.push(await byHand(scene, 'campaigns', 'pause', '77'));
          setClock(applyMs);
        },
      },
      'apply',
      '--yes',
    );
    const ran = await apply.ran;
    expect(stops.map(({ code }) => code)).toEqual([0]);
    expect([ran.code, ran.stdout]).toEqual([4, expect.stringContaining('--allow resume')]);
    setClock(0);
    flow.move(600_000);
    const next = await planned(scene);
    await applied(scene);
    const after = Object.values(world.accounts['101']?.campaigns ?? {}).map(({ live }) => live.status);
    expect([decisions(next), after]).toEqual([['blocked alice/campaign/Welcome'], ['paused']]);
  });
});

describe('a campaign that a person stopped and started within a second', () => {
  it('may be replaced without a word, because the start is the last word', async () => {
    const scene = await withCampaign({ messages: [{ text: 'Hey' }] });
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ messages: [{ text: 'Hey' }] })] }));
    expect((await applied(scene, '--allow', 'adopt')).code).toBe(0);
    scene.clock.move(60_000);
    expect((await byHand(scene, 'campaigns', 'pause', '77')).code).toBe(0);
    expect((await byHand(scene, 'campaigns', 'activate', '77')).code).toBe(0);
    Object.assign(scene.files.tree, declaring({ campaigns: [campaign({ messages: [{ text: 'Hello' }] })] }));
    expect(decisions(await planned(scene))).toEqual(['replace alice/campaign/Welcome']);
  });
});
