import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Reply } from '../api/catalogue.ts';
import type { Problem } from '../api/errors.ts';
import { formatCommand } from '../domain/command-line.ts';
import { fullInstantMs } from '../domain/time.ts';
import {
  PAYOUT_CURRENCY,
  describePayoutState,
  doubt,
  exactCents,
  formatCents,
  isRejected,
  judgeLook,
  lowerCents,
  namePlace,
  parseTrace,
  readLook,
  readPayoutRequests,
  rejectionReason,
  describeStanding,
  upperCents,
  type PayoutAmount,
  type PayoutFinding,
  type PayoutLook,
  type PayoutRequest,
  type Trace,
} from './payout-look.ts';
import { visible } from '../domain/visible.ts';
import { serviceTime, type Run } from '../engine/run.ts';
import type { PlatformAccount } from '../live/accounts.ts';
import type { OpenRequest, RequestRow } from '../state/shapes.ts';
import { sendAct, type ActEnd, type Doubts, type Looked, type Verdict } from './act.ts';
import { describeRequest, isYoungerThan, sentText } from './record.ts';

type Balances = Reply<'payouts.balances'>;
type Answer = Reply<'payouts.request'>;

export interface PayoutOrder {
  readonly account: PlatformAccount;
  readonly amount: PayoutAmount;
}

/** What was there right before a request. */
export interface PayoutBasis {
  readonly balances: Balances;
  readonly requests: readonly PayoutRequest[];
}

export interface PayoutConsent {
  /** Requests it although an earlier one is unconfirmed. */
  readonly acknowledge: boolean;
  /** Requests it although the same amount was requested within a day. */
  readonly allowSimilar: boolean;
  /** Asks a person; rejects if the answer is no. Null: agreed before. */
  readonly ask: ((basis: PayoutBasis) => Promise<void>) | null;
}

export type PayoutEnd =
  | {
      readonly kind: 'sent';
      readonly finding: PayoutFinding;
      /** What the answer said: its state, or why it does not tell. */
      readonly answer: string;
      /** Only the list showed it. */
      readonly isAdopted: boolean;
      readonly look: PayoutLook | null;
      readonly basis: PayoutBasis | null;
      /** What became of earlier requests without an answer, as sentences; empty without any. */
      readonly earlier: string;
      /** Why the state does not have its end. */
      readonly unrecorded: string | null;
    }
  /** An earlier request of this amount was made within a day. Nothing was sent now. */
  | { readonly kind: 'earlier'; readonly finding: PayoutFinding; readonly words: string }
  | { readonly kind: 'failed'; readonly problem: Problem };

/** How long a payout of the same amount counts as the same one. The service has no such rule. */
const SIMILAR_PAYOUT_MS = 86_400_000;

/** A list that is behind is looked at again after so long, and once more. */
const LOOK_AGAIN_MS = [5_000, 15_000] as const;

/**
 * Requests a payout, never twice (PAYOUT-1). Earlier requests without an answer are looked up first:
 *
 * | the earlier request                            | then                                              |
 * |------------------------------------------------|---------------------------------------------------|
 * | was made, of the same amount, within 24 hours  | the result of this command; nothing is sent       |
 * | was made, otherwise                            | blocked; nothing is sent                          |
 * | was rejected, or not seen for 24 hours         | goes on                                           |
 * | is not seen, or nothing tells                  | unconfirmed; with `acknowledge`, goes on          |
 * | cannot be looked up                            | unconfirmed; nothing is sent                      |
 */
export async function requestPayout(
  run: Run,
  order: PayoutOrder,
  consent: PayoutConsent,
): Promise<PayoutEnd> {
  const { account, amount } = order;
  const { ask } = consent;
  const end = await sendAct<Answer, PayoutBasis, PayoutFinding>(
    run,
    {
      subject: {
        operation: 'payouts.request',
        // Always known, so that no earlier request is overlooked. The state allows one open payout for each.
        account: { alias: account.alias, accountId: account.platformAccountId },
        kind: 'payout',
        name: account.platformAccountId,
      },
      resolve: {
        kind: 'read',
        look: (request) => lookForPayout(run, account, request),
        // Nothing repeats a payout but a person.
        mayRepeat: false,
        refuse: ({ looked }) => describeOpen(order, looked),
      },
      similar: {
        withinMs: SIMILAR_PAYOUT_MS,
        isSame: (row) => (parseTrace(row)?.cents ?? amount.cents) === amount.cents,
      },
      check: (doubts, before) => checkPayout(run, order, consent, doubts, before),
      prepare: (basis) => ({
        asked: makeTrace(order, basis),
        send: run.client.prepare('payouts.request', {
          params: namePlace(account),
          body: { withdrawal_amount: amount.usd },
        }),
      }),
      judge: judgeAnswer,
    },
    { ...consent, ask: ask === null ? null : async (_, basis) => (basis === null ? undefined : ask(basis)) },
  );
  if (end.kind === 'failed') return end;
  if (end.kind === 'earlier') return answerEarlier(run, order, end.looked);
  return lookAtSent(run, order, end);
}

