import { refusedByMark, type LedgerMark, type LedgerTransfer } from '../../src/domain/ledger-transfer.ts';
import {
  LEDGER_BEGIN,
  type KeptViews,
  type LedgerLines,
  type LedgerStore,
  type LedgerWriter,
} from '../../src/domain/ledger-store.ts';

/** One ledger: another one that replaces it has another name. */
interface Rows {
  readonly id: number;
  readonly texts: string[];
  /** The part of a line that a crash has left at the end. */
  torn: string | null;
}

interface MemoryLedgerStore extends LedgerStore {
  /** Puts another ledger in its place, as a `git pull` does. */
  replace(texts: readonly string[]): void;
  /** Leaves a part of a line at the end, as a crash does. */
  tear(part: string): void;
  /** The positions from which lines were read. */
  readonly reads: string[];
}

/** A ledger in memory, row by row, without a file or bytes: what a store in a database is like. */
export function memoryLedgerStore(): MemoryLedgerStore {
  let rows: Rows = { id: 1, texts: [], torn: null };
  const archived = new Map<string, string[]>();
  const reads: string[] = [];
  const views: Views = new Map();
  let mark: LedgerMark | null = null;
  const opened = () => {
    if (mark !== null) throw refusedByMark(PLACE, mark);
    return rows;
  };
  const replace = (texts: readonly string[]) => {
    rows = { id: rows.id + 1, texts: [...texts], torn: null };
  };
  return {
    name: 'the ledger in memory',
    open: async (view) =>
      new MemoryLines(opened(), reads, view === undefined ? null : keptIn(views, view, rows)),
    openToAppend: async () => {
      if (rows.torn !== null) rows.texts.push(rows.torn);
      opened().torn = null;
      return writerOf(() => rows);
    },
    archives: async () =>
      [...archived].toSorted().map(([name, texts]) => ({
        name,
        open: async () => new MemoryLines({ id: 0, texts, torn: null }),
      })),
    archiveFor: (at) => `archive ${at.slice(0, 10)}`,
    compact: async (lines, { marks, instead, isArchived, archive }, lease) => {
      if (!(lines instanceof MemoryLines)) throw new Error('these lines were opened by another store');
      const { texts } = lines.rows;
      const lost = await lease.lost();
      if (lost !== null) throw new Error(`nothing was changed, because ${lost}.`);
      if (archive !== null) {
        const known = archived.get(archive) ?? [];
        const moved = texts.filter((text, index) => isArchived(text, index + 1) && !known.includes(text));
        archived.set(archive, [...known, ...moved]);
      }
      replace([...marks, ...texts.flatMap((text, index) => instead(text, index + 1) ?? [text])]);
    },
    reads,
    transfer: transferOf({
      archived,
      rows: () => rows,
      mark: () => mark,
      setMark: (next) => (mark = next),
    }),
    replace,
    tear: (part) => {
      rows.torn = part;
    },
  };
}

const PLACE = { name: 'the ledger in memory', as: 'MEMORY' };

function transferOf(store: {
  readonly archived: Map<string, string[]>;
  rows(): Rows;
  mark(): LedgerMark | null;
  setMark(mark: LedgerMark | null): void;
}): LedgerTransfer {
  const addNew = async (texts: string[], pages: Parameters<LedgerTransfer['unite']>[0]) => {
    const all = new Set(texts);
    for await (const page of pages) for (const text of page) all.add(text);
    const added = [...all].slice(texts.length);
    texts.push(...added);
    return added.length;
  };
  return {
    place: PLACE,
    mark: async () => store.mark(),
    setMark: async (mark) => store.setMark(mark),
    lines: () => [store.rows().texts],
    unite: async (pages, mark) => {
      const { texts } = store.rows();
      const added = await addNew(texts, pages);
      store.setMark(mark);
      return added;
    },
    uniteArchive: async (name, pages) => {
      const texts = store.archived.get(name) ?? [];
      await addNew(texts, pages);
      store.archived.set(name, texts);
    },
    leftover: async () => {
      const { length: lines } = store.rows().texts;
      return lines === 0 ? null : { mark: store.mark(), lines, hasMore: true };
    },
  };
}

class MemoryLines implements LedgerLines {
  readonly rows: Rows;
  readonly kept: KeptViews | null;
  readonly #reads: string[];

  constructor(rows: Rows, reads: string[] = [], kept: KeptViews | null = null) {
    this.rows = rows;
    this.kept = kept;
    this.#reads = reads;
  }

  async size(): Promise<number> {
    return this.rows.texts.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0);
  }

  async continues(position: string): Promise<boolean> {
    return Number(position.split('/')[0]) === this.rows.id;
  }

  async read(from: string, take: (text: string, number: number) => void): ReturnType<LedgerLines['read']> {
    const { id, texts, torn } = this.rows;
    this.#reads.push(from);
    const start = from === LEDGER_BEGIN ? 0 : Number(from.split('/')[1]);
    for (const [index, text] of texts.entries()) if (index >= start) take(text, index + 1);
    return {
      position: `${id}/${texts.length}`,
      torn: torn === null ? null : { text: torn, number: texts.length + 1 },
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

type Views = Map<string, { readonly position: string; readonly bytes: Uint8Array }>;

function keptIn(views: Views, name: string, rows: Rows): KeptViews {
  return {
    worthLines: 10,
    load: async () => {
      const view = views.get(name);
      if (view?.position.startsWith(`${rows.id}/`) !== true) return null;
      const { bytes, position } = view;
      const at = (from: number, length: number) => bytes.subarray(from, from + length);
      return { position, bytes: { length: bytes.length, at } };
    },
    save: async (position, pieces) => {
      views.set(name, { position, bytes: Buffer.concat([...pieces].map((piece) => Buffer.from(piece))) });
    },
  };
}

function writerOf(current: () => Rows): LedgerWriter {
  const first = current().id;
  let heard = { id: first, count: current().texts.length };
  return {
    wasReplaced: async () => current().id !== first,
    append: async (line) => {
      current().texts.push(line);
    },
    readAdded: async () => {
      const { id, texts } = current();
      const added = texts.slice(heard.id === id ? heard.count : 0);
      heard = { id, count: texts.length };
      return added;
    },
    close: () => Promise.resolve(),
  };
}
