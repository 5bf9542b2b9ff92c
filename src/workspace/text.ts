import type { SourcePlace } from '../domain/resource.ts';

/** What never stands in a text: control characters, and the mark of bytes that are no UTF-8. Every text is searched. */
const UNPRINTABLE = /[^\t\n\r\u0020-\u007e\u0080-\ufffc]/;

/** Where the first character stands that no text holds; -1 when there is none. */
export function unprintableOffset(text: string): number {
  return text.search(UNPRINTABLE);
}

/** Characters of a message, also where variables are filled in: more than anybody reads in a chat. */
export const TEXT_LENGTH_MAX = 50_000;

/** Line and column of an offset, counted from 1. */
export function placeInText(file: string, text: string, offset: number): SourcePlace {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { file, line: before.split('\n').length, column: offset - lineStart + 1 };
}

/** A message's text as it is sent: line feeds only, none at the end (CONTENT-12). */
export function tidyText(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  let end = lines.length;
  while (end > 0 && (lines[end - 1] === '\n' || lines[end - 1] === '\r')) end -= 1;
  return lines.slice(0, end);
}

/** The name of what has none that could be read; where a file writes it, it is refused as one that cannot be seen. */
export const NO_NAME = '\u0000';

/** Letters to compare names by: composed, trimmed, without regard to case (CONTENT-1). */
export function foldName(name: string): string {
  // Upper case first: it turns ß into SS, as case folding would.
  return name.normalize('NFC').trim().toUpperCase().toLowerCase().normalize('NFC');
}
