import type { SourcePlace } from '../domain/resource.ts';

/**
 * Characters that are not allowed in a text: control characters, and the mark of invalid UTF-8. Every text is
 * searched.
 */
const UNPRINTABLE = /[^\t\n\r\u0020-\u007e\u0080-\ufffc]/;

/** Offset of the first character that is not allowed, or -1. */
export function unprintableOffset(text: string): number {
  return text.search(UNPRINTABLE);
}

/** Limit for a message, also after variables were filled in. */
export const TEXT_LENGTH_MAX = 50_000;

/** Line and column of an offset, counted from 1. */
export function placeInText(file: string, text: string, offset: number): SourcePlace {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { file, line: before.split('\n').length, column: offset - lineStart + 1 };
}

/** The text to send: line feeds only, and none at the end (CONTENT-12). */
export function tidyText(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  let end = lines.length;
  while (end > 0 && (lines[end - 1] === '\n' || lines[end - 1] === '\r')) end -= 1;
  return lines.slice(0, end);
}

/** Name of a resource without a readable name. A file cannot declare it, because it is invisible. */
export const NO_NAME = '\u0000';

/** Form of a name for comparisons: composed, trimmed, without case (CONTENT-1). */
export function foldName(name: string): string {
  // Upper case first: it turns ß into SS, as case folding would.
  return name.normalize('NFC').trim().toUpperCase().toLowerCase().normalize('NFC');
}
