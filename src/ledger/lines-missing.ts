import { LEDGER_BEGIN, type LedgerStore } from '../domain/ledger-store.ts';

/** Those of the lines that the ledger does not have, as after another file has taken its place. */
export async function linesMissing(store: LedgerStore, lines: readonly string[]): Promise<readonly string[]> {
  const missing = new Set(lines);
  if (missing.size === 0) return [];
  const there = await store.open();
  try {
    await there.read(LEDGER_BEGIN, (text) => missing.delete(text));
  } finally {
    await there.close();
  }
  return lines.filter((line) => missing.has(line));
}
