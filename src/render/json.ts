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
function escapeObeyed(json: string): string {
  return json.replace(OBEYED, escaped);
}

/** Escaping one character of a command is enough. */
function escaped(match: string): string {
  const last = match.charCodeAt(match.length - 1);
  return `${match.slice(0, -1)}\\u${last.toString(16).padStart(4, '0')}`;
}

/** A string, a number or word, a mark, or space. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[^\s"{}[\],:]+|[{}[\],:]|\s+/g;

/**
 * JSON text with line breaks and indents, and everything else as it came: every digit, every type, and members that occur
 * twice. Text that is not JSON is returned as it is.
 */
export function renderRawJson(text: string): Visible {
  const tokens = (text.match(TOKEN) ?? []).filter((token) => !/^\s/.test(token));
  let depth = 0;
  let out = '';
  for (const [index, token] of tokens.entries()) {
    const isEmpty = OPENS[tokens[index - 1] ?? ''] === token;
    if (token in OPENS) {
      depth += 1;
      out += token + (OPENS[token] === tokens[index + 1] ? '' : newLine(depth));
    } else if (token === '}' || token === ']') {
      depth -= 1;
      out += (isEmpty ? '' : newLine(depth)) + token;
    } else if (token === ',') out += token + newLine(depth);
    else out += token === ':' ? ': ' : escapeObeyed(token);
  }
  return assumeVisible(`${out}\n`);
}

const OPENS: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

function newLine(depth: number): string {
  return `\n${'  '.repeat(Math.max(0, depth))}`;
}
