import { ServiceError } from '../../api/errors.ts';
import { standingOf, type PayoutFinding, type PayoutRequest, describeTold } from '../../acts/payout-look.ts';
import {
  describeAccount,
  describeFinding,
  describeInvoice,
  LOOK_FIRST,
  type PayoutEnd,
  type PayoutOrder,
} from '../../acts/payouts.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { formatCents, lowerCents } from '../../acts/payout-amount.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { renderJson } from '../../render/json.ts';
import { exitOfDone } from '../act-run.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { warningLine } from '../notice.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** How one payout request is reported. */
interface PayoutReport {
  readonly context: Context;
  readonly order: PayoutOrder;
  readonly format: 'text' | 'json';
}

type Sent = Extract<PayoutEnd, { readonly kind: 'sent' }>;
type Found<Kind extends PayoutFinding['kind']> = Extract<PayoutFinding, { readonly kind: Kind }>;

/** Prints the result of a payout request and returns the exit code. Throws if it failed. */
export function reportPayout(report: PayoutReport, end: PayoutEnd): number {
  const { account, amount } = report.order;
  const what = `A payout of ${amount.text} USD for ${describeAccount(account)}`;
  switch (end.kind) {
    case 'failed':
      throw new ServiceError({ ...end.problem, what: `${what} was not requested: ${end.problem.what}` });
    case 'earlier': {
      const { finding, words } = end;
      const request = 'request' in finding ? finding.request : null;
      printPayout(report, { outcome: 'made_earlier', request, words });
      return finding.kind === 'made' ? EXIT.done : EXIT.unknown;
    }
    case 'sent':
      if (end.earlier !== '') report.context.output.say(visibleProse(end.earlier));
      if (end.finding.kind === 'made') return reportMade(report, what, end, end.finding);
      throw errorFor(report.order, what, end);
  }
}

function reportMade(
  report: PayoutReport,
  what: string,
  sent: Sent,
  { request, others }: Found<'made'>,
): number {
  const { context } = report;
  const invoice = request === null ? 'invoice not known yet' : `invoice ${request.invoiceId}`;
  const state = request?.state ?? sent.answer;
  const words = `${what} was requested: ${invoice}, state ${state}.${describeDoubt(sent, request)}`;
  for (const other of others)
    context.output.fail(
      warningLine(
        'other-payout',
        shown`Another payout was requested at the same time: ${describeInvoice(other)}.`,
      ),
    );
  const unread = sent.isAdopted ? null : findUnread(sent);
  if (unread !== null) context.output.fail(warningLine('partly-checked', UNREAD_WORDS[unread]));
  printPayout(report, { outcome: sent.isAdopted ? 'adopted' : 'requested', request, words });
  return exitOfDone(context, sent.unrecorded);
}

/** What speaks against it, and why it was made all the same. */
function describeDoubt({ isAdopted, answer }: Sent, request: PayoutRequest | null): string {
  const lost = isAdopted
    ? ` The service did not confirm it (${answer}), but the list of payout requests shows it.`
    : '';
  return request !== null && standingOf(request) === 'contradictory'
    ? `${lost} Its entry in the list has ${describeTold(request)}, and the balance fell by this amount.`
    : lost;
}

/** By what a second request of the same amount was ruled out, where one of the two reads failed. */
const UNREAD_WORDS = {
  list: shown`The list of payout requests could not be read, so only the balance was checked: it has fallen by this amount once.`,
  balance: shown`The balance could not be read, so only the list of payout requests was checked: it shows one new request of this amount.`,
} as const;

function findUnread({ look }: Sent): keyof typeof UNREAD_WORDS | null {
  if (look === null || typeof look.fresh === 'string') return 'list';
  return look.availableCents === null ? 'balance' : null;
}

/** The error for what is not certainly a success. */
function errorFor(order: PayoutOrder, what: string, sent: Sent): HeraldError {
  const { finding } = sent;
  switch (finding.kind) {
    case 'rejected':
      return new HeraldError(
        'payout-rejected',
        `${what} was rejected: ${finding.reason}.`,
        `No money was moved. For the list: ${formatCommand('payouts', 'list')}`,
        { details: { reject_reason: finding.reason, request: finding.request } },
      );
    case 'unclear':
      return new HeraldError(
        'unclear-payout',
        `${what} was requested as ${describeInvoice(finding.request)}; ${finding.why}.`,
        'Check it on the service. Herald does not send it again.',
        { exit: EXIT.unknown, details: { request: finding.request } },
      );
    case 'two':
      return describeTwo(order, what, sent, finding);
    case 'unchecked':
      return describeUnchecked(order, what, sent);
    default:
      return new HeraldError(
        'unknown-outcome',
        `${what} may have been requested: ${sent.answer}. ${describeFinding(finding)} ${describeBalance(sent)}`,
        LOOK_FIRST,
        {
          exit: EXIT.unknown,
          details: {
            verdict: finding.kind,
            new_requests: 'requests' in finding ? finding.requests : [],
            ...describeCents(sent),
          },
        },
      );
  }
}

