import { broadcastRulesShape } from '../domain/broadcast.ts';
import { campaignRulesShape } from '../domain/campaign.ts';
import { fieldSteps, isWithin } from '../domain/field-path.ts';
import { compareText } from '../domain/diagnostic.ts';
import type { Kind } from '../domain/resource.ts';
import { error, type Finding, type Path } from './findings.ts';
import type { Rule } from './rules/rule.ts';
import { didYouMean } from './suggest.ts';

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

/** True if plans compare this path. */
export function isCompared(kind: Kind, path: string): boolean {
  const steps = fieldSteps(path);
  return COMPARED_FIELDS[kind].some((known) => {
    const pattern = fieldSteps(known);
    return pattern.length === steps.length && isWithin(steps, pattern);
  });
}

/** Normalised, sorted and distinct paths: `messages[0].text` becomes `messages.0.text`. */
export function readIgnore(...lists: readonly (readonly string[] | undefined)[]): readonly string[] {
  const paths = lists.flatMap((list) => list ?? []).map((path) => fieldSteps(path).join('.'));
  return paths.length === 0 ? NOTHING : [...new Set(paths)].sort(compareText);
}

const NOTHING: readonly string[] = [];

/** Rule for a resource's own `ignore`. */
export function ignoresWhatIsCompared(kind: Kind): Rule<{ readonly ignore?: readonly string[] | undefined }> {
  return ({ ignore }) => checkIgnore(ignore, [kind]);
}

/** Reports paths that no plan compares, because they would have no effect. */
export function checkIgnore(written: readonly string[] | undefined, kinds: readonly Kind[]): Finding[] {
  if ((written ?? []).length > IGNORE_MAX) return [TOO_MANY];
  return (written ?? []).flatMap((path, index) => {
    if (kinds.some((kind) => isCompared(kind, path))) return [];
    return [unknownPath(path, ['ignore', index], kinds)];
  });
}

/** Limit for one `ignore`. No resource has this many fields. */
const IGNORE_MAX = 200;

const TOO_MANY = error(
  'too-many-paths',
  ['ignore', IGNORE_MAX],
  `One \`ignore\` may have up to ${IGNORE_MAX} paths. Remove some.`,
);

function unknownPath(path: string, at: Path, kinds: readonly Kind[]): Finding {
  const known = [...new Set(kinds.flatMap((kind) => COMPARED_FIELDS[kind]))];
  const spelled = fieldSteps(path)
    .map((step) => (/^\d+$/.test(step) ? '*' : step))
    .join('.');
  const message = `"${path}" cannot be ignored, because plans do not compare it.${didYouMean(spelled, known)} Known here: ${known.join(', ')}.`;
  return error('unknown-path', at, message);
}
