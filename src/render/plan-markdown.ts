import type { Plan } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { assumeVisible, type Visible } from '../domain/visible.ts';
import { allDiffs, diffsWithin, distinctDiffs, type DistinctDiffs } from './markdown-diffs.ts';
import { byteLength, linesWithin, MARKDOWN_LIMIT } from './markdown-limit.ts';
import {
  accountCounts,
  accountSection,
  findingsSection,
  headline,
  itemSection,
  prunableSection,
  splitPlan,
  type MarkdownOptions,
  type MarkdownParts,
  type SectionStyle,
} from './markdown-sections.ts';
import { markdownHead } from './change-markdown.ts';
import { groupChanges } from './groups/change-groups.ts';
import { count } from './wording.ts';

/** Reserved for the note about left-out parts, and for the ends of sections. */
const NOTE_BYTES = 1_000;

/** Shares of the space at the last level: what cannot be undone, then the diffs. The counts by account get the rest. */
const IRREVERSIBLE_SHARE = 0.5;
const DIFFS_SHARE = 0.7;

/**
 * A plan as a pull-request comment: what cannot be undone first, then what is blocked, then the rest: changes that do
 * the same on several accounts, and the others by account. Always below the limit. The first level that fits is taken:
 *
 * | level  | irreversible, blocked | the rest          | diffs                        | findings |
 * |--------|-----------------------|-------------------|------------------------------|----------|
 * | full   | listed                | tables by account | with each change             | yes      |
 * | once   | listed                | tables by account | each text once, referred to  | yes      |
 * | creates| listed                | creates listed    | the same, as many as fit     | yes      |
 * | brief  | listed                | counts by account | the same, as many as fit     | yes      |
 * | counts | named, counted        | counts by account | the same, as many as fit     | no       |
 *
 * What a level leaves out is named, with the command that shows it. Blocked changes never push out what cannot be undone.
 */
export function renderPlanMarkdown(
  plan: Plan,
  { limit = MARKDOWN_LIMIT, whole = wholePlan(), ...options }: MarkdownOptions & PlanSpace = {},
): Visible {
  const parts = splitPlan(plan, options);
  const space = { limit, whole };
  const lines =
    linesWithin(fullLines(plan, parts), limit - 1) ?? shorterLines(plan, parts, diffsOf(parts), space);
  return assumeVisible(`${lines.join('\n').trimEnd()}\n`);
}

/** The space of a plan in Markdown. */
export interface PlanSpace {
  /** In UTF-8 bytes, of which there are never fewer than characters. At least 2,000. */
  readonly limit?: number;
  /** The sentence that says where everything is that does not fit. */
  readonly whole?: string;
}

function wholePlan(): string {
  return `Run \`${formatCommand('plan')}\` to see everything.`;
}

function shorterLines(
  plan: Plan,
  parts: MarkdownParts,
  found: DistinctDiffs,
  space: Required<PlanSpace>,
): readonly string[] {
  return (
    linesWithin(onceLines(plan, parts, found), space.limit - 1) ??
    briefLines(plan, parts, found, { ...space, rest: createLines }) ??
    briefLines(plan, parts, found, { ...space, rest: countLines }) ??
    countsLines(plan, parts, found, space)
  );
}

function* fullLines(plan: Plan, parts: MarkdownParts): Generator<string> {
  const style = { diffs: 'below', view: parts.view } as const;
  yield* headline(plan, parts.view);
  yield* attentionLines(parts, style);
  for (const section of parts.sections) yield* accountSection(section, style);
  yield* prunableSection(parts, 'by name');
  yield* findingsSection(plan, parts.view);
}

function* onceLines(plan: Plan, parts: MarkdownParts, { diffs, numberOf }: DistinctDiffs): Generator<string> {
  const style = { diffs: numberOf, view: parts.view };
  yield* headline(plan, parts.view);
  yield* attentionLines(parts, style);
  for (const section of parts.sections) yield* accountSection(section, style);
  yield* allDiffs(diffs, parts.view);
  yield* prunableSection(parts, 'by name');
  yield* findingsSection(plan, parts.view);
}

interface BriefSpace extends Required<PlanSpace> {
  /** Draws the changes that can be undone. */
  readonly rest: (parts: MarkdownParts, style: SectionStyle) => Iterable<string>;
}

