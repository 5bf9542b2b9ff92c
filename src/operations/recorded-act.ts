import type { CallInput, Operation, Reply } from '../api/catalogue.ts';
import type { Client } from '../api/client.ts';
import type { Problem } from '../api/errors.ts';
import type { Exchange } from '../api/exchange.ts';
import type { BeforeSend } from '../api/request.ts';
import type { Conclusion, Ledger, NewAct } from '../ledger/ledger.ts';
import type { GoesBy } from '../requests/fresh-reading.ts';
import { sendRecorded, type Sent } from '../requests/send-recorded.ts';

export interface ActPorts {
  readonly client: Client;
  readonly ledger: Ledger;
}

/** An act of a certain call. */
export type ActOf<Name extends Operation> = NewAct & { readonly operation: Name };

/** How an act ended, and its place in the ledger. */
export type Acted<Name extends Operation> = Sent<Reply<Name>>;

/** How an act is sent. */
export interface ActSend<Name extends Operation> {
  readonly input: CallInput<Name>;
  /** What the ledger keeps of the answer. */
  readonly remember?: (reply: Reply<Name>) => Partial<Conclusion>;
  /** Why it must not be sent after all; asked before every send. */
  readonly beforeSend?: BeforeSend;
  /** What it goes by. */
  readonly goesBy?: GoesBy | undefined;
}

/**
 * Writes down the act, sends it, writes down how it ended; `unknown` leaves its entry open. What the row's repeat
 * rule allows is sent again, and so is what certainly was not carried out. `actNow` is asked for each intent.
 * Throws `LedgerError` when the intent cannot be written, `InvalidCallError` when the input breaks a bound, and what
 * speaks against it in what it goes by: nothing was sent then.
 */
export async function recordedAct<Name extends Operation>(
  { client, ledger }: ActPorts,
  operation: Name,
  actNow: () => ActOf<Name>,
  { input, remember, beforeSend, goesBy }: ActSend<Name>,
): Promise<Acted<Name>> {
  return sendRecorded(ledger, {
    intend: () => ledger.begin(actNow()),
    send: client.prepare<Name>(operation, input),
    reasonNotTo: (earlier) => beforeSend?.(earlier) ?? null,
    goesBy,
    keep: (exchange) => (exchange.kind === 'done' ? (remember?.(exchange.reply) ?? {}) : {}),
  });
}

/** An act that was certainly not carried out. */
type NotCarriedOut = Extract<Exchange<unknown>, { readonly kind: 'refused' | 'throttled' | 'not_sent' }>;

/** Whether it was held back by an interrupt, or failed. */
export function whyNotCarriedOut(
  exchange: NotCarriedOut,
): { readonly kind: 'interrupted' } | { readonly kind: 'failed'; readonly problem: Problem } {
  const isHeld = exchange.kind === 'not_sent' && exchange.withheld;
  return isHeld ? { kind: 'interrupted' } : { kind: 'failed', problem: exchange.problem };
}

/** After an interrupt nothing that is not sent yet is sent. */
export function unlessStopped(stop: AbortSignal): () => string | null {
  return () => (stop.aborted ? 'interrupted before it was sent' : null);
}
