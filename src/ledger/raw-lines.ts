import { parseLedger, type LedgerLine } from './lines.ts';
import { withOrigins } from './origins.ts';

/** One line of a ledger's text as it stands there, with what it is to this version. */
export interface RawLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Null where it cannot be read. */
  readonly line: LedgerLine | null;
  /** Whole, and of a kind that a later version writes: not to be touched. */
  readonly isLater: boolean;
  /** Without its line break at the very end of the file: cut short by a crash. */
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
  const all = texts.flatMap((raw, index): readonly RawLine[] => {
    if (raw.trim() === '') return [];
    const line = parseLedger(raw).lines[0] ?? null;
    const isLast = index === texts.length - 1;
    return [
      {
        number: index + 1,
        text: raw,
        line,
        isLater: line === null && isOfLaterVersion(raw),
        isTorn: line === null && isLast && !isOfLaterVersion(raw),
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

function isOfLaterVersion(raw: string): boolean {
  try {
    const value: unknown = JSON.parse(raw);
    if (typeof value !== 'object' || value === null || !('v' in value) || !('type' in value)) return false;
    if (typeof value.v !== 'number' || typeof value.type !== 'string') return false;
    return value.v > 1 || (value.v === 1 && !Object.hasOwn(TYPES, value.type));
  } catch {
    return false;
  }
}
