import { describeAccount, requestPayout } from '../../acts/payouts.ts';
import { formatCents, lowerCents, parsePayoutAmount } from '../../acts/payout-amount.ts';
import { shown } from '../../domain/visible.ts';
import { choosePlatformAccount, openService, sayService } from '../accounts.ts';
import { withActRun } from '../act-run.ts';
import type { Context } from '../context.ts';
import { requireAnswer } from '../question.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { requireYes, typedQuestion } from '../question.ts';
import { reportPayout } from './report.ts';
import { HeraldError } from '../../domain/herald-error.ts';

export interface PayoutFlags {
  /** As it was typed. */
  readonly amount: string;
  readonly account: string | undefined;
  readonly yes: boolean;
  /** A person has checked an unconfirmed request. */
  readonly acknowledge: boolean;
  /** Request even if the same amount was requested within a day. */
  readonly allowSimilar: boolean;
}

/**
 * `herald payouts request`: irreversible, and never twice (PAYOUT-1). First it looks up requests of earlier runs. Then it checks,
 * asks, and sends one request. After a lost answer it looks in the list.
 */
export async function payoutsRequestCommand(context: Context, flags: PayoutFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const amount = parsePayoutAmount(flags.amount);
  if (typeof amount === 'string') throw new HeraldError('bad-amount', amount, 'Nothing was sent.');
  requireAnswer(context, flags.yes, 'A payout cannot be undone');
  const service = await openService(context);
  const account = await choosePlatformAccount(service, flags.account);
  const at = sayService(context, service);
  const order = { account, amount };
  const ask = (availableCents: number) => {
    const text = shown`Request a payout of ${amount.text} USD for ${describeAccount(account)} at ${at}? ${formatCents(availableCents)} USD are available. This cannot be undone.`;
    const question = typedQuestion(text, 'request this amount', amount.text);
    return requireYes(context, question, 'Nothing was sent.');
  };
  return withActRun(context, service, { account, command: 'payouts request' }, async (run) => {
    const end = await requestPayout(run, order, {
      acknowledge: flags.acknowledge,
      allowSimilar: flags.allowSimilar,
      ask: flags.yes ? null : ({ balances }) => ask(lowerCents(balances.payoutAvailable) ?? 0),
    });
    return reportPayout({ context, order, format }, end);
  });
}
