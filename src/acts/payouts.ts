import type { Reply } from '../api/catalogue.ts';
import type { Client } from '../api/client.ts';
import { isUnread, ServiceError } from '../api/errors.ts';
import { readWhole, type ItemOf } from '../api/pages.ts';
import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { fullInstantMs } from '../domain/time.ts';
import { visible } from '../domain/visible.ts';
import { lagMs, serviceTime, type Run } from '../engine/run.ts';
import type { PlatformAccount } from '../live/accounts.ts';
import type { OpenRequest, RequestRow } from '../state/shapes.ts';
import {
  sendAct,
  type Act,
  type Looked,
  type Verdict,
  isYoungerThan,
  makeUnknown,
  readRequest,
  type ActWords,
} from './act.ts';
import { formatCents, PAYOUT_CURRENCY, readCents } from './payout-amount.ts';

type Answer = Reply<'payouts.request'>;
export type PayoutRequest = ItemOf<'payouts.list'>;

export interface PayoutOrder {
  readonly account: PlatformAccount;
  readonly cents: number;
}

export interface PayoutConsent {
  /** Requests it although an earlier one is unconfirmed. */
  readonly acknowledge: boolean;
  /** Requests it although these of its amount were requested within a day. Null: any such request forbids it. */
  readonly allowSimilar: readonly PayoutRequest[] | null;
}

export interface PayoutMade {
  /** `adopted`: the answer was lost, and the list shows the request. `made_earlier`: by an earlier run, and nothing was sent now. */
  readonly outcome: 'requested' | 'adopted' | 'made_earlier';
  readonly request: PayoutRequest;
  /** New requests of other amounts. */
  readonly others: readonly PayoutRequest[];
  /** Why the state does not have its end. */
  readonly unrecorded: string | null;
}

/** How long a payout of the same amount counts as the same one. The service has no such rule. */
const SIMILAR_MS = 86_400_000;
/** A request that no list has shown for so long does not block the account any more (LOST-13, FAULT-12). */
const BLOCKS_MS = 86_400_000;

/**
 * Requests a payout, never twice (PAYOUT-1). Throws all that is not certainly a success. Earlier requests without an answer are
 * looked up first:
 *
 * | the earlier request                            | then                                              |
 * |------------------------------------------------|---------------------------------------------------|
 * | was made, of the same amount, within 24 hours  | the result of this command; nothing is sent       |
 * | was made, otherwise                            | blocked; nothing is sent                          |
 * | was rejected, or not seen for 24 hours         | goes on                                           |
 * | else                                           | unconfirmed; with `acknowledge`, goes on          |
 */
export async function requestPayout(
  run: Run,
  order: PayoutOrder,
  consent: PayoutConsent,
): Promise<PayoutMade> {
  const { account, cents } = order;
  const words = describePayout(order);
  const end = await sendAct(run, makeAct(run, order, consent, words));
  if (end.kind === 'failed')
    throw new ServiceError({
      ...end.problem,
      what: `${describeOrder(order)} was not requested: ${end.problem.what}`,
    });
  if (end.kind === 'earlier') return answerEarlier(run, order, end.looked);
  const trace = end.checked ?? { cents, baseline: [], available_cents: null };
  const entries = end.reply?.list ?? [];
  const rejected = entries.find(isRejected);
  const finding =
    end.kind === 'done'
      ? await lookAtAnswered(run, account, trace, rejected === undefined ? 'accepted' : 'rejected')
      : (end.verdict?.found ?? NOT_LOOKED);
  if (finding.kind === 'rejected') throw describeRejected(order, finding.request ?? rejected ?? null);
  // An answer that said yes and no is not trusted, even if the list shows the request.
  if (finding.kind === 'unknown' || rejected !== undefined)
    throw makeUnknown(
      words,
      { entry: end.entry, problem: end.kind === 'done' ? null : end.problem },
      {
        facts: [
          ...entries.map((told) => `answer: ${describePayoutState(told)}`),
          ...describeFacts(trace, finding),
        ],
        new_requests: typeof finding.fresh === 'string' ? [] : finding.fresh,
        available_before_cents: trace.available_cents,
        available_now_cents: finding.availableCents,
      },
    );
  const { request, others } = finding;
  const outcome = end.kind === 'lost' ? 'adopted' : 'requested';
  return { outcome, request, others, unrecorded: end.unrecorded };
}

