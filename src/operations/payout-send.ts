import type { Reply } from '../api/catalogue.ts';
import type { Problem } from '../api/errors.ts';
import type { Exchange } from '../api/exchange.ts';
import { momentOf, type Moment } from '../domain/elapsed.ts';
import type { Clock } from '../domain/ports.ts';
import type { Conclusion } from '../ledger/ledger.ts';
import type { PlatformAccount } from '../live/targets.ts';
import { FreshReading } from '../requests/fresh-reading.ts';
import { payoutAct, REQUEST_PAYOUT } from './payout-acts.ts';
import { exactCents, type PayoutAmount } from '../domain/payout-amount.ts';
import type { PayoutBalances } from './payout-checks.ts';
import { placeOf, readPayoutRequests, type PayoutRequest } from './payout-list.ts';
import { judgePayout, newRequestsIn } from './payout-resolve.ts';
import { isAccepted, isRejected, rejectionReason, toldWords } from '../domain/payout-standing.ts';
import { recordedAct, unlessStopped, type ActPorts } from './recorded-act.ts';

export interface SendPorts extends ActPorts {
  readonly clock: Clock;
  /** Aborted by an interrupt: nothing that is not sent yet is sent. */
  readonly stop: AbortSignal;
}

/** What was there right before. */
export interface PayoutBasis {
  readonly balances: PayoutBalances;
  /** All that were listed. */
  readonly requests: readonly PayoutRequest[];
}

export interface PayoutOrder {
  readonly account: PlatformAccount;
  readonly amount: PayoutAmount;
  readonly checked: PayoutBasis;
  /** Whether a person has agreed to one next to another one of the same amount. */
  readonly allowsSimilar: boolean;
  /** When that was asked for. */
  readonly askedAt: Moment;
  /** Reads it again for a request that leaves long after. Throws why it must not be sent. */
  readonly checkAgain: () => Promise<PayoutBasis>;
}

type Entries = Reply<'payouts.request'>['list'];

/** How the one request ended. `entry` is its place in the ledger. */
export type PayoutSent =
  | { readonly kind: 'accepted'; readonly sent: SentPayout; readonly state: string }
  /** `mixed`: another entry of the same answer was not rejected, so only the list can tell. */
  | { readonly kind: 'rejected'; readonly sent: SentPayout; readonly reason: string; readonly mixed: boolean }
  /** No answer, or one that says neither yes nor no. */
  | {
      readonly kind: 'unknown';
      readonly sent: SentPayout;
      readonly why: string;
      /** New requests that may as well be those that the person has agreed to. */
      readonly orAnother?: readonly PayoutRequest[];
    }
  /** The service did not act: refused, throttled, not reached. */
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'interrupted' };

export interface SentPayout {
  readonly entry: string;
  readonly sentAtMs: number;
  readonly basis: PayoutBasis;
}

/** After a connection that never came to be, and after a 429 (ERROR-4, LOST-13). */
const REPEATS_MAX = { not_sent: 3, throttled: 1 } as const;
const REPEAT_WAIT_MS = { not_sent: 1_000, throttled: 2_000 } as const;

/**
 * Sends the request. Writes the intent before and the outcome after. It is sent again only if it was certainly not
 * executed, and then after the list was read again: each send has its own entry and its own baseline.
 * Throws `LedgerError` when an intent cannot be written, and whatever a list or a later check throws; nothing was carried
 * out then.
 */
export function sendPayout(ports: SendPorts, order: PayoutOrder): Promise<PayoutSent> {
  return sendUntilEnded(ports, order, { not_sent: 0, throttled: 0 });
}

async function sendUntilEnded(
  ports: SendPorts,
  order: PayoutOrder,
  repeats: Readonly<Record<keyof typeof REPEATS_MAX, number>>,
): Promise<PayoutSent> {
  const attempt = await sendOnce(ports, order);
  if (attempt.kind === 'ended') return attempt.sent;
  const { sent, earlier } = attempt;
  const { kind, problem } = earlier;
  if (repeats[kind] >= REPEATS_MAX[kind]) return { kind: 'failed', problem };
  await ports.clock.sleep(REPEAT_WAIT_MS[kind], ports.stop).catch(() => undefined);
  if (ports.stop.aborted) return { kind: 'interrupted' };
  // What never left explains no new request.
  const checkAgain = kind === 'not_sent' ? order.checkAgain : () => readUnlessNew(ports, order, sent);
  const askedAt = momentOf(ports.clock);
  try {
    const next = { ...order, askedAt, checked: await checkAgain(), checkAgain };
    return await sendUntilEnded(ports, next, { ...repeats, [kind]: repeats[kind] + 1 });
  } catch (error) {
    if (!(error instanceof NewRequest)) throw error;
    const why = `${problem.what}, but the list shows a new request`;
    return { kind: 'unknown', sent, why, ...(order.allowsSimilar ? { orAnother: error.requests } : {}) };
  }
}

