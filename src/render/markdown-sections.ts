import type { Change, Plan } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import { serviceWords } from '../domain/service-identity.ts';
import {
  markdownFields,
  markdownItem,
  markdownRow,
  markdownTarget,
  onAccount,
  type MarkdownView,
} from './change-markdown.ts';
import { countFindings, distinctFindings, withTimes } from './diagnostics.ts';
import { accountsIn, accountsOf, groupChanges, type ChangeGroup } from './groups/change-groups.ts';
import type { DiffNumbers } from './markdown-diffs.ts';
import { markdownName, markdownProse } from './markdown-escape.ts';
import { driftSteps } from './next-steps.ts';
import { blockedMessages, blockedMessageWords } from './without-change.ts';
import {
  countDue,
  countLine,
  countListed,
  countLive,
  countWithoutChange,
  etaSentence,
  isIrreversible,
  isListed,
  isPrunable,
  isQuiet,
  notCarriedOut,
  refusedLine,
  sortChanges,
} from './summary.ts';
import type { PlanTitle } from './wording.ts';
import { NO_ZONES, type Zones } from './zones.ts';

/** Limit of findings in a comment. */
const FINDINGS_MAX = 30;

/** The groups of a plan in the order of a comment. */
export interface MarkdownParts {
  readonly irreversible: readonly ChangeGroup[];
  readonly blocked: readonly ChangeGroup[];
  /** All other groups: those on several accounts, then by account. */
  readonly sections: readonly AccountGroups[];
  /** Resources that a prune would stop. */
  readonly prunable: readonly ChangeGroup[];
  /** All changes, by account. */
  readonly everyAccount: readonly AccountChanges[];
  readonly view: MarkdownView;
}

interface AccountGroups {
  /** Null for groups on several accounts. */
  readonly account: string | null;
  readonly groups: readonly ChangeGroup[];
}

interface AccountChanges {
  readonly account: string;
  readonly changes: readonly Change[];
}

/** How to draw a plan in a comment. */
export interface MarkdownOptions {
  /** Shows each change on its own. Otherwise changes that do the same are one entry. */
  readonly expand?: boolean;
  /** Declared time zones, by address. Times of other resources are in UTC. */
  readonly zones?: Zones;
  /** A plan, unless something else is given. */
  readonly title?: PlanTitle;
}

/** Irreversible changes first, then blocked ones, then the rest by account. Unchanged ones are only counted. */
export function splitPlan(
  plan: Plan,
  { expand = false, zones = NO_ZONES, title = 'plan' }: MarkdownOptions,
): MarkdownParts {
  const listed = sortChanges(plan.changes).filter(isListed);
  const groups = groupChanges(listed, { expand });
  const isIrreversibleIn = ({ shared }: ChangeGroup): boolean => title === 'plan' && isIrreversible(shared);
  const isBlocked = ({ shared }: ChangeGroup): boolean => shared.action === 'blocked';
  return {
    irreversible: groups.filter(isIrreversibleIn),
    blocked: groups.filter(isBlocked),
    sections: bySection(groups.filter((group) => !isIrreversibleIn(group) && !isBlocked(group))),
    prunable: groupChanges(plan.changes.filter(isPrunable), { expand }),
    everyAccount: byAccount(listed),
    view: { accounts: accountsIn(plan.changes), zones, title },
  };
}

function bySection(groups: readonly ChangeGroup[]): readonly AccountGroups[] {
  const several = groups.filter((group) => accountsOf(group).length > 1);
  const single = groupBy(
    groups.filter((group) => accountsOf(group).length === 1),
    ({ changes }) => changes[0].address.account,
  );
  const sections = [...single].map(([account, own]) => ({ account, groups: own }));
  return [
    ...(several.length === 0 ? [] : [{ account: null, groups: several }]),
    ...sections.toSorted((left, right) => compareText(left.account, right.account)),
  ];
}

/** Changes by account, sorted by account if the changes are sorted. */
function byAccount(changes: readonly Change[]): readonly AccountChanges[] {
  const groups = groupBy(changes, ({ address }) => address.account);
  return [...groups].map(([account, members]) => ({ account, changes: members }));
}

/** The heading of the comment. */
export function* headline(plan: Plan, { zones, title }: MarkdownView): Generator<string> {
  if (title === 'drift') {
    yield* driftHeadline(plan);
    return;
  }
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
    yield* [...errorLines(plan, zones), notCarriedOut(plan), ''];
    return;
  }
  if (isQuiet(plan)) {
    yield* ['### Herald plan: no changes', '', service, '', countLine(plan, 'plan'), ''];
    return;
  }
  yield* [`### Herald plan: ${countDue(plan, 'plan')}`, '', service, ''];
  const live = countLive(plan.changes);
  const unchanged = countWithoutChange(plan.changes, 'plan');
  const sentences = [
    live === '' ? '' : `**${live}.**`,
    unchanged === '' ? '' : `${unchanged}.`,
    etaSentence(plan),
  ].filter((sentence) => sentence !== '');
  if (sentences.length > 0) yield* [sentences.join(' '), ''];
}

