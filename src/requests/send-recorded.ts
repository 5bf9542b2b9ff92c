import { InvalidCallError } from '../api/errors.ts';
import type { Exchange } from '../api/exchange.ts';
import type { WorkFirst, BeforeSend } from '../api/request.ts';
import type { Conclusion, Ledger } from '../ledger/ledger.ts';
import {
  FRESH_MS,
  LedgerError,
  LockLostError,
  OthersRequestError,
  TOO_SLOW,
} from '../ledger/ledger-errors.ts';
import { conclusion, LEDGER_OUTCOME } from './conclusion.ts';
import type { GoesBy } from './fresh-reading.ts';

/** One request that must not be repeated blindly, with its place in the ledger. */
export interface RecordedRequest<Reply> {
  /** Writes the intent and gives its entry. Throws `LedgerError` when that fails: nothing is sent then. */
  readonly intend: () => Promise<string>;
  /** An entry of an earlier request of the same kind: its copy may still be carried out, so all goes on that entry. */
  readonly earlier?: { readonly entry: string; readonly sentAtMs: number };
  /** Sends the request, and asks `beforeSend` before each copy of it. */
  readonly send: (beforeSend: BeforeSend) => Promise<Exchange<Reply>>;
  /**
   * Returns the reason not to send it, before each copy; null to continue. `unconfirmed`: an earlier copy may have been
   * carried out.
   */
  readonly reasonNotTo: (earlier: Exchange<unknown> | null, unconfirmed: boolean) => ReturnType<BeforeSend>;
  /** What the intent goes by. It is read again before an intent that is too old is written again. */
  readonly goesBy?: GoesBy | undefined;
  /** Looks at the object when the exchange does not tell the end; says how it is to be taken. */
  readonly confirm?: (exchange: Exchange<Reply>) => Promise<Exchange<Reply>>;
  /** What the ledger keeps of the end. */
  readonly keep?: (exchange: Exchange<Reply>) => Partial<Conclusion>;
}

/** How a request ended, and its place in the ledger. */
export interface Sent<Reply> {
  readonly entry: string;
  readonly exchange: Exchange<Reply>;
}

/**
 * Writes the intent, sends the request, writes how it ended. Nothing is sent that is not on the disk before. Throws what
 * speaks against sending it in what it goes by: nothing was sent then.
 *
 * | before a copy leaves                                      | what happens                                       |
 * |-----------------------------------------------------------|----------------------------------------------------|
 * | the lock is lost, or there is a reason not to send it     | it is not sent                                     |
 * | another run's request for the same came into the ledger   | a first copy of an act is not sent                 |
 * | it is not the first, and it cannot be put on record       | it is not sent                                     |
 * | its record or the check of the lock took too long         | all of this again, at most three times             |
 * | an earlier copy may have been carried out                 | the entry stays and gets the time of this copy     |
 * | none can (never sent, or answered 429); the intent is new | the same; a first copy has the time of its intent  |
 * | none can; the intent, or what it goes by, is too old      | it is read again, and a new intent replaces this   |
 *
 * | how it ended               | no copy unanswered before      | one was                                         |
 * |----------------------------|--------------------------------|-------------------------------------------------|
 * | done                       | done                           | done; the earlier copy may still land           |
 * | refused, throttled         | refused                        | unknown                                         |
 * | not sent                   | not sent                       | unknown                                         |
 * | no answer                  | unknown                        | unknown                                         |
 */
export async function sendRecorded<Reply>(
  ledger: RequestLedger,
  request: RecordedRequest<Reply>,
): Promise<Sent<Reply>> {
  const entry = request.earlier?.entry ?? (await request.intend());
  const copies = new Copies(ledger, request, entry);
  const sent = await orNotSent(
    request.send((earlier) => copies.beforeSend(earlier)),
    (message) =>
      copies.unconfirmedMs === null
        ? ledger.conclude(copies.entry, conclusion('not_sent', message))
        : Promise.resolve(),
  );
  copies.hear(sent);
  const { unconfirmedMs } = copies;
  const exchange = (await request.confirm?.(sent)) ?? sent;
  const certain = exchange.kind === 'done' || unconfirmedMs === null;
  await ledger.conclude(copies.entry, {
    ...conclusion(
      certain ? LEDGER_OUTCOME[exchange.kind] : 'unknown',
      exchange.kind === 'done' ? '' : exchange.problem.what,
    ),
    sent_at_ms: 'sentAtMs' in exchange ? exchange.sentAtMs : null,
    // An answer says nothing about the copies that were sent before it.
    unheard_ms: unconfirmedMs,
    ...request.keep?.(exchange),
  });
  const failure = request.goesBy?.failure?.() ?? null;
  if (failure !== null) throw failure;
  return { entry: copies.entry, exchange };
}

