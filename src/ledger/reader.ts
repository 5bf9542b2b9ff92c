import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Files, ReadFile } from '../domain/ports.ts';
import { eachLine, firstBytes } from './byte-lines.ts';
import { NOTHING_CAREFUL, type Careful } from './careful.ts';
import type { LedgerLine } from './lines.ts';
import { parseLine } from './parse.ts';
import { LEDGER_PATH, openLedger } from './ledger-file.ts';
import { isWhole } from './raw-lines.ts';
import { keepsNothing, Reduction, type Keeps, type Reduced } from './reduction.ts';

export interface LedgerReading extends Reduced {
  readonly diagnostics: readonly Diagnostic[];
  /** Numbers of the lines that cannot be read, but for a last one that is torn. */
  readonly damaged: readonly number[];
  /** Changes where lines of other runs were added, or where another file has taken the ledger's place. */
  readonly revision: string;
  /** What follows the last line break. */
  readonly end: LedgerEnd;
}

/**
 * | kind    | what follows the last line break                                                       |
 * |---------|----------------------------------------------------------------------------------------|
 * | `clean` | nothing                                                                                |
 * | `whole` | a line without its line break                                                          |
 * | `torn`  | a part of a line: a crash cut it short, or another process is writing it at this moment |
 */
export interface LedgerEnd {
  readonly kind: 'clean' | 'whole' | 'torn';
  /** The bytes before it. */
  readonly bytes: number;
}

export interface ReaderOptions {
  /** Which entries are needed whatever became of them; none unless said. */
  readonly keeps?: Keeps;
  /** The run whose own lines are no news to it. */
  readonly ownRun?: string;
}

/** So many bytes before the place where a reading ended have to be the same when it goes on. */
const SAME_BYTES = 4_096;

/** How far a reading has come. */
interface Progress {
  readonly reduction: Reduction;
  readonly damaged: number[];
  /** What follows the last line break cannot be read. */
  isRestDamaged: boolean;
  /** Bytes and line breaks that were read. */
  bytes: number;
  lines: number;
  othersLines: number;
}

/**
 * Reads the ledger as it is known to whoever works with the service of that address. The first reading goes through
 * the whole file, each later one only through what was added since (decision 27).
 */
export class LedgerReader {
  readonly #files: Files;
  readonly #address: string;
  readonly #options: ReaderOptions;
  #progress: Progress;
  #fileId = '';
  /** The last bytes that were read. */
  #lastBytes: Uint8Array = new Uint8Array();
  #replaced = 0;

  constructor(files: Files, address: string, options: ReaderOptions = {}) {
    this.#files = files;
    this.#address = address;
    this.#options = options;
    this.#progress = this.#begin(NOTHING_CAREFUL);
  }

  /** Rejects with a Node error where the file cannot be read: one that must not be looked at is not taken for none. */
  async read(): Promise<LedgerReading> {
    const file = await openLedger(this.#files);
    try {
      if (!(await this.#isSame(file))) {
        this.#replaced += 1;
        this.#fileId = file?.id ?? '';
        this.#progress = this.#begin(NOTHING_CAREFUL);
      }
      let end = await this.#goOn(file);
      for (let careful = this.#missed(); careful !== null; careful = this.#missed()) {
        this.#progress = this.#begin(careful);
        end = await this.#goOn(file);
      }
      return this.#reading(end);
    } finally {
      await file?.close();
    }
  }

  #begin(careful: Careful): Progress {
    const reduction = new Reduction(this.#address, this.#options.keeps ?? keepsNothing, careful);
    return { reduction, damaged: [], isRestDamaged: false, bytes: 0, lines: 0, othersLines: 0 };
  }

  #missed(): Careful | null {
    return this.#progress.reduction.missed();
  }

  /** Whether the file is the one that was read, with lines added at its end at most. */
  async #isSame(file: ReadFile | null): Promise<boolean> {
    if ((file?.id ?? '') !== this.#fileId) return false;
    const length = this.#lastBytes.byteLength;
    if (file === null || length === 0) return this.#progress.bytes === 0;
    const there = await firstBytes(file.bytesFrom(this.#progress.bytes - length), length);
    return there.equals(this.#lastBytes);
  }

  async #goOn(file: ReadFile | null): Promise<LedgerEnd> {
    const progress = this.#progress;
    if (file === null) return { kind: 'clean', bytes: 0 };
    const rest = await eachLine(file.bytesFrom(progress.bytes), (text, bytes) => {
      const line = this.#take(text);
      if (line === null && text.trim() !== '') progress.damaged.push(progress.lines + 1);
      progress.bytes += bytes;
      progress.lines += 1;
    });
    const end = this.#takeRest(rest);
    const length = Math.min(SAME_BYTES, progress.bytes);
    this.#lastBytes = await firstBytes(file.bytesFrom(progress.bytes - length), length);
    return end;
  }

  /** A line without its break counts, as soon as it is whole. */
  #takeRest(rest: string): LedgerEnd {
    const progress = this.#progress;
    const { bytes } = progress;
    const isTaken = this.#take(rest) !== null;
    progress.isRestDamaged = !isTaken && rest.trim() !== '';
    if (isTaken) progress.bytes += Buffer.byteLength(rest);
    if (rest === '') return { kind: 'clean', bytes };
    return { kind: isTaken || isWhole(rest) ? 'whole' : 'torn', bytes };
  }

  #take(text: string): LedgerLine | null {
    const line = parseLine(text);
    if (line === null) return null;
    const { run, origin } = line;
    if (run !== this.#options.ownRun && (origin === undefined || origin === this.#address))
      this.#progress.othersLines += 1;
    this.#progress.reduction.take(line, this.#progress.lines + 1);
    return line;
  }

  #reading(end: LedgerEnd): LedgerReading {
    const { reduction, damaged, isRestDamaged, lines, othersLines } = this.#progress;
    const all = isRestDamaged ? [...damaged, lines + 1] : [...damaged];
    const isTorn = isRestDamaged && end.kind === 'torn';
    return {
      ...reduction.result(),
      damaged: isTorn ? [...damaged] : all,
      diagnostics: all.map(damagedLine),
      revision: `${this.#replaced}/${othersLines}`,
      end,
    };
  }
}

function damagedLine(line: number): Diagnostic {
  return {
    severity: 'warning',
    code: 'ledger-line',
    message:
      'this line of the ledger cannot be read and is passed over. If a run ended within the last minutes, wait for settle_sec before you apply.',
    file: LEDGER_PATH,
    line,
  };
}
