import { visible, visibleProse } from '../domain/visible.ts';
import { shortenMiddle } from './spans.ts';

/** Limits for names and sentences in a comment. */
const NAME_COLUMNS_MAX = 120;
const PROSE_COLUMNS_MAX = 500;

/** As numeric references, these are never structure, even in a cell, where `\|` would be ambiguous. */
const SPECIAL = /[&<>|\\`*_[\]~#@!$]|:(?=\/\/)|(?<=www)\./gi;

/**
 * Text that sites turn into a link, a notification or a note on another page, unless it is in code: addresses, people,
 * issues, and on GitLab merge requests, epics, labels and milestones. A site looks for them after it has read the
 * references of `SPECIAL`.
 */
const LINKED =
  /[a-z][\w+.-]*:\/\/[^\s<>"']*|\bwww\.[^\s<>"']*|[@#](?=[\p{L}\p{N}_-])|[!&~%](?=\p{N})|(?<=\bgh)-(?=\d)/giu;

/** The beginning of a line that would be a list, a heading, a rule, or a command such as `/close` on GitLab. */
const LEADING = /^(?:[-+=/]|\d{1,9}[.)])/;

/** A name in code, where sites do not look for mentions. */
export function markdownName(name: string, columns = NAME_COLUMNS_MAX): string {
  return `<code>${escapeAll(shortenMiddle(visible(name), columns))}</code>`;
}

/** A sentence on one line that may quote text from outside. It is a sentence also at the beginning of a line. */
export function markdownProse(text: string): string {
  const prose = shortenMiddle(visibleProse(text), PROSE_COLUMNS_MAX);
  const [lead = ''] = LEADING.exec(prose) ?? [];
  let escaped = lead === '' ? '' : lead.slice(0, -1) + reference(lead.slice(-1));
  let end = lead.length;
  for (const match of prose.matchAll(LINKED)) {
    if (match.index < end) continue;
    // A single character is always escaped: it is what the site looks for.
    escaped += `${escapeAll(prose.slice(end, match.index))}<code>${match[0].length === 1 ? reference(match[0]) : escapeAll(match[0])}</code>`;
    end = match.index + match[0].length;
  }
  return escaped + escapeAll(prose.slice(end));
}

/** UTF-8 bytes of the lines with their breaks. At least the number of characters. */
export function countBytes(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

function escapeAll(text: string): string {
  return text.replace(SPECIAL, reference);
}

function reference(character: string): string {
  return `&#${character.codePointAt(0) ?? 0};`;
}
