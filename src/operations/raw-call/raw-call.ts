import { CATALOGUE, isOperation, type CallName, type Operation } from '../../api/catalogue.ts';
import type { Row } from '../../api/row.ts';
import type { Client } from '../../api/client.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { AccountId, LiveId } from '../../domain/ids.ts';
import type { Clock } from '../../domain/ports.ts';
import type { Conclusion, Ledger } from '../../ledger/ledger.ts';
import type { Reduced } from '../../ledger/reduced.ts';
import type { PlannedWrite } from '../../ledger/stops.ts';
import type { GoesBy } from '../../requests/fresh-reading.ts';
import { sendRecorded, type Sent } from '../../requests/send-recorded.ts';
import { unlessStopped } from '../recorded-act.ts';

/** One call of the catalogue as the user typed it, checked against its row. */
export interface RawCall {
  readonly operation: RecordedName;
  readonly row: Row;
  readonly params: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** The body as it was typed. */
  readonly bodyText?: string | undefined;
  readonly query?: unknown;
  readonly handedBack?: Readonly<Record<string, string>>;
}

/** Operations that change something. A fan's link is only looked up. */
export type RecordedOperation = {
  [Name in Operation]: (typeof CATALOGUE)[Name]['method'] extends 'GET' ? never : Name;
}[Exclude<Operation, 'vault.verify-fan'>];

/** The same, with calls that the catalogue does not have. */
export type RecordedName = RecordedOperation | Exclude<CallName, Operation>;

export function isRecorded(name: CallName): name is RecordedName {
  if (!isOperation(name)) return !name.startsWith('GET ');
  return CATALOGUE[name].method !== 'GET' && name !== 'vault.verify-fan';
}

export interface RawPorts {
  readonly client: Client;
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** What the ledger knew before. */
  readonly known: Reduced;
  /** Aborted by an interrupt: nothing that is not sent yet is sent. */
  readonly stop: AbortSignal;
  /** How an account is called in the workspace; its id where it has no alias. */
  readonly aliasOf: (accountId: AccountId) => string;
  /** The service's own id of the account that was named by an alias; null where it is not known, or none was. */
  readonly accountId: AccountId | null;
}

/** What the ledger keeps of one raw call. */
export interface RawEntry {
  readonly intend: () => Promise<string>;
  /** What the intent goes by. */
  readonly goesBy?: GoesBy;
  /** What it keeps of the answer. */
  readonly remember?: (reply: unknown) => Partial<Conclusion>;
  /** The object that it changes, where the ledger knows that of each end. */
  readonly liveId?: LiveId;
  /** Where a stop by hand may be against it. */
  readonly write?: PlannedWrite;
}

/** An answer with a 2xx status that is not a success, as the ledger has it. */
export interface NotDone {
  readonly outcome: 'refused' | 'unknown';
  /** What the answer says. */
  readonly message: string;
}

/** `notDone` is null for a success, and without an answer. */
export interface RawSent extends Sent<unknown> {
  readonly notDone: NotDone | null;
}

/**
 * Sends it as it is, on record: its intent is on the disk before it leaves, and its end after. So a lost one is
 * resolved and shown like any other. Throws `LedgerError` when the intent cannot be written, and what `refuseNow` throws,
 * which is asked right before a first copy leaves: nothing was sent then.
 */
export async function sendRaw(
  { client, ledger, stop }: RawPorts,
  { operation, row, ...input }: RawCall,
  entry: RawEntry,
  refuseNow: () => void,
): Promise<RawSent> {
  const send = client.prepareRow(operation, row, input);
  const { write, liveId, goesBy, remember } = entry;
  const interrupted = unlessStopped(stop);
  let kept: Partial<Conclusion> = {};
  let refused: Error | null = null;
  const sent = await sendRecorded<unknown>(ledger, {
    intend: entry.intend,
    send,
    reasonNotTo: async (_, unconfirmed) => {
      const stopped = write === undefined ? null : await ledger.stopAgainst(write);
      if (stopped !== null || unconfirmed) return stopped;
      refused = thrownBy(refuseNow);
      return interrupted() ?? refused?.message ?? null;
    },
    goesBy,
    keep: (exchange) => {
      kept = keptOf(exchange, remember);
      return { ...(liveId === undefined ? {} : { live_id: liveId }), ...kept };
    },
  });
  if (refused !== null) throw refused as Error;
  return { ...sent, notDone: notDoneIn(kept) };
}

function thrownBy(work: () => void): Error | null {
  try {
    work();
    return null;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
}

function notDoneIn({ outcome, message = '' }: Partial<Conclusion>): NotDone | null {
  return outcome === 'refused' || outcome === 'unknown' ? { outcome, message } : null;
}

function keptOf(exchange: Exchange<unknown>, remember: RawEntry['remember']): Partial<Conclusion> {
  return exchange.kind === 'done' ? (remember?.(exchange.reply) ?? {}) : {};
}
