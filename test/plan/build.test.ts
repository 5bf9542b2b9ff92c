import { describe, expect, it } from 'vitest';
import { planShape } from '../../src/domain/change.ts';
import type { Declared, Observed } from '../../src/domain/resource.ts';
import { buildPlan } from '../../src/plan/build.ts';
import { etaSec } from '../../src/plan/eta.ts';
import { fc } from '../helpers/properties.ts';
import {
  aBroadcast,
  aCampaign,
  aLiveBroadcast,
  aLiveCampaign,
  anOpenEntry,
  knowing,
  served,
} from '../helpers/resource-builders.ts';
import { anInput, linesOf, NOON, planOf } from './plan-of.ts';

const OTHER = [{ text: 'Another text' }];

/** Something of everything: creates, replaces, duplicates, blocks, misses, strangers and notes on two accounts. */
const DECLARED: readonly Declared[] = [
  aCampaign(),
  aCampaign({ name: 'Two', messages: [{ text: 'two' }] }),
  aCampaign({ name: 'Renamed', renamedFrom: 'Three', messages: [{ text: 'three' }] }),
  aCampaign({
    account: 'bob',
    audience_filters: [{ kind: 'subscribed_date', mode: 'include', options: { from_days: 3 } }],
  }),
  aBroadcast(),
  aBroadcast({ name: 'Missed', scheduledAtUtc: '2026-06-01T11:00:00Z' }),
  aBroadcast({ account: 'bob', name: 'New' }),
];
const OBSERVED: readonly Observed[] = [
  aLiveCampaign({ id: '9' }),
  aLiveCampaign({ id: '10' }),
  aLiveCampaign({ id: '11', messages: OTHER }),
  aLiveCampaign({ id: '12', name: 'Three', messages: OTHER }),
  aLiveCampaign({ id: '13', name: 'WELCOME', messages: [{ text: 'x' }] }),
  aLiveCampaign({
    id: '14',
    account: 'bob',
    audience_filters: [{ kind: 'subscribed_date', mode: 'include' }],
  }),
  aLiveBroadcast({ id: '21', messages: OTHER }),
  aLiveBroadcast({ id: '22', messages: OTHER }),
  aLiveBroadcast({ id: '23', name: null, messages: [] }),
  aLiveBroadcast({ id: '24', name: 'Teaser', messages: [{ text: 'Teaser' }] }),
  aLiveBroadcast({ id: '25', account: 'bob', name: 'Old' }),
];
const KNOWLEDGE = knowing({
  campaigns: ['9', '10', '11'].map((id) => ({ id })),
  broadcasts: [{ id: '21' }, { id: '22' }],
  open: [anOpenEntry(aCampaign({ name: 'Two' }), { sentAtMs: NOON - 1000 })],
});

const planned = (declared: readonly Declared[], observed: readonly Observed[]) =>
  JSON.stringify(planOf(declared, observed, { knowledge: KNOWLEDGE }));

describe('a plan', () => {
  it('has the shape of herald/plan/1 and counts every change once', () => {
    const plan = planOf(DECLARED, OBSERVED, { knowledge: KNOWLEDGE });
    expect(planShape.parse(plan)).toEqual(plan);
    expect(Object.values(plan.summary).reduce((sum, count) => sum + count, 0)).toBe(plan.changes.length);
  });

  it('decides about every declared resource', () => {
    const { changes } = planOf(DECLARED, OBSERVED, { knowledge: KNOWLEDGE });
    for (const { address } of DECLARED)
      expect(
        changes.filter((change) => JSON.stringify(change.address) === JSON.stringify(address)),
      ).not.toEqual([]);
  });

  it('is the same bytes in whatever order files and lists come', () => {
    const expected = planned(DECLARED, OBSERVED);
    fc.assert(
      fc.property(
        fc.shuffledSubarray([...DECLARED], { minLength: DECLARED.length }),
        fc.shuffledSubarray([...OBSERVED], { minLength: OBSERVED.length }),
        (declared, observed) => {
          expect(planned(declared, observed)).toBe(expected);
        },
      ),
    );
  });

  it('is sorted by account, kind, name and number', () => {
    const copies = ['100', '9', '20'].map((id) => aLiveCampaign({ id }));
    const knowledge = knowing({ campaigns: copies.map(({ live: { id } }) => ({ id })) });
    expect(linesOf([aCampaign()], copies, { knowledge })).toEqual([
      'keep 9',
      'retire 20: archive 20',
      'retire 100: archive 100',
    ]);
  });

  it('does nothing the second time: what was created is kept', () => {
    const { content } = aCampaign();
    expect(linesOf([aCampaign()], [aLiveCampaign({ messages: served(content.messages) })])).toEqual([
      'keep 1',
    ]);
  });

  it('lists live objects that no file declares, and those of ours as ours', () => {
    const observed = [
      aLiveCampaign({ id: '1' }),
      aLiveCampaign({ id: '2', name: 'Else' }),
      aLiveCampaign({ id: '3', status: 'archived' }),
    ];
    const plan = planOf([], observed, { knowledge: knowing({ campaigns: [{ id: '2', name: 'Else' }] }) });
    expect(plan.changes.map(({ live_id, reasons }) => [live_id, ...reasons])).toEqual([
      [
        '2',
        'Live (active) and unmanaged. Herald created or adopted it.',
        'Owned: with --allow prune it is archived.',
      ],
      ['1', 'Live (active) and unmanaged.'],
    ]);
  });

  it('says what it cannot verify on the one that stays', () => {
    const filters = [{ kind: 'subscribed_date', mode: 'include' as const, options: { from_days: 3 } }];
    const plan = planOf(
      [aCampaign({ audience_filters: filters })],
      [aLiveCampaign({ audience_filters: [{ kind: 'subscribed_date', mode: 'include' }] })],
    );
    expect(plan.diagnostics).toMatchObject([
      {
        severity: 'info',
        code: 'unverifiable',
        message: expect.stringContaining('audience_filters[0].options.from_days'),
      },
    ]);
  });
});

