import { checkLedger as check, type CheckOptions, type LedgerHealth } from '../../src/ledger/check.ts';
import { compactLedger as compact, type CompactOptions } from '../../src/ledger/compact.ts';
import { withoutReturn } from '../../src/host/byte-lines.ts';
import { wholeObject } from '../../src/domain/whole-object.ts';
import { RawLines, type RawLine } from '../../src/ledger/raw-lines.ts';

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
  const { marks, edits, moved, ...counts } = compact(linesOf(text).all(), options);
  const all = rawLines(text);
  const lines = all.flatMap((raw) => edits.get(raw.number) ?? (raw.isTorn ? [] : [raw.text]));
  const { repeated, damaged, linesBefore, linesAfter } = counts;
  return {
    text: edits.size === 0 ? text : [...marks, ...lines].map((line) => `${line}\n`).join(''),
    moved: all.flatMap((raw) => (moved.has(raw.number) ? [raw.text] : [])),
    repeated,
    damaged,
    linesBefore,
    linesAfter,
  };
}

export function checkLedger(text: string, options: Omit<CheckOptions, 'name' | 'bytes'>): LedgerHealth {
  return check(linesOf(text).all(), { name: 'the ledger', bytes: Buffer.byteLength(text), ...options });
}

/** Every line of the text but the empty ones, with its text. */
export function rawLines(text: string): readonly (RawLine & { readonly text: string })[] {
  const texts = text.split('\n');
  return linesOf(text)
    .all()
    .map((raw) => ({ ...raw, text: withoutReturn(texts[raw.number - 1] ?? '') }));
}

function linesOf(text: string): RawLines {
  const lines = new RawLines();
  const texts = text.split('\n');
  for (const [index, line] of texts.entries()) {
    const isTorn = index === texts.length - 1 && wholeObject(line) === null;
    lines.take(withoutReturn(line), index + 1, isTorn);
  }
  return lines;
}
