import type { Files } from '../domain/ports.ts';
import { eachLine, upTo } from './byte-lines.ts';
import { LEDGER_PATH, openLedger } from './ledger-file.ts';

/** Takes out a last line that a crash cut short: its request never left. */
export async function cutTornLine(files: Files, { bytes }: { readonly bytes: number }): Promise<void> {
  const file = await files.openForReading(LEDGER_PATH);
  try {
    await files.writeAtomically(LEDGER_PATH, upTo(file.bytesFrom(0), bytes));
  } finally {
    await file.close();
  }
}

/** Those of the lines that are not in the file, as after another one has taken its place. */
export async function linesMissing(files: Files, lines: readonly string[]): Promise<readonly string[]> {
  const missing = new Set(lines.map((line) => line.trimEnd()));
  if (missing.size === 0) return [];
  const file = await openLedger(files);
  if (file === null) return lines;
  try {
    await eachLine(file.bytesFrom(0), (text) => missing.delete(text.trimEnd()));
  } finally {
    await file.close();
  }
  return lines.filter((line) => missing.has(line.trimEnd()));
}