describe('the work of a plan', () => {
  /** Counts how often live objects are asked for their name: a walk over all of them for each resource shows. */
  function readsOf(count: number): number {
    let reads = 0;
    const counted = (index: number): Observed => {
      const observed = aLiveCampaign({ id: String(index + 1), messages: [{ text: `text ${index}` }] });
      const live = { ...observed.live };
      Object.defineProperty(live, 'name', {
        enumerable: true,
        get: () => {
          reads += 1;
          return `name ${index}`;
        },
      });
      return { ...observed, live };
    };
    const observed = Array.from({ length: count }, (_, index) => counted(index));
    const declared = observed.map((_, index) =>
      aCampaign({
        name: `name ${index}`,
        renamedFrom: `old ${index}`,
        messages: [{ text: `text ${index}` }],
      }),
    );
    const creates = observed.map((_, index) =>
      aCampaign({ name: `new ${index}`, messages: [{ text: `new text ${index}` }] }),
    );
    reads = 0;
    buildPlan({ ...anInput([], []), declared: [...declared, ...creates], observed });
    return reads;
  }

  it('grows with the number of resources and not with its square', () => {
    expect(readsOf(1000) / readsOf(100)).toBeLessThanOrEqual(10.5);
  });

  it('plans 10,000 resources', () => {
    const declared = Array.from({ length: 10_000 }, (_, index) =>
      aCampaign({ name: `name ${index}`, messages: [{ text: `text ${index}` }] }),
    );
    expect(buildPlan({ ...anInput([], []), declared }).summary.create).toBe(10_000);
  });
});

describe('the least time that a plan takes', () => {
  const rates = {
    token: 15,
    endpoint: { 'campaigns.create': 5, 'broadcasts.create': 1, 'campaigns.set-status': 5 },
  };
  const creates = (count: number, kind: 'campaign' | 'broadcast') =>
    planOf(
      Array.from({ length: count }, (_, index) =>
        kind === 'campaign'
          ? aCampaign({ name: `${index}`, messages: [{ text: `${index}` }] })
          : aBroadcast({ name: `${index}`, messages: [{ text: `text ${index}` }] }),
      ),
      [],
    ).changes;

  // LIMIT-3
  it('is set by the slowest endpoint', () => {
    expect(etaSec(creates(10, 'campaign'), rates)).toBe(2);
    expect(etaSec(creates(10, 'broadcast'), rates)).toBe(10);
    expect(etaSec([...creates(10, 'broadcast'), ...creates(10, 'campaign')], rates)).toBe(10);
  });

  it('is set by the token where that is slower, and for endpoints without a rate', () => {
    expect(etaSec(creates(10, 'campaign'), { token: 1, endpoint: rates.endpoint })).toBe(10);
    expect(etaSec(creates(30, 'campaign'), { token: 15, endpoint: {} })).toBe(2);
  });

  it('is nothing when nothing is sent', () => {
    expect(etaSec([], rates)).toBe(0);
  });
});
