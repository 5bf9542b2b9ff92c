import type { FieldDifference } from '../domain/change.ts';
import { viewDifference } from './difference.ts';
import { gapText } from './field-text.ts';
import type { DiffLine } from './line-diff.ts';
import { shorten } from './shorten.ts';
import { versionOf } from './piece.ts';

/** Columns of a path and of an unchanged line in a comment. What changes is shown whole. */
const COLUMNS_MAX = 300;

/** One field as lines of a `diff` block. */
export interface FieldLines {
  readonly path: string;
  /** The whole field: sites colour the lines that begin with a minus or a plus. */
  readonly lines: readonly string[];
  /** The text below the path, where the field is shown over several lines; null for a short value. */
  readonly text: string | null;
}

/** Lines of a text are indented below its path, so that no text can look like another field. */
export function fieldDiffLines(field: FieldDifference, declaredOnly: boolean): FieldLines {
  const view = viewDifference(field, declaredOnly);
  const path = shorten(view.path, COLUMNS_MAX);
  if (view.kind === 'values') {
    const old = view.old === null ? [] : [`- ${path}: ${view.old}`];
    return { path, lines: [...old, `+ ${path}: ${view.new}`], text: null };
  }
  const text = view.lines.flatMap(diffBlockLines);
  return { path, lines: [`@@ ${path} @@`, ...text], text: text.join('\n') };
}

function diffBlockLines(line: DiffLine): readonly string[] {
  switch (line.kind) {
    case 'changed':
      return [`-   ${versionOf(line.pieces, 'removed')}`, `+   ${versionOf(line.pieces, 'added')}`];
    case 'gap':
      return [`    ${gapText(line)}`];
    case 'same':
      return [`    ${shorten(line.text, COLUMNS_MAX)}`];
    case 'removed':
      return [`-   ${line.text}`];
    case 'added':
      return [`+   ${line.text}`];
  }
}
