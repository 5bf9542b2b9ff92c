import {
  describeAccount,
  requestPayout,
  type PayoutConsent,
  type PayoutMade,
  type PayoutOrder,
} from '../../acts/payouts.ts';
import { describeInvoice, namePlace } from '../../acts/payout-look.ts';
import { formatCents, lowerCents, parsePayoutAmount } from '../../acts/payout-amount.ts';
import { choosePayoutAccounts, openService, sayService } from '../../cli/accounts.ts';
import type { Service } from '../../library/connect.ts';
import { sendItems, type ActDone, type ActItem } from '../../cli/act-run.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { lockTimeoutFlag, requiredFlag, switchFlag, textsFlag, yesFlag } from '../../cli/flags.ts';
import { warningLine } from '../../cli/findings.ts';
import { requireAnswer, requireYes, typedQuestion } from '../../cli/question.ts';
import { formatCommand } from '../../domain/command-line.ts';
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
        ? accounts.map((account) => ({ order: { account, cents: amount }, cells: [] }))
        : await Promise.all(accounts.map((account) => readLine(service, account, amount)));
    const isAgreed = given.yes || lines.length > 1;
    const items = lines.map(({ order }) => payoutItem(context, order, { ...given, isAgreed }, at));
    const total = formatCents(lines.reduce((sum, { order }) => sum + order.cents, 0));
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
      question: given.yes || number === 1 ? null : question,
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
  asked: number | 'all',
): Promise<{ readonly order: PayoutOrder; readonly cells: readonly string[] }> {
  const balances = await client.read('payouts.balances', { params: namePlace(account) });
  const { payoutAvailable, minPayoutSumm, payoutPending, maxPayoutSumm } = balances;
  const available = lowerCents(payoutAvailable) ?? 0;
  const all = Math.max(0, Math.min(available, lowerCents(maxPayoutSumm) ?? available));
  const cents = asked === 'all' ? all : asked;
  const figures = [payoutAvailable, minPayoutSumm, payoutPending].map((value) => {
    const known = lowerCents(value);
    return known === null ? 'n/a' : formatCents(known);
  });
  return { order: { account, cents }, cells: [account.alias, ...figures, formatCents(cents)] };
}

type Given = Pick<PayoutConsent, 'acknowledge' | 'allowSimilar'> & { readonly isAgreed: boolean };

function payoutItem(context: Context, order: PayoutOrder, given: Given, at: string): ActItem {
  const { account, cents } = order;
  const { acknowledge, allowSimilar, isAgreed } = given;
  const { alias, accountId, platformAccountId } = account;
  const amount = formatCents(cents);
  const about = { account: alias, account_id: accountId, platform_account_id: platformAccountId };
  const ask = (availableCents: number) => {
    const text = shown`Request a payout of ${amount} USD for ${describeAccount(account)} at ${at}? ${formatCents(availableCents)} USD are available. This cannot be undone.`;
    return requireYes(context, typedQuestion(text, 'request this amount', amount), 'Nothing was sent.');
  };
  return {
    account,
    title: `${amount} USD for ${describeAccount(account)}`,
    about,
    send: async (run) => {
      if (cents === 0)
        throw new HeraldError(
          'payout-not-possible',
          `A payout for ${describeAccount(account)} is not possible: nothing can be withdrawn now.`,
          `For the balances: ${formatCommand('payouts', 'balances')}`,
        );
      const made = await requestPayout(run, order, { acknowledge, allowSimilar, ask: isAgreed ? null : ask });
      return { ...reportMade(context, order, made, about), unrecorded: made.unrecorded };
    },
  };
}

function reportMade(
  { output }: Context,
  { account, cents }: PayoutOrder,
  { outcome, request: made, others }: PayoutMade,
  about: object,
): Pick<ActDone, 'item' | 'text'> {
  for (const other of others)
    output.fail(
      warningLine(
        'other-payout',
        shown`Another payout was requested at the same time: ${describeInvoice(other)}.`,
      ),
    );
  const item = {
    ...about,
    outcome,
    sent: outcome !== 'made_earlier',
    withdrawal_amount: cents / 100,
    invoiceId: made.invoiceId,
    createdAt: made.createdAt ?? null,
    state: made.state ?? null,
  };
  const text = `A payout of ${formatCents(cents)} USD for ${describeAccount(account)} was requested: invoice ${made.invoiceId}, state ${made.state ?? 'unknown'}.`;
  return { item, text: visibleProse(`${text}${HOW[outcome]}`) };
}

const HOW: Readonly<Record<PayoutMade['outcome'], string>> = {
  requested: '',
  adopted: ' The service did not confirm it, but the list of payout requests shows it.',
  made_earlier: ' An earlier run requested it; nothing was sent now.',
};