function makeAct(
  run: Run,
  order: PayoutOrder,
  consent: PayoutConsent,
  words: ActWords<Finding>,
): Act<Answer, Trace, Finding> {
  const { account, cents } = order;
  return {
    subject: {
      operation: 'payouts.request',
      // Always known, so that no earlier request is overlooked. The state allows one open payout for each.
      account: { alias: account.alias, accountId: account.platformAccountId },
      kind: 'payout',
      name: account.platformAccountId,
    },
    words,
    look: (request) => lookForPayout(run, account, request),
    // Nothing repeats a payout but a person.
    mayRepeat: false,
    acknowledge: consent.acknowledge,
    similar: { withinMs: SIMILAR_MS, isSame: (row) => (parseTrace(row)?.cents ?? cents) === cents },
    check: (similar) => checkPayout(run, order, consent, similar),
    prepare: (trace) => ({
      asked: trace,
      send: run.client.prepare('payouts.request', {
        params: namePlace(account),
        body: { withdrawal_amount: cents / 100 },
      }),
    }),
    judge: judgeAnswer,
  };
}

/** Null where the record cannot be read. */
function parseTrace(row: RequestRow): Trace | null {
  const { cents, baseline, available_cents: available } = readRequest(row).details;
  if (typeof cents !== 'number' || !Array.isArray(baseline)) return null;
  const available_cents = typeof available === 'number' ? available : null;
  return { cents, baseline: baseline.map(String), available_cents };
}

/** What identifies a request in the list and in the balance. The state keeps it. */
interface Trace {
  readonly cents: number;
  /** The requests that were there before. */
  readonly baseline: readonly string[];
  readonly available_cents: number | null;
}

interface Look {
  /** Requests that were not there before; a text says why the list cannot be read. */
  readonly fresh: readonly PayoutRequest[] | string;
  readonly availableCents: number | null;
}

/** What is known of one request. `others`: new requests of other amounts. */
type Finding = Look &
  (
    | { readonly kind: 'made'; readonly request: PayoutRequest; readonly others: readonly PayoutRequest[] }
    | { readonly kind: 'rejected'; readonly request: PayoutRequest | null }
    | { readonly kind: 'unknown' }
  );

const NOT_LOOKED: Finding = { kind: 'unknown', fresh: 'not read', availableCents: null };

/** A 200 may reject, and may say nothing that is known (PAYOUT-4). */
function judgeAnswer({ list }: Answer): 'done' | 'refused' | null {
  const standings = list.map(readStanding);
  if (standings.every((one) => one === 'accepted')) return 'done';
  return standings.every((one) => one === 'rejected') ? 'refused' : null;
}

/** Looks once more while nothing is clear: a list may be late. */
async function lookAtAnswered(
  run: Run,
  account: PlatformAccount,
  trace: Trace,
  answer: 'accepted' | 'rejected',
): Promise<Finding> {
  const found = judgeLook(trace, await readLook(run, account, trace), answer);
  if (found.kind !== 'unknown') return found;
  await run.clock.sleep(lagMs(run), run.interrupted).catch(() => undefined);
  return run.interrupted.aborted ? found : judgeLook(trace, await readLook(run, account, trace), answer);
}

async function readLook(run: Run, account: PlatformAccount, { baseline }: Trace): Promise<Look> {
  const listed = await readPayoutRequests(run.client, account).catch((error: unknown) => {
    if (isUnread(error)) return error.message;
    throw error;
  });
  const fresh =
    typeof listed === 'string' ? listed : listed.filter(({ invoiceId }) => !baseline.includes(invoiceId));
  const balances = await run.client.prepare('payouts.balances', { params: namePlace(account) })();
  const availableCents = balances.kind === 'done' ? readCents(balances.reply.payoutAvailable, 'most') : null;
  return { fresh, availableCents };
}

async function lookForPayout(
  run: Run,
  account: PlatformAccount,
  row: OpenRequest,
): Promise<Verdict<Finding>> {
  const trace = parseTrace(row);
  if (trace === null) return { kind: 'open', found: { ...NOT_LOOKED, fresh: 'its record cannot be read' } };
  const seen = await readLook(run, account, trace);
  // What was made after its window is none of it.
  const endMs = row.sent_at + run.settleMs + lagMs(run);
  const isInTime = ({ createdAt }: PayoutRequest) => !((fullInstantMs(createdAt) ?? 0) > endMs);
  const fresh = typeof seen.fresh === 'string' ? seen.fresh : seen.fresh.filter(isInTime);
  const found = { ...judgeLook(trace, { ...seen, fresh }, 'lost'), fresh: seen.fresh };
  if (found.kind === 'made')
    return { kind: 'found', found, ending: { outcome: 'adopted', live_id: found.request.invoiceId } };
  if (found.kind === 'rejected') {
    const { request } = found;
    const what = `rejected: ${request === null ? '' : describePayoutState(request)}`;
    const live_id = request === null ? null : request.invoiceId;
    return { kind: 'found', found, ending: { outcome: 'refused', live_id, answer: { what } } };
  }
  const mayBeListed = typeof found.fresh === 'string' || found.fresh.length > 0;
  const isForgotten = !mayBeListed && !isYoungerThan(run, row, BLOCKS_MS);
  return isForgotten ? { kind: 'absent', found } : { kind: 'open', found };
}