/** What became of a request that left, by its answer, the list and the balance. */
async function lookAtSent(
  run: Run,
  { account, amount }: PayoutOrder,
  end: Extract<ActEnd<Answer, PayoutBasis, PayoutFinding>, { readonly kind: 'done' | 'lost' }>,
): Promise<PayoutEnd> {
  const { checked: basis } = end;
  const earlier = end.looked.map(describeLooked).join(' ');
  const trace = makeTrace({ account, amount }, basis);
  if (end.kind === 'done') {
    const { reply, unrecorded } = end;
    const { list } = reply;
    const rejected = list.find((entry) => describeStanding(entry) === 'rejected');
    const reason = rejected === undefined ? null : rejectionReason(rejected);
    const look = await lookUntilClear(run, account, trace, reason);
    const finding = judgeLook(trace, look, { kind: reason === null ? 'accepted' : 'rejected', reason });
    return {
      kind: 'sent',
      finding,
      answer: list[0]?.state ?? '',
      isAdopted: false,
      look,
      basis,
      earlier,
      unrecorded,
    };
  }
  const { lost, verdict } = end;
  const finding = judgeLost(lost.reply, verdict);
  const look = await readLook(run, account, trace);
  const answer = lost.reply === null ? (lost.problem?.what ?? 'no answer') : describeAnswer(lost.reply);
  return { kind: 'sent', finding, answer, isAdopted: true, look, basis, earlier, unrecorded: null };
}

/** An answer that said yes and no is not trusted, even if the list shows the request. */
function judgeLost(reply: Answer | null, verdict: Verdict<PayoutFinding> | null): PayoutFinding {
  const found = verdict === null ? undefined : verdict.found;
  if (found === undefined)
    return { kind: 'unread', why: 'interrupted before a late request could be ruled out' };
  const rejected = reply?.list.find(isRejected);
  return rejected === undefined ? found : doubt(found, rejectionReason(rejected));
}

/** A 200 may reject, and may say nothing that is known (PAYOUT-4). */
function judgeAnswer({ list }: Answer): 'done' | 'refused' | null {
  const standings = list.map(describeStanding);
  if (standings.every((one) => one === 'accepted')) return 'done';
  return standings.every((one) => one === 'rejected') ? 'refused' : null;
}

function makeTrace({ amount: { cents } }: PayoutOrder, basis: PayoutBasis | null): Trace {
  const baseline = (basis?.requests ?? []).map(({ invoiceId }) => invoiceId);
  return { cents, baseline, available_cents: lowerCents(basis?.balances.payoutAvailable) };
}

async function lookUntilClear(
  run: Run,
  account: PlatformAccount,
  trace: Trace,
  reason: string | null,
): Promise<PayoutLook> {
  let look = await readLook(run, account, trace);
  for (const waitMs of LOOK_AGAIN_MS) {
    if (reason !== null || judgeLook(trace, look, { kind: 'accepted', reason }).kind !== 'unchecked') break;
    await run.clock.sleep(waitMs, run.interrupted).catch(() => undefined);
    if (run.interrupted.aborted) break;
    look = await readLook(run, account, trace);
  }
  return look;
}

/** A request that no list has shown for so long does not block the account any more (LOST-13, FAULT-12). */
const BLOCKS_MS = 24 * 3_600_000;

/** What the service shows of a request without an answer, after its window. */
async function lookForPayout(
  run: Run,
  account: PlatformAccount,
  row: OpenRequest,
): Promise<Verdict<PayoutFinding>> {
  const trace = parseTrace(row);
  if (trace === null) return { kind: 'open', found: { kind: 'ambiguous', requests: [] } };
  const found = judgeLook(trace, await readLook(run, account, trace), { kind: 'lost', reason: null });
  const invoice = 'request' in found ? (found.request?.invoiceId ?? null) : null;
  switch (found.kind) {
    case 'made':
    case 'unclear':
      return { kind: 'found', found, ending: { outcome: 'adopted', live_id: invoice } };
    case 'rejected': {
      const answer = { what: `rejected: ${found.reason}` };
      return { kind: 'found', found, ending: { outcome: 'refused', live_id: invoice, answer } };
    }
    case 'not_seen':
      return isYoungerThan(run, row, BLOCKS_MS) ? { kind: 'open', found } : { kind: 'absent', found };
    default:
      return { kind: 'open', found };
  }
}

