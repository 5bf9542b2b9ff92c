import type { Plan } from '../domain/change.ts';
import {
  accountCounts,
  accountSection,
  byAccount,
  findingsSection,
  headline,
  itemSection,
  prunableSection,
  splitPlan,
} from './markdown-sections.ts';
import { isListed, sortChanges } from './summary.ts';

/** What a pull-request comment may hold: characters on one site, bytes on another; both are kept below. */
export const MARKDOWN_LIMIT = 65_535;

/** Kept free for the note that says what was left out, and for the sections' ends. */
const NOTE_BYTES = 1_000;

/**
 * How much a comment tells. The first level that fits is taken:
 *
 * | level     | irreversible, blocked | the rest             | fields | findings |
 * |-----------|-----------------------|----------------------|--------|----------|
 * | full      | listed                | tables by account    | yes    | yes      |
 * | brief     | listed                | tables by account    | no     | yes      |
 * | attention | listed                | counts by account    | no     | yes      |
 * | counts    | counted               | counts by account    | no     | no       |
 */
const LEVELS = [
  { fields: true, tables: true, note: '' },
  { fields: false, tables: true, note: 'the field differences' },
  { fields: false, tables: false, note: 'the field differences, and the changes that can be undone' },
] as const;

type Level = (typeof LEVELS)[number];

/**
 * A plan as a pull-request comment: what cannot be undone first, then what is blocked, then the rest by
 * account. Always below MARKDOWN_LIMIT; it says what it left out and how to see it.
 */
export function renderPlanMarkdown(plan: Plan): string {
  for (const level of LEVELS) {
    const document = joinWithin(levelLines(plan, level), MARKDOWN_LIMIT - 1);
    if (document !== null) return document;
  }
  return countsDocument(plan);
}

function* levelLines(plan: Plan, level: Level): Generator<string> {
  const { irreversible, blocked, accounts } = splitPlan(plan);
  yield* headline(plan);
  if (level.note !== '') yield* leftOut(level.note);
  yield* itemSection('Cannot be undone', irreversible, level.fields);
  yield* itemSection('Blocked: a person must decide', blocked, level.fields);
  for (const { account, changes } of accounts) {
    if (level.tables) yield* accountSection(account, changes, level.fields);
    else yield `- ${accountCounts(account, changes)}`;
  }
  if (!level.tables) yield '';
  yield* prunableSection(plan, level.tables);
  yield* findingsSection(plan);
}

/** The last resort fits whatever the plan holds: as many accounts as there is room for. */
function countsDocument(plan: Plan): string {
  const accounts = byAccount(sortChanges(plan.changes).filter(isListed));
  const lines = [...headline(plan), ...leftOut('every single change and finding')];
  let room = MARKDOWN_LIMIT - NOTE_BYTES - byteLength(lines);
  let shown = 0;
  for (const { account, changes } of accounts) {
    const line = `- ${accountCounts(account, changes)}`;
    room -= byteLength([line]);
    if (room < 0) break;
    lines.push(line);
    shown += 1;
  }
  if (shown < accounts.length) lines.push(`- … and ${accounts.length - shown} more accounts`);
  return `${lines.join('\n')}\n`;
}

function leftOut(what: string): readonly string[] {
  return [`> Left out to fit into a comment: ${what}. Run \`herald plan\` to see everything.`, ''];
}

/** The lines as one document, or null as soon as they are too long: the rest is not even made. */
function joinWithin(lines: Iterable<string>, limit: number): string | null {
  const taken: string[] = [];
  let room = limit;
  for (const line of lines) {
    room -= byteLength([line]);
    if (room < 0) return null;
    taken.push(line);
  }
  return `${taken.join('\n').trimEnd()}\n`;
}

/** UTF-8 bytes of the lines with their breaks; never fewer than their characters. */
function byteLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}
