import { InvalidCallError } from '../api/errors.ts';
import type { Exchange } from '../api/exchange.ts';
import type { WorkFirst, BeforeSend } from '../api/request.ts';
import type { Conclusion, Ledger } from '../ledger/ledger.ts';
import { FRESH_MS, LedgerError, LockLostError, OthersRequestError } from '../ledger/ledger-errors.ts';
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
   * Returns the reason not to send it; null to continue. Asked before each copy is recorded, and again after that.
   * `unconfirmed`: an earlier copy may have been carried out.
   */
  readonly reasonNotTo: (earlier: Exchange<unknown> | null, unconfirmed: boolean) => ReturnType<BeforeSend>;
  /** What the intent goes by. It is read again before a request that leaves long after, and then the intent is new. */
  readonly goesBy?: GoesBy | undefined;
  /** Looks at the object when the exchange does not tell the end; says how it is to be taken. */
  readonly confirm?: (exchange: Exchange<Reply>) => Promise<Exchange<Reply>>;
  /** What the ledger keeps of the end. */
  readonly keep?: (exchange: Exchange<Reply>) => Partial<Conclusion>;
}

/** How a request ended, and its place in the ledger. */
export interface Sent<Reply> {
  /** Empty if nothing was recorded, because nothing was to be sent. */
  readonly entry: string;
  readonly exchange: Exchange<Reply>;
}

/**
 * Sends a request on record: once it has its place in the rate, it writes the intent, checks, and sends; then it writes
 * how it ended. So the time on record is when the request left, to within `LEAVES_WITHIN_MS`: later runs count from it.
 * Throws what speaks against sending it in what it goes by: nothing was sent then.
 *
 * | before a copy leaves                                      | what happens                                       |
 * |-----------------------------------------------------------|----------------------------------------------------|
 * | there is a reason not to send it                          | it is neither recorded nor sent                    |
 * | what it goes by is too old                                | it is read again first                             |
 * | it is the first, what it goes by was read again, or none  | it gets a new entry                                |
 * | can be carried out and the entry is old                   |                                                    |
 * | any other                                                 | its entry gets the time of this copy               |
 * | it cannot be recorded, the lock is lost, another run has  | it is not sent                                     |
 * | asked for the same, or there is a reason not to send now  |                                                    |
 * | all of this took too long                                 | it is not sent, and tried again                    |
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
  const copies = new Copies(ledger, request);
  const sent = await orNotSent(
    request.send((earlier) => copies.beforeSend(earlier)),
    (message) =>
      copies.entry === '' || copies.unconfirmedMs !== null
        ? Promise.resolve()
        : ledger.conclude(copies.entry, conclusion('not_sent', message)),
  );
  copies.hear(sent);
  const { entry, unconfirmedMs } = copies;
  const exchange = (await request.confirm?.(sent)) ?? sent;
  const certain = exchange.kind === 'done' || unconfirmedMs === null;
  if (entry !== '')
    await ledger.conclude(entry, {
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
  return { entry, exchange };
}

type RequestLedger = Pick<
  Ledger,
  'ageMs' | 'conclude' | 'departs' | 'leavesAgain' | 'lockLost' | 'othersAgainst'
>;

type ToRecord = Pick<RecordedRequest<unknown>, 'intend' | 'reasonNotTo' | 'goesBy' | 'earlier'>;

/** The copies of one request, and the entry that the last one is recorded in. */
class Copies {
  readonly #ledger: RequestLedger;
  readonly #request: ToRecord;
  /** Empty until the first copy is about to leave. */
  entry: string;
  /** Only a copy without an answer may be carried out later; one that was refused or answered with a 429 was not. */
  unconfirmedMs: number | null;

  constructor(ledger: RequestLedger, request: ToRecord) {
    this.#ledger = ledger;
    this.#request = request;
    this.unconfirmedMs = request.earlier?.sentAtMs ?? null;
    this.entry = request.earlier?.entry ?? '';
  }

  hear(ended: Exchange<unknown> | null): void {
    if (ended?.kind === 'unknown') this.unconfirmedMs = ended.sentAtMs;
  }

  async beforeSend(earlier: Exchange<unknown> | null): Promise<string | WorkFirst | null> {
    this.hear(earlier);
    const reasonNotTo = () => this.#request.reasonNotTo(earlier, this.unconfirmedMs !== null);
    const instead = (await reasonNotTo()) ?? (await this.#record());
    if (instead !== null) return instead;
    // A stop by hand that did not see this request on record must be seen here.
    const reason = await reasonNotTo();
    if (reason !== null) return reason;
    const others = this.unconfirmedMs === null ? await this.#ledger.othersAgainst(this.entry) : null;
    if (others !== null) return this.#notSent(new OthersRequestError(others));
    // Last: everything before it can take long, and another run may have the lease by then.
    const lost = await this.#ledger.lockLost();
    if (lost !== null) return this.#notSent(new LockLostError(lost));
    this.#ledger.departs(this.entry);
    return null;
  }

  /** Puts the copy that leaves now on record. Returns what to do instead of sending it; null to send it. */
  async #record(): Promise<string | WorkFirst | null> {
    const { goesBy, intend } = this.#request;
    if (this.unconfirmedMs === null) {
      const isOld = this.entry !== '' && this.#ledger.ageMs(this.entry) > FRESH_MS;
      const first = isOld || goesBy?.isTooOld() === true ? (goesBy?.refresh() ?? null) : null;
      if (first !== null) return first;
      if (this.entry === '' || isOld || goesBy?.wasReadAgain() === true) {
        if (this.entry !== '')
          await this.#ledger.conclude(this.entry, conclusion('not_sent', 'a new entry replaced it'));
        this.entry = await intend();
        return null;
      }
    }
    // Were the process killed now, the next run must wait for this copy and not for the first.
    const problem = await this.#ledger.leavesAgain(this.entry);
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
