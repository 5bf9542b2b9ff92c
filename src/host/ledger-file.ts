import { wholeObject } from '../domain/whole-object.ts';
import { lastLine, upTo } from './byte-lines.ts';
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

/**
 * Prepares the file for the next line. Returns whether a line break has to be added first.
 *
 * | after the last line break | alone             | while another run may be writing |
 * |---------------------------|-------------------|----------------------------------|
 * | nothing                   | stays             | stays                            |
 * | a whole line              | gets a line break | gets a line break                |
 * | a part of a line          | is removed        | gets a line break                |
 */
export async function repairEnd(files: LineFiles, isAlone: boolean): Promise<boolean> {
  const file = await openIfThere(files, LEDGER_PATH);
  if (file === null) return false;
  try {
    const { text, start } = await lastLine(file);
    if (text === '') return false;
    if (!isAlone || wholeObject(text) !== null) return true;
    // Copied and not cut off in place: another process may have it open, and knows how far it has read.
    await files.writeAtomically(LEDGER_PATH, upTo(file.bytesFrom(0), start));
    return false;
  } finally {
    await file.close();
  }
}

/** The text of lines in a file, as bytes. */
export function bytesOf(lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}
