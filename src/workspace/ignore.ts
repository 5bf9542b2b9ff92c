import { broadcastRulesShape } from '../domain/broadcast.ts';
import { campaignRulesShape } from '../domain/campaign.ts';
import { compareText } from '../domain/diagnostic.ts';
import { messageShape } from '../domain/message.ts';
import type { Kind } from '../domain/resource.ts';
import type { Findings } from './findings.ts';
import { didYouMean } from './suggest.ts';
import { fieldSteps } from '../domain/field-path.ts';

const SHARED = [
  'audience_filters',
  'audience_filters.*.options.from_days',
  'audience_filters.*.options.to_days',
  'audience_filters.*.options.lists.*.name',
  'messages',
  'messages.length',
  'messages.*',
  ...Object.keys(messageShape.shape).map((key) => `messages.*.${key}`),
];

/** All fields that plans compare, by kind. `*` matches any list index. */
const COMPARED_FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  campaign: [
    'trigger',
    'action',
    'rules',
    ...Object.keys(campaignRulesShape.shape).map((rule) => `rules.${rule}`),
    'rules.send_delay_interval.min_sec',
    'rules.send_delay_interval.range_sec',
    ...SHARED,
  ],
  broadcast: [
    'scheduled_at',
    'rules',
    ...Object.keys(broadcastRulesShape.shape).map((rule) => `rules.${rule}`),
    ...SHARED,
  ],
};

/** Normalised, sorted and distinct paths: `messages[0].text` becomes `messages.0.text`. */
export function readIgnore(...lists: readonly (readonly string[])[]): readonly string[] {
  const paths = lists.flat().map((path) => fieldSteps(path).join('.'));
  return [...new Set(paths)].sort(compareText);
}

/** Reports paths that no plan compares, because they would have no effect. */
export function checkIgnore(written: readonly string[] = [], kinds: readonly Kind[], found: Findings): void {
  for (const [index, path] of written.entries()) {
    const known = [...new Set(kinds.flatMap((kind) => COMPARED_FIELDS[kind]))];
    const spelled = fieldSteps(path)
      .map((step) => (/^(?:0|[1-9]\d*)$/.test(step) ? '*' : step))
      .join('.');
    if (known.includes(spelled)) continue;
    const message = `"${path}" cannot be ignored, because plans do not compare it.${didYouMean(spelled, known)} Known here: ${known.join(', ')}.`;
    found.error('unknown-path', ['ignore', index], message);
  }
}
