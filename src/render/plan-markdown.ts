import type { Plan } from '../domain/change.ts';
import { assumeVisible, type Visible } from '../domain/visible.ts';
import { allDiffs, diffsWithin, distinctDiffs, type DistinctDiffs } from './markdown-diffs.ts';
import { byteLength, linesWithin, MARKDOWN_LIMIT } from './markdown-room.ts';
import {
  accountCounts,
  accountSection,
  findingsSection,
  headline,
  itemSection,
  prunableSection,
  splitPlan,
  type DiffsAs,
  type MarkdownParts,
} from './markdown-sections.ts';
import { count } from './wording.ts';

/** Kept free for the note that says what was left out, and for the sections' ends. */
const NOTE_BYTES = 1_000;

/** Of the last resort: how much of the room the diffs may take. The counts by account take the rest. */
const DIFFS_SHARE = 0.7;

/**
 * A plan as a pull-request comment: what cannot be undone first, then what is blocked, then the rest by
 * account. Always below MARKDOWN_LIMIT. The first level that fits is taken:
 *
 * | level  | irreversible, blocked | the rest          | diffs                        | findings |
 * |--------|-----------------------|-------------------|------------------------------|----------|
 * | full   | listed                | tables by account | with each change             | yes      |
 * | once   | listed                | tables by account | each text once, referred to  | yes      |
 * | brief  | listed                | counts by account | the same, as many as fit     | yes      |
 * | counts | counted               | counts by account | the same, as many as fit     | no       |
 *
 * What a level leaves out is named, with the command that shows it.
 */
export function renderPlanMarkdown(plan: Plan): Visible {
  const parts = splitPlan(plan);
  const lines =
    linesWithin(fullLines(plan, parts), MARKDOWN_LIMIT - 1) ?? shorterLines(plan, parts, diffsOf(parts));
  return assumeVisible(`${lines.join('\n').trimEnd()}\n`);
}

function shorterLines(plan: Plan, parts: MarkdownParts, found: DistinctDiffs): readonly string[] {
  return (
    linesWithin(onceLines(plan, parts, found), MARKDOWN_LIMIT - 1) ??
    briefLines(plan, parts, found) ??
    countsLines(plan, parts, found)
  );
}

function* fullLines(plan: Plan, parts: MarkdownParts): Generator<string> {
  yield* headline(plan);
  yield* attentionLines(parts, 'below');
  for (const { account, changes } of parts.accounts) yield* accountSection(account, changes, 'below');
  yield* prunableSection(plan, true);
  yield* findingsSection(plan);
}

function* onceLines(plan: Plan, parts: MarkdownParts, { diffs, numberOf }: DistinctDiffs): Generator<string> {
  yield* headline(plan);
  yield* attentionLines(parts, numberOf);
  for (const { account, changes } of parts.accounts) yield* accountSection(account, changes, numberOf);
  yield* allDiffs(diffs);
  yield* prunableSection(plan, true);
  yield* findingsSection(plan);
}

/** Null when not even what must be read one by one fits. */
function briefLines(
  plan: Plan,
  parts: MarkdownParts,
  { diffs, numberOf }: DistinctDiffs,
): readonly string[] | null {
  const limit = MARKDOWN_LIMIT - NOTE_BYTES;
  const head = linesWithin(attentionLines(parts, numberOf), limit);
  const counts = linesWithin(countLines(parts), limit);
  const tail = linesWithin([...prunableSection(plan, false), ...findingsSection(plan)], limit);
  if (head === null || counts === null || tail === null) return null;
  const room = limit - byteLength([...headline(plan), ...head, ...counts, ...tail]);
  if (room < 0) return null;
  const { lines, left } = diffsWithin(diffs, room);
  const note = leftOut(['the list of the changes that can be undone', ...leftDiffs(left, diffs.length)]);
  return [...headline(plan), ...note, ...head, ...counts, '', ...lines, ...tail];
}

/** The last resort fits whatever the plan holds: as many diffs and accounts as there is room for. */
function countsLines(plan: Plan, parts: MarkdownParts, { diffs }: DistinctDiffs): readonly string[] {
  const total = MARKDOWN_LIMIT - NOTE_BYTES - byteLength([...headline(plan)]);
  const { lines, left } = diffsWithin(diffs, Math.floor(total * DIFFS_SHARE));
  const all = [...countLines(parts)];
  const counts = firstLines(all, total - byteLength(lines));
  const more = all.length - counts.length;
  if (more > 0) counts.push(`- … and ${more} more accounts`);
  const note = leftOut(['the list of the changes', 'every finding', ...leftDiffs(left, diffs.length)]);
  return [...headline(plan), ...note, ...lines, ...counts];
}

function firstLines(all: readonly string[], limit: number): string[] {
  const taken: string[] = [];
  let room = limit;
  for (const line of all) {
    room -= byteLength([line]);
    if (room < 0) break;
    taken.push(line);
  }
  return taken;
}

/** What a person must read one by one. */
function* attentionLines({ irreversible, blocked }: MarkdownParts, diffs: DiffsAs): Generator<string> {
  yield* itemSection('Cannot be undone', irreversible, diffs);
  yield* itemSection('Blocked: a person must decide', blocked, diffs);
}

function* countLines({ everyAccount }: MarkdownParts): Generator<string> {
  for (const { account, changes } of everyAccount) yield `- ${accountCounts(account, changes)}`;
}

/** What will be sent comes before what is blocked: where not all of it fits, it is read first. */
function diffsOf({ irreversible, blocked, accounts }: MarkdownParts): DistinctDiffs {
  return distinctDiffs([...irreversible, ...accounts.flatMap(({ changes }) => changes), ...blocked]);
}

function leftDiffs(left: number, all: number): readonly string[] {
  return left === 0 ? [] : [`all or parts of ${left} of ${count(all, 'diff')}, named below`];
}

function leftOut(what: readonly string[]): readonly string[] {
  return [`> Left out to fit into a comment: ${what.join('; ')}. Run \`herald plan\` to see everything.`, ''];
}
