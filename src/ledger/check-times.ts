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
 * Times that cannot be: lines are put in order by them. How long a lost answer may still commit is judged by the
 * service's clock. Lines that merely stand in another order are what a merge leaves, and harm nothing.
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
    message: 'this line bears no time, so its place among the others is not known. Restore it from git.',
    line,
  };
}

function fromTheFuture(found: Found): Diagnostic {
  return warning(
    found,
    'ledger-future',
    `${counted(found)} a time to come: the clock of the machine that wrote there was ahead, or this one's is behind. Set the clocks: lines are put in order by them.`,
  );
}

/** The end of a request stands in the same file and bears an earlier time than its begin. */
function endedBeforeBegun(found: Found): Diagnostic {
  return warning(
    found,
    'ledger-backwards',
    `${counted(found)} an earlier time than the request that it ends: a clock was set back in between, or two machines' clocks differ. Set the clocks.`,
  );
}

function outOfOrder({ first, count }: Found): Diagnostic {
  const times = count === 1 ? 'once' : `${count} times`;
  return {
    severity: 'info',
    code: 'ledger-order',
    message: `from here on, ${times}, lines stand behind later ones, as after a merge. They are read in the order of their times.`,
    line: first,
  };
}

function warning({ first }: Found, code: DiagnosticCode, message: string): Diagnostic {
  return { severity: 'warning', code, message, line: first };
}

function counted({ count }: Found): string {
  return count === 1 ? 'this line bears' : `this line and ${count - 1} more bear`;
}
