import { parse, stringify } from 'lossless-json';
import { assumeVisible, type Visible } from '../domain/visible.ts';

/** Text that is valid in JSON but controls a terminal or a CI runner (`##[`, `##vso[`). */
const OBEYED = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|##(?=\w*\[)/g;

/** A document as pretty JSON with a line break. A bigint keeps its digits, and `toJSON` hides a secret. */
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
  return json.replace(OBEYED, (match) => {
    // Escaping one character of a command is enough.
    const last = match.charCodeAt(match.length - 1);
    return `${match.slice(0, -1)}\\u${last.toString(16).padStart(4, '0')}`;
  });
}

/** JSON text with line breaks and indents, and every digit as it came. Other text is returned as it is. */
export function renderRawJson(text: string): Visible {
  try {
    return assumeVisible(`${escapeObeyed(stringify(parse(text), undefined, 2) ?? 'null')}\n`);
  } catch {
    return assumeVisible(`${escapeObeyed(text)}\n`);
  }
}
