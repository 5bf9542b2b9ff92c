import type { Change, Plan } from '../domain/change.ts';
import { markdownFields, markdownItem, markdownResource, markdownRow } from './change-markdown.ts';
import { countFindings, distinctFindings } from './diagnostics.ts';
import { markdownName, markdownProse } from './markdown-escape.ts';
import {
  countLine,
  countListed,
  countLive,
  countSettled,
  etaSentence,
  isIrreversible,
  isListed,
  isPrunable,
  isQuiet,
  sortChanges,
} from './summary.ts';

/** Findings are sentences of people's files: this many can be read in a comment. */
const FINDINGS_MAX = 30;

/** The changes of a plan in the order in which a comment tells them. */
interface MarkdownParts {
  readonly irreversible: readonly Change[];
  readonly blocked: readonly Change[];
  readonly accounts: readonly { readonly account: string; readonly changes: readonly Change[] }[];
}

/** Irreversible ones first, then blocked ones, the rest by account; what is settled is only counted. */
export function splitPlan(plan: Plan): MarkdownParts {
  const listed = sortChanges(plan.changes).filter(isListed);
  const isBlocked = (change: Change): boolean => change.action === 'blocked';
  return {
    irreversible: listed.filter(isIrreversible),
    blocked: listed.filter(isBlocked),
    accounts: byAccount(listed.filter((change) => !isIrreversible(change) && !isBlocked(change))),
  };
}

/** Changes by account, in the order of the accounts' names when the changes are sorted. */
export function byAccount(changes: readonly Change[]): MarkdownParts['accounts'] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const members = groups.get(change.address.account);
    if (members === undefined) groups.set(change.address.account, [change]);
    else members.push(change);
  }
  return [...groups].map(([account, members]) => ({ account, changes: members }));
}

/** What the comment is about, in one look. */
export function* headline(plan: Plan): Generator<string> {
  const { changes } = plan;
  if (isQuiet(changes)) {
    yield* ['### Herald plan: nothing to do', '', countLine(plan, 'plan'), ''];
    return;
  }
  yield* [`### Herald plan: ${countListed(changes, 'plan')}`, ''];
  const live = countLive(changes);
  const settled = countSettled(changes, 'plan');
  const sentences = [
    live === '' ? '' : `**${live}.**`,
    settled === '' ? '' : `${settled}.`,
    etaSentence(plan),
  ].filter((sentence) => sentence !== '');
  if (sentences.length > 0) yield* [sentences.join(' '), ''];
}

/** A section of changes that a person must read one by one. */
export function* itemSection(
  title: string,
  changes: readonly Change[],
  withFields: boolean,
): Generator<string> {
  if (changes.length === 0) return;
  yield* [`#### ${title} (${changes.length})`, ''];
  for (const change of changes) yield* markdownItem(change);
  yield '';
  if (withFields) for (const change of changes) yield* markdownFields(change);
}

/** One account's ordinary changes: a table, and its field differences folded away. */
export function* accountSection(
  account: string,
  changes: readonly Change[],
  withFields: boolean,
): Generator<string> {
  yield* [`<details open><summary>${accountCounts(account, changes)}</summary>`, ''];
  yield* ['| change | resource | why | undo |', '|---|---|---|---|'];
  for (const change of changes) yield markdownRow(change);
  yield '';
  if (withFields) for (const change of changes) yield* markdownFields(change);
  yield* ['</details>', ''];
}

/** What was taken out of the files and is still live: by name, or only counted where there is no room. */
export function* prunableSection({ changes }: Plan, byName: boolean): Generator<string> {
  const prunable = sortChanges(changes).filter(isPrunable);
  if (prunable.length === 0) return;
  yield* [`#### No longer declared, retired only with \`--allow prune\` (${prunable.length})`, ''];
  if (!byName) return;
  for (const change of prunable)
    yield `- ${markdownResource(change)} on ${markdownName(change.address.account)}`;
  yield '';
}

/** `alice: 2 to create, 1 to replace`. */
export function accountCounts(account: string, changes: readonly Change[]): string {
  return `<b>${markdownName(account)}</b>: ${countListed(changes, 'plan')}`;
}

/** Errors, warnings and notes, as many as can be read. */
export function* findingsSection(plan: Plan): Generator<string> {
  const findings = distinctFindings(plan.diagnostics);
  if (findings.length === 0) return;
  yield* [`#### ${countFindings(plan.diagnostics)}`, ''];
  for (const { severity, text } of findings.slice(0, FINDINGS_MAX)) {
    yield `- **${severity}** ${markdownProse(text)}`;
  }
  if (findings.length > FINDINGS_MAX) yield `- … and ${findings.length - FINDINGS_MAX} more`;
  yield '';
}