/** Null if not even irreversible and blocked changes, and the rest, fit. */
function briefLines(
  plan: Plan,
  parts: MarkdownParts,
  { diffs, numberOf }: DistinctDiffs,
  { limit: allBytes, whole, rest }: BriefSpace,
): readonly string[] | null {
  const { view } = parts;
  const style = { diffs: numberOf, view };
  const limit = allBytes - NOTE_BYTES;
  const head = linesWithin(attentionLines(parts, style), limit);
  const counts = linesWithin(rest(parts, style), limit);
  const tail = linesWithin([...prunableSection(parts, 'counted'), ...findingsSection(plan, view)], limit);
  if (head === null || counts === null || tail === null) return null;
  const space = limit - byteLength([...headline(plan, view), ...head, ...counts, ...tail]);
  if (space < 0) return null;
  const { lines, left } = diffsWithin(diffs, space, view);
  const listed = rest === createLines ? ', other than creates' : '';
  const what = [`the list of the changes that can be undone${listed}`, ...leftDiffs(left, diffs.length)];
  const note = leftOut(what, whole);
  return [...headline(plan, view), ...note, ...head, ...counts, '', ...lines, ...tail];
}

/** The last level fits any plan: as much as possible of what cannot be undone, then of the diffs and accounts. */
function countsLines(
  plan: Plan,
  parts: MarkdownParts,
  { diffs }: DistinctDiffs,
  { limit, whole }: Required<PlanSpace>,
): readonly string[] {
  const total = limit - NOTE_BYTES - byteLength([...headline(plan, parts.view)]);
  const named = irreversibleNames(parts, Math.floor(total * IRREVERSIBLE_SHARE));
  const space = total - byteLength(named);
  const { lines, left } = diffsWithin(diffs, Math.floor(space * DIFFS_SHARE), parts.view);
  const all = [...countLines(parts)];
  const counts = firstLines(all, space - byteLength(lines));
  const more = all.length - counts.length;
  if (more > 0) counts.push(`- … and ${more} more accounts`);
  const note = leftOut(['the list of the changes', 'every finding', ...leftDiffs(left, diffs.length)], whole);
  return [...headline(plan, parts.view), ...note, ...named, ...lines, ...counts];
}

/** Each change that cannot be undone on a line of its own. */
function irreversibleNames({ irreversible, view }: MarkdownParts, limit: number): readonly string[] {
  const all = groupChanges(
    irreversible.flatMap(({ changes }) => changes),
    { expand: true },
  ).map((group) => `- ${markdownHead(group, view)}`);
  if (all.length === 0) return [];
  const lines = firstLines(all, limit);
  const more = all.length - lines.length;
  const rest = more === 0 ? [] : [`- … and ${more} more that cannot be undone`];
  return [`#### Cannot be undone (${all.length})`, '', ...lines, ...rest, ''];
}

function firstLines(all: readonly string[], limit: number): string[] {
  const taken: string[] = [];
  let space = limit;
  for (const line of all) {
    space -= byteLength([line]);
    if (space < 0) break;
    taken.push(line);
  }
  return taken;
}

/** Changes that a person must read one by one. */
function* attentionLines({ irreversible, blocked }: MarkdownParts, style: SectionStyle): Generator<string> {
  yield* itemSection('Cannot be undone', irreversible, style);
  yield* itemSection('Blocked: a person must decide', blocked, style);
}

/** The creates on their own, and all changes counted by account. */
function* createLines(parts: MarkdownParts, style: SectionStyle): Generator<string> {
  const groups = parts.sections.flatMap((section) => section.groups);
  yield* itemSection(
    'Creates',
    groups.filter(({ shared }) => shared.action === 'create'),
    style,
  );
  yield* countLines(parts);
}

function* countLines({ everyAccount, view }: MarkdownParts): Generator<string> {
  for (const { account, changes } of everyAccount) yield `- ${accountCounts(account, changes, view.title)}`;
}

/** Diffs of changes that will be sent come first, in case not all of them fit. */
function diffsOf({ irreversible, blocked, sections }: MarkdownParts): DistinctDiffs {
  return distinctDiffs([...irreversible, ...sections.flatMap(({ groups }) => groups), ...blocked]);
}

function leftDiffs(left: number, all: number): readonly string[] {
  return left === 0 ? [] : [`all or parts of ${left} of ${count(all, 'diff')}, named below`];
}

function leftOut(what: readonly string[], whole: string): readonly string[] {
  return [`> Left out to fit into a comment: ${what.join('; ')}. ${whole}`, ''];
}
