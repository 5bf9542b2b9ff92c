import { type Visible, visible, visibleProse } from '../domain/visible.ts';
import { shortenMiddle } from './shorten.ts';

/** Limits for names and sentences in a comment. */
const NAME_COLUMNS_MAX = 120;
const PROSE_COLUMNS_MAX = 500;

/**
 * Characters with a meaning in Markdown, HTML or their sites. As numeric references they are never structure, even in
 * a table cell, where a backslash before a pipe is ambiguous.
 */
const SPECIAL = /[&<>|\\`*_[\]~#@!$]|:(?=\/\/)|(?<=www)\./gi;

/** Text that sites turn into a notification or an issue link, unless it is in code. */
const MENTION = /[@#](?=[\p{L}\p{N}_-])|(?<=\bgh)-(?=\d)/giu;

/** A name in code, where sites do not look for mentions. */
export function markdownName(name: string): string {
  return `<code>${escapeAll(shortenMiddle(visible(name), NAME_COLUMNS_MAX))}</code>`;
}

/** A sentence on one line that may quote text from outside. */
export function markdownProse(text: string): string {
  const prose = shortenMiddle(visibleProse(text), PROSE_COLUMNS_MAX);
  let escaped = '';
  let end = 0;
  for (const match of prose.matchAll(MENTION)) {
    escaped += `${escapeAll(prose.slice(end, match.index))}<code>${reference(match[0])}</code>`;
    end = match.index + match[0].length;
  }
  return escaped + escapeAll(prose.slice(end));
}

/** A fenced block. Its fence is longer than any run of backticks inside, so nothing ends it early. */
export function markdownFence(language: string, lines: readonly Visible[]): readonly string[] {
  const runs = lines.flatMap((line) => line.match(/`+/g) ?? []);
  const fence = '`'.repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return [`${fence}${language}`, ...lines, fence];
}

function escapeAll(text: string): string {
  return text.replace(SPECIAL, reference);
}

function reference(character: string): string {
  return `&#${character.codePointAt(0) ?? 0};`;
}
