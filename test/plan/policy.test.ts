import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/domain/change.ts';
import type { Policy } from '../../src/domain/policy.ts';
import type { Declared, Observed, PlaceOf } from '../../src/domain/resource.ts';
import { checkPolicy } from '../../src/plan/policy.ts';
import type { PolicyCase } from '../../src/plan/policy-case.ts';
import type { Targeting } from '../../src/plan/targets.ts';
import { aBroadcast, aCampaign, aLiveBroadcast } from '../helpers/resource-builders.ts';
import { codesOf, NO_POLICY, NOON, planOf } from './plan-of.ts';

/** Shows the path where the place would stand. */
const byPath: PlaceOf = ({ line, column }, path) => ({ file: path.join('.'), line, column });

function findings(declared: readonly Declared[], policy: Partial<Policy>, more: Partial<PolicyCase> = {}) {
  const the = { declared, undeclared: [], sent: new Set<string>(), nowMs: NOON, ...more };
  return checkPolicy({ ...the, policy: { ...NO_POLICY, ...policy } }, byPath);
}

function denials(resource: Declared, policy: Partial<Policy>): readonly string[] {
  return findings([resource], policy).map(({ code, file }) => `${code} at ${file}`);
}

const deny = (limit: number) => ({ limit, level: 'deny' }) as const;
const price = (price_gross: number) => aCampaign({ messages: [{ text: 'Hey', price_gross }] });
const saying = (text: string) => aCampaign({ messages: [{ text }] });

describe('prices', () => {
  it.each([
    ['at the most', price(50), []],
    ['a cent above it', price(50.01), ['policy-max-price at messages.0.price_gross']],
    ['at the least', price(5), []],
    ['a cent below it', price(4.99), ['policy-min-price at messages.0.price_gross']],
    ['nothing', price(0), []],
    ['not stated', saying('Hey'), []],
  ])('%s', (_, resource, expected) => {
    expect(denials(resource, { maxPriceGross: deny(50), minPriceGross: deny(5) })).toEqual(expected);
  });

  it('are checked in every message', () => {
    const messages = [{ text: 'a' }, { text: 'b', price_gross: 60 }, { text: 'c', price_gross: 70 }];
    expect(denials(aBroadcast({ messages }), { maxPriceGross: deny(50) })).toEqual([
      'policy-max-price at messages.1.price_gross',
      'policy-max-price at messages.2.price_gross',
    ]);
  });
});

describe('required', () => {
  const rule = (...fields: NonNullable<Policy['required']>['fields']) => ({
    required: { fields, level: 'deny' } as const,
  });

  it.each([
    ['an end that is missing', aCampaign(), rule('end_at'), ['policy-required at rules.end_at']],
    [
      'an end that is null',
      aCampaign({ rules: { end_at: null } }),
      rule('end_at'),
      ['policy-required at rules.end_at'],
    ],
    ['an end', aCampaign({ rules: { end_at: '2026-07-01T00:00:00Z' } }), rule('end_at'), []],
    [
      'an audience of everyone',
      aBroadcast(),
      rule('audience_filters'),
      ['policy-required at audience_filters'],
    ],
    [
      'a chosen audience',
      aBroadcast({ audience_filters: [{ kind: 'subscribed_date', mode: 'include' }] }),
      rule('audience_filters'),
      [],
    ],
    ['a zero, which is a value', aCampaign({ rules: { unsend_delay_sec: 0 } }), rule('unsend_delay_sec'), []],
    ['a field of the other kind', aBroadcast(), rule('send_delay_interval'), []],
    ['a field of the other kind', aCampaign(), rule('online_check_mode'), []],
    [
      'an unsending of no message',
      aCampaign({ action: 'start_mimic', messages: [] }),
      rule('unsend_delay_sec'),
      [],
    ],
  ])('%s', (_, resource, policy, expected) => {
    expect(denials(resource, policy)).toEqual(expected);
  });
});

