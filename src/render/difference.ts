import { diffArrays } from 'diff';
import stringWidth from 'string-width';
import type { Dropped, FieldDifference } from '../domain/change.ts';
import { assumeVisible, joined, shown, type Visible, visible, visibleLines } from '../domain/visible.ts';
import { compactJson } from './json.ts';
import {
  drawLine,
  span,
  type Span,
  type TextStyle,
  cutMiddle,
  fits,
  shorten,
  shortenMiddle,
} from './spans.ts';
import { formatValue, type Zone } from './values.ts';

/** The best view of one field's difference, for all formats. All texts are safe to print. */
export type FieldView =
  | { readonly kind: 'values'; readonly path: Visible; readonly old: Visible | null; readonly new: Visible }
  | { readonly kind: 'lines'; readonly path: Visible; readonly lines: readonly DiffLine[] };

/** A line of a difference between two texts. A `gap` replaces equal lines. */
export type DiffLine =
  | { readonly kind: 'same' | 'removed' | 'added'; readonly text: Visible }
  | { readonly kind: 'changed'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'gap'; readonly lines: number };

/** A part of one line: in both versions, only in the old one, or only in the new one. */
export interface Piece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: Visible;
}

interface DifferenceStyle {
  /** Nothing is live yet, so an absent old value is not shown. */
  readonly declaredOnly: boolean;
  readonly zone: Zone;
}

/** Text for null: absent, or not readable. */
const NONE = shown`(none)`;

/** Values up to this many columns are shown on one line; values in words up to so many together. */
const SHORT_COLUMNS = 48;
const SHORT_PAIR_COLUMNS = 60;

/** Unknown values may be long. JSON has the whole value. */
const DROPPED_COLUMNS_MAX = 200;

/** The fields of a change, and the live values that a replace loses. */
export function viewFields(
  { fields, dropped }: { readonly fields: readonly FieldDifference[]; readonly dropped: readonly Dropped[] },
  style: DifferenceStyle,
): readonly FieldView[] {
  return [
    ...fields.map((field) => viewField(field, style)),
    ...dropped.map((one) => viewDropped(one, style.zone)),
  ];
}

/** Chooses between `old → new` and a difference by lines and words. */
function viewField(field: FieldDifference, { declaredOnly, zone }: DifferenceStyle): FieldView {
  const path = visible(field.path);
  const isHidden = declaredOnly && field.old == null;
  const words = [field.old, field.new].map((value) =>
    value == null ? NONE : formatValue(field.path, value, zone),
  );
  // Words that say the same of both show no difference.
  const hasWords = !words.includes(null) && words[0] !== words[1];
  const [old = '', wanted = ''] = [field.old, field.new].map((value, index) => {
    if (hasWords) return words[index] ?? '';
    return typeof value === 'string' ? value : value == null ? NONE : compactJson(value);
  });
  const isLong = (text: string) => !fits(visible(text), SHORT_COLUMNS);
  const isOneLine =
    !`${isHidden ? '' : old}${wanted}`.includes('\n') &&
    (hasWords
      ? isHidden || stringWidth(visible(old)) + stringWidth(visible(wanted)) <= SHORT_PAIR_COLUMNS
      : !isLong(wanted) && (isHidden || !isLong(old)));
  if (!isOneLine)
    return { kind: 'lines', path, lines: diffLines(isHidden ? [] : visibleLines(old), visibleLines(wanted)) };
  const quote = (value: unknown, text: string) =>
    visible(!hasWords && typeof value === 'string' ? compactJson(value) : text);
  return {
    kind: 'values',
    path,
    old: isHidden ? null : quote(field.old, old),
    new: quote(field.new, wanted),
  };
}

function viewDropped({ path, live }: Dropped, zone: Zone): FieldView {
  const text = live == null ? NONE : visible(formatValue(path, live, zone) ?? compactJson(live));
  const old = shortenMiddle(text, DROPPED_COLUMNS_MAX);
  return { kind: 'values', path: visible(path), old, new: shown`not set (not in the file)` };
}

/** Limit of an unchanged line on a terminal, which only helps to find the place. Changed text is not cut. */
const CONTEXT_COLUMNS_MAX = 100;

