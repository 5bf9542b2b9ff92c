import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { POLICY_RULES, REQUIRED_FIELD_NAMES } from '../../src/policy/rules.ts';
import { denials } from '../helpers/policy-builders.ts';
import { aBroadcast, aCampaign } from '../helpers/resource-builders.ts';
import { CAMPAIGN, load, WORKSPACE } from '../workspace/declare.ts';

const RULE = /^\| `([a-z_]+)` +\| (.+?) +\|$/;

/** The one page with the table of the rules. */
const page = (() => {
  const below = readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name));
  const texts = ['README.md', ...below]
    .filter((path) => path.endsWith('.md'))
    .map((path) => readFileSync(path, 'utf8'))
    .filter((text) => rowsOf(text).some(([key]) => key === POLICY_RULES[0]?.key));
  expect(texts).toHaveLength(1);
  return texts[0] ?? '';
})();

function rowsOf(text: string): readonly (readonly [string, string])[] {
  return text.split('\n').flatMap((line) => {
    const [, key, applies] = RULE.exec(line) ?? [];
    return key === undefined || applies === undefined ? [] : [[key, applies] as const];
  });
}

async function settingsIn(policy: string): Promise<readonly string[]> {
  const loaded = await load({
    'herald.yaml': `${WORKSPACE}policy:\n${policy}`,
    'campaigns/a.yaml': CAMPAIGN,
  });
  if (loaded.kind === 'invalid') throw new Error(JSON.stringify(loaded.diagnostics));
  return Object.keys(loaded.workspace.policy);
}

it('the page about the policy has every rule, in the order of the outputs, and every field that can be required', () => {
  const keys = POLICY_RULES.map(({ key }) => key);
  expect(rowsOf(page).filter(([key]) => keys.includes(key))).toHaveLength(keys.length);
  expect(rowsOf(page).map(([key]) => key)).toEqual(expect.arrayContaining(keys));
  for (const name of REQUIRED_FIELD_NAMES) expect(page).toContain(`\`${name}\``);
});

it('examples/policy sets every rule', async () => {
  const text = readFileSync('examples/policy/herald.yaml', 'utf8');
  const [, policy = ''] = /^policy:\n((?: .*\n)+)/m.exec(text) ?? [];
  expect((await settingsIn(policy)).toSorted()).toEqual(POLICY_RULES.map(({ key }) => key).toSorted());
});

it('every rule has a key and a code of its own', () => {
  expect(new Set(POLICY_RULES.map(({ key }) => key)).size).toBe(POLICY_RULES.length);
  expect(new Set(POLICY_RULES.map(({ code }) => code)).size).toBe(POLICY_RULES.length);
});

const deny = (limit: number) => ({ limit, level: 'deny' }) as const;
const price = (price_gross: number) => aCampaign({ messages: [{ text: 'Hey', price_gross }] });

describe('max_price_gross and min_price_gross', () => {
  it.each([
    ['at the most', price(50), []],
    ['a cent above it', price(50.01), ['policy-max-price at messages.0.price_gross']],
    ['at the least', price(5), []],
    ['a cent below it', price(4.99), ['policy-min-price at messages.0.price_gross']],
    ['nothing', price(0), []],
    ['not stated', aCampaign({ messages: [{ text: 'Hey' }] }), []],
  ])('%s', (_, resource, expected) => {
    expect(denials(resource, { max_price_gross: deny(50), min_price_gross: deny(5) })).toEqual(expected);
  });

  it.each(['paused', 'archived', 'recalled'] as const)('never stand in the way of %s', (target) => {
    expect(denials({ ...price(99), target }, { max_price_gross: deny(50) })).toEqual([]);
  });

  it('do not judge a broadcast with an hour that has passed', () => {
    const messages = [{ text: 'a', price_gross: 99 }];
    const past = aBroadcast({ messages, scheduledAtUtc: '2026-06-01T11:00:00Z' });
    expect(denials(past, { max_price_gross: deny(50) })).toEqual([]);
  });

  it('are checked in every message', () => {
    const messages = [{ text: 'a' }, { text: 'b', price_gross: 60 }, { text: 'c', price_gross: 70 }];
    expect(denials(aBroadcast({ messages }), { max_price_gross: deny(50) })).toEqual([
      'policy-max-price at messages.1.price_gross',
      'policy-max-price at messages.2.price_gross',
    ]);
  });
});

describe('required', () => {
  const rule = (...fields: typeof REQUIRED_FIELD_NAMES) => ({
    required: { fields, level: 'deny' } as const,
  });

  const missing = (path: string) => [`policy-required at ${path}`];
  const filtered = aBroadcast({ audience_filters: [{ kind: 'subscribed_date', mode: 'include' }] });
  const mute = aCampaign({ action: 'start_mimic', messages: [] });
  const never = aCampaign({ rules: { unsend_delay_sec: 0 } });
  const off = aBroadcast({ rules: { unsend_if_not_read_enabled: false, online_check_mode: 'off' } });

  it.each([
    ['an end that is missing', aCampaign(), rule('end_at'), missing('rules.end_at')],
    ['an end that is null', aCampaign({ rules: { end_at: null } }), rule('end_at'), missing('rules.end_at')],
    ['an end', aCampaign({ rules: { end_at: '2026-07-01T00:00:00Z' } }), rule('end_at'), []],
    ['an audience of everyone', aBroadcast(), rule('audience_filters'), missing('audience_filters')],
    ['a chosen audience', filtered, rule('audience_filters'), []],
    ['a delay of nothing', never, rule('unsend_delay_sec'), missing('rules.unsend_delay_sec')],
    [
      'a rule that is switched off in words',
      off,
      rule('unsend_if_not_read_enabled', 'online_check_mode'),
      [],
    ],
    ['a field of the other kind', aBroadcast(), rule('send_delay_interval'), []],
    ['a field of the other kind', aCampaign(), rule('online_check_mode'), []],
    ['an unsending of no message', mute, rule('unsend_delay_sec'), []],
  ])('%s', (_, resource, policy, expected) => {
    expect(denials(resource, policy)).toEqual(expected);
  });
});
