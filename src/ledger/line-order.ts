import { objectKey } from '../domain/knowledge.ts';
import { effectsOf } from './effects.ts';
import type { IntentLine, LedgerLine } from './lines.ts';
import { COLUMNS, type Field } from './object-fields.ts';
import { writtenAtMs } from './order.ts';
import { parseLine } from './parse.ts';
import type { Reduced } from './reduced.ts';

/** The last instant that a calendar has. */
const LAST_INSTANT_MS = 8_640_000_000_000_000;

/**
 * Keeps each line of this run after the lines about the same object that it knows. A clock can say otherwise: that of
 * this machine, or of one of the service's servers, was wrong then or is wrong now (decision 18). What a run has read
 * was written before.
 */
export class LineOrder {
  readonly #saidAt: Reduced['saidAt'];
  readonly #intents = new Map<string, IntentLine>();
  /** Of lines that `#saidAt` does not know: those of this run, of others since, and of requests without an end. */
  readonly #latestMs = new Map<string, number>();

  constructor({ saidAt, lines }: Pick<Reduced, 'saidAt' | 'lines'>) {
    this.#saidAt = saidAt;
    this.know(lines);
  }

  /** These lines are in the ledger by now. */
  know(lines: readonly LedgerLine[]): void {
    for (const line of lines) {
      if (line.type === 'intent') this.#intents.set(line.entry, line);
      const ms = writtenAtMs(line);
      for (const key of this.#keysOf(line))
        this.#latestMs.set(key, Math.max(ms, this.#latestMs.get(key) ?? ms));
    }
  }

  /** The text of a line that is about to be written. */
  textOf(members: Readonly<Record<string, unknown>>): string {
    const text = JSON.stringify(members);
    const line = parseLine(text);
    if (line === null) return text;
    const afterMs = Math.max(...this.#keysOf(line).map((key) => this.#knownUntilMs(key)));
    if (afterMs <= writtenAtMs(line) || afterMs >= LAST_INSTANT_MS) {
      this.know([line]);
      return text;
    }
    const placed = { after_ms: afterMs + 1 };
    this.know([{ ...line, ...placed }]);
    return JSON.stringify({ ...members, ...placed });
  }

  #knownUntilMs(key: string): number {
    const saidMs = FIELDS.map((field) => this.#saidAt(key, field)?.ms ?? Number.NEGATIVE_INFINITY);
    return Math.max(this.#latestMs.get(key) ?? Number.NEGATIVE_INFINITY, ...saidMs);
  }

  /** The objects that the line says something of, or that its request changes. */
  #keysOf(line: LedgerLine): readonly string[] {
    if (line.type === 'intent')
      return line.live_id === null ? [] : [objectKey(line.account_id, line.kind, line.live_id)];
    return effectsOf(line, this.#intents).map(({ accountId, kind, id }) => objectKey(accountId, kind, id));
  }
}

const FIELDS = [...COLUMNS.keys()] as readonly Field[];
