import type { FieldDifference } from '../domain/change.ts';
import { shown, type Visible } from '../domain/visible.ts';
import { viewDifference, type DifferenceStyle } from './difference.ts';
import { gapText } from './field-text.ts';
import type { DiffLine } from './line-diff.ts';
import { shorten } from './shorten.ts';
import { versionOf } from './piece.ts';

/** Limit for a path and for an unchanged line in a comment. Changed text is not cut. */
const COLUMNS_MAX = 300;

/**
 * One field as lines of a `diff` block. Sites colour lines that begin with a minus or a plus. Lines of a text are
 * indented, so that no text can look like another field.
 */
export function fieldDiffLines(field: FieldDifference, style: DifferenceStyle): readonly Visible[] {
  const view = viewDifference(field, style);
  const path = shorten(view.path, COLUMNS_MAX);
  if (view.kind === 'values') {
    const old = view.old === null ? [] : [shown`- ${path}: ${view.old}`];
    return [...old, shown`+ ${path}: ${view.new}`];
  }
  return [shown`@@ ${path} @@`, ...view.lines.flatMap(diffBlockLines)];
}

function diffBlockLines(line: DiffLine): readonly Visible[] {
  switch (line.kind) {
    case 'changed':
      return [shown`-   ${versionOf(line.pieces, 'removed')}`, shown`+   ${versionOf(line.pieces, 'added')}`];
    case 'gap':
      return [shown`    ${gapText(line)}`];
    case 'same':
      return [shown`    ${shorten(line.text, COLUMNS_MAX)}`];
    case 'removed':
      return [shown`-   ${line.text}`];
    case 'added':
      return [shown`+   ${line.text}`];
  }
}
