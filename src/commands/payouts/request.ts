import { formatCents, parsePayoutAmount, readCents } from '../../acts/payout-amount.ts';
import {
  describeAccount,
  requestPayout,
  type PayoutConsent,
  type PayoutMade,
  type PayoutOrder,
  describeInvoice,
  namePlace,
  readPayoutRequests,
} from '../../acts/payouts.ts';
import { chooseAccounts, openService } from '../../cli/accounts.ts';
import { sendItems, type ActItem } from '../../cli/act-run.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { lockTimeoutFlag, requiredFlag, switchFlag, textsFlag, yesFlag } from '../../cli/flags.ts';
import { warningLine } from '../../cli/findings.ts';
import { HeraldError } from '../../domain/herald-error.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { renderTable } from '../../render/table.ts';

/** Looks up requests of earlier runs first, and looks in the list after a lost answer (PAYOUT-1). */
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
  run: async (context, { amount, account, acknowledge, allowSimilar, yes }) => {
    const asked = amount === 'all' ? 'all' : parsePayoutAmount(amount);
    if (typeof asked === 'string' && asked !== 'all')
      throw new HeraldError('bad-amount', asked, 'Nothing was sent.');
    const service = await openService(context);
    const { client } = service;
    const wishes = { id: 'platformAccountId', isChecked: true, isAct: true } as const;
    const accounts = await chooseAccounts(service, account, wishes);
    const payouts = await Promise.all(
      accounts.map(async (one) => {
        const { payoutAvailable, payoutPending, minPayoutSumm, maxPayoutSumm } = await client.read(
          'payouts.balances',
          { params: namePlace(one) },
        );
        const available = readCents(payoutAvailable, 'most');
        const most = Math.min(available ?? 0, readCents(maxPayoutSumm, 'most') ?? Infinity);
        const cents = asked === 'all' ? Math.max(0, most) : asked;
        // What a person agrees to. A request that appears after that counts against this one.
        const allowed = allowSimilar ? await readPayoutRequests(client, one) : null;
        const [minimum, pending] = [readCents(minPayoutSumm, 'least'), readCents(payoutPending, 'most')];
        const amounts = [available, minimum, pending, cents];
        return {
          order: { account: one, cents },
          row: [one.alias, ...amounts.map((known) => (known === null ? '-' : formatCents(known)))],
          consent: { acknowledge, allowSimilar: allowed },
        };
      }),
    );
    const items = payouts.map((payout) => makeItem(context, payout));
    const wanted = formatCents(payouts.reduce((sum, { order }) => sum + order.cents, 0));
    const rows = payouts.map(({ row }) => row);
    return sendItems(context, service, {
      command: 'payouts request',
      items,
      preview: renderTable(['ACCOUNT', ...AMOUNTS], rows, context.output),
      together: `Request ${wanted} USD in ${items.length} payouts`,
      warning: 'This cannot be undone.',
      wanted,
      yes,
    });
  },
});

const MONEY = { align: 'right', whole: true } as const;
const AMOUNTS = ['AVAILABLE', 'MINIMUM', 'PENDING', 'ASKED'].map((header) => ({ header, ...MONEY }));

function makeItem(
  context: Context,
  { order, consent }: { readonly order: PayoutOrder; readonly consent: PayoutConsent },
): ActItem {
  const { account, cents } = order;
  const what = `payout of ${formatCents(cents)} USD for ${describeAccount(account)}`;
  return {
    account,
    title: `Request a ${what}`,
    about: { platform_account_id: account.platformAccountId },
    send: async (run) => {
      const { outcome, request: made, others, unrecorded } = await requestPayout(run, order, consent);
      for (const other of others)
        context.output.fail(
          warningLine(
            'other-payout',
            shown`Another payout was requested at the same time: ${describeInvoice(other)}.`,
          ),
        );
      const item = {
        outcome,
        sent: outcome !== 'made_earlier',
        withdrawal_amount: cents / 100,
        invoiceId: made.invoiceId,
        createdAt: made.createdAt ?? null,
        state: made.state ?? null,
      };
      const text = `A ${what} was requested: invoice ${made.invoiceId}, state ${made.state ?? 'unknown'}.${HOW[outcome]}`;
      return { item, text: visibleProse(text), unrecorded };
    },
  };
}

const HOW: Readonly<Record<PayoutMade['outcome'], string>> = {
  requested: '',
  adopted: ' The service did not confirm it, but the list of payout requests shows it.',
  made_earlier: ' An earlier run requested it; nothing was sent now.',
};
