import { LineCounter } from 'yaml';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { AddressParts, SourcePlace } from '../domain/resource.ts';
import { foldName } from '../domain/text.ts';
import { BLANK, escapeCharacter } from '../domain/visible.ts';

/** Offset of the first control character or mark of invalid UTF-8, which are not allowed, or -1. */
export function unprintableOffset(text: string): number {
  return text.search(/[^\t\n\r\u0020-\u007e\u0080-\ufffc]/);
}

/** Limit for a message, also after variables were filled in. */
export const TEXT_LENGTH_MAX = 50_000;

/** Finds line and column of many offsets of one text, counted from 1. The parser does not count the lines of invalid parts. */
export function placeOffsets(file: string, text: string): (offset: number) => SourcePlace {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return (offset) => {
    const { line, col: column } = lines.linePos(offset);
    return { file, line, column };
  };
}

/** The text to send: line feeds only, and none at the end (CONTENT-12). */
export function tidyText(text: string): string {
  const lines = text.replaceAll('\r\n', '\n');
  let end = lines.length;
  while (end > 0 && (lines[end - 1] === '\n' || lines[end - 1] === '\r')) end -= 1;
  return lines.slice(0, end);
}

/** Key of an address, the same for names that people read as one. */
export function nameKey({ account, kind, name }: AddressParts): string {
  return `${account}/${kind}/${foldName(name)}`;
}

const ASCII_ONLY = /^[\t\n\r -~]*$/;
const SCRIPTS = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
] as const;

/** The first word of letters that look alike in several scripts, and the first blank character. `part` is as the text has it. */
export function disguisesIn(text: string) {
  const found: (Pick<Diagnostic, 'code' | 'message'> & { readonly part: string })[] = [];
  if (ASCII_ONLY.test(text)) return found;
  const word = text.match(/[\p{L}\p{M}]+/gu)?.find((one) => scriptsIn(one).length > 1);
  if (word !== undefined) {
    const shown = word.replace(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu, escapeCharacter);
    const message = `The word ${shown} has ${scriptsIn(word).join(' and ')} letters, which can look alike. Write it in one script.`;
    found.push({ code: 'mixed-script', message, part: word });
  }
  const [blank] = new RegExp(BLANK, 'u').exec(text) ?? [];
  if (blank !== undefined) {
    const message = `The character ${escapeCharacter(blank)} looks like a space, and is another one. Write a space, or remove it.`;
    found.push({ code: 'blank-character', message, part: blank });
  }
  return found;
}

function scriptsIn(word: string): readonly string[] {
  return SCRIPTS.flatMap(([name, letters]) => (word.search(letters) === -1 ? [] : [name]));
}

/** Resolves a path relative to `from`, as a path in the workspace. Null if it is absolute or leaves the workspace. */
export function resolveInside(from: string, reference: string): string | null {
  if (/^[/\\]|^[A-Za-z]:|\\|\0/.test(reference)) return null;
  const steps = from.split('/').slice(0, -1);
  for (const step of reference.split('/')) {
    if (step === '..' && steps.pop() === undefined) return null;
    if (step !== '..' && step !== '.' && step !== '') steps.push(step);
  }
  return steps.length === 0 ? null : steps.join('/');
}
