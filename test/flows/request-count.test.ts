import { describe, expect, it } from 'vitest';
import { altered } from '../helpers/altered.ts';
import { broadcast, campaign, declaring } from '../helpers/declare-live.ts';
import { applied } from '../helpers/flows.ts';
import type { Scene } from '../helpers/scene.ts';

interface Counted {
  readonly scene: Scene;
  /** How often each operation was asked for since the last call. */
  count(): Readonly<Record<string, number>>;
}

function countedScene(files: Readonly<Record<string, string>>): Counted {
  const { scene, world } = altered(undefined, { files });
  let counted = 0;
  return {
    scene,
    count: () => {
      const counts: Record<string, number> = {};
      for (const { operation } of world.requests.slice(counted))
        counts[operation ?? '?'] = (counts[operation ?? '?'] ?? 0) + 1;
      counted = world.requests.length;
      return counts;
    },
  };
}

const OFFER = campaign({ name: 'Offer', messages: [{ text: 'Only today' }] });
const BEFORE = declaring({ campaigns: [campaign(), OFFER], broadcasts: [broadcast()] });

describe('the requests of an apply without faults', () => {
  // CAMPAIGN-6
  it('are the lists of the plan, one mutation and one read-back for each change, and one last look', async () => {
    const { scene, count } = countedScene(BEFORE);
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
    expect(count(), 'of a quiet one').toEqual({
      'campaigns.list': 1,
      'broadcasts.list': 1,
    });
  });
});