/** `path: old → new`, or the lines that differ. `labelled` names the file and live values instead of an arrow. */
export function drawField(
  view: FieldView,
  style: TextStyle,
  { indent, labelled = false }: { readonly indent: number; readonly labelled?: boolean },
): readonly Visible[] {
  const below = indent + 2;
  if (view.kind === 'lines') {
    const legend = labelled ? [span(shown` (- live, + file)`, 'dim')] : [];
    return [
      ...drawLine([span(shown`${view.path}:`), ...legend], style, indent),
      ...view.lines.flatMap((line) => drawLine(lineSpans(line), style, below)),
    ];
  }
  if (labelled && view.old !== null)
    return [
      ...drawLine([span(view.path)], style, indent),
      ...drawLine([span(shown`file: `), span(view.new, 'added')], style, below),
      ...drawLine([span(shown`live: `), span(view.old, 'removed')], style, below),
    ];
  const old = view.old === null ? [] : [span(view.old, 'removed'), span(shown` → `)];
  return drawLine([span(shown`${view.path}: `), ...old, span(view.new, 'added')], style, indent);
}

/** Signs and colour. Signs also work in copies, logs, and for colour-blind people. */
function lineSpans(line: DiffLine): readonly Span[] {
  switch (line.kind) {
    case 'changed':
      return [
        span(shown`~ `, 'warn'),
        ...line.pieces.map(({ kind, text }) => {
          if (kind === 'same') return span(text);
          const [open, close] = kind === 'removed' ? [shown`[-`, shown`-]`] : [shown`{+`, shown`+}`];
          return span(joined([open, text, close], ''), kind);
        }),
      ];
    case 'gap':
      return [span(shown`… ${line.lines} equal lines`, 'dim')];
    case 'same':
      return [span(shown`  ${shorten(line.text, CONTEXT_COLUMNS_MAX)}`, 'dim')];
    case 'removed':
      return [span(shown`- `, 'bad'), span(line.text, 'removed')];
    case 'added':
      return [span(shown`+ `, 'good'), span(line.text, 'added')];
  }
}

/** Limits, because the work grows with edits times items. */
const LINE_EDITS_MAX = 1_000;
const WORD_EDITS_MAX = 400;
const LINE_UNITS_MAX = 200_000;

/** Equal lines shown around an edit. A text up to so many lines stays whole, to be read as fans will read it. */
const CONTEXT_LINES = 2;
const WHOLE_LINES_MAX = 12;

/** Limit of line pairs that are compared word by word. */
const PAIRS_MAX = 24;

/** Runs of neighbours; null if the lists differ in more places than are searched for. */
function findRuns(
  left: readonly string[],
  right: readonly string[],
  editsMax: number,
): readonly { readonly kind: Piece['kind']; readonly items: readonly string[] }[] | null {
  const edits = diffArrays([...left], [...right], { maxEditLength: editsMax });
  return (
    edits?.map(({ removed, added, value }) => ({
      kind: removed ? 'removed' : added ? 'added' : 'same',
      items: value,
    })) ?? null
  );
}

/** Only equal text is left out, because a person approves every added word. */
function diffLines(oldLines: readonly Visible[], newLines: readonly Visible[]): readonly DiffLine[] {
  const runs = findRuns(oldLines, newLines, LINE_EDITS_MAX) ?? [
    { kind: 'removed', items: oldLines },
    { kind: 'added', items: newLines },
  ];
  return runs.flatMap((run, index): readonly DiffLine[] => {
    const next = runs[index + 1];
    if (run.kind === 'removed' && next?.kind === 'added') return pairLines(run.items, next.items);
    if (run.kind === 'added' && runs[index - 1]?.kind === 'removed') return [];
    if (run.kind !== 'same' || newLines.length <= WHOLE_LINES_MAX) return listLines(run.kind, run.items);
    const head = index === 0 ? 0 : CONTEXT_LINES;
    const tail = index === runs.length - 1 ? 0 : CONTEXT_LINES;
    const hidden = run.items.length - head - tail;
    // A gap for one line would be as long as the line.
    if (hidden <= 1) return listLines('same', run.items);
    return [
      ...listLines('same', run.items.slice(0, head)),
      { kind: 'gap', lines: hidden },
      ...listLines('same', run.items.slice(run.items.length - tail)),
    ];
  });
}

