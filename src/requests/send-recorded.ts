import { InvalidCallError } from '../api/errors.ts';
import type { Exchange } from '../api/exchange.ts';
import type { WorkFirst, BeforeSend } from '../api/request.ts';
import { LedgerError, type Conclusion, type Ledger } from '../ledger/ledger.ts';
import { LockLostError } from '../ledger/lock-lost-error.ts';
import { conclusion, LEDGER_OUTCOME } from './conclusion.ts';

/** A list that was read, or an intent that was written, longer ago than this is too old to go by. A 429 takes longer. */
export const FRESH_MS = 5_000;

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
  /** What to do before an intent that is too old is written again; null when there is nothing to do. */
  readonly refresh?: () => WorkFirst | null;
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
 * Writes the intent, sends the request, writes how it ended. Nothing is sent that is not on the disk before.
 *
 * | before a copy leaves                                      | what happens                                       |
 * |-----------------------------------------------------------|----------------------------------------------------|
 * | the lock is lost, or there is a reason not to send it     | it is not sent                                     |
 * | it is not the first, and it cannot be put on record       | it is not sent                                     |
 * | an earlier copy may have been carried out                 | the entry stays and gets the time of this copy     |
 * | none can (never sent, or answered 429); the intent is new | the same; a first copy has the time of its intent  |
 * | none can, and the intent is too old                       | it is closed as not sent, and a new one is written |
 *
 * | how it ended               | no copy unanswered before      | one was                                         |
 * |----------------------------|--------------------------------|-------------------------------------------------|
 * | done                       | done                           | done; the earlier copy may still land           |
 * | refused, throttled         | refused                        | unknown                                         |
 * | not sent                   | not sent                       | unknown                                         |
 * | no answer                  | unknown                        | unknown                                         |
 */
export async function sendRecorded<Reply>(
  ledger: Pick<Ledger, 'ageMs' | 'conclude' | 'departs' | 'leavesAgain' | 'lockLost'>,
  request: RecordedRequest<Reply>,
): Promise<Sent<Reply>> {
  let entry = request.earlier?.entry ?? (await request.intend());
  // Only a copy without an answer may be carried out later; one that was refused or answered with a 429 was not.
  let unconfirmedMs = request.earlier?.sentAtMs ?? null;
  let copies = request.earlier === undefined ? 0 : 1;
  const hear = (ended: Exchange<unknown> | null) => {
    if (ended?.kind === 'unknown') unconfirmedMs = ended.sentAtMs;
  };
  const beforeSend: BeforeSend = async (earlier) => {
    hear(earlier);
    const lost = await ledger.lockLost();
    if (lost !== null && unconfirmedMs === null) throw new LockLostError(lost);
    if (lost !== null) return `not sent again, because ${lost}`;
    const reason = await request.reasonNotTo(earlier, unconfirmedMs !== null);
    if (reason !== null) return reason;
    if (unconfirmedMs !== null || ledger.ageMs(entry) <= FRESH_MS) {
      // Were the process killed now, the next run must wait for this copy and not for the first.
      copies += 1;
      if (copies === 1) {
        ledger.departs(entry);
        return null;
      }
      const problem = await ledger.leavesAgain(entry);
      if (problem !== null && unconfirmedMs === null) throw new LedgerError(problem);
      return problem === null ? null : `not sent again, because ${problem}`;
    }
    const first = request.refresh?.() ?? null;
    if (first !== null) return first;
    await ledger.conclude(entry, conclusion('not_sent', 'a new entry replaced it'));
    entry = await request.intend();
    copies = 1;
    return null;
  };
  const sent = await orNotSent(request.send(beforeSend), (message) =>
    unconfirmedMs === null ? ledger.conclude(entry, conclusion('not_sent', message)) : Promise.resolve(),
  );
  hear(sent);
  const exchange = (await request.confirm?.(sent)) ?? sent;
  const certain = exchange.kind === 'done' || unconfirmedMs === null;
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
  return { entry, exchange };
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
