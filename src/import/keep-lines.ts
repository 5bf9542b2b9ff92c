import { diffArrays } from 'diff';
import { parse } from 'yaml';
import { canonical } from '../domain/digest.ts';
import { escapeUnseen } from './texts.ts';

/**
 * `changed` with every line as it stands in `original` where nothing changed. Printing a document evens out
 * spaces and folds: `printed` is `original` printed without a change, so that what differs between it and
 * `changed` is the change alone. Falls back to `changed` where the lines do not fit together.
 */
export function keepLines(original: string, printed: string, changed: string): string {
  if (printed === changed) return original;
  const [before, after] = [linesOf(printed), linesOf(changed)];
  const { first, fates } = fatesOf(before, after);
  const kept = blocksOf(linesOf(original), before).flatMap((block) => mend(block, before, fates));
  const text = `${[...first, ...kept].join('\n')}\n`;
  const whole = saysTheSame(text, changed)
    ? text
    : `${[...first, ...onlyPrinted(fates, before)].join('\n')}\n`;
  return original.includes('\r\n') ? whole.replaceAll('\n', '\r\n') : whole;
}

/** The original lines where all of their printed ones stay, otherwise what is left of these, moved to where they stood. */
function mend(
  { original, from, to }: Block,
  before: readonly string[],
  fates: readonly Fate[],
): readonly string[] {
  const own = fates.slice(from, to);
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

/** What became of a printed line, and the new lines that stand behind it now. */
interface Fate {
  stays: boolean;
  readonly behind: string[];
}

/** The fate of each line; `first` are new lines before all of them. */
function fatesOf(
  before: readonly string[],
  after: readonly string[],
): { readonly first: readonly string[]; readonly fates: readonly Fate[] } {
  const first: string[] = [];
  const fates: Fate[] = before.map(() => ({ stays: true, behind: [] }));
  let at = 0;
  for (const part of diffArrays([...before], [...after])) {
    if (part.added) {
      (fates[at - 1]?.behind ?? first).push(...part.value.map(escapeUnseen));
      continue;
    }
    for (let index = 0; index < part.value.length; index += 1, at += 1) {
      const fate = fates[at];
      if (fate !== undefined && part.removed) fate.stays = false;
    }
  }
  return { first, fates };
}

/** Lines of the original that belong to the printed lines from `from` to before `to`. */
interface Block {
  readonly original: readonly string[];
  readonly from: number;
  readonly to: number;
}

/** One to one where the lines differ in spaces alone; folded texts make longer blocks. */
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

function onlyPrinted(fates: readonly Fate[], before: readonly string[]): readonly string[] {
  return fates.flatMap(({ stays, behind }, index) => [...(stays ? [before[index] ?? ''] : []), ...behind]);
}

/** Without the empty line behind the last line break. */
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
