import { StateError } from '../domain/state-error.ts';
import { firstBytes } from './byte-lines.ts';
import { LEDGER_PATH, openIfThere } from './ledger-file.ts';
import type { LineFiles, ReadFile } from './line-files.ts';

/**
 * Replaces the ledger by an edit of the file that was opened, in one step. Nothing that is written meanwhile is lost:
 *
 * | meanwhile                                          | then                                  |
 * |----------------------------------------------------|---------------------------------------|
 * | a process adds a line to that file                 | the new file gets the line, too       |
 * | another file replaces it, as by a `git pull`        | nothing is replaced                   |
 */
export async function replaceLedger(
  files: LineFiles,
  old: ReadFile,
  edited: (bytes: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>,
): Promise<void> {
  const copy = new Copy();
  await files.writeAtomically(LEDGER_PATH, edited(copy.of(old.bytesFrom(0))), {
    beforeReplace: () => refuseReplaced(files, old, copy.bytes),
  });
  const late = await copy.addedSince(old);
  if (late === '') return;
  // Another process has the old file open, or had: a stop by hand does not wait for this run.
  const file = await files.openForAppend(LEDGER_PATH);
  try {
    await file.append(late);
  } finally {
    await file.close();
  }
}

/** How much of a file was copied. */
class Copy {
  bytes = 0;
  /** Those up to the last line break. */
  #lineBytes = 0;

  async *of(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
    for await (const piece of pieces) {
      const end = piece.lastIndexOf(NEW_LINE);
      if (end !== -1) this.#lineBytes = this.bytes + end + 1;
      this.bytes += piece.byteLength;
      yield piece;
    }
  }

  /** The lines that the file got since; a last one that was copied in part is given as a whole. */
  async addedSince(file: ReadFile): Promise<string> {
    const added = await firstBytes(file.bytesFrom(this.#lineBytes), Number.POSITIVE_INFINITY);
    if (this.#lineBytes + added.byteLength <= this.bytes) return '';
    const text = added.toString('utf8');
    return text.endsWith('\n') ? text : `${text}\n`;
  }
}

const NEW_LINE = 10;

async function refuseReplaced(files: LineFiles, old: ReadFile, bytes: number): Promise<void> {
  const there = await openIfThere(files, LEDGER_PATH);
  await there?.close();
  if (there !== null && there.id === old.id && there.size >= bytes) return;
  throw new StateError(
    'state-failed',
    `${LEDGER_PATH}: nothing was changed, because another file has taken its place, as after a git pull.`,
    'Run the command again.',
  );
}
