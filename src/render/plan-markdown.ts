import type { Plan } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { groupBy } from '../domain/group-by.ts';
import { assumeVisible, joined, shown, type Visible } from '../domain/visible.ts';
import { FindingList } from './diagnostics.ts';
import type { DiffLine, FieldView, Piece } from './difference.ts';
import { countChanges, listAttention, makeEntries, TO_FANS, type Entry, type PlanView } from './entries.ts';
import { countBytes, markdownName, markdownProse } from './markdown-escape.ts';
import { shorten } from './spans.ts';
import { summarisePlan } from './summary.ts';
import { formatBytes, NO_ZONES } from './values.ts';
import { count, describeService } from './wording.ts';

/** Limit of a pull-request comment: characters on one site, bytes on another. Both are kept. */
export const MARKDOWN_LIMIT = 65_535;

interface MarkdownOptions extends Partial<PlanView> {
  /** In UTF-8 bytes, of which there are never fewer than characters. At least 2,000. */
  readonly limit?: number;
  /** The sentence that says where everything is that does not fit. */
  readonly whole?: string;
}

/** Reserved for the note, and at most for the names and for the findings. */
const NOTE_BYTES = 1_000;
const SHARE = 0.2;

/**
 * A plan as a comment, or a drift as an issue. What cannot be undone and what is live at once is named first. Then come the changes
 * while they fit, what matters most first: those that go to fans at least without their texts, and whole ones with what is left.
 * Always below the limit.
 */
