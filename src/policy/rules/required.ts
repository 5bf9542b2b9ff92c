import * as z from 'zod/mini';
import { KINDS, type Declared, type Kind } from '../../domain/resource.ts';
import { levelShape, type PolicyRule } from '../rule.ts';
import { withCode } from '../../domain/value-shapes.ts';
import type { PolicySetting } from '../../domain/workspace.ts';

interface FieldPlace {
  readonly kinds: readonly Kind[];
  /** Keys from the resource down to the field. */
  readonly path: readonly string[];
}

const inRules = (name: string, kinds: readonly Kind[] = KINDS): FieldPlace => ({
  kinds,
  path: ['rules', name],
});

/** What `policy.required` can ask for, and of which kinds (CONTENT-20). */
const REQUIRED_FIELDS = {
  audience_filters: { kinds: KINDS, path: ['audience_filters'] },
  end_at: inRules('end_at'),
  mimic_on_reply_enabled: inRules('mimic_on_reply_enabled'),
  online_check_mode: inRules('online_check_mode', ['broadcast']),
  retry_after_unsend_min: inRules('retry_after_unsend_min', ['campaign']),
  send_delay_interval: inRules('send_delay_interval', ['campaign']),
  unsend_delay_sec: inRules('unsend_delay_sec'),
  unsend_if_not_read_enabled: inRules('unsend_if_not_read_enabled'),
  unsend_if_not_replied_enabled: inRules('unsend_if_not_replied_enabled', ['campaign']),
} as const satisfies Record<string, FieldPlace>;
type RequiredField = keyof typeof REQUIRED_FIELDS;

/** The fields that can be required, in the order of their names. */
export const REQUIRED_FIELD_NAMES = Object.keys(REQUIRED_FIELDS) as RequiredField[];

export interface RequiredFields extends PolicySetting {
  readonly fields: readonly RequiredField[];
}

const fieldsShape = z
  .array(z.enum(REQUIRED_FIELD_NAMES))
  .check(z.minLength(1, withCode('invalid-value', 'Name at least one field, or remove the rule.')));

const shape = z.union([fieldsShape, z.strictObject({ fields: fieldsShape, level: levelShape })]);

/** Fields that everything to be sent must state, where its kind has them. */
export const required = {
  key: 'required',
  code: 'policy-required',
  shape,
  help: 'Fields that everything to be sent must state, where its kind has them.',
  default: null,
  read: (written) => {
    const { fields, level } = 'fields' in written ? written : { fields: written, level: 'deny' as const };
    return { fields: [...new Set(fields)].sort(), level };
  },
  describe: ({ fields }) => fields.join(', '),
  check: (resources, { fields }) =>
    resources.flatMap((resource) =>
      fields
        .filter((field) => concerns(resource, field) && !states(resource, field))
        .map((field) => {
          const { path } = REQUIRED_FIELDS[field];
          const what = field === 'audience_filters' ? 'it goes to everyone' : `it has no ${path.join('.')}`;
          return { resource, path, message: `${what}: policy.required asks for ${field}.` };
        }),
    ),
} as const satisfies PolicyRule<z.infer<typeof shape>, RequiredFields>;

function concerns({ kind, content }: Declared, field: RequiredField): boolean {
  const { kinds } = REQUIRED_FIELDS[field];
  // An automated chat has no message that could be recalled (CAMPAIGN-4).
  const isMute = content.messages.length === 0 && field.includes('unsend');
  return kinds.some((one) => one === kind) && !isMute;
}

function states({ content }: Declared, field: RequiredField): boolean {
  if (field === 'audience_filters') return content.audience_filters.length > 0;
  const rules: Readonly<Record<string, unknown>> = content.rules ?? {};
  return rules[field] !== undefined && rules[field] !== null;
}
