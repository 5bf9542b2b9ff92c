import * as z from 'zod/mini';
import { teamOf, type ApprovalCondition, type ApprovalRule } from '../domain/approval.ts';
import { WRITING_KINDS } from '../domain/change-kinds.ts';
import { withCode } from '../domain/coded-message.ts';
import { withHelp } from '../domain/with-help.ts';
import { globOf } from '../domain/glob.ts';
import { KINDS } from '../domain/resource.ts';
import type { WrittenProblem } from './rule.ts';

const actionShape = z.enum(WRITING_KINDS);

/* These are functions, because most workspaces have no approvals, and making their shapes takes part of each start. */

const makeConditionShape = () =>
  z
    .strictObject({
      irreversible: withHelp('Only changes that cannot be undone.', z.optional(z.literal(true))),
      price_gross_above: withHelp(
        'Only if a message that goes out costs more.',
        z.optional(z.number().check(z.minimum(0, withCode('invalid-value', 'Write 0 or more.')))),
      ),
      action: withHelp(
        'Only these kinds of change.',
        z.optional(
          z.union([
            actionShape,
            z
              .array(actionShape)
              .check(z.minLength(1, withCode('invalid-value', 'Name at least one action.'))),
          ]),
        ),
      ),
      audience: withHelp('Only what goes to every fan.', z.optional(z.literal('everyone'))),
    })
    .check(
      z.refine(
        (when) => Object.values(when).some((value) => value !== undefined),
        withCode('invalid-value', 'Write at least one condition, or remove `when`.'),
      ),
    );

/** A login, or a team of an organisation. On GitLab a team is a group, which can be below others. */
const WHO = /^(?:team:[\w.-]+(?:\/[\w.-]+)+|[\w.-]+(?:\[bot\])?)$/;

const makeApproverShape = () =>
  z
    .string()
    .check(
      z.regex(
        WHO,
        withCode('invalid-value', 'Write a user name without "@", or team:organisation/name for a team.'),
      ),
    );

const makeRuleShape = () =>
  z.strictObject({
    match: withHelp(
      'A pattern of addresses, such as "*/broadcast/*". `*` and `?` are wildcards.',
      z.string().check(z.minLength(1)),
    ),
    when: withHelp(
      'Which changes of these addresses. Without it, all of them.',
      z.optional(z.union([z.literal('irreversible'), makeConditionShape()])),
    ),
    from: withHelp(
      'Who can approve: users, and teams as team:organisation/name. Without it, anyone.',
      z.optional(
        z
          .array(makeApproverShape())
          .check(
            z.minLength(1, withCode('invalid-value', 'Name at least one user or team, or remove `from`.')),
          ),
      ),
    ),
    count: withHelp(
      'How many people have to approve. Default: 1.',
      z.optional(
        z
          .int()
          .check(
            z.minimum(1, withCode('invalid-value', 'Write 1 or more.')),
            z.maximum(20, withCode('invalid-value', 'Write at most 20.')),
          ),
      ),
    ),
  });
type WrittenRule = z.infer<ReturnType<typeof makeRuleShape>>;

/** `policy.approvals`, as written. */
export const approvalsShape = withHelp(
  'Who has to approve a pull request before `herald ci apply` applies its changes.',
  z.array(z.lazy(makeRuleShape)),
);

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
