import type { Plan } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import { serviceWords } from '../domain/service-identity.ts';
import { markdownItem, markdownPlace, markdownRow, type MarkdownView } from './change-markdown.ts';
import { countFindings, distinctFindings, withTimes } from './diagnostics.ts';
import { accountsIn, accountsOf, groupChanges, type ChangeGroup } from './groups/change-groups.ts';
import { markdownName, markdownProse } from './markdown-escape.ts';
import { changeCount, type MarkdownSection } from './markdown-limit.ts';
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
  readonly view: MarkdownView;
}

interface AccountGroups {
  /** Null for groups on several accounts. */
  readonly account: string | null;
  readonly groups: readonly ChangeGroup[];
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

/** A section with one item per group, for a person to read. */
export function itemSection(
  title: string,
  groups: readonly ChangeGroup[],
  view: MarkdownView,
): MarkdownSection {
  return {
    before: [`#### ${title} (${changeCount(groups)})`, ''],
    groups,
    drawLine: (group, isBrief) => markdownItem(group, view, isBrief),
    after: [],
  };
}

/** A table of other changes, of several accounts or of one. */
export function accountSection({ account, groups }: AccountGroups, view: MarkdownView): MarkdownSection {
  const changes = groups.flatMap((group) => group.changes);
  const name = account === null ? 'several accounts' : markdownName(account);
  const columns =
    view.title === 'plan'
      ? ['| change | resource | why | undo |', '|---|---|---|---|']
      : ['| difference | resource | why |', '|---|---|---|'];
  return {
    before: [
      `<details open><summary><b>${name}</b>: ${countListed(changes, view.title)}</summary>`,
      '',
      ...columns,
    ],
    groups,
    drawLine: (group, isBrief) => [markdownRow(group, view, isBrief)],
    after: ['</details>', ''],
  };
}

/** Resources that were removed from the files and are still live. */
export function prunableSection({ prunable, view }: MarkdownParts): MarkdownSection {
  const number = changeCount(prunable);
  return {
    before: [`#### Unmanaged, created by Herald; \`--allow prune\` stops them (${number})`, ''],
    groups: prunable,
    drawLine: (group, isBrief) => [`- ${markdownPlace(group, view, isBrief)}`],
    after: [],
  };
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
