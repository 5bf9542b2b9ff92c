import type { Problem } from '../api/errors.ts';
import { ageInThisRun } from './age.ts';
import { conclusion } from '../requests/conclusion.ts';
import type { PayoutTrace } from './payout-acts.ts';
import { lookAtAccepted, readAvailable, type AcceptedLook } from './payout-accepted.ts';
import { lowerCents } from '../domain/payout-amount.ts';
import { readPayoutRequests, type PayoutRequest } from './payout-list.ts';
import {
  invoicesOf,
  type PayoutOrder,
  type PayoutSent,
  type SendPorts,
  type SentPayout,
} from './payout-send.ts';
import { judgePayout, resolvePayout, type PayoutVerdict, type ResolvePorts } from './payout-resolve.ts';
import {
  isAccepted,
  isContradictory,
  isRejected,
  rejectionReason,
  toldWords,
} from '../domain/payout-standing.ts';

/** The result of a payout request that was found or answered. */
export type ClosedPayout =
  /** `request` is null where the list does not name it yet; `adopted` where only the list told. */
  | {
      readonly kind: 'made';
      readonly request: PayoutRequest | null;
      readonly state: string;
      readonly adopted: boolean;
      /** Why the answer did not tell. */
      readonly why?: string;
      /** New requests of other amounts that someone else made at the same time. */
      readonly others?: readonly PayoutRequest[];
      /** What could not be read to rule out a second request of the same amount. */
      readonly unread?: 'list' | 'balance' | null;
    }
  | { readonly kind: 'rejected'; readonly request: PayoutRequest | null; readonly reason: string }
  /** It exists, but for the reason `why` it may not be a success. */
  | { readonly kind: 'unclear'; readonly request: PayoutRequest; readonly why: string };

/** The same, as far as is known. */
export type PayoutEnd =
  | ClosedPayout
  | {
      readonly kind: 'unknown';
      readonly why: string;
      readonly verdict: PayoutVerdict;
      /** What is available now, in cents; null when it could not be read. */
      readonly availableCents: number | null;
    }
  /** It was accepted, and someone else requested the same amount at the same time. */
  | {
      readonly kind: 'two';
      readonly requests: readonly PayoutRequest[];
      readonly availableCents: number | null;
    }
  /** It was accepted, and nothing rules out that someone else requested the same amount at the same time. */
  | {
      readonly kind: 'unchecked';
      readonly state: string;
      readonly isListRead: boolean;
      readonly availableCents: number | null;
    }
  | { readonly kind: 'failed'; readonly problem: Problem }
  | { readonly kind: 'interrupted' };

type Ports = SendPorts & ResolvePorts;

/** A list that is behind is looked at again after so long, and once more. */
const LOOK_AGAIN_MS = [5_000, 15_000] as const;

/**
 * Finds out what a request came to, and closes its entry with that. An answer that says yes or no is believed and its
 * invoice looked up; anything else waits until the list can be believed. Never throws for what the service does.
 */
export async function concludePayout(ports: Ports, order: PayoutOrder, sent: PayoutSent): Promise<PayoutEnd> {
  switch (sent.kind) {
    case 'failed':
    case 'interrupted':
      return sent;
    case 'unknown':
      return sent.orAnother === undefined
        ? resolveUnknown(ports, order, sent.sent, sent.why)
        : leaveOpen(ports, order, sent, { kind: 'ambiguous', requests: sent.orAnother });
    case 'accepted':
      return concludeAccepted(ports, order, sent);
    case 'rejected':
      return concludeRejected(ports, order, sent);
  }
}

async function concludeAccepted(
  ports: Ports,
  order: PayoutOrder,
  { sent, state }: Extract<PayoutSent, { kind: 'accepted' }>,
): Promise<PayoutEnd> {
  const look = await lookUntilChecked(ports, order, sent);
  if (look.kind === 'two') return look;
  if (look.kind === 'unchecked') return { ...look, state };
  const { request, others, hasFallen, unread } = look;
  if (request === null) return { kind: 'made', request, state, adopted: false, others, unread };
  const end = await closeWith(ports, sent.entry, { request, byBalance: hasFallen }, 'done');
  return end.kind === 'made' ? { ...end, others, unread } : end;
}

