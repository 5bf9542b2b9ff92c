import { checkLedger as check, type CheckOptions, type LedgerHealth } from '../../src/ledger/check.ts';
import { compactLedger as compact, type CompactOptions, type Compaction } from '../../src/ledger/compact.ts';
import { withoutReturn } from '../../src/host/byte-lines.ts';
import type { Passes } from '../../src/ledger/passes.ts';
import { RawLines, type HeldLine } from '../../src/ledger/raw-lines.ts';

/** A compaction of a ledger's text, with the texts of what stays and what leaves. */
export interface CompactedText {
  readonly text: string;
  readonly moved: readonly string[];
  readonly repeated: number;
  readonly damaged: readonly number[];
  readonly linesBefore: number;
  readonly linesAfter: number;
}

export function compactLedger(text: string, options: CompactOptions): CompactedText {
  const compaction = compactionOf(text, options);
  const { marks, instead, isMoved, repeated, damaged, linesBefore, linesAfter, movedLines } = compaction;
  const all = rawLines(text);
  const lines = all.flatMap((raw) => instead(raw.number) ?? (raw.isTorn ? [] : [raw.text]));
  return {
    text: movedLines + repeated === 0 ? text : [...marks, ...lines].map((line) => `${line}\n`).join(''),
    moved: all.flatMap((raw) => (isMoved(raw.number) ? [raw.text] : [])),
    repeated,
    damaged,
    linesBefore,
    linesAfter,
  };
}

export function compactionOf(text: string, options: CompactOptions): Compaction {
  return throughText(text, compact(options));
}

export function checkLedger(
  text: string,
  options: Omit<CheckOptions, 'name' | 'bytes'> & { readonly bytes?: number },
): LedgerHealth {
  return throughText(text, check({ name: 'the ledger', bytes: Buffer.byteLength(text), ...options }));
}

/** Gives the lines of a text to each pass, as a store does. */
function throughText<Result>(text: string, passes: Passes<Result>): Result {
  for (let next = passes.next(); ; next = passes.next()) {
    if (next.done === true) return next.value;
    for (const { written, number } of textsOf(text)) next.value(written, number);
  }
}

/** Every line of the text but the empty ones, with its text. */
export function rawLines(text: string): readonly (HeldLine & { readonly text: string })[] {
  const texts = text.split('\n');
  return linesOf(text)
    .all()
    .map((raw) => ({ ...raw, text: withoutReturn(texts[raw.number - 1] ?? '') }));
}

function linesOf(text: string): RawLines {
  const lines = new RawLines();
  for (const { written, number } of textsOf(text)) lines.take(written, number);
  return lines;
}

function textsOf(text: string) {
  const texts = text.split('\n');
  return texts.map((line, index) => ({
    written: withoutReturn(line),
    number: index + 1,
  }));
}
