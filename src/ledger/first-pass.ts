import { textKey } from '../domain/text-key.ts';
import type { LedgerLine } from './lines.ts';
import { isOfItsRun, withOrigin } from './origins.ts';
import { isEnd } from './reduce.ts';
import type { RawLine } from './raw-lines.ts';
import { SeenNames } from './seen-names.ts';

/**
 * The result of a first pass over a ledger, so that later passes can judge line by line: which lines occur twice, which
 * service each line belongs to, and which entries do not simply begin and then end. It keeps a few bytes a line.
 */
export class FirstPass {
  /** Entries that begin twice, end twice, or end before they begin. Passes keep all that they need of these. */
  readonly odd = new Set<string>();
  /** Without empty ones and those that a crash cut short. */
  lines = 0;
  /** A line that no version or only a later version can read. */
  hasUnreadable = false;
  readonly #texts = new SeenNames();
  readonly #begun = new SeenNames();
  readonly #ended = new SeenNames();
  /** The number of the last line with this text, of texts that may occur twice. */
  readonly #repeated = new Map<string, number>();
  readonly #originOfRun = new Map<string, string>();
  readonly #originOfEntry = new Map<string, string>();
  readonly #simulators = new Set<string>();

  /** The first pass. */
  take(text: string, raw: RawLine): void {
    if (raw.isTorn) return;
    this.lines += 1;
    if (!this.#texts.add(text)) this.#repeated.set(textKey(text), raw.number);
    const { line } = raw;
    if (line === null) {
      this.hasUnreadable = true;
      return;
    }
    if (line.origin !== undefined && isOfItsRun(line)) this.#originOfRun.set(line.run, line.origin);
    if (line.origin !== undefined) this.#simulators.add(line.origin);
    if (line.type === 'intent' || line.type === 'act') {
      if (!this.#begun.add(line.entry) || this.#ended.has(line.entry)) this.odd.add(line.entry);
    } else if (isEnd(line)) {
      if (!this.#ended.add(line.entry) || !this.#begun.has(line.entry)) this.odd.add(line.entry);
    }
  }

  /** The second pass, needed only if a line names a simulator: what ends a request is about the same service. */
  takeOrigin(line: LedgerLine): void {
    if (line.type !== 'intent' && line.type !== 'act') return;
    const { origin } = this.ofItsRun(line);
    if (origin === undefined) this.#originOfEntry.delete(line.entry);
    else this.#originOfEntry.set(line.entry, origin);
  }

  /** Whether the same line occurs again later in the ledger. */
  isRepeated(text: string, number: number): boolean {
    if (this.#repeated.size === 0) return false;
    const last = this.#repeated.get(textKey(text));
    return last !== undefined && last !== number;
  }

  isBegun(entry: string): boolean {
    return this.#begun.has(entry);
  }

  /** The simulators that lines name. */
  simulators(): readonly string[] {
    return [...this.#simulators].toSorted();
  }

  /** The line as one about the simulator of its run. */
  ofItsRun(line: LedgerLine): LedgerLine {
    return isOfItsRun(line) ? withOrigin(line, this.#originOfRun.get(line.run)) : line;
  }

  /** The line as one about the simulator of its run or of its entry. */
  named(line: LedgerLine): LedgerLine {
    const ofRun = this.ofItsRun(line);
    return 'entry' in ofRun ? withOrigin(ofRun, this.#originOfEntry.get(ofRun.entry)) : ofRun;
  }
}
