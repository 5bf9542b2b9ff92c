import type { CallInput, Operation, Reply } from '../api/catalogue.ts';
import type { Client } from '../api/client.ts';
import { InvalidCallError } from '../api/errors.ts';
import type { Exchange } from '../api/exchange.ts';
import type { Withhold } from '../api/request.ts';
import type { Conclusion, Ledger, NewAct } from '../ledger/ledger.ts';
import { conclusion } from './conclusion.ts';

export interface ActPorts {
  readonly client: Client;
  readonly ledger: Ledger;
}

/** An act of a certain call. */
export type ActOf<Name extends Operation> = NewAct & { readonly operation: Name };

/** How an act ended, and its place in the ledger. */
export interface Acted<Name extends Operation> {
  readonly entry: string;
  readonly exchange: Exchange<Reply<Name>>;
}

/** An entry older than this when its request is about to leave is written anew: waits for a 429 take longer. */
const ENTRY_FRESH_MS = 5_000;

/**
 * Writes down the act, sends it, writes down how it ended; `unknown` leaves its entry open. What the row's repeat
 * rule allows is sent again, and so is what certainly was not carried out. `remember` says what the ledger keeps of
 * the answer, `withhold` why it must not leave after all, asked before every send.
 * Throws `LedgerError` when the intent cannot be written, `InvalidCallError` when the input breaks a bound: nothing
 * was sent then.
 */
export async function recordedAct<Name extends Operation>(
  { client, ledger }: ActPorts,
  act: ActOf<Name>,
  input: CallInput<Name>,
  remember: (reply: Reply<Name>) => Partial<Conclusion> = () => ({}),
  withhold: Withhold = () => null,
): Promise<Acted<Name>> {
  let entry = await ledger.begin(act);
  let lostAtMs: number | null = null;
  const beforeSend: Withhold = async (earlier) => {
    if (earlier?.kind === 'unknown') lostAtMs = earlier.sentAtMs;
    const reason = await withhold(earlier);
    if (reason !== null) return reason;
    if (lostAtMs !== null) {
      // The entry stays the one of the copy that may still be carried out, and is about this one as well.
      await ledger.leavesAgain(entry);
      return null;
    }
    if (ledger.ageMs(entry) <= ENTRY_FRESH_MS) return null;
    await ledger.conclude(entry, conclusion('not_sent', 'another entry took its place'));
    entry = await ledger.begin(act);
    return null;
  };
  let exchange: Exchange<Reply<Name>>;
  try {
    exchange = await client.call(act.operation, input, beforeSend);
  } catch (error) {
    if (error instanceof InvalidCallError)
      await ledger.conclude(entry, conclusion('not_sent', error.message));
    throw error;
  }
  await ledger.conclude(entry, {
    ...conclusion(OUTCOME[exchange.kind], exchange.kind === 'done' ? '' : exchange.problem.what),
    sent_at_ms: 'sentAtMs' in exchange ? exchange.sentAtMs : null,
    // An answer says nothing about the copies that were sent before it.
    unheard_ms: exchange.kind === 'unknown' ? exchange.sentAtMs : lostAtMs,
    ...(exchange.kind === 'done' ? remember(exchange.reply) : {}),
  });
  return { entry, exchange };
}

/** After an interrupt nothing that is not sent yet is sent. */
export function unlessStopped(stop: AbortSignal): () => string | null {
  return () => (stop.aborted ? 'interrupted before it was sent' : null);
}

/** How the ledger closes an entry whose exchange ended like this. */
const OUTCOME = {
  done: 'done',
  refused: 'refused',
  throttled: 'refused',
  not_sent: 'not_sent',
  unknown: 'unknown',
} as const satisfies Record<Exchange<unknown>['kind'], Conclusion['outcome']>;
