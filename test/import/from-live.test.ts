import { expect, it } from 'vitest';
import type { CampaignReply } from '../../src/domain/replies.ts';
import { describeLive } from '../../src/import/from-live.ts';
import { TEXT_LENGTH_MAX } from '../../src/workspace/text.ts';
import { indexFacts } from '../../src/plan/decide/group.ts';
import { aLiveCampaign } from '../helpers/resource-builders.ts';
import { factsOf } from '../plan/facts-of.ts';

const KNOWN = { kinds: [], triggers: [], media_types: [], online_check_modes: [] };

const filter = (more: object) => ({
  audience_filters: [{ kind: 'subscribed_date', mode: 'include', options: {}, ...more }],
});

it.each<[string, object, string]>([
  ['a rule of another form', { rules: { unsend_delay_sec: [60] } }, 'rules.unsend_delay_sec'],
  ['a filter without a kind', filter({ kind: null }), 'audience_filters.0.kind'],
  ['a filter without a mode', filter({ mode: null }), 'audience_filters.0.mode'],
  ['days in words', filter({ options: { from_days: 'many' } }), 'audience_filters.0.options.from_days'],
  ['a text that is too long', { messages: [{ text: 'x'.repeat(TEXT_LENGTH_MAX + 1) }] }, 'messages.0.text'],
  ['a medium without a type', { messages: [{ attachments: [{ id: '1' }] }] }, 'messages.0.attachments.0'],
  [
    'a rule that a create cannot send',
    { rules: { new_rule: 5 } },
    'Herald cannot send new_rule of its rules',
  ],
  [
    'dates that move with the clock',
    filter({ options: { from_at: '2026-05-02T12:00:00.500Z' } }),
    'which is whole days before now',
  ],
])('a live object with %s is left out', (_what, live, reason) => {
  const object = aLiveCampaign({ id: '1', ...(live as Partial<CampaignReply>) });
  const found = describeLive(object, indexFacts(factsOf([], [object])), KNOWN);
  expect(found).toMatchObject({ code: 'not-expressible', reason: expect.stringContaining(reason) });
});
