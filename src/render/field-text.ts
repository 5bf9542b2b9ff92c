import type { FieldDifference } from '../domain/change.ts';
import { viewDifference } from './difference.ts';
import type { DiffLine } from './line-diff.ts';
import { shorten, shortenMiddle } from './shorten.ts';
import { drawLine, span, type Span, type TextStyle } from './spans.ts';
import type { Piece } from './piece.ts';

/** Lines of one field's difference; JSON carries the whole. */
const LINES_MAX = 40;

/** Columns of one line: context is there to find the place, an edit to be read. */
const CONTEXT_COLUMNS_MAX = 100;
const EDIT_COLUMNS_MAX = 500;

/** Indentation of the lines below a field's path. */
const BLOCK_INDENT = 2;

/** One field of a change: `path: old → new`, or its path and the lines that differ. */
export function drawField(
  field: FieldDifference,
  style: TextStyle,
  options: { readonly indent: number; readonly declaredOnly: boolean },
): readonly string[] {
  const view = viewDifference(field, options.declaredOnly);
  if (view.kind === 'values') {
    const old = view.old === null ? [] : [span(view.old, 'removed'), span(' → ')];
    return drawLine([span(`${view.path}: `), ...old, span(view.new, 'added')], style, options.indent);
  }
  const indent = options.indent + BLOCK_INDENT;
  const lines = view.lines.flatMap((line) => drawLine(lineSpans(line), style, indent));
  const head = drawLine([span(`${view.path}:`)], style, options.indent);
  if (lines.length <= LINES_MAX) return [...head, ...lines];
  const left = lines.length - LINES_MAX;
  const more = drawLine([span(`… ${left} more lines; --format json has them all`, 'dim')], style, indent);
  return [...head, ...lines.slice(0, LINES_MAX), ...more];
}

function lineSpans(line: DiffLine): readonly Span[] {
  switch (line.kind) {
    case 'changed':
      return [span('~ ', 'warn'), ...line.pieces.map(pieceSpan)];
    case 'gap':
      return [span(gapText(line), 'dim')];
    case 'same':
      return [span(`  ${shorten(line.text, CONTEXT_COLUMNS_MAX)}`, 'dim')];
    case 'removed':
      return [span('- ', 'bad'), span(shortenMiddle(line.text, EDIT_COLUMNS_MAX), 'removed')];
    case 'added':
      return [span('+ ', 'good'), span(shortenMiddle(line.text, EDIT_COLUMNS_MAX), 'added')];
  }
}

/** `… 14 equal lines`: what stands in the place of lines that are not shown. */
export function gapText(gap: Extract<DiffLine, { kind: 'gap' }>): string {
  const what = gap.of === 'same' ? 'equal' : `more ${gap.of}`;
  return `… ${gap.lines} ${what} lines`;
}

/** Signs stay beside the colour: they survive copying, logs and colour blindness. */
function pieceSpan({ kind, text }: Piece): Span {
  if (kind === 'removed') return span(`[-${text}-]`, 'removed');
  return kind === 'added' ? span(`{+${text}+}`, 'added') : span(text);
}
