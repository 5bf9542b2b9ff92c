import { styleText } from 'node:util';
import stringWidth from 'string-width';
import { assumeVisible, type Visible } from '../domain/visible.ts';
import { takeColumns } from './shorten.ts';

/** How a text may be drawn: with colour or not, and in how many columns (Infinity: never broken). */
export interface TextStyle {
  readonly colour: boolean;
  readonly width: number;
}

/** What a piece of text means; colour repeats what its words and marks already say. */
export type Tone = 'plain' | 'strong' | 'dim' | 'good' | 'warn' | 'bad' | 'loud' | 'removed' | 'added';

/** A stretch of a span, while a line is broken. */
interface Part {
  readonly text: string;
  readonly tone: Tone;
}

export interface Span extends Part {
  readonly text: Visible;
}

/** Below this nothing readable fits; a narrower terminal breaks the lines itself. */
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

/**
 * Draws one logical line: broken at spaces to the width, with its continuation `hang` columns further in.
 */
export function drawLine(spans: readonly Span[], style: TextStyle, indent = 0, hang = 2): readonly Visible[] {
  const width = Math.max(style.width, WIDTH_MIN);
  const lines = wrap(spans, width - indent, width - indent - hang);
  return lines.map((line, index) => {
    const margin = ' '.repeat(index === 0 ? indent : indent + hang);
    const text = withoutTrailingBlanks(line).map((part) => coloured(part, style));
    return assumeVisible(`${margin}${text.join('')}`.trimEnd());
  });
}

/** Before colour is added: afterwards escapes would stand behind the blanks. */
function withoutTrailingBlanks(line: readonly Part[]): readonly Part[] {
  const parts = merged(line);
  const end = parts.findLastIndex(({ text }) => text.trimEnd() !== '');
  return parts
    .slice(0, end + 1)
    .map((part, index) => (index === end ? { ...part, text: part.text.trimEnd() } : part));
}

/** Neighbours of one tone become one span, so that colour costs two escapes a stretch, not a word. */
function merged(line: readonly Part[]): readonly Part[] {
  const result: Part[] = [];
  for (const part of line) {
    const last = result.at(-1);
    if (last?.tone === part.tone) result[result.length - 1] = { ...last, text: last.text + part.text };
    else result.push(part);
  }
  return result;
}

/** A span as the terminal gets it; without colour not one escape byte. */
export function paint(span: Span, style: TextStyle): Visible {
  return assumeVisible(coloured(span, style));
}

function coloured({ text, tone }: Part, style: TextStyle): string {
  const formats = FORMATS[tone];
  if (!style.colour || formats.length === 0 || text === '') return text;
  // The caller has decided about colour: the state of a stream must not change the bytes.
  return styleText([...formats], text, { validateStream: false });
}

/** Words that stay together: what stands between two spaces, across spans. */
interface Word {
  readonly spans: Part[];
  readonly blank: boolean;
}

function wrap(spans: readonly Part[], firstWidth: number, restWidth: number): readonly Part[][] {
  const lines: Part[][] = [[]];
  let room = firstWidth;
  for (const word of words(spans)) {
    const columns = stringWidth(word.spans.map(({ text }) => text).join(''));
    const started = room < (lines.length === 1 ? firstWidth : restWidth);
    // A word that fits no line is broken where it stands: moving it on would only leave a hole.
    if (started && columns > room && (word.blank || columns <= restWidth)) {
      lines.push([]);
      room = restWidth;
      // A space at which a line was broken has done its work.
      if (word.blank) continue;
    }
    room = place(word, columns, lines, room, restWidth);
  }
  // Blanks at the end begin no line of their own.
  return lines.length > 1 && lines.at(-1)?.length === 0 ? lines.slice(0, -1) : lines;
}

/** Puts a word on the last line; one that is wider than a whole line goes on over further lines. */
function place(word: Word, columns: number, lines: Part[][], room: number, restWidth: number): number {
  if (columns <= room) {
    lines.at(-1)?.push(...word.spans);
    return room - columns;
  }
  let left = room;
  for (const part of word.spans) {
    let rest = part.text;
    while (rest !== '') {
      const head = takeColumns(rest, left);
      // A character wider than the room moves on; one wider than a whole line is placed all the same.
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

function words(spans: readonly Part[]): readonly Word[] {
  const result: Word[] = [];
  for (const { text, tone } of spans) {
    for (const piece of text.match(/ +|[^ ]+/g) ?? []) {
      const blank = piece.startsWith(' ');
      const last = result.at(-1);
      if (last !== undefined && last.blank === blank) last.spans.push({ text: piece, tone });
      else result.push({ spans: [{ text: piece, tone }], blank });
    }
  }
  return result;
}