/**
 * The one place that tells what became of a request. What is not clear from one new entry of the list is unknown, and a person
 * reads the facts.
 *
 * | answer   | new requests in the list                             | it is                        |
 * |----------|------------------------------------------------------|------------------------------|
 * | accepted | one of this amount, and the balance did not fall     | what its entry says          |
 * |          | twice, next to any of other amounts                  |                              |
 * | rejected | none of this amount that is not rejected             | rejected                     |
 * | lost     | one, of this amount                                  | what its entry says          |
 * | any      | else, or the list cannot be read                     | unknown; rejected stays that |
 */
function judgeLook(trace: Trace, look: Look, answer: 'accepted' | 'rejected' | 'lost'): Finding {
  const list = typeof look.fresh === 'string' ? [] : look.fresh;
  const same = list.filter((request) => mayHaveAmount(request, trace.cents));
  const others = list.filter((request) => !same.includes(request));
  const paid = same.filter((request) => !isRejected(request));
  if (answer === 'rejected')
    return paid.length === 0
      ? { ...look, kind: 'rejected', request: same[0] ?? null }
      : { ...look, kind: 'unknown' };
  const candidates = answer === 'lost' ? list : paid.length > 0 ? paid : same;
  const [request, second] = candidates;
  const isOurs = second === undefined && readCents(request?.amount, 'amount') === trace.cents;
  const isDoubtful = answer === 'accepted' && hasFallenTwice(trace, look, others);
  if (request === undefined || !isOurs || !same.includes(request) || isDoubtful)
    return { ...look, kind: 'unknown' };
  const standing = readStanding(request);
  if (standing === 'accepted') return { ...look, kind: 'made', request, others };
  return standing === 'rejected' ? { ...look, kind: 'rejected', request } : { ...look, kind: 'unknown' };
}

/** An amount that cannot be read may be any. */
function mayHaveAmount({ amount, currency }: PayoutRequest, cents: number): boolean {
  const known = readCents(amount, 'amount');
  return known === null || (known === cents && (currency ?? PAYOUT_CURRENCY) === PAYOUT_CURRENCY);
}

/** Another request of the amount was made at the same time, and the list does not show it yet. */
function hasFallenTwice(
  { available_cents: before, cents }: Trace,
  { availableCents: now }: Look,
  others: readonly PayoutRequest[],
): boolean {
  const paid = others.filter((one) => !isRejected(one));
  const taken = paid.reduce((sum, { amount }) => sum + (readCents(amount, 'amount') ?? 0), 0);
  return before !== null && now !== null && before - now - taken >= 2 * cents;
}

/** The members of an entry that tell what became of a payout request. */
interface Told {
  readonly state?: string | null | undefined;
  readonly rejectReason?: string | null | undefined;
}

/**
 * What an entry of an answer or of the list says of its request. The document shows neither all states nor the reason of an
 * accepted request (PAYOUT-4). A placeholder, such as `none`, gives no reason.
 *
 * | state                  | no reason | a reason |
 * |------------------------|-----------|----------|
 * | `new`, `approved`      | accepted  | unclear  |
 * | a word for a rejection | rejected  | rejected |
 * | another, or none       | unclear   | rejected |
 */
function readStanding({ state, rejectReason }: Told): 'accepted' | 'rejected' | 'unclear' {
  const word = (state ?? '').trim();
  const hasReason = !PLACEHOLDER.test((rejectReason ?? '').trim());
  if (REJECTING.test(word)) return 'rejected';
  if (ACCEPTED.test(word)) return hasReason ? 'unclear' : 'accepted';
  return hasReason ? 'rejected' : 'unclear';
}

/** Assumed: the words of a rejected request are not shown (PAYOUT-4). */
const REJECTING = /^(reject|declin|denied|cancel)/i;
const ACCEPTED = /^(new|approved)$/i;
const PLACEHOLDER = /^(none|null|nil|undefined|false|no|n\/?a|[-–—._0]*)$/i;

