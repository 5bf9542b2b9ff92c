import type { LedgerLine } from './lines.ts';
import { parseLedger, withoutTornEnd } from './parse.ts';
import { withOrigins } from './origins.ts';

/**
 * One line of a ledger's text as it stands there, with what it is to this version. A line break of Windows is none of
 * its text: git may give one branch such breaks and not the other, and both say the same.
 */
export interface RawLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Null where it cannot be read. */
  readonly line: LedgerLine | null;
  /** Whole, and of a kind that a later version writes: not to be touched. */
  readonly isLater: boolean;
  /** At the very end of the file, without a line break, and no whole object: cut short by a crash. */
  readonly isTorn: boolean;
}

/** Every kind of line that this version reads. */
const TYPES = {
  intent: true,
  outcome: true,
  seen: true,
  protection: true,
  rewrite: true,
  act: true,
  acknowledged: true,
  known: true,
  compacted: true,
} as const satisfies Record<LedgerLine['type'], true>;

/** Every line of the text but the empty ones. */
export function rawLines(text: string): readonly RawLine[] {
  const texts = text.split('\n');
  const all = texts.flatMap((written, index): readonly RawLine[] => {
    const raw = written.endsWith('\r') ? written.slice(0, -1) : written;
    if (raw.trim() === '') return [];
    const line = parseLedger(raw).lines[0] ?? null;
    const isLast = index === texts.length - 1;
    return [
      {
        number: index + 1,
        text: raw,
        line,
        isLater: line === null && isOfLaterVersion(raw),
        isTorn: line === null && isLast && parsedObject(raw) === null,
      },
    ];
  });
  const named = withOrigins(readableLines(all)).values();
  return all.map((raw) => (raw.line === null ? raw : { ...raw, line: named.next().value ?? raw.line }));
}

/** The lines that this version reads. */
export function readableLines(lines: readonly RawLine[]): readonly LedgerLine[] {
  return lines.flatMap(({ line }) => (line === null ? [] : [line]));
}

/**
 * The text without a last line that a crash cut short, ending in a line break. What is whole stays, also where this
 * version cannot read it: somebody wrote it, so its request may have left.
 */
export function withoutTornLine(text: string): string {
  const [last] = rawLines(text.slice(text.lastIndexOf('\n') + 1));
  return last === undefined || last.isTorn ? withoutTornEnd(text) : `${text}\n`;
}

function isOfLaterVersion(raw: string): boolean {
  const value = parsedObject(raw);
  if (value === null || !('v' in value) || !('type' in value)) return false;
  if (typeof value.v !== 'number' || typeof value.type !== 'string') return false;
  return value.v > 1 || (value.v === 1 && !Object.hasOwn(TYPES, value.type));
}

/** Whether the text is a whole object, whatever it says: a crash has not cut it short. */
export function isWhole(text: string): boolean {
  return parsedObject(text) !== null;
}

function parsedObject(raw: string): object | null {
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
