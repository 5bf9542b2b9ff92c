import { fieldCount, markdownFields, type MarkdownView } from './change-markdown.ts';
import type { ChangeGroup } from './groups/change-groups.ts';
import { count } from './wording.ts';

/** Limit of a pull-request comment: characters on one site, bytes on another. Both are kept. */
export const MARKDOWN_LIMIT = 65_535;

/** UTF-8 bytes of the lines with their breaks. At least the number of characters. */
export function byteLength(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

/** Groups below one heading: a line for each, then the fields that differ. */
export interface MarkdownSection {
  readonly before: readonly string[];
  readonly groups: readonly ChangeGroup[];
  /** A row or an item. If it is brief, it has a few of the names. */
  readonly drawLine: (group: ChangeGroup, isBrief: boolean) => readonly string[];
  readonly after: readonly string[];
}

export interface MarkdownContent {
  readonly view: MarkdownView;
  readonly head: readonly string[];
  /** What a person must read: their lines get the space before anything else, then their fields. */
  readonly urgent: readonly MarkdownSection[];
  /** The creates among them come first, because they send something new. */
  readonly others: readonly MarkdownSection[];
  readonly findings: readonly string[];
}

export interface MarkdownSpace {
  /** In UTF-8 bytes. At least 2,000. */
  readonly limit: number;
  readonly place: 'a comment' | 'an issue';
  /** The sentence that says where everything is that does not fit. */
  readonly whole: string;
}

/** Draws as much as fits. A note below the head counts what does not, and says where to find it. */
export function drawWithin(content: MarkdownContent, space: MarkdownSpace): readonly string[] {
  const { head, urgent, others, findings } = content;
  const fitting = fit(content, space.limit);
  const { lines, fields, hasFindings } = fitting;
  return [
    ...head,
    ...noteLines(content, fitting, space),
    ...[...urgent, ...others].flatMap(({ before, groups, after }) => {
      const shown = groups.filter((group) => lines.has(group));
      const more = changeCount(groups) - changeCount(shown);
      if (shown.length === 0) return [];
      return [
        ...before,
        ...shown.flatMap((group) => lines.get(group) ?? []),
        '',
        ...(more === 0 ? [] : moreLines(more)),
        ...shown.flatMap((group) => fields.get(group) ?? []),
        ...after,
      ];
    }),
    ...(hasFindings ? findings : []),
  ];
}

interface Fitting {
  readonly lines: ReadonlyMap<ChangeGroup, readonly string[]>;
  readonly fields: ReadonlyMap<ChangeGroup, readonly string[]>;
  readonly hasFindings: boolean;
}

/** Reserved for the note. */
const NOTE_BYTES = 1_000;

/** A number of changes that is longer than any real one. */
const CHANGES_MAX = 1_000_000;

/** Nothing is drawn into less. */
const LEAST_BYTES = 50;

function fit({ head, urgent, others, findings, view }: MarkdownContent, limit: number): Fitting {
  const lines = new Map<ChangeGroup, readonly string[]>();
  const fields = new Map<ChangeGroup, readonly string[]>();
  const begun = new Set<MarkdownSection>();
  let space = limit - NOTE_BYTES - byteLength(head);
  const take = (some: readonly string[]): boolean => {
    const bytes = byteLength(some);
    if (bytes > space) return false;
    space -= bytes;
    return true;
  };
  const takeLine = ({ section, group }: Placed): void => {
    const { before, drawLine, after } = section;
    const frame = begun.has(section) ? [] : [...before, '', ...moreLines(CHANGES_MAX), ...after];
    for (const isBrief of [false, true]) {
      if (space < LEAST_BYTES || lines.has(group)) return;
      const drawn = drawLine(group, isBrief);
      if (!take([...frame, ...drawn])) continue;
      begun.add(section);
      lines.set(group, drawn);
    }
  };
  const takeFields = ({ group }: Placed): void => {
    if (!lines.has(group) || space < LEAST_BYTES) return;
    const drawn = markdownFields(group, view);
    if (take(drawn)) fields.set(group, drawn);
  };
  placesIn(urgent).forEach(takeLine);
  const hasFindings = findings.length === 0 || take(findings);
  placesIn(urgent).forEach(takeFields);
  const isCreate = ({ group }: Placed): boolean => group.shared.action === 'create';
  const [creates, rest] = [
    placesIn(others).filter(isCreate),
    placesIn(others).filter((one) => !isCreate(one)),
  ];
  for (const places of [creates, rest]) {
    places.forEach(takeLine);
    places.forEach(takeFields);
  }
  return { lines, fields, hasFindings };
}

interface Placed {
  readonly section: MarkdownSection;
  readonly group: ChangeGroup;
}

function placesIn(sections: readonly MarkdownSection[]): readonly Placed[] {
  return sections.flatMap((section) => section.groups.map((group) => ({ section, group })));
}

export function changeCount(groups: readonly ChangeGroup[]): number {
  return groups.reduce((sum, { changes }) => sum + changes.length, 0);
}

function moreLines(number: number): readonly string[] {
  return [`… and ${number} more`, ''];
}

function noteLines(
  { urgent, others }: MarkdownContent,
  { lines, fields, hasFindings }: Fitting,
  { place, whole }: MarkdownSpace,
): readonly string[] {
  const all = [...urgent, ...others].flatMap(({ groups }) => groups);
  const left = all.filter((group) => !lines.has(group));
  const short = all.filter((group) => lines.has(group) && !fields.has(group) && fieldCount(group) > 0);
  const missing = [
    ...(left.length === 0 ? [] : [count(changeCount(left), 'resource')]),
    ...(short.length === 0 ? [] : [`the fields of ${count(changeCount(short), 'resource')}`]),
    ...(hasFindings ? [] : ['the findings']),
  ];
  return missing.length === 0 ? [] : [`> Left out to fit into ${place}: ${missing.join('; ')}. ${whole}`, ''];
}