/** The heading of a drift: what differs, and what to do about it. */
function* driftHeadline(plan: Plan): Generator<string> {
  const service = `Service: ${markdownProse(serviceWords(plan.service))}`;
  const messages = blockedMessages(plan);
  const found = [
    ...(isQuiet(plan) ? [] : [countDue(plan, 'drift')]),
    ...(messages === 0 ? [] : [blockedMessageWords(messages)]),
  ];
  yield* [
    `### Herald drift: ${found.length === 0 ? 'none' : found.join(', ')}`,
    '',
    service,
    '',
    countLine(plan, 'drift'),
    '',
  ];
  const steps = driftSteps(plan);
  if (steps.length === 0) return;
  yield* [...steps.map(({ words, command }) => `- ${words} \`${command}\``), ''];
  yield* ['In each diff, `-` is live and `+` is the file.', ''];
}

/** Place of the fields of changes: below them, or in a numbered diff. */
export type DiffsAs = 'below' | DiffNumbers;

/** Limit of errors under the heading of a refused plan. */
const ERRORS_MAX = 5;

function errorLines(plan: Plan, zones: Zones): readonly string[] {
  const errors = distinctFindings(withTimes(plan.diagnostics, zones)).filter(
    ({ severity }) => severity === 'error',
  );
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

/** How sections draw groups. */
export interface SectionStyle {
  readonly diffs: DiffsAs;
  readonly view: MarkdownView;
}

/** A section with one item per group, for a person to read. */
export function* itemSection(
  title: string,
  groups: readonly ChangeGroup[],
  { diffs, view }: SectionStyle,
): Generator<string> {
  if (groups.length === 0) return;
  yield* [`#### ${title} (${changeCount(groups)})`, ''];
  for (const group of groups) yield* markdownItem(group, diffNumber(diffs, group), view);
  yield '';
  if (diffs === 'below') for (const group of groups) yield* markdownFields(group, view);
}

function changeCount(groups: readonly ChangeGroup[]): number {
  return groups.reduce((sum, { changes }) => sum + changes.length, 0);
}

/** A table of other changes, of several accounts or of one, with closed field differences. */
export function* accountSection(
  { account, groups }: AccountGroups,
  { diffs, view }: SectionStyle,
): Generator<string> {
  const changes = groups.flatMap((group) => group.changes);
  const counts =
    account === null ? severalCounts(changes, view.title) : accountCounts(account, changes, view.title);
  yield* [`<details open><summary>${counts}</summary>`, ''];
  if (view.title === 'plan') yield* ['| change | resource | why | undo |', '|---|---|---|---|'];
  else yield* ['| difference | resource | why |', '|---|---|---|'];
  for (const group of groups) yield markdownRow(group, diffNumber(diffs, group), view);
  yield '';
  if (diffs === 'below') for (const group of groups) yield* markdownFields(group, view);
  yield* ['</details>', ''];
}

function diffNumber(diffs: DiffsAs, group: ChangeGroup): number | null {
  return diffs === 'below' ? null : diffs(group);
}

/** Resources that were removed from the files and are still live: by name, or only counted. */
export function* prunableSection(
  { prunable, view }: MarkdownParts,
  as: 'by name' | 'counted',
): Generator<string> {
  if (prunable.length === 0) return;
  const number = changeCount(prunable);
  yield* [`#### Unmanaged, created by Herald; \`--allow prune\` stops them (${number})`, ''];
  if (as === 'counted') return;
  for (const group of prunable) yield `- ${markdownTarget(group, view)}${onAccount(group)}`;
  yield '';
}

/** `several accounts: 120 to create`. */
function severalCounts(changes: readonly Change[], title: PlanTitle): string {
  return `<b>several accounts</b>: ${countListed(changes, title)}`;
}

/** `alice: 2 to create, 1 to replace`. */
export function accountCounts(account: string, changes: readonly Change[], title: PlanTitle): string {
  return `<b>${markdownName(account)}</b>: ${countListed(changes, title)}`;
}

/** Errors, warnings and notes, up to a limit. */
export function* findingsSection(plan: Plan, { zones }: MarkdownView): Generator<string> {
  const rest = withTimes(restOfFindings(plan), zones);
  const findings = distinctFindings(rest);
  if (findings.length === 0) return;
  yield* [`#### ${countFindings(rest)}`, ''];
  for (const { severity, text } of findings.slice(0, FINDINGS_MAX)) {
    yield `- **${severity}** ${markdownProse(text)}`;
  }
  if (findings.length > FINDINGS_MAX) yield `- … and ${findings.length - FINDINGS_MAX} more`;
  yield '';
}
