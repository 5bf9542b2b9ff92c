import type { FieldDifference } from '../domain/change.ts';
import { viewDifference } from './difference.ts';
import { gapText } from './field-text.ts';
import type { DiffLine } from './line-diff.ts';
import { shorten, shortenMiddle } from './shorten.ts';
import { versionOf } from './piece.ts';

/** Lines of one field's difference in a comment, and columns of each. */
const LINES_MAX = 30;
const COLUMNS_MAX = 300;

/** One field as lines of a `diff` block: sites colour those that begin with a minus or a plus. */
export function fieldDiffLines(field: FieldDifference, declaredOnly: boolean): readonly string[] {
  const view = viewDifference(field, declaredOnly);
  const path = shorten(view.path, COLUMNS_MAX);
  if (view.kind === 'values') {
    const old = view.old === null ? [] : [`- ${path}: ${view.old}`];
    return [...old, `+ ${path}: ${view.new}`];
  }
  const lines = view.lines.flatMap(diffBlockLines);
  if (lines.length <= LINES_MAX) return [`@@ ${path} @@`, ...lines];
  return [`@@ ${path} @@`, ...lines.slice(0, LINES_MAX), `  … ${lines.length - LINES_MAX} more lines`];
}

function diffBlockLines(line: DiffLine): readonly string[] {
  switch (line.kind) {
    case 'changed':
      return [`- ${versionOf(line.pieces, 'removed')}`, `+ ${versionOf(line.pieces, 'added')}`];
    case 'gap':
      return [`  ${gapText(line)}`];
    case 'same':
      return [`  ${shorten(line.text, COLUMNS_MAX)}`];
    case 'removed':
      return [`- ${shortenMiddle(line.text, COLUMNS_MAX)}`];
    case 'added':
      return [`+ ${shortenMiddle(line.text, COLUMNS_MAX)}`];
  }
}
