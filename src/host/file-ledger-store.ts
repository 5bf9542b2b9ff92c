import {
  LEDGER_BEGIN,
  LONG_READING_BYTES,
  type KeptViews,
  type LedgerLines,
  type LedgerPosition,
  type LedgerStore,
  type LedgerWriter,
  type TakeLine,
} from '../domain/ledger-store.ts';
import { refusedByMark } from '../domain/ledger-transfer.ts';
import { wholeObject } from '../domain/whole-object.ts';
import { eachLine, firstBytes, withoutReturn } from './byte-lines.ts';
import { archiveText, compactedText } from './compacted-file.ts';
import { FILE_PLACE, fileLedgerTransfer } from './file-ledger-transfer.ts';
import { archivePath, LEDGER_ARCHIVES, LEDGER_PATH, openIfThere } from './ledger-file.ts';
import { markAtEnd, markIn } from './ledger-mark-line.ts';
import type { AppendFile, LineFiles, ReadFile } from './line-files.ts';
import { replaceLedger } from './replace-ledger.ts';
import { unlessLost } from './unless-lost.ts';

/**
 * The ledger as a file of lines, next to the files that it is about, and an archive for each day of a compaction.
 * A merge of branches may replace the file at any time.
 */
export function fileLedgerStore(files: LineFiles, keep: KeepView | null = null): LedgerStore {
  return {
    name: LEDGER_PATH,
    open: async (view) => {
      const { file } = await openUnlessMoved(files);
      const kept = view === undefined || file === null ? null : await keep?.(file, LEDGER_PATH, view);
      return new FileLines(file, kept ?? null);
    },
    openToAppend: async () => {
      await (await openUnlessMoved(files)).close();
      return writerOf(await files.openForAppend(LEDGER_PATH));
    },
    archives: async () => {
      const paths = await files.glob([LEDGER_ARCHIVES]);
      return paths.map((path) => ({
        name: path,
        open: async () => new FileLines(await files.openForReading(path)),
      }));
    },
    archiveFor: archivePath,
    compact: async (lines, edit, lease) => {
      if (!(lines instanceof FileLines)) throw new Error('these lines were opened by another store');
      const { file } = lines;
      if (file === null) return;
      if (edit.archive !== null)
        await files.writeAtomically(
          edit.archive,
          unlessLost(lease, archiveText(files, file.bytesFrom(0), edit)),
        );
      await replaceLedger(files, file, (bytes) => unlessLost(lease, compactedText(bytes, edit)));
    },
    transfer: fileLedgerTransfer(files),
  };
}

/** Gives what keeps a view of that name of the file at that path; null where none is kept. */
export type KeepView = (file: ReadFile, path: string, view: string) => Promise<WatchingView | null>;

export interface WatchingView extends KeptViews {
  /** Gives the same bytes of the file from that place on, and remembers which they were. */
  watched(pieces: AsyncIterable<Uint8Array>, start: number): AsyncIterable<Uint8Array>;
}

/** A merge may have put the mark of a move in front of other lines: reading finds it there. */
async function openUnlessMoved(files: LineFiles): Promise<FileLines> {
  const file = await openIfThere(files, LEDGER_PATH);
  const found = file === null ? null : await markAtEnd(file);
  if (found === null) return new FileLines(file);
  await file?.close();
  throw refusedByMark(FILE_PLACE, found.mark);
}

function writerOf(file: AppendFile): LedgerWriter {
  return {
    append: (line) => file.append(`${line}\n`),
    readAdded: async () => (await file.readAdded()).split('\n').slice(0, -1).map(withoutReturn),
    wasReplaced: () => file.wasReplaced(),
    close: () => file.close(),
  };
}

/** So many bytes before the place where a reading ended have to be the same when it goes on. */
const SAME_BYTES = 4_096;

/** How far a file was read. */
interface Place {
  readonly id: string;
  readonly bytes: number;
  /** Line breaks before it. */
  readonly lines: number;
  /** The last bytes before it, as text of one byte each. */
  readonly last: string;
}

class FileLines implements LedgerLines {
  /** Null where there is none. */
  readonly file: ReadFile | null;
  readonly kept: WatchingView | null;

  constructor(file: ReadFile | null, kept: WatchingView | null = null) {
    this.file = file;
    this.kept = kept;
  }

  async size(): Promise<number> {
    return this.file?.size ?? 0;
  }

  async continues(position: LedgerPosition): Promise<boolean> {
    if (this.file === null || position === LEDGER_BEGIN)
      return this.file === null && position === LEDGER_BEGIN;
    const { id, bytes, last } = placeOf(position);
    if (id !== this.file.id) return false;
    const there = await firstBytes(this.file.bytesFrom(bytes - last.length), last.length);
    return there.toString('latin1') === last;
  }

  async read(from: LedgerPosition, take: TakeLine): ReturnType<LedgerLines['read']> {
    const { file } = this;
    if (file === null) return { position: LEDGER_BEGIN, torn: null };
    let { bytes, lines } = placeOf(from);
    if (file.size - bytes >= LONG_READING_BYTES) (await import('./heap.ts')).keepHeapModerate();
    const pieces = file.bytesFrom(bytes);
    const rest = await eachLine(this.kept?.watched(pieces, bytes) ?? pieces, (text, length) => {
      bytes += length;
      lines += 1;
      const mark = markIn(text);
      if (mark !== null) throw refusedByMark(FILE_PLACE, mark);
      take(withoutReturn(text), lines);
    });
    const isWhole = wholeObject(rest) !== null;
    if (isWhole) {
      bytes += Buffer.byteLength(rest);
      take(withoutReturn(rest), lines + 1);
    }
    const length = Math.min(SAME_BYTES, bytes);
    const last = await firstBytes(file.bytesFrom(bytes - length), length);
    const place: Place = { id: file.id, bytes, lines, last: last.toString('latin1') };
    return {
      position: JSON.stringify(place),
      torn: rest === '' || isWhole ? null : { text: rest, number: lines + 1 },
    };
  }

  async close(): Promise<void> {
    await this.file?.close();
  }
}

function placeOf(position: LedgerPosition): Place {
  if (position === LEDGER_BEGIN) return { id: '', bytes: 0, lines: 0, last: '' };
  return JSON.parse(position) as Place;
}
