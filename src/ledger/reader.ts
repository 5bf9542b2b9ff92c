import { formatCommand } from '../domain/command-line.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { isAnotherWorld } from '../domain/service-identity.ts';
import { LEDGER_BEGIN, type LedgerEnd, type LedgerLines, type LedgerStore } from '../domain/ledger-store.ts';
import { NOTHING_OUT_OF_ORDER, type OutOfOrder } from './out-of-order.ts';
import { isCutShort } from './cut-short.ts';
import type { LedgerLine } from './lines.ts';
import { parseLine } from './parse.ts';
import { quickPair } from './quick-pair.ts';
import { keepsViews, VIEW_FORMAT, viewBytes, viewFrom } from './kept-view.ts';
import type { Reduced } from './reduced.ts';
import { keepNoEntry, Reduction, type KeepEntry } from './reduction.ts';

export interface LedgerReading extends Reduced {
  readonly diagnostics: readonly Diagnostic[];
  /** Numbers of the lines that cannot be read, but for those that a crash cut short. */
  readonly damaged: readonly number[];
  /** Changes where lines of other runs were added, or where another file has taken the ledger's place. */
  readonly revision: string;
  /** The ledger that was read, for messages. */
  readonly name: string;
}

export interface ReaderOptions {
  /** Which entries are needed with any outcome; none by default. */
  readonly keeps?: KeepEntry;
  /** The current run, which knows its own lines already. */
  readonly ownRun?: string;
}

/** How far a reading has come. */
interface Progress {
  readonly reduction: Reduction;
  readonly damaged: number[];
  /** Numbers of lines that a crash cut short, without a last one. */
  readonly cut: number[];
  end: LedgerEnd;
  othersLines: number;
  /** Lines about another world of the same simulator's file. */
  otherWorldsLines: number;
  /** Lines that no kept view has. */
  newLines: number;
}

/**
 * Reads the ledger as it counts for the service of that address. The first reading goes through the whole ledger, and
 * each later one only through the lines that were added since (decision 27).
 */
export class LedgerReader {
  readonly #store: LedgerStore;
  readonly #address: string;
  readonly #options: ReaderOptions;
  /** The name of what it keeps; null where it needs more than what is known, which no view has. */
  readonly #view: string | null;
  #progress: Progress;
  #replaced = 0;

  constructor(store: LedgerStore, address: string, options: ReaderOptions = {}) {
    this.#store = store;
    this.#address = address;
    this.#options = options;
    this.#view = keepsViews && options.keeps === undefined ? `${VIEW_FORMAT} ${address}` : null;
    this.#progress = this.#begin(NOTHING_OUT_OF_ORDER);
  }

  /** Rejects if the ledger cannot be read: an unreadable one must not look like an empty one. */
  async read(): Promise<LedgerReading> {
    const lines = await this.#store.open(this.#view ?? undefined);
    try {
      if (!(await lines.continues(this.#progress.end.position))) {
        // Nothing was read of a ledger that did not exist, so its first line replaces nothing.
        if (this.#progress.end.position !== LEDGER_BEGIN) this.#replaced += 1;
        this.#progress = (await this.#beginAtView(lines)) ?? this.#begin(NOTHING_OUT_OF_ORDER);
      }
      await this.#goOn(lines);
      for (
        let outOfOrder = this.#foundOutOfOrder();
        outOfOrder !== null;
        outOfOrder = this.#foundOutOfOrder()
      ) {
        this.#progress = this.#begin(outOfOrder);
        await this.#goOn(lines);
      }
      const reading = this.#reading();
      await this.#keepView(lines);
      return reading;
    } finally {
      await lines.close();
    }
  }

  #begin(outOfOrder: OutOfOrder): Progress {
    const reduction = new Reduction(this.#address, this.#options.keeps ?? keepNoEntry, outOfOrder);
    return {
      reduction,
      damaged: [],
      cut: [],
      end: { position: LEDGER_BEGIN, torn: null },
      othersLines: 0,
      otherWorldsLines: 0,
      newLines: 0,
    };
  }

  /** Goes on from what an earlier reading has kept; null where there is nothing that can be used. */
  async #beginAtView({ kept }: LedgerLines): Promise<Progress | null> {
    const loaded = (await kept?.load()) ?? null;
    const view = loaded === null ? null : viewFrom(loaded.bytes);
    if (loaded === null || view === null) return null;
    const { outOfOrder, state, damaged, cut, otherWorldsLines } = view;
    return {
      reduction: new Reduction(this.#address, keepNoEntry, outOfOrder, state),
      damaged: [...damaged],
      cut: [...cut],
      end: { position: loaded.position, torn: null },
      othersLines: 0,
      otherWorldsLines,
      newLines: 0,
    };
  }

  async #keepView({ kept }: LedgerLines): Promise<void> {
    const { reduction, damaged, cut, end, otherWorldsLines, newLines } = this.#progress;
    if (kept == null || newLines < kept.worthLines) return;
    this.#progress.newLines = 0;
    const { state, outOfOrder } = reduction;
    await kept.save(end.position, viewBytes({ state, outOfOrder, damaged, cut, otherWorldsLines }));
  }

  #foundOutOfOrder(): OutOfOrder | null {
    return this.#progress.reduction.foundOutOfOrder();
  }

  async #goOn(lines: LedgerLines): Promise<void> {
    const progress = this.#progress;
    const takesPairs = this.#takesPairs();
    // The line before, which may be the first one of a pair.
    let before = NO_LINE;
    progress.end = await lines.read(progress.end.position, (text, number) => {
      const first = before;
      before = NO_LINE;
      if (first !== NO_LINE && this.#takePair(first.text, text, first.number)) return;
      if (first !== NO_LINE) this.#takeLine(first.text, first.number);
      if (takesPairs) before = { text, number };
      else this.#takeLine(text, number);
    });
    if (before !== NO_LINE) this.#takeLine(before.text, before.number);
  }

  /** Not where an entry may be needed with all its parts once it has ended. */
  #takesPairs(): boolean {
    const { keeps = keepNoEntry } = this.#options;
    return keeps === keepNoEntry && this.#progress.reduction.outOfOrder.entries.size === 0;
  }

