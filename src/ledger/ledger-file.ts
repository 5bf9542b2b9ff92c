import type { Files, ReadFile } from '../domain/ports.ts';

export const LEDGER_PATH = '.herald/ledger.ndjson';

/** Null where there is none. Rejects where it cannot be read: one that must not be looked at is not taken for none. */
export async function openLedger(files: Files): Promise<ReadFile | null> {
  try {
    return await files.openForReading(LEDGER_PATH);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}
