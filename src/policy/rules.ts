import * as z from 'zod/mini';
import type { DiagnosticCode } from '../domain/codes.ts';
import { isPrice, NOT_A_PRICE } from '../domain/message.ts';
import { KINDS, type Declared, type Kind } from '../domain/resource.ts';
import { withCode } from '../domain/value-shapes.ts';
import { POLICY_LEVELS, type PolicySetting } from '../domain/workspace.ts';
import { bannedWords } from './banned-words.ts';
import { broadcastsPerDay, quietHours } from './broadcasts.ts';
import { ruleShape, type Limit, type PolicyRule } from './rule.ts';

/** A rule that is one price, checked in each message. `explain` says why a price breaks it, or null. */
function priceRule(
  key: string,
  code: DiagnosticCode,
  help: string,
  explain: (price: number, limit: number) => string | null,
): PolicyRule<Limit> {
  return {
    key,
    code,
    help,
    shape: ruleShape(
      'limit',
      z.number().check(z.minimum(0), z.refine(isPrice, withCode('invalid-price', NOT_A_PRICE))),
    ),
    describe: ({ limit }) => `${limit}`,
    inMessage: {
      path: (index) => ['messages', index, 'price_gross'],
      judge:
        ({ limit }) =>
        ({ price }) => {
          const why = explain(price, limit);
          return why === null ? [] : [`costs ${price}, ${why}`];
        },
    },
  };
}

const maxPrice = priceRule(
  'max_price_gross',
  'policy-max-price',
  'No message may cost more.',
  (price, limit) => (price > limit ? `above policy.max_price_gross ${limit}.` : null),
);

const minPrice = priceRule(
  'min_price_gross',
  'policy-min-price',
  'No message that costs something may cost less.',
  (price, limit) =>
    price > 0 && price < limit
      ? `below policy.min_price_gross ${limit}. Raise the price to at least ${limit}, or make the message free.`
      : null,
);

/** A run with more changes than this needs `--allow large`. */
const MAX_CHANGES_DEFAULT = 20;

/** No run may make more changes. */
const maxChanges: PolicyRule<Limit> = {
  key: 'max_changes',
  code: 'too-many-changes',
  shape: ruleShape('limit', z.int().check(z.minimum(1))),
  help: `Default: ${MAX_CHANGES_DEFAULT}.`,
  default: { limit: MAX_CHANGES_DEFAULT, level: 'deny' },
  describe: ({ limit }) => `${limit}`,
  checkRun: ({ changes, allow }, { limit }) =>
    changes <= limit || allow.has('large')
      ? null
      : `${changes} changes, more than policy.max_changes (${limit}). Review them, then use --allow large, or raise policy.max_changes in herald.yaml.`,
};

/** As many addresses as fit into one sentence. The plan lists all of them. */
const NAMED_MAX = 5;

/** What happens if something was never created because its time has passed. The plan itself warns of each one. */
const missed: PolicyRule = {
  key: 'missed',
  code: 'missed-denied',
  shape: z.pipe(
    z.enum(POLICY_LEVELS),
    z.transform((level): PolicySetting => ({ level })),
  ),
  help: 'deny blocks the whole run, warn (default) only warns.',
  describe: () => 'their time passed before they were created',
  checkRun: (run, { level }) => {
    if (level === 'warn' || run.missed.length === 0) return null;
    const more = run.missed.length > NAMED_MAX ? ` and ${run.missed.length - NAMED_MAX} more` : '';
    const names = `${run.missed.slice(0, NAMED_MAX).join(', ')}${more}`;
    return `Missed, and policy.missed is deny: ${names}. Change scheduled_at or rules.end_at, or remove them.`;
  },
};

/** What `policy.required` can ask for, and of which kinds (CONTENT-20). All but the first are in `rules`. */
const REQUIRED_FIELDS = {
  audience_filters: KINDS,
  end_at: KINDS,
  mimic_on_reply_enabled: KINDS,
  online_check_mode: ['broadcast'],
  retry_after_unsend_min: ['campaign'],
  send_delay_interval: ['campaign'],
  unsend_delay_sec: KINDS,
  unsend_if_not_read_enabled: KINDS,
  unsend_if_not_replied_enabled: ['campaign'],
} as const satisfies Record<string, readonly Kind[]>;
type RequiredField = keyof typeof REQUIRED_FIELDS;

/** The fields that can be required, in the order of their names. */
export const REQUIRED_FIELD_NAMES = Object.keys(REQUIRED_FIELDS) as RequiredField[];

const requiredShape = ruleShape(
  'fields',
  z
    .array(z.enum(REQUIRED_FIELD_NAMES))
    .check(z.minLength(1, withCode('invalid-value', 'Name at least one field, or remove the rule.'))),
);

/** Fields that everything to be sent must state, where its kind has them. */
const required: PolicyRule<z.infer<typeof requiredShape>> = {
  key: 'required',
  code: 'policy-required',
  shape: requiredShape,
  help: 'Fields that everything to be sent must state, where its kind has them.',
  describe: ({ fields }) => fields.join(', '),
  check: (resources, { fields }) =>
    resources.flatMap((resource) =>
      [...new Set(fields)]
        .filter((field) => concerns(resource, field) && !states(resource, field))
        .map((field) => {
          const isAudience = field === 'audience_filters';
          const what = isAudience ? 'it goes to everyone' : `it has no rules.${field}`;
          const path = isAudience ? [field] : ['rules', field];
          return { resource, path, message: `${what}: policy.required asks for ${field}.` };
        }),
    ),
};

function concerns({ kind, content }: Declared, field: RequiredField): boolean {
  const kinds: readonly Kind[] = REQUIRED_FIELDS[field];
  // An automated chat has no message that could be recalled (CAMPAIGN-4).
  const isMute = content.messages.length === 0 && field.includes('unsend');
  return kinds.includes(kind) && !isMute;
}

function states({ content }: Declared, field: RequiredField): boolean {
  if (field === 'audience_filters') return content.audience_filters.length > 0;
  const rules: Readonly<Record<string, unknown>> = content.rules ?? {};
  return rules[field] !== undefined && rules[field] !== null;
}

/**
 * Every rule of `policy:`, in the order of outputs. Parsing, plans, `policy test`, the JSON schemas and the reference all read
 * this table.
 */
export const POLICY_RULES: readonly PolicyRule[] = [
  maxChanges,
  maxPrice,
  minPrice,
  bannedWords,
  quietHours,
  broadcastsPerDay,
  required,
  missed,
];
