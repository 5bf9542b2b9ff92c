import { diffArrays } from 'diff';
import { parse } from 'yaml';
import { canonical } from '../domain/digest.ts';
import { escapeUnseen } from './texts.ts';

/**
 * Returns `changed`, with the original lines where nothing changed. Printing a document normalises spaces and folds.
 * `printed` is `original` printed without a change, so it differs from `changed` only by the change. Returns
 * `changed` if the lines do not match.
 */
export function keepLines(original: string, printed: string, changed: string): string {
  if (printed === changed) return original;
  const [before, after] = [linesOf(printed), linesOf(changed)];
  const { first, edits } = lineEditsOf(before, after);
  const kept = blocksOf(linesOf(original), before).flatMap((block) => rebuildBlock(block, before, edits));
  const text = `${[...first, ...kept].join('\n')}\n`;
  const whole = saysTheSame(text, changed)
    ? text
    : `${[...first, ...onlyPrinted(edits, before)].join('\n')}\n`;
  return original.includes('\r\n') ? whole.replaceAll('\n', '\r\n') : whole;
}

/** Keeps the original lines if all of them are unchanged. Otherwise uses the printed ones, re-indented. */
function rebuildBlock(
  { original, from, to }: Block,
  before: readonly string[],
  edits: readonly LineEdit[],
): readonly string[] {
  const own = edits.slice(from, to);
  const last = own.at(-1);
  const shift = indentOf(original.at(-1) ?? before[to - 1]) - indentOf(before[to - 1]);
  const move = (lines: readonly string[]) => lines.map((line) => moved(line, shift));
  const isWhole = own.every((fate) => fate.stays && (fate === last || fate.behind.length === 0));
  if (isWhole) return [...original, ...move(last?.behind ?? [])];
  return own.flatMap(({ stays, behind }, index) =>
    move([...(stays ? [before[from + index] ?? ''] : []), ...behind]),
  );
}

function indentOf(line = ''): number {
  return line.length - line.trimStart().length;
}

function moved(line: string, shift: number): string {
  if (line === '' || shift === 0) return line;
  return shift > 0 ? ' '.repeat(shift) + line : line.slice(Math.min(-shift, indentOf(line)));
}

/** The edit of a printed line, and the new lines after it. */
interface LineEdit {
  stays: boolean;
  readonly behind: string[];
}

/** The edit of each line. `first` are new lines before all of them. */
function lineEditsOf(
  before: readonly string[],
  after: readonly string[],
): { readonly first: readonly string[]; readonly edits: readonly LineEdit[] } {
  const first: string[] = [];
  const edits: LineEdit[] = before.map(() => ({ stays: true, behind: [] }));
  let at = 0;
  for (const part of diffArrays([...before], [...after])) {
    if (part.added) {
      (edits[at - 1]?.behind ?? first).push(...part.value.map(escapeUnseen));
      continue;
    }
    for (let index = 0; index < part.value.length; index += 1, at += 1) {
      const fate = edits[at];
      if (fate !== undefined && part.removed) fate.stays = false;
    }
  }
  return { first, edits };
}

/** Original lines for the printed lines from `from` up to `to`. */
interface Block {
  readonly original: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** One to one if lines differ only in spaces. Folded texts make longer blocks. */
function blocksOf(original: readonly string[], printed: readonly string[]): readonly Block[] {
  const blocks: Block[] = [];
  let [at, from] = [0, 0];
  let waiting: string[] = [];
  for (const part of diffArrays(original.map(withoutSpaces), printed.map(withoutSpaces))) {
    const count = part.value.length;
    if (part.removed) {
      waiting = original.slice(at, at + count);
      at += count;
    } else if (part.added) {
      blocks.push({ original: waiting, from, to: from + count });
      waiting = [];
      from += count;
    } else {
      for (let index = 0; index < count; index += 1, at += 1, from += 1) {
        blocks.push({ original: [...waiting, original[at] ?? ''], from, to: from + 1 });
        waiting = [];
      }
    }
  }
  const last = blocks.pop();
  return last === undefined ? [] : [...blocks, { ...last, original: [...last.original, ...waiting] }];
}

function withoutSpaces(line: string): string {
  return line.replace(/\s+/g, '');
}

function onlyPrinted(edits: readonly LineEdit[], before: readonly string[]): readonly string[] {
  return edits.flatMap(({ stays, behind }, index) => [...(stays ? [before[index] ?? ''] : []), ...behind]);
}

/** The lines, without the empty one after the last line break. */
function linesOf(text: string): readonly string[] {
  return text.replace(/\r\n/g, '\n').replace(/\n+$/, '').split('\n');
}

function saysTheSame(left: string, right: string): boolean {
  try {
    return canonical(parse(left)) === canonical(parse(right));
  } catch {
    return false;
  }
}