function answerEarlier(
  run: Run,
  { account, amount }: PayoutOrder,
  looked: readonly Looked<PayoutFinding>[],
): PayoutEnd {
  const words = `${looked.map(describeLooked).join(' ')} Nothing was sent now.`;
  const isMade = ({ verdict }: Looked<PayoutFinding>) =>
    verdict.kind === 'found' && verdict.ending.outcome === 'adopted';
  const made = looked.filter(isMade);
  const ofAmount = made.filter(({ request }) => parseTrace(request)?.cents === amount.cents);
  const same = ofAmount.find(({ request }) => isYoungerThan(run, request, SIMILAR_PAYOUT_MS));
  if (same !== undefined && same.verdict.kind === 'found')
    return { kind: 'earlier', finding: same.verdict.found, words };
  const why =
    ofAmount.length > 0
      ? 'It was more than a day ago.'
      : `It was for another amount than ${amount.text} USD.`;
  throw new HeraldError(
    'earlier-payout-made',
    `${words} ${why}`,
    `If ${account.alias} is to get ${amount.text} USD as well, run the command again.`,
    {
      exit: EXIT.blocked,
      details: { made: made.map(({ verdict }) => ('found' in verdict ? verdict.found : null)) },
    },
  );
}

/** Throws why the payout is not possible, or may have been requested already. */
async function checkPayout(
  run: Run,
  order: PayoutOrder,
  { acknowledge, allowSimilar }: PayoutConsent,
  { looked, similar }: Doubts<PayoutFinding>,
  before: PayoutBasis | null,
): Promise<PayoutBasis> {
  const { account, amount } = order;
  const isUnread = looked.some(({ verdict }) => verdict.kind === 'open' && verdict.found.kind === 'unread');
  if (acknowledge && isUnread) throw describeOpen(order, looked);
  const balances = await run.client.read('payouts.balances', { params: namePlace(account) });
  const problems = balanceProblems(amount, balances);
  const what = `A payout of ${amount.text} USD for ${describeAccount(account)}`;
  if (problems.length > 0)
    throw new HeraldError(
      'payout-not-possible',
      `${what} is not possible. ${problems.join(' ')}`,
      `Nothing was sent. For the balances: ${formatCommand('payouts', 'balances')}`,
      { details: { problems, balances } },
    );
  const requests = await readPayoutRequests(run, account);
  const known = new Set((before?.requests ?? requests).map(({ invoiceId }) => invoiceId));
  const listed = requests.filter((request) => {
    const isNew = !known.has(request.invoiceId);
    return (isNew || !allowSimilar) && mayBeSame(run, amount, request);
  });
  const invoices = new Map(requests.map((request) => [request.invoiceId, request]));
  const onRecord = similar.filter(({ live_id: id }) => {
    const entry = id === null ? undefined : invoices.get(id);
    return entry === undefined || !(isRejected(entry) || listed.includes(entry));
  });
  if (listed.length + (allowSimilar ? 0 : onRecord.length) === 0) return { balances, requests };
  const which = [
    ...listed.map(describeInvoice),
    ...(allowSimilar ? [] : onRecord.map((row) => `${describeAmount(row)} (recorded here)`)),
  ];
  throw new HeraldError(
    'similar-payout',
    `${what} may already have been requested within the last 24 hours: ${which.join(', ')}. Nothing was sent.`,
    'To request the same amount again, add --allow-similar.',
    { exit: EXIT.blocked, details: { similar: listed, on_record: onRecord.map(describeRequest) } },
  );
}

/** What cannot be read of a request in the list counts against sending. */
function mayBeSame(run: Run, { cents }: PayoutAmount, request: PayoutRequest): boolean {
  if (isRejected(request) || (exactCents(request.amount) ?? cents) !== cents) return false;
  const createdMs = fullInstantMs(request.createdAt);
  return createdMs === null || serviceTime(run).earliestMs - createdMs < SIMILAR_PAYOUT_MS;
}

