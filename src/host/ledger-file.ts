import type { LineFiles, ReadFile } from './line-files.ts';

export const LEDGER_PATH = '.herald/ledger.ndjson';
export const LEDGER_ARCHIVES = '.herald/ledger-archive-*.ndjson';

/** The archive of the compactions of a day, which begins this text. */
export function archivePath(at: string): string {
  return `.herald/ledger-archive-${at.slice(0, 10)}.ndjson`;
}

/** Null where there is none. Rejects where it cannot be read. */
export async function openIfThere(
  files: Pick<LineFiles, 'openForReading'>,
  path: string,
): Promise<ReadFile | null> {
  try {
    return await files.openForReading(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw error;
  }
}

/** The text of lines in a file, as bytes. */
export function encodeLines(lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}