describe('max_broadcasts_per_day', () => {
  const rule = (limit: number, timezone = 'UTC') => ({
    maxBroadcastsPerDay: { limit, timezone, level: 'deny' } as const,
  });
  const at = (hour: string, name = hour, account = 'alice') =>
    aBroadcast({ name, account, scheduledAtUtc: `2026-06-0${hour}:00:00Z` });
  const blamed = (...args: Parameters<typeof findings>) => findings(...args).map(({ address }) => address);

  it('blames the latest beyond the limit, on each account and day', () => {
    const declared = [
      at('2T20', 'late'),
      at('2T10', 'early'),
      at('2T12', 'noon'),
      at('3T10'),
      at('2T11', 'b', 'bob'),
    ];
    expect(blamed(declared, rule(2))).toEqual(['alice/broadcast/late']);
    expect(blamed(declared, rule(3))).toEqual([]);
    expect(blamed(declared, rule(0))).toHaveLength(5);
  });

  it('counts the days of its zone', () => {
    const declared = [at('2T20', 'today'), at('2T23', 'tomorrow in Berlin')];
    expect(blamed(declared, rule(1))).toHaveLength(1);
    expect(blamed(declared, rule(1, 'Europe/Berlin'))).toEqual([]);
  });

  it('counts what waits in no file and what has left today, and blames the files', () => {
    const live = aLiveBroadcast({ id: '9', name: 'By hand', scheduled_at: '2026-06-01T20:00:00Z' });
    const declared = [at('1T09', 'gone'), at('1T18', 'later')];
    expect(blamed(declared, rule(1))).toEqual([]);
    expect(blamed(declared, rule(1), { undeclared: [live] })).toEqual(['alice/broadcast/later']);
    expect(blamed(declared, rule(1), { sent: new Set(['alice/broadcast/gone']) })).toEqual([
      'alice/broadcast/later',
    ]);
  });

  it('in a plan of targets: what is left out counts as it is live', () => {
    const live = aLiveBroadcast({ id: '8', name: 'Later', scheduled_at: '2026-06-01T20:00:00Z' });
    const declared = [at('1T18', 'New'), at('1T20', 'Later')];
    const plan = (observed: readonly Observed[], targeting: Targeting) =>
      planOf(declared, observed, { policy: { ...NO_POLICY, ...rule(1) }, targeting });
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
    const parts = { policy: { ...NO_POLICY, ...rule(1) }, ownershipPrefix: 'gc/' };
    expect(codesOf(planOf(...input, parts))).toEqual(['policy-broadcasts-per-day']);
    const allow = new Set(['prune', 'large'] as const);
    expect(codesOf(planOf(...input, { ...parts, allow }))).toEqual([]);
  });
});

describe('a policy', () => {
  it.each(['paused', 'archived', 'recalled'] as const)('never stands in the way of %s', (target) => {
    expect(denials({ ...price(99), target }, { maxPriceGross: deny(50) })).toEqual([]);
  });

  it('does not judge a broadcast whose hour has passed', () => {
    const messages = [{ text: 'a', price_gross: 99 }];
    const past = aBroadcast({ messages, scheduledAtUtc: '2026-06-01T11:00:00Z' });
    expect(denials(past, { maxPriceGross: deny(50) })).toEqual([]);
  });

  it.each([
    ['deny', 'error'],
    ['warn', 'warning'],
  ] as const)('of level %s is an %s that names the rule, the place and the resource', (level, severity) => {
    expect(findings([price(99)], { maxPriceGross: { limit: 50, level } })).toEqual([
      {
        severity,
        code: 'policy-max-price',
        message: 'messages[0] costs 99, above policy.max_price_gross 50.',
        file: 'messages.0.price_gross',
        line: 3,
        column: 5,
        address: 'alice/campaign/Welcome',
      },
    ]);
  });

  it('of many changes only warns when it says so', () => {
    const three = ['a', 'b', 'c'].map((name) => aCampaign({ name, messages: [{ text: name }] }));
    const policy = { ...NO_POLICY, maxChanges: { limit: 2, level: 'warn' } } as const;
    expect(planOf(three, [], { policy }).diagnostics).toMatchObject([
      { severity: 'warning', code: 'too-many-changes' },
    ]);
  });
});
