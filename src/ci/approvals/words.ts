import type { Diagnostic } from '../../domain/diagnostic.ts';
import { describeApprovalRule, describeApprovers } from '../../policy/approvals.ts';
import type { MissingApproval, NotCounted } from './judge.ts';
import type { RequiredApproval } from './required.ts';

/** As many addresses as fit into one sentence. */
const NAMED_MAX = 3;

const WHY_NOT: Readonly<Record<NotCounted, string>> = {
  'own-work': 'wrote it',
  'old-commit': 'approved an older commit',
  'unknown-commit': 'approved a commit that the provider does not name',
  dismissed: 'has a dismissed approval',
  withdrawn: 'asked for changes later',
};

/** A finding for each rule that has too few approvals. It says who has to approve. */
export function approvalFindings(missing: readonly MissingApproval[]): readonly Diagnostic[] {
  return missing.map((one) => ({
    severity: 'error',
    code: 'approval-missing',
    message: sentence(one),
    ...(one.addresses.length === 1 ? { address: one.addresses[0] } : {}),
  }));
}

/** What a pull request needs, for its comment: `changes of "**" that cannot be undone: 2 approvals of ann or team acme/leads`. */
export function requiredWords({ rule, addresses }: RequiredApproval): string {
  return `${describeApprovalRule(rule)}: ${approvalsOf(rule.count)}${fromWords(describeApprovers(rule))}, for ${namesOf(addresses)}`;
}

function sentence({ rule, addresses, by, notCounted, unknownAuthor }: MissingApproval): string {
  const who = describeApprovers(rule);
  const has = by.length === 0 ? 'has none' : `has ${by.length}, of ${by.join(', ')}`;
  const needs = `policy.approvals asks for ${approvalsOf(rule.count)} of ${describeApprovalRule(rule)}, and the pull request ${has}: ${namesOf(addresses)}.`;
  const reasons = notCounted.map(({ who: name, why }) => `${name} ${WHY_NOT[why]}`);
  const notes = reasons.length === 0 ? '' : ` Not counted: ${reasons.join('; ')}.`;
  if (unknownAuthor !== null)
    return `${needs} The provider knows no account of ${unknownAuthor}, who wrote the last commit, so no approval can count. Push a commit of a known author, then approve it.`;
  return `${needs}${notes} Let ${rule.count - by.length} more approve the last commit${fromWords(who)}.`;
}

/** A rule that no one can meet, because no pull request was reviewed. */
export function withoutPullRequest({ rule, addresses }: RequiredApproval): string {
  const asked = `policy.approvals asks for ${approvalsOf(rule.count)} of ${describeApprovalRule(rule)}`;
  return `${asked}, and no reviewed pull request has this: ${namesOf(addresses)}. Change it in a pull request, and let people approve that${fromWords(describeApprovers(rule))}.`;
}

function approvalsOf(count: number): string {
  return count === 1 ? '1 approval' : `${count} approvals`;
}

function fromWords(who: string | null): string {
  return who === null ? '' : `: ${who}`;
}

function namesOf(addresses: readonly string[]): string {
  const more = addresses.length > NAMED_MAX ? ` and ${addresses.length - NAMED_MAX} more` : '';
  return `${addresses.slice(0, NAMED_MAX).join(', ')}${more}`;
}