class NewRequest extends Error {
  readonly requests: readonly PayoutRequest[];

  constructor(requests: readonly PayoutRequest[]) {
    super('the list shows a new request');
    this.requests = requests;
  }
}

/** Assumed: a 429 was not executed (ERROR-3). A list that shows something new all the same is believed. */
async function readUnlessNew(
  { client }: SendPorts,
  { account, amount: { cents } }: PayoutOrder,
  { basis }: SentPayout,
): Promise<PayoutBasis> {
  const balances = await client.read('payouts.balances', { params: placeOf(account) });
  const requests = await readPayoutRequests(client, account);
  const found = newRequestsIn(judgePayout({ cents, baseline: invoicesOf(basis) }, requests));
  if (found.some(({ amount }) => exactCents(amount) === cents)) throw new NewRequest(found);
  return { balances, requests };
}

type Unexecuted = Extract<Exchange<unknown>, { readonly kind: 'not_sent' | 'throttled' }>;

type Attempt =
  | { readonly kind: 'ended'; readonly sent: PayoutSent }
  /** The client would have sent it again. */
  | { readonly kind: 'again'; readonly sent: SentPayout; readonly earlier: Unexecuted };

async function sendOnce({ client, ledger, clock, stop }: SendPorts, order: PayoutOrder): Promise<Attempt> {
  const { account, amount, askedAt, checked, checkAgain } = order;
  const goesBy = new FreshReading(clock, { askedAt, value: checked }, checkAgain);
  const held: { earlier: Unexecuted | null } = { earlier: null };
  const interrupted = unlessStopped(stop);
  const beforeSend = (before: Exchange<unknown> | null): string | null => {
    if (before?.kind === 'throttled' || before?.kind === 'not_sent') held.earlier = before;
    if (before !== null) return before.kind === 'done' ? 'sent before' : before.problem.what;
    return interrupted();
  };
  const begunMs = clock.now();
  const actNow = () => {
    const { balances, requests } = goesBy.forRecord();
    return payoutAct(account, amount, balances, requests);
  };
  const { entry, exchange } = await recordedAct({ client, ledger }, REQUEST_PAYOUT, actNow, {
    input: { params: placeOf(account), body: { withdrawal_amount: amount.usd } },
    remember: rememberPayout,
    beforeSend,
    goesBy,
  });
  const sentAtMs = 'sentAtMs' in exchange ? exchange.sentAtMs : begunMs;
  const sent = { entry, sentAtMs, basis: goesBy.value };
  if (exchange.kind === 'not_sent' && exchange.withheld) {
    const { earlier } = held;
    return earlier === null
      ? { kind: 'ended', sent: { kind: 'interrupted' } }
      : { kind: 'again', sent, earlier };
  }
  return { kind: 'ended', sent: understand(sent, exchange) };
}

/** The invoices that were there right before. */
export function invoicesOf({ requests }: PayoutBasis): readonly string[] {
  return requests.map(({ invoiceId }) => invoiceId);
}

function understand(sent: SentPayout, exchange: Exchange<Reply<typeof REQUEST_PAYOUT>>): PayoutSent {
  if (exchange.kind === 'unknown') return { kind: 'unknown', sent, why: exchange.problem.what };
  if (exchange.kind !== 'done') return { kind: 'failed', problem: exchange.problem };
  const { list } = exchange.reply;
  const rejected = rejectionIn(list);
  if (rejected !== null) return { kind: 'rejected', sent, reason: rejected, mixed: !list.every(isRejected) };
  if (!list.every(isAccepted)) return { kind: 'unknown', sent, why: `answered with ${answerWords(list)}` };
  return { kind: 'accepted', sent, state: list[0]?.state ?? '' };
}

/** What the ledger keeps of an answer: a 200 may reject, and may say nothing that anybody knows. */
export function rememberPayout({ list }: Reply<typeof REQUEST_PAYOUT>): Partial<Conclusion> {
  const rejected = rejectionIn(list);
  if (rejected !== null)
    return { outcome: list.every(isRejected) ? 'refused' : 'unknown', message: `rejected: ${rejected}` };
  return list.every(isAccepted) ? {} : { outcome: 'unknown', message: `answered with ${answerWords(list)}` };
}

/** The reason of any entry that was rejected; null when none was. */
function rejectionIn(list: Entries): string | null {
  const rejected = list.find(isRejected);
  return rejected === undefined ? null : rejectionReason(rejected);
}

function answerWords(list: Entries): string {
  return list.map(toldWords).join(', ');
}
