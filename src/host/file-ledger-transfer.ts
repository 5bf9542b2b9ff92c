import type { LedgerMark, LedgerPlace, LedgerTransfer, LinePages } from '../domain/ledger-transfer.ts';
import { textKey } from '../domain/text-key.ts';
import { linesIn, withoutReturn } from './byte-lines.ts';
import { encodeLines, LEDGER_PATH, openIfThere } from './ledger-file.ts';
import { markAtEnd, markIn, markLine } from './ledger-mark-line.ts';
import type { LineFiles } from './line-files.ts';
import { unlessLost } from './unless-lost.ts';

export const FILE_PLACE: LedgerPlace = { name: LEDGER_PATH, as: '.herald' };

/** Moves a ledger of files. Its mark is a line, which stays with the ledger in git and in a cache. */
export function fileLedgerTransfer(files: LineFiles): LedgerTransfer {
  return {
    place: FILE_PLACE,
    mark: async () => {
      let found: LedgerMark | null = null;
      for await (const page of pagesOf(files, LEDGER_PATH))
        for (const line of page) found = markIn(line) ?? found;
      return found;
    },
    setMark: async (mark) => {
      const file = await openIfThere(files, LEDGER_PATH);
      const { size: bytes } = file ?? { size: 0 };
      await file?.close();
      const lines = await countOf(linesOf(files, LEDGER_PATH));
      const end = await files.openForAppend(LEDGER_PATH);
      await end.append(`${markLine({ ...mark, lines, bytes })}\n`);
      await end.close();
    },
    lines: () => linesOf(files, LEDGER_PATH),
    unite: async (lines, mark, lease) => {
      const united = new Union(files, LEDGER_PATH);
      const end = mark === null ? [] : [markLine({ ...mark, lines: 0, bytes: 0 })];
      await files.writeAtomically(LEDGER_PATH, unlessLost(lease, united.bytes(lines, end)));
      return united.added;
    },
    uniteArchive: async (name, lines) => files.writeAtomically(name, new Union(files, name).bytes(lines, [])),
    leftover: async () => {
      const file = await openIfThere(files, LEDGER_PATH);
      if (file === null) return null;
      try {
        const end = await markAtEnd(file);
        if (end === null) return (await isEmpty(files)) ? null : { mark: null, lines: 0, hasMore: true };
        const { mark, start } = end;
        // Another number of bytes may only be another kind of line breaks.
        const isWhole = start === mark.bytes || (await countOf(linesOf(files, LEDGER_PATH))) === mark.lines;
        return { mark, lines: mark.lines, hasMore: !isWhole };
      } finally {
        await file.close();
      }
    },
  };
}

/** A file of lines with others added that it does not have. */
class Union {
  readonly #files: LineFiles;
  readonly #path: string;
  readonly #known = new Set<string>();
  added = 0;

  constructor(files: LineFiles, path: string) {
    this.#files = files;
    this.#path = path;
  }

  async *bytes(others: LinePages, end: readonly string[]): AsyncGenerator<Uint8Array, void> {
    for await (const page of linesOf(this.#files, this.#path)) {
      for (const line of page) this.#known.add(textKey(line));
      yield encodeLines(page);
    }
    for await (const page of others) {
      const added = page.filter((line) => this.#isNew(line));
      this.added += added.length;
      yield encodeLines(added);
    }
    yield encodeLines(end);
  }

  #isNew(line: string): boolean {
    const key = textKey(line);
    if (this.#known.has(key)) return false;
    this.#known.add(key);
    return true;
  }
}

/** The lines of a file, without marks and empty lines. Empty if the file does not exist. */
async function* linesOf(files: LineFiles, path: string): AsyncGenerator<readonly string[], void> {
  for await (const page of pagesOf(files, path)) yield page.filter((line) => markIn(line) === null);
}

async function* pagesOf(files: LineFiles, path: string): AsyncGenerator<readonly string[], void> {
  const file = await openIfThere(files, path);
  if (file === null) return;
  try {
    for await (const page of linesIn(file.bytesFrom(0)))
      yield page.map(withoutReturn).filter((line) => line.trim() !== '');
  } finally {
    await file.close();
  }
}

async function countOf(pages: LinePages): Promise<number> {
  let count = 0;
  for await (const page of pages) count += page.length;
  return count;
}

async function isEmpty(files: LineFiles): Promise<boolean> {
  for await (const page of pagesOf(files, LEDGER_PATH)) if (page.length > 0) return false;
  return true;
}
