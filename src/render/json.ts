import { stringify } from 'lossless-json';
import { assumeVisible, type Visible } from '../domain/visible.ts';

/** Text that is valid in JSON but controls a terminal or a CI runner (`##[`, `##vso[`). */
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|##(?=\w*\[)/g;

/**
 * A document as pretty JSON with a line break. A bigint is printed as its digits. `toJSON` is used, so that a secret
 * stays hidden.
 */
export function renderJson(document: unknown): Visible {
  return assumeVisible(`${escapeObeyed(toJson(document, 2))}\n`);
}

/** A document on one line, for texts and lists. */
export function compactJson(value: unknown): Visible {
  return assumeVisible(escapeObeyed(toJson(value, 0)));
}

function toJson(value: unknown, indent: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null';
  } catch {
    // A bigint, of which JSON.stringify throws. This is slower.
    return stringify(value, undefined, indent) ?? 'null';
  }
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
