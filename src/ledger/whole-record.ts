import type { LedgerLines, LedgerStore } from '../domain/ledger-store.ts';
import { archiveDay } from '../domain/ledger-transfer.ts';
import type { CompactedLine, LedgerLine } from './lines.ts';
import { withOrigins } from './origins.ts';
import { RawLines, rawLinesOf, type KeepsContent } from './raw-lines.ts';

/** Everything on record, with what compactions have put away. */
export interface WholeRecord {
  /** Each line once. */
  readonly lines: readonly LedgerLine[];
  /** Places that could not be read, as `name:line`; without a last line of the ledger that a crash cut short. */
  readonly damaged: readonly string[];
  /** Archives that the ledger names and that are not here. */
  readonly missing: readonly CompactedLine[];
}

/** Reads the ledger and its archives. Rejects if one of them cannot be read. */
export async function readWholeRecord(
  store: LedgerStore,
  keepsContent: KeepsContent = () => false,
): Promise<WholeRecord> {
  const archives = await store.archives();
  const lines = new Map<string, LedgerLine>();
  const damaged: string[] = [];
  for (const source of [...archives, store]) {
    const { name } = source;
    for (const raw of (await allOf(await source.open(), keepsContent)).all()) {
      if (raw.isTorn && name === store.name) continue;
      if (raw.line === null) damaged.push(`${name}:${raw.number}`);
      else lines.set(raw.key, raw.line);
    }
  }
  // A compaction may have separated a line from the lines that name its service.
  const all = withOrigins([...lines.values()]);
  const missing = all.filter(
    (line): line is CompactedLine =>
      // Those of a simulator or of an alias are in addition to a shared one.
      line.type === 'compacted' &&
      line.origin === undefined &&
      line.account === undefined &&
      !archives.some(({ name }) => line.archive !== null && archiveDay(name) === archiveDay(line.archive)),
  );
  return { lines: all, damaged, missing };
}

async function allOf(lines: LedgerLines, keepsContent?: KeepsContent): Promise<RawLines> {
  try {
    return await rawLinesOf(lines, keepsContent);
  } finally {
    await lines.close();
  }
}
