import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { assumeVisible, type Visible } from '../domain/visible.ts';

/** Style of a text: with colour or without, and its width (Infinity: not wrapped). */
export interface TextStyle {
  readonly colour: boolean;
  readonly width: number;
}

/** Meaning of a piece of text. Words and marks show the same as the colour. */
export type Tone = 'plain' | 'strong' | 'dim' | 'good' | 'warn' | 'bad' | 'loud' | 'removed' | 'added';

export interface Span {
  readonly text: Visible;
  readonly tone: Tone;
  /** Kept on one line if it fits a line, such as an address with blanks. */
  readonly whole: boolean;
}

/** Smallest width for wrapping. A narrower terminal wraps by itself. */
const WIDTH_MIN = 24;

const FORMATS = {
  plain: [],
  strong: ['bold'],
  dim: ['dim'],
  good: ['green'],
  warn: ['yellow'],
  bad: ['red'],
  loud: ['bold', 'red'],
  removed: ['red', 'strikethrough'],
  added: ['green'],
} as const satisfies Record<Tone, readonly Parameters<typeof styleText>[0][]>;

/** With `whole`, it stays on one line if it fits a line. */
export function span(text: Visible, tone: Tone = 'plain', whole = false): Span {
  return { text, tone, whole };
}

/** Draws one line, wrapped at spaces. Continuation lines are indented by `hang`. */
export function drawLine(spans: readonly Span[], style: TextStyle, indent = 0, hang = 2): readonly Visible[] {
  const width = Math.max(style.width, WIDTH_MIN) - indent;
  const text = spans.map((one) => one.text).join('');
  const restWidth = Math.max(1, width - hang);
  return breakLine(splitPieces(spans, restWidth), width, restWidth).map(([from, to], index) => {
    const margin = ' '.repeat(index === 0 ? indent : indent + hang);
    // Blanks are dropped before colours are added, because then escapes would follow them.
    const end = from + text.slice(from, to).trimEnd().length;
    const parts = sliceSpans(spans, from, end).map((part) => paint(part, style));
    return assumeVisible(`${margin}${parts.join('')}`.trimEnd());
  });
}

/** The spans between two places of the line. Neighbours with the same tone are one, to save escapes. */
function sliceSpans(spans: readonly Span[], from: number, to: number): readonly Span[] {
  const result: Span[] = [];
  let begin = 0;
  for (const { text, tone } of spans) {
    const part = text.slice(Math.max(0, from - begin), Math.max(0, to - begin));
    const last = result.at(-1);
    if (last?.tone === tone) result[result.length - 1] = span(assumeVisible(last.text + part), tone);
    else if (part !== '') result.push(span(assumeVisible(part), tone));
    begin += text.length;
  }
  return result;
}

/** A span for the terminal. Without colour, it has no escapes. */
function paint({ text, tone }: Span, style: TextStyle): Visible {
  const formats = FORMATS[tone];
  if (!style.colour || formats.length === 0 || text === '') return text;
  // The caller decides about colour, not the state of the stream.
  return assumeVisible(styleText([...formats], text, { validateStream: false }));
}

/** Text between two spaces, across spans, or spaces. */
interface Word {
  text: string;
  readonly blank: boolean;
  /** A command or an address, which is longer than a line rather than broken: it is there to be copied. */
  unbroken: boolean;
}

/** From where to where each line goes. The space at a line break is dropped. */
function breakLine(
  words: readonly Word[],
  firstWidth: number,
  restWidth: number,
): readonly (readonly [from: number, to: number])[] {
  const lines: (readonly [number, number])[] = [];
  let [from, at, space] = [0, 0, firstWidth];
  const endLine = (): void => {
    lines.push([from, at]);
    [from, space] = [at, restWidth];
  };
  for (const { text, blank, unbroken } of words) {
    const columns = stringWidth(text);
    // A word longer than a line is broken in place, because moving it would leave a gap.
    if (at > from && columns > space && (blank || unbroken || columns <= restWidth)) {
      endLine();
      if (blank) {
        at += text.length;
        from = at;
        continue;
      }
    }
    let rest = text;
    while (!unbroken && !fits(rest, space)) {
      const head = takeColumns(rest, space);
      // A character that is wider than a line is placed anyway.
      if (head === '' && space === restWidth) break;
      at += head.length;
      rest = rest.slice(head.length);
      endLine();
    }
    at += rest.length;
    space = Math.max(0, space - (rest === text ? columns : stringWidth(rest)));
  }
  if (lines.length === 0 || at > from) lines.push([from, at]);
  return lines;
}

