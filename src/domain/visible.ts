/**
 * Makes text from outside safe to print. Escape sequences could repaint the terminal. Bidi overrides and invisible
 * characters and blanks that are not the space could disguise a name. Some words start a command on a CI runner. All of them are shown as escapes.
 */

declare const isVisible: unique symbol;

/** Text that is safe to print: only the functions below make it, and the output port takes no other. */
export type Visible = string & { readonly [isVisible]: true };

/** Joiners and selectors that emoji and joining scripts need. Elsewhere they only hide text. */
const KEPT = [
  String.raw`\u{200d}(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{fe0f}]\u{200d})(?=\p{Extended_Pictographic})`,
  String.raw`[\u{200c}\u{200d}](?<=[\p{Script=Arabic}\p{Script=Syriac}\p{M}].)(?=\p{L})`,
  String.raw`[\u{fe0e}\u{fe0f}](?<=[\p{Extended_Pictographic}\d#*].)`,
  String.raw`[\u{e0061}-\u{e007a}]{2,6}\u{e007f}(?<=\u{1f3f4}[\u{e0061}-\u{e007f}]{3,7})`,
].join('|');

/** More combining marks than this on one letter would cover other letters. */
const MARKS_MAX = 8;

/** Characters that look like a space or like nothing: spaces of all widths and the empty Braille pattern. */
export const BLANK = String.raw`(?:(?! )\p{Zs}|\u{2800})`;

const UNSAFE = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u{2028}\u{2029}]`;
const PILED_MARK = String.raw`\p{M}(?<=\p{M}{${MARKS_MAX + 1}})`;

let suspect: RegExp | null = null;

/** Made on first use: its classes of Unicode take a millisecond, and most text is plain. */
function suspects(): RegExp {
  return (suspect ??= new RegExp(`(${KEPT})|${UNSAFE}|${BLANK}|${PILED_MARK}`, 'gu'));
}

/**
 * Commands of CI runners: GitHub `::word` at the start of a line, with or without blanks, and `##[` anywhere; Azure
 * `##vso[`, TeamCity `##teamcity[`. Those of GitLab and Travis have control characters.
 */
const COMMAND = commandWith('');
const COMMANDS = new RegExp(COMMAND, 'gm');

/** `gap` may be between any two of its characters. */
function commandWith(gap: string): string {
  const anywhere = String.raw`#${gap}#(?=${gap}(?:\w${gap})*\[)`;
  return String.raw`${anywhere}|:(?=${gap}:${gap}[A-Za-z])(?<=^${gap}(?:[^\S\n]${gap})*:)`;
}
const COMMAND_BEGINS = /##|::/;

/** Characters that control a terminal or change the direction of text. Line breaks and tabs are kept. */
const OBEYED = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]`;
const FORGERIES = new RegExp(`${OBEYED}|${COMMAND}`, 'gm');
/** Our own colours. Some runners remove them before they look for commands. */
const COLOUR = String.raw`\u001b\[[\d;]*m`;
const FORGERIES_BUT_COLOUR = new RegExp(`(?!${COLOUR})${OBEYED}|${commandWith(`(?:${COLOUR})*`)}`, 'gm');

const PLAIN = /^[ -~]*$/;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One printable line. Line breaks are shown as escapes. */
export function visible(text: string): Visible {
  const shown = PLAIN.test(text)
    ? text
    : text.replace(suspects(), (match, kept: string | undefined) => kept ?? escapeCharacter(match));
  return assumeVisible(COMMAND_BEGINS.test(shown) ? shown.replace(COMMANDS, escapeLast) : shown);
}

/** The text of a page, which may have line breaks. A character that could change how the text around it reads is its code. */
export function hiddenParts(text: string): readonly (string | number)[] {
  if (PLAIN.test(text)) return [text];
  const parts: (string | number)[] = [];
  let rest = 0;
  for (const match of text.matchAll(suspects())) {
    if (match[1] !== undefined || match[0] === '\n' || match[0] === '\t') continue;
    if (match.index > rest) parts.push(text.slice(rest, match.index));
    parts.push(match[0].codePointAt(0) ?? 0);
    rest = match.index + match[0].length;
  }
  if (rest < text.length || parts.length === 0) parts.push(text.slice(rest));
  return parts;
}

/** A sentence as a template. Its values are made visible. For one line; `joined` combines lines. */
export function shown(words: TemplateStringsArray, ...quotes: readonly (string | number)[]): Visible {
  const [first = '', ...others] = words;
  const rest = others.map((ours, index) => visible(String(quotes[index])) + ours);
  return assumeVisible(first + rest.join(''));
}

type Between = '' | ', ' | ' · ' | ' → ' | '\n' | '\n\n';

/** Joins the parts of a text. */
export function joined(parts: readonly Visible[], between: Between): Visible {
  return assumeVisible(parts.join(between));
}

/** Lines of a text that ends with a line break. */
export function page(all: readonly Visible[]): Visible {
  return assumeVisible(`${all.join('\n')}\n`);
}

/** Groups of lines with an empty line between them; a group without lines is left out. */
export function paragraphs(all: readonly (readonly Visible[])[]): Visible {
  const groups = all.filter((one) => one.length > 0).map((one) => joined(one, '\n'));
  return page([joined(groups, '\n\n')]);
}

/**
 * Marks a text as visible: it was cut or combined from visible text, or its renderer has escaped it. Only such
 * renderers may use this (test/architecture.test.ts).
 */
export function assumeVisible(text: string): Visible {
  return text as Visible;
}

/** Without commands to terminals and runners. The last step: wrapping may begin a line with any word. */
export function harmless(text: string, colour = false): Visible {
  return assumeVisible(text.replace(colour ? FORGERIES_BUT_COLOUR : FORGERIES, escapeLast));
}

/** The lines of a text, each safe to print. */
export function visibleLines(text: string): readonly Visible[] {
  return text.split(/\r?\n/).map(visible);
}

/** A sentence that may quote text from outside. Line breaks become spaces. */
export function visibleProse(text: string): Visible {
  const lines = text.trim().split('\n');
  return visible(lines.map((line) => line.trim()).join(' '));
}

/** A name in double quotes, so that its ends are visible. */
export function quoted(text: string): Visible {
  return assumeVisible(`"${visible(text).replaceAll('"', '\\"')}"`);
}

/** Escapes one character of a command, which is enough: `##[` becomes `#\u{23}[`. */
function escapeLast(match: string): string {
  return match.slice(0, -1) + escapeCharacter(match.slice(-1));
}

export function escapeCharacter(character: string): string {
  return SHORT_ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** At most so many characters, with an ellipsis where the rest was. */
export function cutText(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
