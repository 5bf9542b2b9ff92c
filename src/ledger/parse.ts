import { ledgerLineShape, type LedgerLine } from './lines.ts';
import { withOrigins } from './origins.ts';
import { quickLine } from './quick-line.ts';

export interface ParsedLedger {
  readonly lines: readonly LedgerLine[];
  /** Numbers of lines that could not be read, from 1; the last one may be torn by a crash. */
  readonly damaged: readonly number[];
}

/** Reads a ledger line by line, and says of each line whom it is about. A damaged line costs precision, so it is reported and passed over. */
export function parseLedger(text: string): ParsedLedger {
  const lines: LedgerLine[] = [];
  const damaged: number[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    const parsed = parseLine(line);
    if (parsed === null) damaged.push(index + 1);
    else lines.push(parsed);
  });
  return { lines: withOrigins(lines), damaged };
}

/** One line; null where it is empty or cannot be read. */
export function parseLine(line: string): LedgerLine | null {
  return quickLine(line) ?? parseAnyLine(line);
}

/** The same of every spelling. */
export function parseAnyLine(line: string): LedgerLine | null {
  const parsed = ledgerLineShape.safeParse(parsedOrNull(line));
  return parsed.success ? parsed.data : null;
}

function parsedOrNull(line: string): unknown {
  try {
    // An editor may have left a mark of its byte order before the first one.
    return JSON.parse(line.trim());
  } catch {
    return null;
  }
}