type RequestLedger = Pick<
  Ledger,
  'ageMs' | 'conclude' | 'departs' | 'leavesAgain' | 'lockLost' | 'othersAgainst' | 'sinceRecordMs'
>;

/** How often a copy is put on record again because the ledger or the check of the lease took too long. */
const ATTEMPTS_MAX = 3;

/** The copies of one request, and the entry that the last one is recorded in. */
class Copies {
  readonly #ledger: RequestLedger;
  readonly #request: Pick<RecordedRequest<unknown>, 'intend' | 'reasonNotTo' | 'goesBy'>;
  #count: number;
  /** How often the last copy was put on record too slowly. */
  #slow = 0;
  entry: string;
  /** Only a copy without an answer may be carried out later; one that was refused or answered with a 429 was not. */
  unconfirmedMs: number | null;

  constructor(
    ledger: RequestLedger,
    request: Pick<RecordedRequest<unknown>, 'intend' | 'reasonNotTo' | 'goesBy' | 'earlier'>,
    entry: string,
  ) {
    this.#ledger = ledger;
    this.#request = request;
    this.#count = request.earlier === undefined ? 0 : 1;
    this.unconfirmedMs = request.earlier?.sentAtMs ?? null;
    this.entry = entry;
  }

  hear(ended: Exchange<unknown> | null): void {
    if (ended?.kind === 'unknown') this.unconfirmedMs = ended.sentAtMs;
  }

  async beforeSend(earlier: Exchange<unknown> | null): Promise<string | WorkFirst | null> {
    this.hear(earlier);
    for (;;) {
      const reason = await this.#request.reasonNotTo(earlier, this.unconfirmedMs !== null);
      const instead = reason ?? (await this.#record());
      if (instead !== null) return instead;
      const others = this.unconfirmedMs === null ? await this.#ledger.othersAgainst(this.entry) : null;
      if (others !== null) return this.#notSent(new OthersRequestError(others));
      // Last: everything before it can take long, and another run may have the lease by then.
      const lost = await this.#ledger.lockLost();
      if (lost !== null) return this.#notSent(new LockLostError(lost));
      this.#ledger.departs(this.entry);
      // Later runs go by the time on record.
      if (this.#ledger.sinceRecordMs(this.entry) <= FRESH_MS) {
        this.#slow = 0;
        return null;
      }
      // Also counted over what is read again in between.
      this.#slow += 1;
      if (this.#slow >= ATTEMPTS_MAX) return this.#notSent(new LedgerError(TOO_SLOW));
    }
  }

  /** Puts the copy that leaves next on record. Returns what to do instead of sending it; null to send it. */
  async #record(): Promise<string | WorkFirst | null> {
    const { goesBy } = this.#request;
    const isOld = this.#ledger.ageMs(this.entry) > FRESH_MS || goesBy?.isOutdated() === true;
    if (this.unconfirmedMs === null && isOld) {
      const first = goesBy?.refresh() ?? null;
      if (first !== null) return first;
      await this.#ledger.conclude(this.entry, conclusion('not_sent', 'a new entry replaced it'));
      this.entry = await this.#request.intend();
      this.#count = 0;
    }
    this.#count += 1;
    // Were the process killed now, the next run must wait for this copy and not for the first.
    const problem = this.#count === 1 ? null : await this.#ledger.leavesAgain(this.entry);
    return problem === null ? null : this.#notSent(new LedgerError(problem));
  }

  /** Throws where nothing was sent before that may be carried out. */
  #notSent(why: LedgerError): string {
    if (this.unconfirmedMs === null) throw why;
    return `not sent again, because ${why.message}`;
  }
}

/** What refuses the call here, although the steps before have checked it, proves that this copy was not sent. */
async function orNotSent<Reply>(
  sending: Promise<Exchange<Reply>>,
  notSent: (message: string) => Promise<void>,
): Promise<Exchange<Reply>> {
  try {
    return await sending;
  } catch (error) {
    if (error instanceof InvalidCallError || error instanceof LedgerError) await notSent(error.message);
    throw error;
  }
}