export function renderPlanMarkdown(plan: Plan, options: MarkdownOptions = {}): Visible {
  const {
    title = 'plan',
    zones = NO_ZONES,
    limit = MARKDOWN_LIMIT,
    limits = [],
    whole,
    instead = null,
  } = options;
  const entries = makeEntries(plan, { ...options, title });
  const { refusal, headline, total, rest, isQuiet, steps } = summarisePlan(plan, title, limits);
  const isRefused = refusal !== '';
  const names = title === 'plan' && !isRefused ? listNames(entries, limit * SHARE) : [];
  const line = title === 'plan' && !isRefused && !isQuiet ? rest : total;
  const head = [
    `### Herald ${title}: ${headline}`,
    '',
    `Service: ${markdownProse(describeService(plan.service))}`,
    '',
    ...(isRefused ? [`**${markdownProse(refusal)}**`, ''] : []),
    ...(line === '' ? [] : [line, '']),
    ...steps.map(({ words, command }) => {
      const code = markdownName(command, Infinity);
      const doesFit = Buffer.byteLength(code) < (limit * SHARE) / steps.length;
      return `- ${words} ${doesFit ? code : `\`${formatCommand('drift')}\` names the command.`}`;
    }),
    ...(steps.length === 0 || instead === null ? [] : [`- ${markdownProse(instead)}`]),
    ...(steps.length === 0 ? [] : ['', 'In each diff, `-` is live and `+` is the file.', '']),
    ...names,
  ];
  const findings = new FindingList(plan.diagnostics).drawSection(zones, limit * SHARE);
  const sections = [...groupBy(entries, ({ section }) => section)];
  const titles = new Map(sections.map(([name, own]) => [name, `#### ${name} (${countChanges(own)})`]));
  const bytes = limit - NOTE_BYTES - countBytes([...head, ...findings, ...titles.values()]) - 2 * titles.size;
  const toFans = entries.filter(({ group }) => title === 'plan' && TO_FANS.includes(group.shared.action));
  const { fitting, leftOut } = fitEntries(entries, toFans, bytes);
  const where = whole ?? `Run \`${formatCommand(title, ...limits)}\` to see everything.`;
  const note = leftOut.length === 0 ? [] : [`> Left out to fit: ${leftOut.join(', ')}. ${where}`, ''];
  const body = sections.flatMap(([name, own]) => {
    const lines = own.flatMap((entry) => fitting.get(entry) ?? []);
    const end = lines.at(-1) === '' ? [] : [''];
    return lines.length === 0 ? [] : [titles.get(name) ?? '', '', ...lines, ...end];
  });
  // What refuses a plan comes before what it refuses.
  const all = isRefused ? [...head, ...findings, ...note, ...body] : [...head, ...note, ...body, ...findings];
  return assumeVisible(`${all.join('\n').trimEnd()}\n`);
}

/** The lines of what fits into so many bytes: first what goes to fans without its texts, then whole entries. And what does not. */
function fitEntries(entries: readonly Entry[], toFans: readonly Entry[], bytesMax: number) {
  let left = bytesMax;
  const fitting = new Map<Entry, readonly string[]>();
  const take = (entry: Entry, lines: readonly string[]): boolean => {
    const bytes = countBytes(lines) - countBytes(fitting.get(entry) ?? []);
    if (bytes > left) return false;
    left -= bytes;
    fitting.set(entry, lines);
    return true;
  };
  for (const entry of toFans) take(entry, drawEntry(withoutTexts(entry)));
  const missing = entries.filter((entry) => !take(entry, drawEntry(entry)));
  const absent = countChanges(missing.filter((entry) => !fitting.has(entry)));
  const cut = countChanges(missing) - absent;
  const leftOut = [
    ...(absent === 0 ? [] : [count(absent, 'resource')]),
    ...(cut === 0 ? [] : [`the texts of ${count(cut, 'resource')}`]),
  ];
  return { fitting, leftOut };
}

/** With the size of each text in its place. */
function withoutTexts(entry: Entry): Entry {
  const fields = entry.fields.map((view): FieldView => {
    if (!/^messages\[\d+\]\.text$/.test(view.path)) return view;
    const size = formatBytes(countBytes(listDiffBlock(view)));
    return { kind: 'values', path: view.path, old: null, new: shown`${size}, left out to fit` };
  });
  return { ...entry, fields };
}

/** Limit of reasons per entry. */
const REASONS_MAX = 10;

/**
 * `- **± replace** campaign <code>Welcome</code> (4711) on <code>alice</code>: **live at once**`, its reasons, and its differences
 * in a block that opens.
 */
function drawEntry({ group, word, target, badges, reasons, after, fields, byAccount }: Entry) {
  if (group.shared.action === 'unmanaged') return [`- ${target.toMarkdown()}`];
  const flags = badges.map(({ text }) => text).join(', ');
  const head = `- **${word.mark} ${word.label}** ${target.toMarkdown()}${flags === '' ? '' : `: **${flags}**`}`;
  const notes = [...reasons.slice(0, REASONS_MAX), ...after].map(
    ({ label, text }) => `  - ${label}${markdownProse(text)}`,
  );
  if (fields.length === 0 && byAccount.length === 0) return [head, ...notes];
  const lines = [...fields.flatMap(listDiffBlock), ...byAccount.map((line) => shown`  ${line}`)];
  const title = `<details><summary>${count(fields.length, 'field')}</summary>`;
  return [head, ...notes, '', title, '', ...makeFence('diff', lines), '', '</details>', ''];
}

/** Limit for a path and for an unchanged line in a comment. Changed text is not cut. */
const BLOCK_COLUMNS_MAX = 300;

/** One field in a `diff` block. Lines of a text are indented, so that none can look like another field. */
function listDiffBlock(view: FieldView): readonly Visible[] {
  const path = shorten(view.path, BLOCK_COLUMNS_MAX);
  if (view.kind === 'lines') return [shown`@@ ${path} @@`, ...view.lines.flatMap(blockLines)];
  const old = view.old === null ? [] : [shown`- ${path}: ${view.old}`];
  return [...old, shown`+ ${path}: ${view.new}`];
}

function blockLines(line: DiffLine): readonly Visible[] {
  switch (line.kind) {
    case 'changed':
      return [shown`-   ${readSide(line.pieces, 'removed')}`, shown`+   ${readSide(line.pieces, 'added')}`];
    case 'gap':
      return [shown`    … ${line.lines} equal lines`];
    case 'same':
      return [shown`    ${shorten(line.text, BLOCK_COLUMNS_MAX)}`];
    case 'removed':
      return [shown`-   ${line.text}`];
    case 'added':
      return [shown`+   ${line.text}`];
  }
}

/** One version of a line: the shared parts and its own. */
function readSide(pieces: readonly Piece[], side: 'removed' | 'added'): Visible {
  const texts = pieces.filter(({ kind }) => kind === 'same' || kind === side).map(({ text }) => text);
  return joined(texts, '');
}

/** A fenced block. Its fence is longer than any run of backticks inside, so nothing ends it early. */
function makeFence(language: string, lines: readonly Visible[]): readonly string[] {
  let fence = '```';
  for (const line of lines)
    for (const run of line.match(/`{3,}/g) ?? []) if (run.length >= fence.length) fence = `${run}\``;
  return [`${fence}${language}`, ...lines, fence];
}

/** The entries that cannot be undone, or are live at once, while they fit. */
function listNames(entries: readonly Entry[], bytesMax: number): readonly string[] {
  const attention = listAttention(entries).filter(({ words }) => words !== 'blocked');
  const lines = attention.map(({ words, number, entries: found }) => {
    let left = bytesMax / attention.length;
    const drawn = found.map((entry) => ({ entry, name: entry.brief.toMarkdown() }));
    const named = drawn.filter(({ name }) => (left -= Buffer.byteLength(name) + 2) >= 0);
    const more = number - countChanges(named.map(({ entry }) => entry));
    const names = named.map(({ name }) => name).join('; ');
    return `- **${number} ${words}:** ${names}${more === 0 ? '' : ` and ${more} more`}`;
  });
  return lines.length === 0 ? [] : [...lines, ''];
}
