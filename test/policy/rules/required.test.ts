import { describe, expect, it } from 'vitest';
import type { PolicySettings } from '../../../src/policy/rules.ts';
import { denials } from '../../helpers/policy-builders.ts';
import { aBroadcast, aCampaign } from '../../helpers/resource-builders.ts';

describe('required', () => {
  const rule = (...fields: NonNullable<PolicySettings['required']>['fields']) => ({
    required: { fields, level: 'deny' } as const,
  });

  const missing = (path: string) => [`policy-required at ${path}`];
  const filtered = aBroadcast({ audience_filters: [{ kind: 'subscribed_date', mode: 'include' }] });
  const mute = aCampaign({ action: 'start_mimic', messages: [] });

  it.each([
    ['an end that is missing', aCampaign(), rule('end_at'), missing('rules.end_at')],
    ['an end that is null', aCampaign({ rules: { end_at: null } }), rule('end_at'), missing('rules.end_at')],
    ['an end', aCampaign({ rules: { end_at: '2026-07-01T00:00:00Z' } }), rule('end_at'), []],
    ['an audience of everyone', aBroadcast(), rule('audience_filters'), missing('audience_filters')],
    ['a chosen audience', filtered, rule('audience_filters'), []],
    ['a zero, which is a value', aCampaign({ rules: { unsend_delay_sec: 0 } }), rule('unsend_delay_sec'), []],
    ['a field of the other kind', aBroadcast(), rule('send_delay_interval'), []],
    ['a field of the other kind', aCampaign(), rule('online_check_mode'), []],
    ['an unsending of no message', mute, rule('unsend_delay_sec'), []],
  ])('%s', (_, resource, policy, expected) => {
    expect(denials(resource, policy)).toEqual(expected);
  });
});