  #takePair(first: string, second: string, number: number): boolean {
    const pair = quickPair(first, second);
    if (pair === null || !this.#progress.reduction.takePair(pair, number)) return false;
    this.#count(pair.begin);
    this.#count(pair.end);
    return true;
  }

  #takeLine(text: string, number: number): void {
    if (this.#take(text, number) || text.trim() === '') return;
    const { cut, damaged } = this.#progress;
    (isCutShort(text) ? cut : damaged).push(number);
  }

  /** Whether the line can be read. */
  #take(text: string, number: number): boolean {
    const line = parseLine(text);
    if (line === null) return false;
    this.#count(line);
    this.#progress.reduction.take(line, number);
    return true;
  }

  #count({ run, origin }: LedgerLine): void {
    this.#progress.newLines += 1;
    if (origin !== undefined && isAnotherWorld(origin, this.#address)) this.#progress.otherWorldsLines += 1;
    if (run !== this.#options.ownRun && (origin === undefined || origin === this.#address))
      this.#progress.othersLines += 1;
  }

  #reading(): LedgerReading {
    const { name } = this.#store;
    const { reduction, end, othersLines, otherWorldsLines } = this.#progress;
    const [damaged, cut] = [[...this.#progress.damaged], [...this.#progress.cut]];
    const { torn } = end;
    // It may be whole at the next reading, so it is not one of the lines that were read.
    if (torn !== null && torn.text.trim() !== '') (isCutShort(torn.text) ? cut : damaged).push(torn.number);
    return {
      ...reduction.result(),
      damaged,
      diagnostics: [
        ...damaged.map((line) => damagedLine(name, line)),
        ...cut.map((line) => cutLine(name, line)),
        ...(otherWorldsLines === 0 ? [] : [otherWorlds(name, otherWorldsLines)]),
      ],
      revision: `${this.#replaced}/${othersLines}`,
      name,
    };
  }
}

const NO_LINE = { text: '', number: 0 };

function otherWorlds(file: string, lines: number): Diagnostic {
  const number = lines === 1 ? '1 line is' : `${lines} lines are`;
  return {
    severity: 'info',
    code: 'ledger-other-world',
    message: `${number} about another simulated world, for example of another clone, and ${lines === 1 ? 'has' : 'have'} no effect here. Keep the ledger.`,
    file,
  };
}

function damagedLine(file: string, line: number): Diagnostic {
  const message = `This line of the ledger cannot be read and is ignored. Plans create and start nothing until it is repaired: ${formatCommand('ledger', 'check')}`;
  return unreadableLine(file, line, message);
}

function cutLine(file: string, line: number): Diagnostic {
  const message = `A crash cut off this line of the ledger before its request was sent, and it is ignored. To remove it: ${formatCommand('ledger', 'compact')}`;
  return unreadableLine(file, line, message);
}

function unreadableLine(file: string, line: number, message: string): Diagnostic {
  return { severity: 'warning', code: 'ledger-line', message, file, line };
}