function listLines(kind: Piece['kind'], lines: readonly string[]): readonly DiffLine[] {
  return lines.map((text) => ({ kind, text: assumeVisible(text) }));
}

/** As many new lines as old ones, and some similar: probably the same lines, edited. */
function pairLines(oldLines: readonly string[], newLines: readonly string[]): readonly DiffLine[] {
  const apart = [...listLines('removed', oldLines), ...listLines('added', newLines)];
  if (oldLines.length !== newLines.length || oldLines.length > PAIRS_MAX) return apart;
  const pairs = oldLines.map((oldLine, index) => {
    const newLine = newLines[index] ?? '';
    return { oldLine, newLine, pieces: diffWords(oldLine, newLine) };
  });
  if (pairs.every(({ pieces }) => pieces === null)) return apart;
  return pairs.flatMap(({ oldLine, newLine, pieces }): readonly DiffLine[] =>
    pieces === null
      ? [...listLines('removed', [oldLine]), ...listLines('added', [newLine])]
      : [{ kind: 'changed', pieces: elide(pieces) }],
  );
}

/** Versions that share less of their text than this are shown below each other. */
const SHARED_MIN = 0.35;

/** The edits between two lines, word by word. Null if they have too little in common. */
function diffWords(oldLine: string, newLine: string): readonly Piece[] | null {
  const longest = Math.max(oldLine.length, newLine.length);
  // If the text already has the marks of an edit, they would be ambiguous.
  if (longest > LINE_UNITS_MAX || /\[-|-\]|\{\+|\+\}/.test(oldLine + newLine)) return null;
  const runs = findRuns(splitLine(oldLine), splitLine(newLine), WORD_EDITS_MAX);
  if (runs === null) return null;
  const pieces = runs.map(({ kind, items }) => ({ kind, text: assumeVisible(items.join('')) }));
  const shared = pieces.reduce((sum, piece) => sum + (piece.kind === 'same' ? piece.text.length : 0), 0);
  return shared < SHARED_MIN * longest ? null : pieces;
}

/** A price or a time is one token. Long runs are cut. */
const FIGURE = String.raw`\p{N}{1,32}(?:[.,:]\p{N}{1,32}){1,4}(?![\p{L}\p{N}])`;
/** Letters of scripts without spaces are tokens of their own. */
const UNSPACED = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]`;
const WORD = String.raw`${UNSPACED}\p{M}*|(?:(?!${UNSPACED})[\p{L}\p{M}\p{N}_]){1,64}`;
/** A visible character: flags, joined emoji, a sign with its marks. */
const SIGN = String.raw`\p{RI}{2}|[^\s\p{L}\p{N}](?:[\p{M}\p{Emoji_Modifier}]|\u{200d}[^\s\p{L}\p{N}])*`;
const TOKENS = new RegExp(String.raw`${FIGURE}|${WORD}|\s+|${SIGN}`, 'gu');

function splitLine(line: string): readonly string[] {
  return line.match(TOKENS) ?? [];
}

/** Longer lines are shown around their differences, with so many columns of equal text on each side of one. */
const WHOLE_COLUMNS_MAX = 400;
const CONTEXT_COLUMNS = 40;

/** Leaves out most of the unchanged text of a long line. Removed and added text stays whole. */
function elide(pieces: readonly Piece[]): readonly Piece[] {
  const whole = pieces.filter(({ kind }) => kind !== 'removed').map(({ text }) => text);
  if (fits(whole.join(''), WHOLE_COLUMNS_MAX)) return pieces;
  return pieces.map(({ kind, text }, index) => {
    if (kind !== 'same' || fits(text, 2 * CONTEXT_COLUMNS)) return { kind, text };
    const begin = index === 0 ? 0 : CONTEXT_COLUMNS;
    const end = index === pieces.length - 1 ? 0 : CONTEXT_COLUMNS;
    return { kind, text: cutMiddle(text, begin, end) };
  });
}
