/**
 * Text from outside, made safe to print. Escape sequences could repaint the terminal, bidi overrides and
 * invisible characters could make a name read as another: they are shown as escapes instead of being obeyed.
 */

/** Joiners and selectors that emoji and joining scripts need; anywhere else they only hide something. */
const KEPT = [
  String.raw`\u{200d}(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{fe0f}]\u{200d})(?=\p{Extended_Pictographic})`,
  String.raw`[\u{200c}\u{200d}](?<=[\p{Script=Arabic}\p{Script=Syriac}\p{M}].)(?=\p{L})`,
  String.raw`[\u{fe0e}\u{fe0f}](?<=[\p{Extended_Pictographic}\d#*].)`,
  String.raw`[\u{e0061}-\u{e007a}]{2,6}\u{e007f}(?<=\u{1f3f4}[\u{e0061}-\u{e007f}]{3,7})`,
].join('|');

/** A pile of more combining marks than this on one letter paints over its neighbours. */
const MARKS_MAX = 8;

const UNSAFE = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u{2028}\u{2029}]`;
const PILED_MARK = String.raw`\p{M}(?<=\p{M}{${MARKS_MAX + 1}})`;
const SUSPECT = new RegExp(`(${KEPT})|${UNSAFE}|${PILED_MARK}`, 'gu');

const HARMLESS = /^[ -~]*$/;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One line that can be printed as it is: line breaks, too, are shown as escapes. */
export function visible(text: string): string {
  if (HARMLESS.test(text)) return text;
  return text.replace(SUSPECT, (match, kept: string | undefined) => kept ?? escapeOf(match));
}

/** The lines of a text, each safe to print. */
export function visibleLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map(visible);
}

/** A sentence of ours that may quote text from outside: its line breaks become spaces. */
export function visibleProse(text: string): string {
  return visible(
    text
      .trim()
      .split('\n')
      .map((line) => line.trim())
      .join(' '),
  );
}

/** A name in double quotes, so that one sees where it begins and ends. */
export function quoted(text: string): string {
  return `"${visible(text).replaceAll('"', '\\"')}"`;
}

function escapeOf(character: string): string {
  return SHORT_ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
