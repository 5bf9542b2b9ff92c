import type { LedgerEdit } from '../domain/ledger-store.ts';
import { textKey } from '../domain/text-key.ts';
import { linesIn, withoutReturn } from './byte-lines.ts';
import { encodeLines } from './ledger-file.ts';
import type { LineFiles } from './line-files.ts';

/** The ledger as the compaction leaves it. What was added since the compaction was made is at its end. */
export async function* compactedText(
  pieces: AsyncIterable<Uint8Array>,
  { marks, instead }: LedgerEdit,
): AsyncGenerator<Uint8Array, void> {
  yield encodeLines(marks);
  for await (const lines of numbered(pieces))
    yield encodeLines(lines.flatMap(({ text, number }) => instead(text, number) ?? [text]));
}

/** The lines that were put away on the same day before, then those that leave the ledger now. */
export async function* archiveText(
  files: LineFiles,
  ledger: AsyncIterable<Uint8Array>,
  { archive, isArchived }: LedgerEdit,
): AsyncGenerator<Uint8Array, void> {
  const known = new Set<string>();
  if (archive !== null && (await files.exists(archive))) {
    const earlier = await files.openForReading(archive);
    try {
      for await (const lines of linesIn(earlier.bytesFrom(0))) {
        for (const text of lines) known.add(textKey(text));
        yield encodeLines(lines);
      }
    } finally {
      await earlier.close();
    }
  }
  for await (const lines of numbered(ledger))
    yield encodeLines(
      lines.flatMap(({ text, number }) =>
        isArchived(text, number) && !known.has(textKey(text)) ? [text] : [],
      ),
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
      .map((text, index) => ({ text: withoutReturn(text), number: first + index }))
      .filter(({ text }) => text.trim() !== '');
  }
}
