import { assumeVisible, type Visible } from '../domain/visible.ts';

/** Text that is valid in JSON but controls a terminal or a CI runner (`##[`, `##vso[`). */
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|##(?=\w*\[)/g;

const INDENT = '  ';

/**
 * A document as pretty JSON with a line break. A bigint is printed as its digits. `toJSON` is used, so that a secret
 * stays hidden.
 */
export function renderJson(document: unknown): Visible {
  return assumeVisible(`${write(document, '\n') ?? 'null'}\n`);
}

/** A document on one line, for texts and lists. */
export function compactJson(value: unknown): Visible {
  return assumeVisible(nativeJson(value) ?? write(value, null) ?? 'null');
}

/** Several times as fast as `write`. Null for a bigint, which JSON.stringify refuses. */
function nativeJson(value: unknown): string | null {
  try {
    return JSON.stringify(value)?.replace(OBEYED, escaped) ?? null;
  } catch {
    return null;
  }
}

/** `lineBreak` begins each new line; null for one line. Undefined means that a member is left out. */
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
  return escapeObeyed(JSON.stringify(text));
}

/** JSON without characters that a terminal or a CI runner obeys. */
export function escapeObeyed(json: string): string {
  return json.replace(OBEYED, escaped);
}

/** Escaping one character of a command is enough. */
function escaped(match: string): string {
  const last = match.charCodeAt(match.length - 1);
  return `${match.slice(0, -1)}\\u${last.toString(16).padStart(4, '0')}`;
}
