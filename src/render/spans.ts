import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { assumeVisible, type Visible } from '../domain/visible.ts';
import { takeColumns } from './shorten.ts';

/** Style of a text: with colour or without, and its width (Infinity: not wrapped). */
export interface TextStyle {
  readonly colour: boolean;
  readonly width: number;
}

/** Meaning of a piece of text. Words and marks show the same as the colour. */
export type Tone = 'plain' | 'strong' | 'dim' | 'good' | 'warn' | 'bad' | 'loud' | 'removed' | 'added';

/** A part of a span, while a line is wrapped. */
interface Part {
  readonly text: string;
  readonly tone: Tone;
  /** Kept on one line if it fits a line, such as an address with blanks. */
  readonly whole?: boolean;
}

export interface Span extends Part {
  readonly text: Visible;
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

export function span(text: Visible, tone: Tone = 'plain'): Span {
  return { text, tone };
}

/** A span that stays on one line if it fits a line. */
export function whole(text: Visible, tone: Tone = 'plain'): Span {
  return { text, tone, whole: true };
}

/** Draws one line, wrapped at spaces. Continuation lines are indented by `hang`. */
export function drawLine(spans: readonly Span[], style: TextStyle, indent = 0, hang = 2): readonly Visible[] {
  const width = Math.max(style.width, WIDTH_MIN);
  const lines = wrap(spans, width - indent, width - indent - hang);
  return lines.map((line, index) => {
    const margin = ' '.repeat(index === 0 ? indent : indent + hang);
    const text = withoutTrailingBlanks(line).map((part) => coloured(part, style));
    return assumeVisible(`${margin}${text.join('')}`.trimEnd());
  });
}

/** Called before colours are added, because then escapes would follow the blanks. */
function withoutTrailingBlanks(line: readonly Part[]): readonly Part[] {
  const parts = merged(line);
  const end = parts.findLastIndex(({ text }) => text.trimEnd() !== '');
  return parts
    .slice(0, end + 1)
    .map((part, index) => (index === end ? { ...part, text: part.text.trimEnd() } : part));
}

/** Merges neighbours with the same tone, to save escapes. */
function merged(line: readonly Part[]): readonly Part[] {
  const result: Part[] = [];
  for (const part of line) {
    const last = result.at(-1);
    if (last?.tone === part.tone) result[result.length - 1] = { ...last, text: last.text + part.text };
    else result.push(part);
  }
  return result;
}

/** A span for the terminal. Without colour, it has no escapes. */
export function paint(span: Span, style: TextStyle): Visible {
  return assumeVisible(coloured(span, style));
}

function coloured({ text, tone }: Part, style: TextStyle): string {
  const formats = FORMATS[tone];
  if (!style.colour || formats.length === 0 || text === '') return text;
  // The caller decides about colour, not the state of the stream.
  return styleText([...formats], text, { validateStream: false });
}

/** Text between two spaces, across spans. */
interface Word {
  readonly spans: Part[];
  readonly blank: boolean;
  /** A command or an address, which is longer than a line rather than broken: it is there to be copied. */
  unbroken: boolean;
}

function wrap(spans: readonly Part[], firstWidth: number, restWidth: number): readonly Part[][] {
  const lines: Part[][] = [[]];
  let space = firstWidth;
  for (const word of words(spans, restWidth)) {
    const columns = stringWidth(word.spans.map(({ text }) => text).join(''));
    const started = space < (lines.length === 1 ? firstWidth : restWidth);
    // A word longer than a line is broken in place, because moving it would leave a gap.
    if (started && columns > space && (word.blank || word.unbroken || columns <= restWidth)) {
      lines.push([]);
      space = restWidth;
      // The space at a line break is dropped.
      if (word.blank) continue;
    }
    space = place(word, columns, lines, space, restWidth);
  }
  // Blanks at the end do not begin a new line.
  return lines.length > 1 && lines.at(-1)?.length === 0 ? lines.slice(0, -1) : lines;
}

/** Adds a word to the last line. A word wider than a line continues on further lines. */
function place(word: Word, columns: number, lines: Part[][], space: number, restWidth: number): number {
  if (columns <= space || word.unbroken) {
    lines.at(-1)?.push(...word.spans);
    return Math.max(0, space - columns);
  }
  let left = space;
  for (const part of word.spans) {
    let rest = part.text;
    while (rest !== '') {
      const head = takeColumns(rest, left);
      // A character that does not fit moves to the next line. One that is wider than a line is placed anyway.
      const taken = head === '' && left === restWidth ? rest : head;
      lines.at(-1)?.push({ text: taken, tone: part.tone });
      rest = rest.slice(taken.length);
      left -= stringWidth(taken);
      if (rest !== '') {
        lines.push([]);
        left = restWidth;
      }
    }
  }
  return left;
}

/** An argument of a command: a flag with its value, a quoted text, an id or a placeholder. */
const ARGUMENT = String.raw`--?[a-z][\w-]*(?:[ =](?:"[^"]*"|'[^']*'|[^\s-]\S*))?|"[^"]*"|'[^']*'|\S*\d\S*|[A-Z]+(?!\w)`;
/** `herald apply --allow resume`, without the sentence around it. */
const COMMAND = String.raw`[("'\`]*herald(?: [a-z][a-z-]*){1,2}(?:(?<![.,;:]) (?:${ARGUMENT}))*[^ ]*`;
const PIECES = new RegExp(`${COMMAND}| +|[^ ]+`, 'g');
const UNBROKEN = new RegExp(String.raw`^${COMMAND}$|^[(<"'\`]*https?://`);

function piecesOf({ text, whole: isWhole = false }: Part, width: number): readonly string[] {
  if (text === '') return [];
  return isWhole && stringWidth(text) <= width
    ? [text]
    : (text.match(text.includes('herald ') ? PIECES : / +|[^ ]+/g) ?? []);
}

function words(spans: readonly Part[], width: number): readonly Word[] {
  const result: Word[] = [];
  for (const part of spans) {
    const { tone } = part;
    for (const text of piecesOf(part, width)) {
      const blank = /^ +$/.test(text);
      const unbroken = UNBROKEN.test(text);
      const last = result.at(-1);
      if (last !== undefined && last.blank === blank) {
        last.spans.push({ text, tone });
        last.unbroken ||= unbroken;
      } else result.push({ spans: [{ text, tone }], blank, unbroken });
    }
  }
  return result;
}
