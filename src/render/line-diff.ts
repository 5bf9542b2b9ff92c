import { shown, type Visible } from '../domain/visible.ts';
import { diffArrays } from 'diff';
import { equalEnds } from './equal-ends.ts';
import { elide, versionOf, type Piece } from './piece.ts';
import { fits } from './shorten.ts';
import { diffBetweenEnds, diffWords } from './word-diff.ts';

/** A line of a difference between two texts. A `gap` replaces equal lines. */
export type DiffLine =
  | { readonly kind: 'same' | 'removed' | 'added'; readonly text: Visible }
  | { readonly kind: 'changed'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'gap'; readonly lines: number };

/**
 * Limit, because the work grows with edits times lines. Above it, everything between the equal ends counts as
 * changed.
 */
const LINE_EDITS_MAX = 1_000;

/** Equal lines shown around an edit. */
const CONTEXT_LINES = 2;

/** A text up to this many lines stays whole, so that it can be read as fans will read it. */
const WHOLE_LINES_MAX = 12;

/** Longer lines are shown from their first difference. */
const WHOLE_COLUMNS_MAX = 400;

/** Limit of line pairs that are compared word by word. */
const PAIRS_MAX = 24;

interface Run {
  readonly kind: 'same' | 'removed' | 'added';
  readonly lines: readonly Visible[];
}

/**
 * The difference between two texts as hunks, with word differences in lines that changed a little. Only equal text is
 * left out, because a person approves every added word.
 */
export function diffLines(oldLines: readonly Visible[], newLines: readonly Visible[]): readonly DiffLine[] {
  const runs = lineRuns(oldLines, newLines);
  const isWhole = newLines.length <= WHOLE_LINES_MAX;
  const result: DiffLine[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index];
    if (run === undefined) break;
    const next = runs[index + 1];
    if (run.kind === 'removed' && next?.kind === 'added') {
      result.push(...replaced(run.lines, next.lines));
      index += 1;
    } else if (run.kind === 'same') {
      result.push(...(isWhole ? whole(run) : context(run.lines, index === 0, index === runs.length - 1)));
    } else {
      result.push(...whole(run));
    }
  }
  return result;
}

function lineRuns(oldLines: readonly Visible[], newLines: readonly Visible[]): readonly Run[] {
  const edits = diffArrays([...oldLines], [...newLines], { maxEditLength: LINE_EDITS_MAX });
  if (edits === undefined) return runsBetweenEnds(oldLines, newLines);
  return edits.map(({ removed, added, value }) => ({
    kind: removed ? 'removed' : added ? 'added' : 'same',
    lines: value,
  }));
}

/** For texts that differ too much: equal ends, and everything between them changed. */
function runsBetweenEnds(oldLines: readonly Visible[], newLines: readonly Visible[]): readonly Run[] {
  const { head, tail } = equalEnds(oldLines, newLines);
  const runs: readonly Run[] = [
    { kind: 'same', lines: oldLines.slice(0, head) },
    { kind: 'removed', lines: oldLines.slice(head, oldLines.length - tail) },
    { kind: 'added', lines: newLines.slice(head, newLines.length - tail) },
    { kind: 'same', lines: oldLines.slice(oldLines.length - tail) },
  ];
  return runs.filter(({ lines }) => lines.length > 0);
}

/** As many new lines as old ones, and some similar: probably the same lines, edited. */
function replaced(oldLines: readonly Visible[], newLines: readonly Visible[]): readonly DiffLine[] {
  const blocks = [
    ...whole({ kind: 'removed', lines: oldLines }),
    ...whole({ kind: 'added', lines: newLines }),
  ];
  if (oldLines.length !== newLines.length || oldLines.length > PAIRS_MAX) return blocks;
  const pairs = oldLines.map((oldLine, index) => {
    const newLine = newLines[index] ?? shown``;
    return { oldLine, newLine, pieces: diffWords(oldLine, newLine) };
  });
  if (pairs.length > 1 && pairs.every(({ pieces }) => pieces === null)) return blocks;
  return pairs.flatMap(({ oldLine, newLine, pieces }): readonly DiffLine[] => {
    return pieces === null ? apart(oldLine, newLine) : [{ kind: 'changed', pieces: elide(pieces) }];
  });
}

/** Two lines below each other. Long ones begin at their first difference. */
function apart(oldLine: Visible, newLine: Visible): readonly DiffLine[] {
  if (fits(oldLine, WHOLE_COLUMNS_MAX) && fits(newLine, WHOLE_COLUMNS_MAX)) {
    return [
      { kind: 'removed', text: oldLine },
      { kind: 'added', text: newLine },
    ];
  }
  const pieces = elide(diffBetweenEnds(oldLine, newLine));
  return [
    { kind: 'removed', text: versionOf(pieces, 'removed') },
    { kind: 'added', text: versionOf(pieces, 'added') },
  ];
}

/** Equal lines: those next to an edit, and the number of hidden ones. */
function context(lines: readonly Visible[], first: boolean, last: boolean): readonly DiffLine[] {
  const head = first ? 0 : CONTEXT_LINES;
  const tail = last ? 0 : CONTEXT_LINES;
  // A gap for one line would be as long as the line.
  if (lines.length <= head + tail + 1) return lines.map((text) => ({ kind: 'same', text }));
  return [
    ...lines.slice(0, head).map((text) => ({ kind: 'same', text }) as const),
    { kind: 'gap', lines: lines.length - head - tail },
    ...lines.slice(lines.length - tail).map((text) => ({ kind: 'same', text }) as const),
  ];
}

function whole({ kind, lines }: Run): readonly DiffLine[] {
  return lines.map((text) => ({ kind, text }));
}
