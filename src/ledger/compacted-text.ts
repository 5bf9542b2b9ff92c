import type { Files, ReadFile } from '../domain/ports.ts';
import { linesIn } from './byte-lines.ts';
import type { Compaction } from './compact.ts';
import { isWhole, withoutReturn } from './raw-lines.ts';
import { textKey } from './text-key.ts';

/**
 * The ledger as the compaction leaves it, from the bytes of its file. What was added since the compaction was made
 * stands at its end.
 */
export async function* compactedText(
  pieces: AsyncIterable<Uint8Array>,
  { marks, edits, torn }: Compaction,
): AsyncGenerator<Uint8Array, void> {
  yield bytesOf(marks);
  for await (const lines of numbered(pieces))
    yield bytesOf(
      lines.flatMap(({ text, number }) => {
        // Another run may have been writing it.
        if (number === torn && !isWhole(text)) return [];
        return edits.get(number) ?? [text];
      }),
    );
}

/** What was put away on the same day before, and behind it the lines that leave the ledger now. */
export async function* archiveText(
  files: Files,
  archive: string,
  ledger: ReadFile,
  moved: ReadonlySet<number>,
): AsyncGenerator<Uint8Array, void> {
  const known = new Set<string>();
  if (await files.exists(archive)) {
    const earlier = await files.openForReading(archive);
    try {
      for await (const lines of linesIn(earlier.bytesFrom(0))) {
        for (const text of lines) known.add(textKey(text));
        yield bytesOf(lines);
      }
    } finally {
      await earlier.close();
    }
  }
  for await (const lines of numbered(ledger.bytesFrom(0)))
    yield bytesOf(
      lines.flatMap(({ text, number }) => {
        if (!moved.has(number) || known.has(textKey(text))) return [];
        return [text];
      }),
    );
}

interface Numbered {
  readonly text: string;
  readonly number: number;
}

/** The lines of a ledger but the empty ones, those of one piece at a time. */
async function* numbered(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly Numbered[], void> {
  let before = 0;
  for await (const lines of linesIn(pieces)) {
    const first = before + 1;
    before += lines.length;
    yield lines
      .map((written, index) => ({ text: withoutReturn(written), number: first + index }))
      .filter(({ text }) => text.trim() !== '');
  }
}

function bytesOf(lines: readonly string[]): Uint8Array {
  return Buffer.from(lines.map((line) => `${line}\n`).join(''));
}
