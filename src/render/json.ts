import { assumeVisible, type Visible } from '../domain/visible.ts';

/** What JSON lets through, but a terminal or a CI runner obeys (`##[`, `##vso[`). */
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|##(?=\w*\[)/g;

const INDENT = '  ';

/**
 * A document as pretty JSON with a line break at its end. Unlike JSON.stringify it prints a bigint as its
 * digits; `toJSON` is honoured, so that a secret stays hidden.
 */
export function renderJson(document: unknown): Visible {
  return assumeVisible(`${write(document, '\n') ?? 'null'}\n`);
}

/** The same on one line, as it stands inside texts and in lists of any length. */
export function compactJson(value: unknown): Visible {
  return assumeVisible(nativeJson(value) ?? write(value, null) ?? 'null');
}

/** Several times as fast, and the same text; null where the value holds a bigint, which it refuses. */
function nativeJson(value: unknown): string | null {
  try {
    return JSON.stringify(value)?.replace(OBEYED, escaped) ?? null;
  } catch {
    return null;
  }
}

/** `lineBreak` is what a new line begins with, or null for none; undefined stands for "leave it out". */
function write(value: unknown, lineBreak: string | null, key = ''): string | undefined {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return writeText(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return write(value.toJSON(key), lineBreak, key);
  }
  const inner = lineBreak === null ? null : lineBreak + INDENT;
  if (Array.isArray(value)) {
    const items = value.map((item: unknown, index) => write(item, inner, String(index)) ?? 'null');
    return enclose('[', items, ']', lineBreak);
  }
  const members = Object.entries(value).flatMap(([name, member]) => {
    const written = write(member, inner, name);
    if (written === undefined) return [];
    return [`${writeText(name)}:${lineBreak === null ? '' : ' '}${written}`];
  });
  return enclose('{', members, '}', lineBreak);
}

function enclose(open: string, parts: readonly string[], close: string, lineBreak: string | null): string {
  if (parts.length === 0) return open + close;
  if (lineBreak === null) return open + parts.join(',') + close;
  const inner = lineBreak + INDENT;
  return `${open}${inner}${parts.join(`,${inner}`)}${lineBreak}${close}`;
}

function writeText(text: string): string {
  return JSON.stringify(text).replace(OBEYED, escaped);
}

/** Of a runner's command one character is enough. */
function escaped(match: string): string {
  const last = match.charCodeAt(match.length - 1);
  return `${match.slice(0, -1)}\\u${last.toString(16).padStart(4, '0')}`;
}