/** An argument of a command: a flag with its value, a quoted text, an id or a placeholder. */
const ARGUMENT = String.raw`--?[a-z][\w-]*(?:[ =](?:"[^"]*"|'[^']*'|[^\s-]\S*))?|"[^"]*"|'[^']*'|\S*\d\S*|[A-Z]+(?!\w)`;
/** `herald apply --allow resume`, without the sentence around it. */
const COMMAND = String.raw`[("'\`]*herald(?: [a-z][a-z-]*){1,2}(?:(?<![.,;:]) (?:${ARGUMENT}))*[^ ]*`;
const PIECES = new RegExp(`${COMMAND}| +|[^ ]+`, 'g');
const UNBROKEN = new RegExp(String.raw`^${COMMAND}$|^[(<"'\`]*https?://`);

function splitPieces(spans: readonly Span[], width: number): readonly Word[] {
  const words: Word[] = [];
  for (const { text: all, whole } of spans) {
    const isOne = whole && fits(all, width);
    const pieces = isOne ? [all] : (all.match(all.includes('herald ') ? PIECES : / +|[^ ]+/g) ?? []);
    for (const text of pieces) {
      const blank = /^ +$/.test(text);
      const last = words.at(-1);
      if (last?.blank !== blank) words.push({ text, blank, unbroken: UNBROKEN.test(text) });
      else {
        last.text += text;
        last.unbroken ||= UNBROKEN.test(text);
      }
    }
  }
  return words;
}

const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });

const PLAIN = /^[ -~]*$/;

const ELLIPSIS = '…';

/** Cuts a text to `columns` terminal columns, never inside a visible character. */
export function shorten(text: Visible, columns: number): Visible {
  if (fits(text, columns)) return text;
  return assumeVisible(columns < 1 ? '' : takeColumns(text, columns - 1).trimEnd() + ELLIPSIS);
}

/** Keeps the beginning and the end, which say more about a long edit than the middle. */
export function shortenMiddle(text: Visible, columns: number): Visible {
  if (fits(text, columns)) return text;
  const side = Math.max(0, Math.floor((columns - 3) / 2));
  return cutMiddle(text, side, side);
}

/** The beginning and the end of a text, with an ellipsis for what was between them. */
export function cutMiddle(text: Visible, beginColumns: number, endColumns: number): Visible {
  const begin = beginColumns === 0 ? '' : `${takeColumns(text, beginColumns).trimEnd()} `;
  const end = endColumns === 0 ? '' : ` ${takeLastColumns(text, endColumns).trimStart()}`;
  return assumeVisible(`${begin}${ELLIPSIS}${end}`);
}

/** The longest beginning of a text that fits `columns` columns. */
function takeColumns(text: string, columns: number): string {
  // In plain text, every unit is one column. With one more plain unit after it, the cut splits nothing.
  if (PLAIN.test(text.slice(0, columns + 1))) return text.slice(0, columns);
  return text.slice(0, unitsWithin(graphemesOf(text), columns));
}

/** The longest end of a text that fits `columns` columns. Its time does not depend on the length. */
function takeLastColumns(text: string, columns: number): string {
  const end = text.slice(-columns);
  if (PLAIN.test(end)) return end;
  const window = text.slice(-columns * UNITS_PER_COLUMN);
  const graphemes = [...graphemesOf(window)];
  // The window may begin inside a character, so its first one is dropped if text was cut off.
  const whole = window.length < text.length ? graphemes.slice(1) : graphemes;
  const units = unitsWithin(whole.toReversed(), columns);
  return units === 0 ? '' : window.slice(-units);
}

/** True if a text fits `columns` columns. Measures no more than that. */
export function fits(text: string, columns: number): boolean {
  return takeColumns(text, columns).length === text.length;
}

/** Largest number of units per visible character in useful text. */
const UNITS_PER_COLUMN = 8;

function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of GRAPHEMES.segment(text)) yield segment;
}

/** Number of units of the first graphemes that fit `columns` columns. */
function unitsWithin(graphemes: Iterable<string>, columns: number): number {
  // Cached, because measuring an emoji takes microseconds and texts repeat characters.
  const widths = new Map<string, number>();
  let units = 0;
  let used = 0;
  for (const grapheme of graphemes) {
    const width = widths.get(grapheme) ?? stringWidth(grapheme);
    widths.set(grapheme, width);
    used += width;
    if (used > columns) break;
    units += grapheme.length;
  }
  return units;
}