function isRejected(told: Told): boolean {
  return readStanding(told) === 'rejected';
}

function answerEarlier(
  run: Run,
  { account, cents }: PayoutOrder,
  looked: readonly Looked<Finding>[],
): PayoutMade {
  const made = looked.flatMap(({ request: row, verdict: { found } }) =>
    found?.kind === 'made' ? [{ row, request: found.request }] : [],
  );
  const same = made.find(
    ({ row }) => parseTrace(row)?.cents === cents && isYoungerThan(run, row, SIMILAR_MS),
  );
  if (same !== undefined)
    return { outcome: 'made_earlier', request: same.request, others: [], unrecorded: null };
  throw new HeraldError(
    'earlier-payout-made',
    `Nothing was sent: an earlier request for ${describeAccount(account)} without an answer was made after all. It was for another amount, or more than a day ago.`,
    `If ${account.alias} is to get ${formatCents(cents)} USD as well, run the command again.`,
    {
      details: {
        facts: made.map(({ row, request }) => `earlier: ${describeInvoice(request)}; ${describeRow(row)}`),
        made: made.map(({ request }) => request),
      },
    },
  );
}

/** Throws why the payout is not possible, or may have been requested already. `similar`: those on record. */
async function checkPayout(
  run: Run,
  order: PayoutOrder,
  { allowSimilar }: PayoutConsent,
  similar: readonly RequestRow[],
): Promise<Trace> {
  const { account, cents } = order;
  const balances = await run.client.read('payouts.balances', { params: namePlace(account) });
  const problems = findProblems(cents, balances);
  if (problems.length > 0)
    throw new HeraldError(
      'payout-not-possible',
      `${describeOrder(order)} is not possible. ${problems.join(' ')}`,
      `Nothing was sent. For the balances: ${formatCommand('payouts', 'balances')}`,
      { details: { problems, balances } },
    );
  // The list may not show what an answer confirmed a moment ago: it would count neither against this one nor as an earlier one.
  if (similar.some((row) => isYoungerThan(run, row, run.settleMs + lagMs(run))))
    await run.clock.sleep(lagMs(run), run.interrupted).catch(() => undefined);
  const requests = await readPayoutRequests(run.client, account);
  const allowed = allowSimilar?.map(({ invoiceId }) => invoiceId) ?? [];
  const listed = requests.filter(
    (request) =>
      !allowed.includes(request.invoiceId) &&
      mayHaveAmount(request, cents) &&
      !isRejected(request) &&
      mayBeYoung(run, request),
  );
  const rejected = requests.filter(isRejected).map(({ invoiceId }) => invoiceId);
  const recorded =
    allowSimilar === null ? similar.filter(({ live_id: id }) => id === null || !rejected.includes(id)) : [];
  if (listed.length + recorded.length > 0)
    throw new HeraldError(
      'similar-payout',
      `${describeOrder(order)} may already have been requested within the last 24 hours. Nothing was sent.`,
      `To request the same amount again: ${formatCommand('payouts', 'request', '--account', account.alias, '--amount', formatCents(cents), '--allow-similar')}`,
      {
        details: {
          facts: [
            ...listed.map((request) => `in the list: ${describeInvoice(request)}`),
            ...recorded.map((row) => `on record: ${describeRow(row)}`),
          ],
          similar: listed,
          on_record: recorded.map(readRequest),
        },
      },
    );
  const baseline = requests.map(({ invoiceId }) => invoiceId);
  return { cents, baseline, available_cents: readCents(balances.payoutAvailable, 'most') };
}

/** A date that cannot be read counts against sending. */
function mayBeYoung(run: Run, { createdAt }: PayoutRequest): boolean {
  const createdMs = fullInstantMs(createdAt);
  return createdMs === null || serviceTime(run).earliestMs - createdMs < SIMILAR_MS;
}

