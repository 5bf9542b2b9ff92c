import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { assumeVisible, type Visible } from '../domain/visible.ts';
import { fits, takeColumns } from './shorten.ts';

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
export function paint({ text, tone }: Span, style: TextStyle): Visible {
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
