import type { Change, Plan } from '../domain/change.ts';
import { markdownFields, markdownItem, markdownResource, markdownRow } from './change-markdown.ts';
import { serviceWords } from '../domain/service-identity.ts';
import { countFindings, distinctFindings } from './diagnostics.ts';
import type { DiffNumbers } from './markdown-diffs.ts';
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
  notCarriedOut,
  refusedLine,
  sortChanges,
} from './summary.ts';

/** Limit of findings in a comment. */
const FINDINGS_MAX = 30;

/** The changes of a plan in the order of a comment. */
export interface MarkdownParts {
  readonly irreversible: readonly Change[];
  readonly blocked: readonly Change[];
  /** All other changes, by account. */
  readonly accounts: readonly AccountChanges[];
  /** All changes, by account. */
  readonly everyAccount: readonly AccountChanges[];
}

interface AccountChanges {
  readonly account: string;
  readonly changes: readonly Change[];
}

/** Irreversible changes first, then blocked ones, then the rest by account. Unchanged ones are only counted. */
export function splitPlan(plan: Plan): MarkdownParts {
  const listed = sortChanges(plan.changes).filter(isListed);
  const isBlocked = (change: Change): boolean => change.action === 'blocked';
  return {
    irreversible: listed.filter(isIrreversible),
    blocked: listed.filter(isBlocked),
    accounts: byAccount(listed.filter((change) => !isIrreversible(change) && !isBlocked(change))),
    everyAccount: byAccount(listed),
  };
}

/** Changes by account, sorted by account if the changes are sorted. */
function byAccount(changes: readonly Change[]): readonly AccountChanges[] {
  const groups = new Map<string, Change[]>();
  for (const change of changes) {
    const members = groups.get(change.address.account);
    if (members === undefined) groups.set(change.address.account, [change]);
    else members.push(change);
  }
  return [...groups].map(([account, members]) => ({ account, changes: members }));
}

/** The heading of the comment. */
export function* headline(plan: Plan): Generator<string> {
  const { changes } = plan;
  const service = `Service: ${markdownProse(serviceWords(plan.service))}`;
  const refused = refusedLine(plan);
  if (refused !== '') {
    yield* [
      '### Herald plan: refused, nothing will be changed',
      '',
      service,
      '',
      `**${markdownProse(refused)}**`,
      '',
    ];
    yield* [...errorLines(plan), notCarriedOut(plan), ''];
    return;
  }
  if (isQuiet(changes)) {
    yield* ['### Herald plan: no changes', '', service, '', countLine(plan, 'plan'), ''];
    return;
  }
  yield* [`### Herald plan: ${countListed(changes, 'plan')}`, '', service, ''];
  const live = countLive(changes);
  const settled = countSettled(changes, 'plan');
  const sentences = [
    live === '' ? '' : `**${live}.**`,
    settled === '' ? '' : `${settled}.`,
    etaSentence(plan),
  ].filter((sentence) => sentence !== '');
  if (sentences.length > 0) yield* [sentences.join(' '), ''];
}

/** Place of the fields of changes: below them, or in a numbered diff. */
export type DiffsAs = 'below' | DiffNumbers;

/** Limit of errors under the heading of a refused plan. */
const ERRORS_MAX = 5;

function errorLines(plan: Plan): readonly string[] {
  const errors = distinctFindings(plan.diagnostics).filter(({ severity }) => severity === 'error');
  const lines = errors.slice(0, ERRORS_MAX).map(({ text }) => `- **error** ${markdownProse(text)}`);
  const more = errors.length - lines.length;
  return [...lines, ...(more > 0 ? [`- … and ${more} more`] : []), ''];
}

/** Findings that are not in the heading of a refused plan. */
function restOfFindings({ diagnostics }: Plan): Plan['diagnostics'] {
  const others = diagnostics.filter(({ severity }) => severity !== 'error');
  const errors = distinctFindings(diagnostics).length - distinctFindings(others).length;
  return errors > ERRORS_MAX ? diagnostics : others;
}

/** A section with one item per change, for a person to read. */
export function* itemSection(title: string, changes: readonly Change[], diffs: DiffsAs): Generator<string> {
  if (changes.length === 0) return;
  yield* [`#### ${title} (${changes.length})`, ''];
  for (const change of changes) yield* markdownItem(change, diffNumber(diffs, change));
  yield '';
  if (diffs === 'below') for (const change of changes) yield* markdownFields(change);
}

/** One account's other changes: a table, with closed field differences. */
export function* accountSection(
  account: string,
  changes: readonly Change[],
  diffs: DiffsAs,
): Generator<string> {
  yield* [`<details open><summary>${accountCounts(account, changes)}</summary>`, ''];
  yield* ['| change | resource | why | undo |', '|---|---|---|---|'];
  for (const change of changes) yield markdownRow(change, diffNumber(diffs, change));
  yield '';
  if (diffs === 'below') for (const change of changes) yield* markdownFields(change);
  yield* ['</details>', ''];
}

function diffNumber(diffs: DiffsAs, change: Change): number | null {
  return diffs === 'below' ? null : diffs(change);
}

/** Resources that were removed from the files and are still live: by name, or only counted. */
export function* prunableSection({ changes }: Plan, byName: boolean): Generator<string> {
  const prunable = sortChanges(changes).filter(isPrunable);
  if (prunable.length === 0) return;
  yield* [`#### Unmanaged, created by Herald; \`--allow prune\` stops them (${prunable.length})`, ''];
  if (!byName) return;
  for (const change of prunable)
    yield `- ${markdownResource(change)} on ${markdownName(change.address.account)}`;
  yield '';
}

/** `alice: 2 to create, 1 to replace`. */
export function accountCounts(account: string, changes: readonly Change[]): string {
  return `<b>${markdownName(account)}</b>: ${countListed(changes, 'plan')}`;
}

/** Errors, warnings and notes, up to a limit. */
export function* findingsSection(plan: Plan): Generator<string> {
  const rest = restOfFindings(plan);
  const findings = distinctFindings(rest);
  if (findings.length === 0) return;
  yield* [`#### ${countFindings(rest)}`, ''];
  for (const { severity, text } of findings.slice(0, FINDINGS_MAX)) {
    yield `- **${severity}** ${markdownProse(text)}`;
  }
  if (findings.length > FINDINGS_MAX) yield `- … and ${findings.length - FINDINGS_MAX} more`;
  yield '';
}
