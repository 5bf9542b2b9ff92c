import { expect, it } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied } from '../helpers/flows.ts';

const OFFER = campaign({ name: 'Offer', messages: [{ text: 'Only today' }] });

// CAMPAIGN-6
it('an apply asks for the lists of the plan, one mutation and one read-back for each change, and one last look', async () => {
  const files = declaring({ campaigns: [campaign(), OFFER], broadcasts: [broadcast()] });
  const { scene, world } = altered(undefined, { files });
  /** How often each operation was asked for since the last call. */
  const count = () => {
    const counts: Record<string, number> = {};
    for (const { operation } of world.requests.splice(0))
      counts[operation ?? '?'] = (counts[operation ?? '?'] ?? 0) + 1;
    return counts;
  };
  expect((await applied(scene)).code).toBe(0);
  expect(count()).toEqual({
    'campaigns.list': 2,
    'campaigns.create': 2,
    'campaigns.get': 2,
    'broadcasts.list': 2,
    'broadcasts.create': 1,
    'broadcasts.get': 1,
  });
  scene.clock.move(60_000);
  expect((await applied(scene)).code).toBe(0);
  expect(count(), 'of a quiet one').toEqual({ 'campaigns.list': 1, 'broadcasts.list': 1 });
});
