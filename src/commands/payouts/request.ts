import { ServiceError } from '../../api/errors.ts';
import {
  describePayoutState,
  formatCents,
  lowerCents,
  namePlace,
  parsePayoutAmount,
  describeStanding,
  type PayoutAmount,
  type PayoutFinding,
  type PayoutRequest,
} from '../../acts/payout-look.ts';
import {
  describeAccount,
  describeFinding,
  describeInvoice,
  LOOK_FIRST,
  requestPayout,
  type PayoutConsent,
  type PayoutEnd,
  type PayoutOrder,
} from '../../acts/payouts.ts';
import { choosePayoutAccounts, openService, sayService } from '../../cli/accounts.ts';
import type { Service } from '../../library/connect.ts';
import { sendItems, type ActDone, type ActItem } from '../../cli/act-run.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { lockTimeoutFlag, requiredFlag, switchFlag, textsFlag, yesFlag } from '../../cli/flags.ts';
import { warningLine } from '../../cli/findings.ts';
import { requireAnswer, requireYes, typedQuestion } from '../../cli/question.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import type { PlatformAccount } from '../../live/accounts.ts';
import { renderTable } from '../../render/table.ts';

/**
 * Irreversible, and never twice (PAYOUT-1): looks up requests of earlier runs, checks, asks, sends one request for each account, and
 * looks in the list after a lost answer.
 */
export const request = defineCommand({
  path: 'payouts request',
  about: 'request a payout, never twice; cannot be undone',
  examples: [
    'herald payouts request --account alice --amount 100.10',
    'herald payouts request --account alice --amount 100.10 --yes --format json',
    'herald payouts request --account vip --amount all',
  ],
  flags: {
    amount: requiredFlag(
      '--amount <usd>',
      'amount in US dollars, such as 100.10, at most 1000000; all: what is available',
    ),
    account: textsFlag('--account <name>', 'alias, group or id of the account (repeatable)'),
    yes: yesFlag,
    acknowledge: switchFlag(
      '--acknowledge',
      'request despite an unconfirmed earlier payout; check the service first',
    ),
    allowSimilar: switchFlag(
      '--allow-similar',
      'request even if the same amount was requested within 24 hours',
    ),
    lockTimeout: lockTimeoutFlag,
  },
  needs: 'nothing',
  run: async (context, given) => {
    const amount = given.amount === 'all' ? 'all' : parsePayoutAmount(given.amount);
    if (typeof amount === 'string' && amount !== 'all')
      throw new HeraldError('bad-amount', amount, 'Nothing was sent.');
    requireAnswer(context, given.yes, 'A payout cannot be undone');
    const service = await openService(context);
    const accounts = await choosePayoutAccounts(service, given.account);
    const at = sayService(context, service);
    const lines =
      accounts.length === 1 && amount !== 'all'
        ? accounts.map((account) => ({ order: { account, amount }, cells: [] }))
        : await Promise.all(accounts.map((account) => readLine(service, account, amount)));
    const items = lines.map(({ order }) => payoutItem(context, order, given, at));
    const total = formatCents(lines.reduce((sum, { order }) => sum + order.amount.cents, 0));
    const number = items.length;
    const question = typedQuestion(
      shown`Request ${total} USD in ${number} payouts at ${at}? This cannot be undone.`,
      'request this total',
      total,
    );
    if (number > 1)
      context.output.say(
        renderTable(
          COLUMNS,
          lines.map(({ cells }) => cells),
          context.output,
        ),
      );
    return sendItems(context, service, {
      command: 'payouts request',
      items,
      question: given.yes ? null : question,
    });
  },
});

const COLUMNS = [
  { header: 'account' },
  { header: 'available', align: 'right' },
  { header: 'minimum', align: 'right' },
  { header: 'pending', align: 'right' },
  { header: 'asked', align: 'right' },
] as const;

