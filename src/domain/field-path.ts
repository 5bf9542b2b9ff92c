import { broadcastRulesShape } from './broadcast.ts';
import { campaignRulesShape } from './campaign.ts';
import type { Kind } from './resource.ts';

/**
 * Steps from a resource to one field, as in plans: `messages[0].text` is `messages`, `0`, `text`. `*` matches any
 * list index.
 */
export type FieldSteps = readonly string[];

const PLACE = /^(?:0|[1-9]\d*)$/;

/** Reads `messages[0].text`, `messages.0.text` and `messages[*].text` alike. */
export function fieldSteps(path: string): FieldSteps {
  return path.replaceAll(/\[(\*|\d+)\]/g, '.$1').split('.');
}

/** True if a field is the one of the pattern, or inside it. */
export function isWithin(field: FieldSteps, pattern: FieldSteps): boolean {
  return pattern.every((step, index) => {
    const own = field[index];
    return own === step || (step === '*' && own !== undefined && PLACE.test(own));
  });
}

const MESSAGE_FIELDS = [
  'text',
  'price_gross',
  'delay_sec',
  'attachments',
  'text_is_paid',
  'tagged_platform_account_ids',
].map((field) => `messages.*.${field}`);

const FILTER_FIELDS = ['from_days', 'to_days', 'lists.*.name'].map(
  (field) => `audience_filters.*.options.${field}`,
);

const SHARED = [
  'audience_filters',
  ...FILTER_FIELDS,
  'messages',
  'messages.length',
  'messages.*',
  ...MESSAGE_FIELDS,
];

/** All fields that plans compare, by kind. `*` matches any list index. */
export const COMPARED_FIELDS: Readonly<Record<Kind, readonly string[]>> = {
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

/** True if plans compare this path or one inside it. */
export function isCompared(kind: Kind, path: string): boolean {
  const steps = fieldSteps(path);
  return COMPARED_FIELDS[kind].some((known) => {
    const knownSteps = fieldSteps(known);
    return (
      knownSteps.length === steps.length &&
      knownSteps.every(
        (step, index) => step === steps[index] || (step === '*' && PLACE.test(steps[index] ?? '')),
      )
    );
  });
}
