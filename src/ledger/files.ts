import type { Files } from '../domain/ports.ts';
import { ledgerText } from './ledger.ts';
import { LEDGER_PATH } from './ledger-file.ts';
import type { CompactedLine, LedgerLine } from './lines.ts';
import { withOrigins } from './origins.ts';
import { rawLines } from './raw-lines.ts';

const ARCHIVES = '.herald/ledger-archive-*.ndjson';

/** Where a compaction of that day puts what leaves the ledger. */
export function archivePath(at: string): string {
  return `.herald/ledger-archive-${at.slice(0, 10)}.ndjson`;
}

/** Everything on record, with what compactions have put away. */
export interface WholeRecord {
  /** Each line once. */
  readonly lines: readonly LedgerLine[];
  /** Places that could not be read, as `file:line`; without a last line of the ledger that a crash cut short. */
  readonly damaged: readonly string[];
  /** Archives that the ledger names and that are not here. */
  readonly missing: readonly CompactedLine[];
}

/** Reads the ledger and its archives. Rejects with a Node error where one cannot be read. */
export async function readWholeRecord(files: Files): Promise<WholeRecord> {
  const archives = await files.glob([ARCHIVES]);
  const lines = new Map<string, LedgerLine>();
  const damaged: string[] = [];
  for (const path of [...archives, LEDGER_PATH]) {
    const text = path === LEDGER_PATH ? await ledgerText(files) : await files.readText(path);
    for (const raw of rawLines(text)) {
      if (raw.isTorn && path === LEDGER_PATH) continue;
      if (raw.line === null) damaged.push(`${path}:${raw.number}`);
      else lines.set(raw.text, raw.line);
    }
  }
  // A compaction may have parted a line from those that say whose it is.
  const all = withOrigins([...lines.values()]);
  const missing = all.filter(
    (line): line is CompactedLine =>
      // Those of a simulator stand beside one for everybody.
      line.type === 'compacted' && line.origin === undefined && !archives.includes(line.archive ?? ''),
  );
  return { lines: all, damaged, missing };
}