/** The minimum applies to the available balance, not to the amount (PAYOUT-3). A missing figure blocks, too. */
function balanceProblems(amount: PayoutAmount, balances: Balances): readonly string[] {
  const { currency, payoutAvailable, minPayoutSumm, maxPayoutSumm } = balances;
  const [available, maximum] = [lowerCents(payoutAvailable), lowerCents(maxPayoutSumm)];
  const least = upperCents(minPayoutSumm);
  const missing = (what: string, member: string) =>
    `The service does not say ${what} (${member}), or not as an amount.`;
  const problems = [
    currency == null || currency === ''
      ? 'The service does not say the currency of this account (currency).'
      : currency !== PAYOUT_CURRENCY &&
        `The account's currency is ${currency}; payouts are possible in ${PAYOUT_CURRENCY} only.`,
    available === null
      ? missing('what is available', 'payoutAvailable')
      : amount.cents > available &&
        `${amount.text} is more than the ${formatCents(available)} available (payoutAvailable).`,
    maximum === null
      ? missing('the most that can be withdrawn now', 'maxPayoutSumm')
      : amount.cents > maximum &&
        `${amount.text} is more than the ${formatCents(maximum)} that can be withdrawn now (maxPayoutSumm).`,
    least === null
      ? missing('the balance that a payout needs at least', 'minPayoutSumm')
      : available !== null &&
        available < least &&
        `The available ${formatCents(available)} is below the ${formatCents(least)} that a payout needs (minPayoutSumm).`,
  ];
  return problems.filter((problem) => problem !== false);
}

function describeAnswer({ list }: Answer): string {
  const rejected = list.find(isRejected);
  return rejected === undefined
    ? `answered with ${list.map(describePayoutState).join(', ')}`
    : `answered yes and no (${rejectionReason(rejected)})`;
}

/** `alice (account 101, platform account 9101, @alice_x)` */
export function describeAccount({ alias, accountId, platformAccountId, username }: PlatformAccount): string {
  const account = accountId === null ? '' : `account ${accountId}, `;
  const user = username === undefined ? '' : `, @${visible(username)}`;
  return `${alias} (${account}platform account ${platformAccountId}${user})`;
}

/** `inv-9101-0001 (100.10 USD, new, 2026-06-01T14:00:00+02:00)` */
export function describeInvoice({ invoiceId, amount, currency, state, createdAt }: PayoutRequest): string {
  const cents = exactCents(amount);
  const money = `${cents === null ? String(amount ?? 'unknown amount') : formatCents(cents)} ${currency ?? 'without a currency'}`;
  return visible(`${invoiceId} (${money}, ${state ?? 'no state'}, ${createdAt ?? 'no date'})`);
}

/** `100.10 USD, requested at 2026-06-01T12:00:00.000Z by ana` */
function describeAmount(row: RequestRow): string {
  const cents = parseTrace(row)?.cents;
  const amount = cents === undefined ? 'an unknown amount' : `${formatCents(cents)} USD`;
  return visible(`${amount}, requested at ${sentText(row)} by ${row.who ?? 'unknown'}`);
}

function describeLooked({ request, verdict }: Looked<PayoutFinding>): string {
  const which = `The earlier request of ${describeAmount(request)},`;
  const found = 'found' in verdict ? verdict.found : undefined;
  if (verdict.kind === 'absent' || found === undefined)
    return `${which} did not appear in the list within 24 hours, and no longer counts.`;
  switch (found.kind) {
    case 'made':
      return `${which} was made as invoice ${visible(found.request?.invoiceId ?? '?')}, state ${found.request?.state ?? ''}.`;
    case 'unclear':
      return `${which} was made as ${describeInvoice(found.request)}; ${found.why}.`;
    case 'rejected':
      return `${which} was rejected: ${found.reason}.`;
    default:
      return `${which} is unconfirmed. ${describeFinding(found)}`;
  }
}

/** What is known of an unconfirmed request, as a sentence. */
export function describeFinding(finding: PayoutFinding): string {
  switch (finding.kind) {
    case 'not_seen':
      return 'The list of payout requests does not show it, and was read after the last time at which it could appear.';
    case 'ambiguous':
      return finding.requests.length === 0
        ? 'Its record cannot be read, so the list cannot show if it was made.'
        : `The list of payout requests shows possible matches: ${finding.requests.map(describeInvoice).join(', ')}.`;
    case 'unread':
      return `The list of payout requests did not show if it was made: ${finding.why}.`;
    default:
      return '';
  }
}

export const LOOK_FIRST =
  "Check the account's payouts on the service. To check again, run the command again; it sends nothing while this is unconfirmed. To request a payout anyway after that, add --acknowledge. For the same amount within 24 hours, add --allow-similar too.";

function describeOpen({ account }: PayoutOrder, looked: readonly Looked<PayoutFinding>[]): HeraldError {
  const open = looked.filter(({ verdict }) => verdict.kind === 'open');
  return new HeraldError(
    'open-payout',
    `An earlier payout request for ${describeAccount(account)} is unconfirmed, so nothing was sent now. ${looked.map(describeLooked).join(' ')}`,
    LOOK_FIRST,
    { exit: EXIT.unknown, details: { open: open.map(({ request }) => describeRequest(request)) } },
  );
}