function describeTwo(
  { amount }: PayoutOrder,
  what: string,
  sent: Sent,
  { requests }: Found<'two'>,
): HeraldError {
  const shownOnes = requests.map(describeInvoice).join(', ');
  const list =
    requests.length > 1
      ? `The list shows ${requests.length} new requests of this amount: ${shownOnes}.`
      : `The list shows ${requests.length === 1 ? `one of them so far: ${shownOnes}` : 'neither of them yet'}.`;
  // By the balance alone, the other one can be of any amount.
  const other =
    requests.length > 1
      ? 'another one of the same amount was made at the same time'
      : 'another payout was probably requested at the same time';
  return new HeraldError(
    'two-payouts',
    `${what} was requested, and ${other}. ${list} ${describeBalance(sent, amount.cents)}`,
    'Check both on the service. If you want only one, ask the service to stop the other. Herald sends nothing again.',
    { exit: EXIT.unknown, details: { requests, ...describeCents(sent) } },
  );
}

function describeUnchecked({ account, amount }: PayoutOrder, what: string, sent: Sent): HeraldError {
  const isListRead = sent.look !== null && typeof sent.look.fresh !== 'string';
  const list = isListRead
    ? 'The list of payout requests does not show it yet.'
    : 'The list of payout requests could not be read.';
  return new HeraldError(
    'unchecked-payout',
    `${what} was requested, state ${sent.answer}. It could not be checked if another one of the same amount was made at the same time. ${list} ${describeBalance(sent, amount.cents)}`,
    `Herald sends nothing again. To look later: ${formatCommand('payouts', 'list', '--account', account.alias)}`,
    { exit: EXIT.unknown, details: { list_read: isListRead, ...describeCents(sent) } },
  );
}

/** The available balance before and after, for JSON. */
function describeCents({ basis, look }: Sent) {
  return {
    available_before_cents: lowerCents(basis?.balances.payoutAvailable),
    available_now_cents: look?.availableCents ?? null,
  };
}

/** How the balance changed meanwhile: a hint, not a proof. `cents` is the requested amount, to mention a fall by twice as much. */
function describeBalance(sent: Sent, cents: number | null = null): string {
  const { available_before_cents: beforeCents, available_now_cents: nowCents } = describeCents(sent);
  if (beforeCents === null || nowCents === null) return 'The available balance could not be compared.';
  const now = `${formatCents(nowCents)} USD`;
  if (nowCents === beforeCents) return `The available balance is unchanged: ${now}.`;
  const moved = nowCents < beforeCents ? 'has fallen' : 'has risen';
  const twice = cents === null ? '' : describeTwice(beforeCents - nowCents, 2 * cents);
  return `The available balance ${moved} from ${formatCents(beforeCents)} to ${now}${twice}.`;
}

function describeTwice(fellCents: number, twiceCents: number): string {
  if (fellCents < twiceCents) return '';
  return fellCents === twiceCents ? ', twice this amount' : ', more than twice this amount';
}

interface Printed {
  /**
   * `adopted`: the answer was lost, and the list shows the request. `made_earlier`: created by an earlier run, and
   * this one sent nothing.
   */
  readonly outcome: 'requested' | 'adopted' | 'made_earlier';
  readonly request: PayoutRequest | null;
  readonly words: string;
}

function printPayout({ context, order, format }: PayoutReport, { outcome, request, words }: Printed): void {
  const { account, amount } = order;
  if (format === 'text') {
    context.output.result(shown`${visibleProse(words)}\n`);
    return;
  }
  const { alias, accountId, platformAccountId } = account;
  const item = {
    account: alias,
    account_id: accountId,
    platform_account_id: platformAccountId,
    outcome,
    sent: outcome !== 'made_earlier',
    withdrawal_amount: amount.usd,
    invoiceId: request?.invoiceId ?? null,
    createdAt: request?.createdAt ?? null,
    state: request?.state ?? null,
  };
  context.output.result(renderJson({ schema: 'herald/item/1', item }));
}