/** What is asked for on one account, next to what it has. */
async function readLine(
  { client }: Service,
  account: PlatformAccount,
  asked: PayoutAmount | 'all',
): Promise<{ readonly order: PayoutOrder; readonly cells: readonly string[] }> {
  const balances = await client.read('payouts.balances', { params: namePlace(account) });
  const { payoutAvailable, minPayoutSumm, payoutPending, maxPayoutSumm } = balances;
  const available = lowerCents(payoutAvailable) ?? 0;
  const all = Math.max(0, Math.min(available, lowerCents(maxPayoutSumm) ?? available));
  const amount = asked === 'all' ? { cents: all, text: formatCents(all), usd: all / 100 } : asked;
  const money = (value: number | null | undefined) => {
    const cents = lowerCents(value);
    return cents === null ? 'n/a' : formatCents(cents);
  };
  const cells = [money(payoutAvailable), money(minPayoutSumm), money(payoutPending), amount.text];
  return { order: { account, amount }, cells: [account.alias, ...cells] };
}

type Given = Pick<PayoutConsent, 'acknowledge' | 'allowSimilar'>;

function payoutItem(context: Context, order: PayoutOrder, consent: Given, at: string): ActItem {
  const { account, amount } = order;
  const ask: PayoutConsent['ask'] = ({ balances }) => {
    const available = formatCents(lowerCents(balances.payoutAvailable) ?? 0);
    const text = shown`Request a payout of ${amount.text} USD for ${describeAccount(account)} at ${at}? ${available} USD are available. This cannot be undone.`;
    return requireYes(context, typedQuestion(text, 'request this amount', amount.text), 'Nothing was sent.');
  };
  return {
    account,
    title: `${amount.text} USD for ${describeAccount(account)}`,
    about: describePlace(order),
    send: async (run, isAgreed) => {
      if (amount.cents === 0)
        throw new HeraldError(
          'payout-not-possible',
          `A payout for ${describeAccount(account)} is not possible: nothing can be withdrawn now.`,
          `For the balances: ${formatCommand('payouts', 'balances')}`,
        );
      const { acknowledge, allowSimilar } = consent;
      const end = await requestPayout(run, order, { acknowledge, allowSimilar, ask: isAgreed ? null : ask });
      return reportEnd(context, order, end);
    },
  };
}

function describePlace({ account: { alias, accountId, platformAccountId } }: PayoutOrder) {
  return { account: alias, account_id: accountId, platform_account_id: platformAccountId };
}

type Sent = Extract<PayoutEnd, { readonly kind: 'sent' }>;
type Found<Kind extends PayoutFinding['kind']> = Extract<PayoutFinding, { readonly kind: Kind }>;

/** The result of a payout request. Throws what is not certainly a success. */
function reportEnd(context: Context, order: PayoutOrder, end: PayoutEnd): ActDone {
  const what = `A payout of ${order.amount.text} USD for ${describeAccount(order.account)}`;
  switch (end.kind) {
    case 'failed':
      throw new ServiceError({ ...end.problem, what: `${what} was not requested: ${end.problem.what}` });
    case 'earlier': {
      const { finding, words } = end;
      const made = 'request' in finding ? finding.request : null;
      const exit = finding.kind === 'made' ? EXIT.done : EXIT.unknown;
      return { ...drawPayout(order, 'made_earlier', made, words), unrecorded: null, exit };
    }
    case 'sent':
      if (end.earlier !== '') context.output.say(visibleProse(end.earlier));
      if (end.finding.kind !== 'made') throw errorFor(order, what, end);
      return reportMade(context, order, what, end, end.finding);
  }
}

function reportMade(
  { output }: Context,
  order: PayoutOrder,
  what: string,
  sent: Sent,
  { request: made, others }: Found<'made'>,
): ActDone {
  const { isAdopted, answer, look, unrecorded } = sent;
  for (const other of others)
    output.fail(
      warningLine(
        'other-payout',
        shown`Another payout was requested at the same time: ${describeInvoice(other)}.`,
      ),
    );
  if (!isAdopted && (look === null || typeof look.fresh === 'string' || look.availableCents === null))
    output.fail(
      warningLine(
        'partly-checked',
        look === null || typeof look.fresh === 'string'
          ? shown`The list of payout requests could not be read, so only the balance was checked: it has fallen by this amount once.`
          : shown`The balance could not be read, so only the list of payout requests was checked: it shows one new request of this amount.`,
      ),
    );
  const words = [
    `${what} was requested: ${made === null ? 'invoice not known yet' : `invoice ${made.invoiceId}`}, state ${made?.state ?? answer}.`,
    ...(isAdopted
      ? [`The service did not confirm it (${answer}), but the list of payout requests shows it.`]
      : []),
    ...(made !== null && describeStanding(made) === 'contradictory'
      ? [`Its entry in the list has ${describePayoutState(made)}, and the balance fell by this amount.`]
      : []),
  ];
  return { ...drawPayout(order, isAdopted ? 'adopted' : 'requested', made, words.join(' ')), unrecorded };
}

