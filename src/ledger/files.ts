import type { Files, ReadFile } from '../domain/ports.ts';
import { LEDGER_PATH, openLedger } from './ledger-file.ts';
import type { CompactedLine, LedgerLine } from './lines.ts';
import { withOrigins } from './origins.ts';
import { RawLines, rawLinesOf, type KeepsContent } from './raw-lines.ts';

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
export async function readWholeRecord(
  files: Files,
  keepsContent: KeepsContent = () => false,
): Promise<WholeRecord> {
  const archives = await files.glob([ARCHIVES]);
  const lines = new Map<string, LedgerLine>();
  const damaged: string[] = [];
  for (const path of [...archives, LEDGER_PATH]) {
    const file = path === LEDGER_PATH ? await openLedger(files) : await files.openForReading(path);
    if (file === null) continue;
    for (const raw of (await allOf(file, keepsContent)).all()) {
      if (raw.isTorn && path === LEDGER_PATH) continue;
      if (raw.line === null) damaged.push(`${path}:${raw.number}`);
      else lines.set(raw.key, raw.line);
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

/** Every line of the ledger; none where there is no ledger. Rejects with a Node error where it cannot be read. */
export async function readAllLines(files: Files): Promise<RawLines> {
  const file = await openLedger(files);
  return file === null ? new RawLines() : allOf(file);
}

async function allOf(file: ReadFile, keepsContent?: KeepsContent): Promise<RawLines> {
  try {
    return await rawLinesOf(file.bytesFrom(0), keepsContent);
  } finally {
    await file.close();
  }
}