async function lookUntilChecked(ports: Ports, order: PayoutOrder, sent: SentPayout): Promise<AcceptedLook> {
  const look = () => lookAtAccepted(ports.client, order.account, traceOf(order, sent));
  let found = await look();
  for (const waitMs of LOOK_AGAIN_MS) {
    if (found.kind !== 'unchecked') break;
    await ports.clock.sleep(waitMs, ports.stop).catch(() => undefined);
    if (ports.stop.aborted) break;
    found = await look();
  }
  return found;
}

/** Money is at risk: if answer and list contradict each other, neither is trusted. */
async function concludeRejected(
  ports: Ports,
  order: PayoutOrder,
  { sent, reason, mixed }: Extract<PayoutSent, { kind: 'rejected' }>,
): Promise<PayoutEnd> {
  const request = await findMade(ports, order, sent);
  const end: PayoutEnd =
    request !== null
      ? await closeWith(ports, sent.entry, { request, byBalance: false }, 'adopted')
      : mixed
        ? await resolveUnknown(ports, order, sent, `answered yes and no (${reason})`)
        : { kind: 'rejected', request, reason };
  const found = end.kind === 'made' || end.kind === 'unclear' ? end.request : null;
  if (found === null) return end;
  const list = end.kind === 'unclear' ? end.why : 'the list does not';
  return { kind: 'unclear', request: found, why: `its answer rejected it (${reason}), and ${list}` };
}

/** Closes an entry with the request that the list shows for it, and says what that amounts to. */
export async function closeWith(
  { ledger }: Pick<SendPorts, 'ledger'>,
  entry: string,
  { request, byBalance }: Pick<Extract<PayoutVerdict, { kind: 'made' }>, 'request' | 'byBalance'>,
  outcome: 'done' | 'adopted',
): Promise<ClosedPayout> {
  if (isRejected(request)) {
    const reason = rejectionReason(request);
    await ledger.conclude(entry, conclusion('refused', `rejected: ${reason}`, request.invoiceId));
    return { kind: 'rejected', request, reason };
  }
  await ledger.conclude(entry, conclusion(outcome, '', request.invoiceId));
  if (isAccepted(request) || (isContradictory(request) && byBalance))
    return { kind: 'made', request, state: request.state ?? '', adopted: outcome === 'adopted' };
  const why = isContradictory(request)
    ? `its entry in the list has ${toldWords(request)}`
    : 'its state is not one that this version knows';
  return { kind: 'unclear', request, why };
}

async function resolveUnknown(
  ports: Ports,
  order: PayoutOrder,
  sent: SentPayout,
  why: string,
): Promise<PayoutEnd> {
  const trace = traceOf(order, sent);
  const ageMs = ageInThisRun(ports, sent.entry, sent.sentAtMs);
  const verdict = await resolvePayout(ports, order.account, trace, ageMs);
  if (verdict.kind === 'made') {
    const end = await closeWith(ports, sent.entry, verdict, 'adopted');
    return end.kind === 'made' ? { ...end, why } : end;
  }
  return leaveOpen(ports, order, { sent, why }, verdict);
}

async function leaveOpen(
  ports: Ports,
  order: PayoutOrder,
  { sent, why }: { readonly sent: SentPayout; readonly why: string },
  verdict: PayoutVerdict,
): Promise<PayoutEnd> {
  await ports.ledger.conclude(sent.entry, {
    ...conclusion('unknown', `${why}; ${verdict.kind}`),
    sent_at_ms: sent.sentAtMs,
  });
  return unknownEnd(ports, order, why, verdict);
}

async function unknownEnd(
  { client }: Ports,
  { account }: PayoutOrder,
  why: string,
  verdict: PayoutVerdict,
): Promise<PayoutEnd> {
  return { kind: 'unknown', why, verdict, availableCents: await readAvailable(client, account) };
}

/** The one new request that the list shows for an answer that rejected it; null where it shows none. */
async function findMade(
  { client }: Ports,
  order: PayoutOrder,
  sent: SentPayout,
): Promise<PayoutRequest | null> {
  try {
    const requests = await readPayoutRequests(client, order.account);
    const verdict = judgePayout(traceOf(order, sent), requests);
    return verdict.kind === 'made' || verdict.kind === 'contradictory' ? verdict.request : null;
  } catch {
    return null;
  }
}

function traceOf({ amount }: PayoutOrder, { basis }: SentPayout): PayoutTrace {
  return {
    cents: amount.cents,
    amount: amount.text,
    baseline: invoicesOf(basis),
    availableCents: lowerCents(basis.balances.payoutAvailable),
  };
}
