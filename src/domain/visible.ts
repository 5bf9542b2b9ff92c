/**
 * Text from outside, made safe to print. Escape sequences could repaint the terminal, bidi overrides and
 * invisible characters could make a name read as another, and a few words start a command on a CI runner: they are
 * shown as escapes instead of being obeyed.
 */

declare const isVisible: unique symbol;

/**
 * Text that may be printed: whatever came from outside was made visible. The output port takes nothing else, and the
 * functions below make it; where a plain string is given, the program does not compile.
 */
export type Visible = string & { readonly [isVisible]: true };

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

/**
 * What CI runners take for a command: GitHub a `::word` at the start of a line, blanks before it or not, and `##[`
 * anywhere; Azure `##vso[`, TeamCity `##teamcity[`. Those of GitLab and Travis hold control characters.
 */
const COMMAND = commandWith('');
const COMMANDS = new RegExp(COMMAND, 'gm');

/** `gap` may stand between any two of its characters. */
function commandWith(gap: string): string {
  const anywhere = String.raw`#${gap}#(?=${gap}(?:\w${gap})*\[)`;
  return String.raw`${anywhere}|:(?=${gap}:${gap}[A-Za-z])(?<=^${gap}(?:[^\S\n]${gap})*:)`;
}
/** Without one of these there is no command. */
const COMMAND_BEGINS = /##|::/;

/** What a terminal obeys, or what turns the letters of a line around. Line breaks and tabs are left alone. */
const OBEYED = String.raw`[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]`;
const FORGERIES = new RegExp(`${OBEYED}|${COMMAND}`, 'gm');
/** Colour of our own, which some runners take away before they look for commands. */
const COLOUR = String.raw`\u001b\[[\d;]*m`;
const FORGERIES_BUT_COLOUR = new RegExp(`(?!${COLOUR})${OBEYED}|${commandWith(`(?:${COLOUR})*`)}`, 'gm');

const PLAIN = /^[ -~]*$/;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One line that can be printed as it is: line breaks, too, are shown as escapes. */
export function visible(text: string): Visible {
  const shown = PLAIN.test(text)
    ? text
    : text.replace(SUSPECT, (match, kept: string | undefined) => kept ?? escapeOf(match));
  return assumeVisible(COMMAND_BEGINS.test(shown) ? shown.replace(COMMANDS, escapeLast) : shown);
}

/**
 * A sentence of ours, as a template: what it quotes is made visible. For one line at a time; `joined` puts together
 * what was drawn.
 */
export function shown(words: TemplateStringsArray, ...quotes: readonly (string | number)[]): Visible {
  const [first = '', ...others] = words;
  const rest = others.map((ours, index) => visible(String(quotes[index])) + ours);
  return assumeVisible(first + rest.join(''));
}

/** What stands between the parts of a text. */
type Between = '' | ', ' | ' · ' | ' → ' | '\n' | '\n\n';

/** Parts of one text, one behind the other, or one below the other. */
export function joined(parts: readonly Visible[], between: Between): Visible {
  return assumeVisible(parts.join(between));
}

/** That many spaces. */
export function blanks(columns: number): Visible {
  return assumeVisible(' '.repeat(Math.max(0, columns)));
}

/** Lines of a text that ends with a line break. */
export function page(all: readonly Visible[]): Visible {
  return assumeVisible(`${all.join('\n')}\n`);
}

/** Groups of lines with an empty line between them; a group without lines is left out. */
export function paragraphs(all: readonly (readonly Visible[])[]): Visible {
  return page([
    joined(
      all.filter((one) => one.length > 0).map((one) => joined(one, '\n')),
      '\n\n',
    ),
  ]);
}

/**
 * Says that a text was cut from, or put together of, visible text, or that its renderer has escaped it in its own way.
 * Only such renderers may say so (test/architecture.test.ts).
 */
export function assumeVisible(text: string): Visible {
  return text as Visible;
}

/**
 * A text of any number of lines, without what a terminal or a runner obeys: the last step of everything that is
 * printed, because wrapping may have put any word at the start of a line. `colour` leaves colours in.
 */
export function harmless(text: string, colour = false): Visible {
  return assumeVisible(text.replace(colour ? FORGERIES_BUT_COLOUR : FORGERIES, escapeLast));
}

/** The lines of a text, each safe to print. */
export function visibleLines(text: string): readonly Visible[] {
  return text.split(/\r?\n/).map(visible);
}

/** A sentence of ours that may quote text from outside: its line breaks become spaces. */
export function visibleProse(text: string): Visible {
  return visible(
    text
      .trim()
      .split('\n')
      .map((line) => line.trim())
      .join(' '),
  );
}

/** A name in double quotes, so that one sees where it begins and ends. */
export function quoted(text: string): Visible {
  return assumeVisible(`"${visible(text).replaceAll('"', '\\"')}"`);
}

/** Of a command one character is enough: `##[` becomes `#\u{23}[`. */
function escapeLast(match: string): string {
  return match.slice(0, -1) + escapeOf(match.slice(-1));
}

function escapeOf(character: string): string {
  return SHORT_ESCAPES[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}