/**
 * `adopted`: the answer was lost, and the list shows the request. `made_earlier`: created by an earlier run, and this one sent
 * nothing.
 */
function drawPayout(
  order: PayoutOrder,
  outcome: 'requested' | 'adopted' | 'made_earlier',
  made: PayoutRequest | null,
  words: string,
): Pick<ActDone, 'item' | 'text'> {
  const item = {
    ...describePlace(order),
    outcome,
    sent: outcome !== 'made_earlier',
    withdrawal_amount: order.amount.usd,
    invoiceId: made?.invoiceId ?? null,
    createdAt: made?.createdAt ?? null,
    state: made?.state ?? null,
  };
  return { item, text: visibleProse(words) };
}

/** The error for what is not certainly a success. */
function errorFor({ account, amount }: PayoutOrder, what: string, sent: Sent): HeraldError {
  const { finding, look, answer } = sent;
  const before = lowerCents(sent.basis?.balances.payoutAvailable);
  const after = look?.availableCents ?? null;
  const balance = { available_before_cents: before, available_now_cents: after };
  const unknown = (details: object) => ({ exit: EXIT.unknown, details });
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
        unknown({ request: finding.request }),
      );
    case 'two': {
      const { requests } = finding;
      return new HeraldError(
        'two-payouts',
        `${what} was requested, and ${describeOther(requests)} ${describeBalance(before, after, amount.cents)}`,
        'Check both on the service. If you want only one, ask the service to stop the other. Herald sends nothing again.',
        unknown({ requests, ...balance }),
      );
    }
    case 'unchecked': {
      const isListRead = look !== null && typeof look.fresh !== 'string';
      const list = `The list of payout requests ${isListRead ? 'does not show it yet' : 'could not be read'}.`;
      return new HeraldError(
        'unchecked-payout',
        `${what} was requested, state ${answer}. It could not be checked if another one of the same amount was made at the same time. ${list} ${describeBalance(before, after, amount.cents)}`,
        `Herald sends nothing again. To look later: ${formatCommand('payouts', 'list', '--account', account.alias)}`,
        unknown({ list_read: isListRead, ...balance }),
      );
    }
    default: {
      const found = { verdict: finding.kind, new_requests: 'requests' in finding ? finding.requests : [] };
      return new HeraldError(
        'unknown-outcome',
        `${what} may have been requested: ${answer}. ${describeFinding(finding)} ${describeBalance(before, after, null)}`,
        LOOK_FIRST,
        unknown({ ...found, ...balance }),
      );
    }
  }
}

/** By the balance alone, the other one can be of any amount. */
function describeOther(requests: readonly PayoutRequest[]): string {
  const which = requests.map(describeInvoice).join(', ');
  if (requests.length > 1)
    return `another one of the same amount was made at the same time. The list shows ${requests.length} new requests of this amount: ${which}.`;
  const list = requests.length === 1 ? `one of them so far: ${which}` : 'neither of them yet';
  return `another payout was probably requested at the same time. The list shows ${list}.`;
}

/** How the balance changed meanwhile: a hint, not a proof. `cents` is the requested amount, to mention a fall by twice as much. */
function describeBalance(before: number | null, after: number | null, cents: number | null): string {
  if (before === null || after === null) return 'The available balance could not be compared.';
  const left = `${formatCents(after)} USD`;
  if (after === before) return `The available balance is unchanged: ${left}.`;
  const [fell, moved] = [before - after, after < before ? 'has fallen' : 'has risen'];
  const isTwice = cents !== null && fell >= 2 * cents;
  const twice = isTwice ? `, ${fell === 2 * cents ? '' : 'more than '}twice this amount` : '';
  return `The available balance ${moved} from ${formatCents(before)} to ${left}${twice}.`;
}
