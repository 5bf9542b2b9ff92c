import * as z from 'zod';
import { teamOf, type ApprovalCondition, type ApprovalRule } from '../domain/approval.ts';
import { WRITING_KINDS } from '../domain/change-kinds.ts';
import { withCode } from '../domain/coded-message.ts';
import { globOf } from '../domain/glob.ts';
import { KINDS } from '../domain/resource.ts';
import type { WrittenProblem } from './rule.ts';

const actionShape = z.enum(WRITING_KINDS);

const conditionShape = z
  .strictObject({
    irreversible: z.literal(true).optional().describe('Only changes that cannot be undone.'),
    price_gross_above: z
      .number()
      .min(0, withCode('invalid-value', 'Write 0 or more.'))
      .optional()
      .describe('Only if a message that goes out costs more.'),
    action: z
      .union([
        actionShape,
        z.array(actionShape).min(1, withCode('invalid-value', 'Name at least one action.')),
      ])
      .optional()
      .describe('Only these kinds of change.'),
    audience: z.literal('everyone').optional().describe('Only what goes to every fan.'),
  })
  .refine(
    (when) => Object.values(when).some((value) => value !== undefined),
    withCode('invalid-value', 'Write at least one condition, or remove `when`.'),
  );

/** A login, or a team of an organisation. On GitLab a team is a group, which can be below others. */
const WHO = /^(?:team:[\w.-]+(?:\/[\w.-]+)+|[\w.-]+(?:\[bot\])?)$/;

const ruleShape = z.strictObject({
  match: z
    .string()
    .min(1)
    .describe('A pattern of addresses, such as "*/broadcast/*". `*` and `?` are wildcards.'),
  when: z
    .union([z.literal('irreversible'), conditionShape])
    .optional()
    .describe('Which changes of these addresses. Without it, all of them.'),
  from: z
    .array(
      z
        .string()
        .regex(
          WHO,
          withCode('invalid-value', 'Write a user name without "@", or team:organisation/name for a team.'),
        ),
    )
    .min(1, withCode('invalid-value', 'Name at least one user or team, or remove `from`.'))
    .optional()
    .describe('Who can approve: users, and teams as team:organisation/name. Without it, anyone.'),
  count: z
    .int()
    .min(1, withCode('invalid-value', 'Write 1 or more.'))
    .max(20, withCode('invalid-value', 'Write at most 20.'))
    .optional()
    .describe('How many people have to approve. Default: 1.'),
});
type WrittenRule = z.infer<typeof ruleShape>;

/** `policy.approvals`, as written. */
export const approvalsShape = z
  .array(ruleShape)
  .describe('Who has to approve a pull request before `herald ci apply` applies its changes.');

/** The rules of `policy.approvals`. */
export function readApprovalRules(written: readonly WrittenRule[] = []): readonly ApprovalRule[] {
  return written.map(({ match, when, from = [], count = 1 }) => ({
    match,
    when: conditionOf(when),
    from: [...new Set(from)],
    count,
  }));
}

function conditionOf(when: WrittenRule['when']): ApprovalCondition {
  const { irreversible, price_gross_above, action, audience } =
    when === 'irreversible' ? { irreversible: true } : (when ?? {});
  return {
    irreversible: irreversible === true,
    priceGrossAbove: price_gross_above ?? null,
    actions: action === undefined ? null : [action].flat(),
    everyone: audience === 'everyone',
  };
}

/** A rule that nothing can meet, or that is about nothing, would not do what its author meant. */
export function approvalProblems(written: readonly WrittenRule[] = []): readonly WrittenProblem[] {
  return written.flatMap((rule, index): readonly WrittenProblem[] => {
    const kind = rule.match.split('/')[1] ?? '*';
    const { from = [], count = 1 } = rule;
    const people = new Set(from).size;
    const hasTeam = from.some((who) => teamOf(who) !== null);
    return [
      ...(KINDS.some(globOf(kind))
        ? []
        : [
            {
              code: 'invalid-value' as const,
              path: [index, 'match'],
              message: `This is about nothing, because "${kind}" is not a kind. Write account/kind/name with ${KINDS.join(' or ')} as the kind, such as "*/broadcast/*".`,
            },
          ]),
      ...(from.length > 0 && !hasTeam && people < count
        ? [
            {
              code: 'invalid-value' as const,
              path: [index, 'count'],
              message: `${count} approvals are needed, but only ${people} can approve. Name more users, or lower the count.`,
            },
          ]
        : []),
    ];
  });
}

/** What a rule is about, for people: `"*\/broadcast/*" with a price above 50`. */
export function describeApprovalRule({ match, when }: ApprovalRule): string {
  const conditions = [
    ...(when.irreversible ? ['that cannot be undone'] : []),
    ...(when.priceGrossAbove === null ? [] : [`with a price above ${when.priceGrossAbove}`]),
    ...(when.actions === null ? [] : [`that ${when.actions.join(' or ')}`]),
    ...(when.everyone ? ['to everyone'] : []),
  ];
  return [`changes of "${match}"`, conditions.join(' and ')].filter((part) => part !== '').join(' ');
}

/** `user-a, user-b or team acme/leads`; null for anyone. */
export function describeApprovers({ from }: ApprovalRule): string | null {
  const names = from.map((who) => {
    const team = teamOf(who);
    return team === null ? who : `team ${team}`;
  });
  const last = names.pop();
  if (last === undefined) return null;
  return names.length === 0 ? last : `${names.join(', ')} or ${last}`;
}