/** The minimum applies to the available balance, not to the amount (PAYOUT-3). A missing figure blocks, too. */
function findProblems(cents: number, balances: Reply<'payouts.balances'>): readonly string[] {
  const { currency, payoutAvailable, minPayoutSumm, maxPayoutSumm } = balances;
  const [available, most] = [readCents(payoutAvailable, 'most'), readCents(maxPayoutSumm, 'most')];
  const least = readCents(minPayoutSumm, 'least');
  const problems = cents > 0 ? [] : ['Nothing can be withdrawn now.'];
  if (currency !== PAYOUT_CURRENCY)
    problems.push(
      `The currency of the account is ${currency ?? 'missing'}; payouts are in ${PAYOUT_CURRENCY} only.`,
    );
  if (available === null || most === null || least === null)
    return [
      ...problems,
      'The balances lack payoutAvailable, maxPayoutSumm or minPayoutSumm, or it is not an amount.',
    ];
  const amount = formatCents(cents);
  if (cents > available)
    problems.push(`${amount} is more than the ${formatCents(available)} available (payoutAvailable).`);
  if (cents > most)
    problems.push(`${amount} is more than the ${formatCents(most)} that can be withdrawn (maxPayoutSumm).`);
  if (available < least)
    problems.push(
      `The available ${formatCents(available)} is below the ${formatCents(least)} that a payout needs (minPayoutSumm).`,
    );
  return problems;
}

function describePayout(order: PayoutOrder): ActWords<Finding> {
  const { account } = order;
  return {
    what: `pay out ${formatCents(order.cents)} USD to ${describeAccount(account)}`,
    next: `Check the payouts of the account before you request another one. While one is unconfirmed, that needs --acknowledge; the same amount within 24 hours needs --allow-similar too. To see them: ${formatCommand('payouts', 'list', '--account', account.alias)}`,
    describe: (row, found) => [
      `asked for: ${describeRow(row)}`,
      ...(found === null ? [] : describeFacts(parseTrace(row), found)),
    ],
  };
}

function describeFacts(trace: Trace | null, { fresh, availableCents }: Look): readonly string[] {
  const money = (cents: number | null) => (cents === null ? 'not known' : `${formatCents(cents)} USD`);
  const listed = typeof fresh === 'string' ? [`not known: ${fresh}`] : fresh.map(describeInvoice);
  return [
    ...(listed.length === 0 ? ['none'] : listed).map((one) => `new in the list: ${one}`),
    `available before: ${money(trace?.available_cents ?? null)}`,
    `available now: ${money(availableCents)}`,
  ];
}

function describeRejected(order: PayoutOrder, told: Told | null): HeraldError {
  const why = told === null ? 'it does not say why' : describePayoutState(told);
  return new HeraldError(
    'payout-rejected',
    `${describeOrder(order)} was rejected: ${why}.`,
    `No money was moved. For the list: ${formatCommand('payouts', 'list', '--account', order.account.alias)}`,
    { details: { reject_reason: told?.rejectReason ?? null, request: told } },
  );
}

function describeOrder({ account, cents }: PayoutOrder): string {
  return `The payout of ${formatCents(cents)} USD for ${visible(account.alias)}`;
}

/** `alice (account 101, platform account 9101, @alice_x)` */
export function describeAccount({ alias, accountId, platformAccountId, username }: PlatformAccount): string {
  const account = accountId === null ? '' : `account ${accountId}, `;
  const user = username === undefined ? '' : `, @${visible(username)}`;
  return `${alias} (${account}platform account ${platformAccountId}${user})`;
}

/** `inv-9101-0001 (100.10 USD, state "new", 2026-06-01T14:00:00+02:00)` */
export function describeInvoice({ invoiceId, amount, currency, createdAt, ...told }: PayoutRequest): string {
  const cents = readCents(amount, 'amount');
  const money = `${cents === null ? String(amount ?? 'unknown amount') : formatCents(cents)} ${currency ?? 'without a currency'}`;
  return visible(`${invoiceId} (${money}, ${describePayoutState(told)}, ${createdAt ?? 'no date'})`);
}

/** `state "new", rejection reason "none"` */
function describePayoutState({ state, rejectReason }: Told): string {
  const reason = (rejectReason ?? '').trim();
  return `${state == null ? 'no state' : `state "${state}"`}${reason === '' ? '' : `, rejection reason "${reason}"`}`;
}

/** `100.10 USD, requested at 2026-06-01T12:00:00.000Z by ana` */
function describeRow(row: RequestRow): string {
  const cents = parseTrace(row)?.cents;
  const amount = cents === undefined ? 'an unknown amount' : `${formatCents(cents)} USD`;
  return visible(`${amount}, requested at ${readRequest(row).sent_at} by ${row.who ?? 'unknown'}`);
}

/** All of the account, newest first. No marker is given: that of an earlier reading would hide what is new (PAYOUT-5). */
export function readPayoutRequests(
  client: Client,
  account: PlatformAccount,
): Promise<readonly PayoutRequest[]> {
  return readWhole(client, 'payouts.list', { params: namePlace(account) });
}

export function namePlace({ platform, platformAccountId }: PlatformAccount) {
  return { platform, platform_account_id: platformAccountId };
}
