import type { DiagnosticCode } from '../domain/codes.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { LedgerLine } from './lines.ts';
import { writtenAtMs } from './order.ts';
import { isEnd } from './reduce.ts';

/** Clocks differ by a little everywhere. */
const CLOCK_MARGIN_MS = 30_000;

/** Lines of one kind: the number of the first one, and how many there are. */
interface Found {
  readonly first: number;
  readonly count: number;
}

/**
 * Finds impossible times, because lines are ordered by them. Lines in another order alone are harmless: a merge leaves
 * them like that. How long an unconfirmed request may still succeed is judged by the service's clock, not here.
 */
export class TimeCheck {
  readonly #nowMs: number;
  readonly #timeless: number[] = [];
  #future: Found | null = null;
  #backwards: Found | null = null;
  #outOfOrder: Found | null = null;
  #lastMs = -Infinity;
  /** When each entry was begun that has not ended, by its last begin. */
  readonly #begun = new Map<string, number>();

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  /** Every line, in the first pass. */
  take(line: LedgerLine, number: number): void {
    const ms = writtenAtMs(line);
    if (Number.isNaN(Date.parse(line.at))) this.#timeless.push(number);
    if (ms > this.#nowMs + CLOCK_MARGIN_MS) this.#future = oneMore(this.#future, number);
    if (ms < this.#lastMs) this.#outOfOrder = oneMore(this.#outOfOrder, number);
    this.#lastMs = ms;
  }

  /** The begin of an entry. Those of `odd` entries come before all calls of `takeEnd`. */
  begin(line: LedgerLine & { readonly entry: string }): void {
    this.#begun.set(line.entry, writtenAtMs(line));
  }

  /** A later line about an entry. */
  takeEnd(line: LedgerLine & { readonly entry: string }, number: number, isOdd: boolean): void {
    const begunMs = this.#begun.get(line.entry) ?? -Infinity;
    if (line.type === 'outcome' && writtenAtMs(line) < begunMs)
      this.#backwards = oneMore(this.#backwards, number);
    if (!isOdd && isEnd(line)) this.#begun.delete(line.entry);
  }

  findings(): readonly Diagnostic[] {
    return [
      ...this.#timeless.map(timeless),
      ...(this.#future === null ? [] : [fromTheFuture(this.#future)]),
      ...(this.#backwards === null ? [] : [endedBeforeBegun(this.#backwards)]),
      ...(this.#outOfOrder === null ? [] : [outOfOrder(this.#outOfOrder)]),
    ];
  }
}

function oneMore(found: Found | null, number: number): Found {
  return found === null ? { first: number, count: 1 } : { first: found.first, count: found.count + 1 };
}

function timeless(line: number): Diagnostic {
  return {
    severity: 'error',
    code: 'ledger-time',
    message: 'This line has no time, so its order is unknown. Restore it from git.',
    line,
  };
}

function fromTheFuture(found: Found): Diagnostic {
  return warning(
    found,
    'ledger-future',
    `${counted(found)} a time in the future. The clock of the machine that wrote it was ahead, or this machine's clock is behind. Lines are ordered by their times, so set the clocks.`,
  );
}

/** The outcome of a request has an earlier time than the request. */
function endedBeforeBegun(found: Found): Diagnostic {
  return warning(
    found,
    'ledger-backwards',
    `${counted(found)} an earlier time than the request that it is about. A clock was set back in between, or the clocks of two machines differ. Set the clocks.`,
  );
}

function outOfOrder({ first, count }: Found): Diagnostic {
  const times = count === 1 ? 'once' : `${count} times`;
  return {
    severity: 'info',
    code: 'ledger-order',
    message: `From here on, lines are not in the order of their times (${times}), as after a merge. That is harmless: Herald reads them by their times.`,
    line: first,
  };
}

function warning({ first }: Found, code: DiagnosticCode, message: string): Diagnostic {
  return { severity: 'warning', code, message, line: first };
}

function counted({ count }: Found): string {
  return count === 1 ? 'This line has' : `This line and ${count - 1} more have`;
}
