import { describe, expect, it } from 'vitest';
import type { Change, Plan } from '../../src/domain/change.ts';
import type { Observed } from '../../src/domain/resource.ts';
import { withFingerprints } from '../../src/plan/fingerprint/fingerprints.ts';
import { reviewOf } from '../../src/plan/review.ts';
import type { Targeting } from '../../src/plan/targets.ts';
import { aPolicy } from '../helpers/policy-builders.ts';
import { aBroadcast, aCampaign, aLiveBroadcast } from '../helpers/resource-builders.ts';
import { anInput, codesOf, planOf } from './plan-of.ts';

describe('max_broadcasts_per_day', () => {
  const rule = (limit: number, timezone = 'UTC') => ({
    max_broadcasts_per_day: { limit, timezone, level: 'deny' } as const,
  });
  const at = (hour: string, name = hour, account = 'alice') =>
    aBroadcast({ name, account, scheduledAtUtc: `2026-06-0${hour}:00:00Z` });

  it('in a plan of targets: what is left out counts as it is live', () => {
    const live = aLiveBroadcast({ id: '8', name: 'Later', scheduled_at: '2026-06-01T20:00:00Z' });
    const declared = [at('1T18', 'New'), at('1T20', 'Later')];
    const plan = (observed: readonly Observed[], targeting: Targeting) =>
      planOf(declared, observed, { policy: aPolicy(rule(1)), targeting });
    const only = (name: string) => ({ target: [`alice/broadcast/${name}`], exclude: [] });
    const addresses = ({ diagnostics }: Plan) =>
      diagnostics.filter(({ severity }) => severity === 'error').map(({ address }) => address);
    expect(addresses(plan([live], only('New')))).toEqual(['alice/broadcast/New']);
    expect(addresses(plan([], only('New')))).toEqual([]);
    expect(addresses(plan([live], only('Later')))).toEqual([]);
    expect(addresses(plan([live], { target: [], exclude: ['*/*/Later'] }))).toEqual(['alice/broadcast/New']);
  });

  it('in a plan: what a prune pauses does not count', () => {
    const live = aLiveBroadcast({ id: '9', name: 'gc/Old', created_by: { type: 'api_token', id: '1' } });
    const kept = aLiveBroadcast({ id: '8', name: 'gc/New', created_by: { type: 'api_token', id: '1' } });
    const input = [[aBroadcast({ name: 'gc/New' })], [live, kept]] as const;
    const parts = { policy: aPolicy(rule(1)), ownershipPrefix: 'gc/' };
    expect(codesOf(planOf(...input, parts))).toEqual(['policy-broadcasts-per-day']);
    const allow = new Set(['prune', 'large'] as const);
    expect(codesOf(planOf(...input, { ...parts, allow }))).toEqual([]);
  });
});

describe('a policy, where only a part was reviewed,', () => {
  const banned = aPolicy({ banned_words: { words: ['forbidden'], level: 'deny', searches: new Map() } });
  const FORBIDDEN = [{ text: 'A forbidden text' }];

  /** The plan of an apply for which only these changes of the whole plan were reviewed. */
  function partOf(given: Parameters<typeof anInput>, isReviewed: (change: Change) => boolean): Plan {
    const input = anInput(...given);
    const { policy: _none, ...open } = input;
    const whole = withFingerprints(
      planOf(input.declared, input.observed, { ...open, policy: aPolicy() }),
      input,
    );
    const review = reviewOf({ ...whole, changes: whole.changes.filter(isReviewed) });
    return planOf(input.declared, input.observed, { ...input, review });
  }

  it('does not judge what was not, because that does not go out', () => {
    const declared = [aCampaign({ name: 'Kept out', messages: FORBIDDEN }), aCampaign({ name: 'Reviewed' })];
    const plan = (name: string) =>
      partOf([declared, [], { policy: banned }], ({ address }) => address.name === name);
    expect(plan('Reviewed').changes.map(({ action }) => action)).toEqual(['blocked', 'create']);
    expect(codesOf(plan('Reviewed'))).toEqual([]);
    expect(codesOf(plan('Kept out'))).toEqual(['policy-banned-word']);
  });
});

describe('a policy', () => {
  it('of many changes only warns when it says so', () => {
    const three = ['a', 'b', 'c'].map((name) => aCampaign({ name, messages: [{ text: name }] }));
    const policy = aPolicy({ max_changes: { limit: 2, level: 'warn' } });
    expect(planOf(three, [], { policy }).diagnostics).toMatchObject([
      { severity: 'warning', code: 'too-many-changes' },
    ]);
  });
});
