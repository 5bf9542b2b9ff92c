import type { FieldDifference } from '../domain/change.ts';
import { joined, shown, type Visible } from '../domain/visible.ts';
import { viewDifference, type DifferenceStyle } from './difference.ts';
import type { DiffLine } from './line-diff.ts';
import { shorten } from './shorten.ts';
import { drawLine, span, type Span, type TextStyle } from './spans.ts';
import type { Piece } from './piece.ts';

/** Limit of an unchanged line, which only helps to find the place. Changed text is not cut. */
const CONTEXT_COLUMNS_MAX = 100;

/** Indentation of the lines below a field's path. */
const BLOCK_INDENT = 2;

/** One field of a change: `path: old → new`, or its path and the lines that differ. */
export function drawField(
  field: FieldDifference,
  style: TextStyle,
  options: DifferenceStyle & {
    readonly indent: number;
    /** Says which value is live and which one is in the file, instead of an arrow. */
    readonly labelled?: boolean;
  },
): readonly Visible[] {
  const view = viewDifference(field, options);
  if (view.kind === 'values' && options.labelled === true && view.old !== null) {
    const below = options.indent + BLOCK_INDENT;
    return [
      ...drawLine([span(shown`${view.path}`)], style, options.indent),
      ...drawLine([span(shown`file: `), span(view.new, 'added')], style, below),
      ...drawLine([span(shown`live: `), span(view.old, 'removed')], style, below),
    ];
  }
  if (view.kind === 'values') {
    const old = view.old === null ? [] : [span(view.old, 'removed'), span(shown` → `)];
    return drawLine([span(shown`${view.path}: `), ...old, span(view.new, 'added')], style, options.indent);
  }
  const indent = options.indent + BLOCK_INDENT;
  const lines = view.lines.flatMap((line) => drawLine(lineSpans(line), style, indent));
  const legend = options.labelled === true ? [span(shown` (- live, + file)`, 'dim')] : [];
  return [...drawLine([span(shown`${view.path}:`), ...legend], style, options.indent), ...lines];
}

function lineSpans(line: DiffLine): readonly Span[] {
  switch (line.kind) {
    case 'changed':
      return [span(shown`~ `, 'warn'), ...line.pieces.map(pieceSpan)];
    case 'gap':
      return [span(gapText(line), 'dim')];
    case 'same':
      return [span(shown`  ${shorten(line.text, CONTEXT_COLUMNS_MAX)}`, 'dim')];
    case 'removed':
      return [span(shown`- `, 'bad'), span(line.text, 'removed')];
    case 'added':
      return [span(shown`+ `, 'good'), span(line.text, 'added')];
  }
}

/** `… 14 equal lines` instead of lines that are not shown. */
export function gapText({ lines }: Extract<DiffLine, { kind: 'gap' }>): Visible {
  return shown`… ${lines} equal lines`;
}

/** Signs and colour. Signs also work in copies, logs, and for colour-blind people. */
function pieceSpan({ kind, text }: Piece): Span {
  if (kind === 'removed') return span(joined([shown`[-`, text, shown`-]`], ''), 'removed');
  return kind === 'added' ? span(joined([shown`{+`, text, shown`+}`], ''), 'added') : span(text);
}
