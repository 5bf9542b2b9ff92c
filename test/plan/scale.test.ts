import { describe, expect, it } from 'vitest';
import type { Observed } from '../../src/domain/resource.ts';
import { buildPlan } from '../../src/plan/plan.ts';
import { starts } from '../../src/plan/decide/decision.ts';
import { CAMPAIGN_STATUSES, BROADCAST_STATUSES } from '../../src/domain/status.ts';
import { fc, runs } from '../helpers/properties.ts';
import { aBroadcast, aCampaign, aLiveBroadcast, aLiveCampaign } from '../helpers/resource-builders.ts';
import { aRow, createdFrom, factsOf, stoppedRow } from './facts-of.ts';

const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null });

/** Objects of one or two names with any status, content and record, also with values that no version of the API names. */
const sceneArbitrary = fc.record({
  isCampaign: fc.boolean(),
  target: fc.constantFrom('active' as const, 'paused' as const, 'recalled' as const),
  objects: fc.uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[1-9]\d{0,18}$/),
      name: maybe(fc.constantFrom('Ours', 'Theirs')),
      status: maybe(fc.constantFrom(...CAMPAIGN_STATUSES, ...BROADCAST_STATUSES, 'melting')),
      text: maybe(fc.constantFrom('Hey', 'Another')),
      scheduled_at: maybe(fc.constantFrom('2026-06-01T18:00:00Z', '2026-06-02T18:00:00Z')),
      isKnown: fc.boolean(),
      isStopped: fc.boolean(),
      recalled: fc.constantFrom(0 as const, 1 as const),
    }),
    { selector: ({ id }) => id, maxLength: 5 },
  ),
});

type Scene = typeof sceneArbitrary extends fc.Arbitrary<infer Value> ? Value : never;

function factsIn({ isCampaign, target, objects }: Scene) {
  const messages = [{ text: 'Hey' }];
  const declared = isCampaign
    ? aCampaign({ name: 'Ours', messages, target })
    : aBroadcast({ name: 'Ours', messages, target: target === 'active' ? 'scheduled' : target });
  const lives = objects.map(({ id, name, status, text, scheduled_at }): Observed => {
    const live = { id, name, status, messages: text === null ? null : [{ step: 0, text, price_gross: 0 }] };
    return isCampaign ? aLiveCampaign(live) : aLiveBroadcast({ ...live, scheduled_at });
  });
  const rows = lives.flatMap((live, at) => {
    const { isKnown = false, isStopped = false, recalled = 0 } = objects[at] ?? {};
    if (!isKnown) return [];
    return [(isStopped ? stoppedRow : aRow)(live, { recalled, ...createdFrom(declared) })];
  });
  return factsOf([declared], lives, { known: { objects: rows } });
}

describe('a plan of whatever is live', () => {
  it('starts at most one thing of a name, and nothing next to what runs', () => {
    let startsSeen = 0;
    fc.assert(
      fc.property(sceneArbitrary, (scene) => {
        const facts = factsIn(scene);
        const { changes } = buildPlan(facts);
        const starting = changes.filter(starts);
        expect(starting.length).toBeLessThanOrEqual(1);
        startsSeen += starting.length;
        const stopped = new Set(starting.flatMap(({ steps }) => steps.map(({ live_id: id }) => id)));
        const isRunning = ({ live }: Observed) =>
          ['active', 'scheduled', 'queued', 'sending'].includes(live.status ?? '');
        const next = facts.observed.filter(
          (one) => one.live.name === 'Ours' && isRunning(one) && !stopped.has(one.live.id),
        );
        const kinds = scene.isCampaign ? ['active'] : ['scheduled', 'queued', 'sending'];
        if (starting.length > 0)
          expect(next.filter(({ live }) => kinds.includes(live.status ?? ''))).toEqual([]);
        if (scene.target !== 'active') expect(starting).toEqual([]);
      }),
      runs(500),
    );
    expect(startsSeen).toBeGreaterThan(20);
  });

  it('is the same in every order of the lists', () => {
    fc.assert(
      fc.property(sceneArbitrary, (scene) => {
        const facts = factsIn(scene);
        expect(buildPlan({ ...facts, observed: facts.observed.toReversed() })).toEqual(buildPlan(facts));
      }),
      runs(200),
    );
  });

  it('takes linear time: 4,000 creates next to 4,000 objects', () => {
    const names = Array.from({ length: 4_000 }, (_, at) => `Name ${at}`);
    const declared = names.map((name) =>
      aCampaign({ name: `New ${name}`, messages: [{ text: `Text of ${name}` }] }),
    );
    const lives = names.map((name, at) =>
      aLiveCampaign({ id: `${at + 1}`, name, messages: [{ step: 0, text: name }] }),
    );
    const startMs = performance.now();
    const facts = factsOf(declared, lives, { known: { objects: lives.map((one) => aRow(one)) } });
    expect(buildPlan(facts).summary).toMatchObject({ create: 4_000, unmanaged: 4_000 });
    expect(performance.now() - startMs).toBeLessThan(20_000);
  });
});
