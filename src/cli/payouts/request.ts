import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { momentOf } from '../../domain/elapsed.ts';
import { earliestTimes } from '../../operations/service-time.ts';
import { isPayout, knownPayouts, similarOnRecord, type EarlierPayout } from '../../operations/payout-acts.ts';
import { lowerCents, parsePayoutAmount } from '../../domain/payout-amount.ts';
import { balanceProblems, similarRequests } from '../../operations/payout-checks.ts';
import { concludePayout } from '../../operations/payout-conclude.ts';
import { placeOf, readPayoutRequests, type PayoutRequest } from '../../operations/payout-list.ts';
import { sendPayout, type PayoutBasis, type PayoutOrder } from '../../operations/payout-send.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError, requireAnswer } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { requireYes, typedQuestion } from '../question.ts';
import { refuseMovedAlias } from '../../reconcile/moved-alias.ts';
import { acknowledgeEarlier, resolveEarlier } from './earlier.ts';
import { reportPayout } from './report.ts';
import { payoutPorts, type PayoutFlags, type PayoutRun } from './run.ts';
import {
  accountWords,
  payoutQuestion,
  recordDetails,
  recordWords,
  requestWords,
} from '../../operations/payout-words.ts';
import { choosePlatformAccount, openService, sayService } from '../accounts.ts';
import { refuseChangedLedger, refuseUnreadable, withLedger, type LedgerAtStart } from '../with-ledger.ts';

/**
 * `herald payouts request`: irreversible, and never twice (PAYOUT-1). First it resolves requests of earlier runs.
 * Then it checks, asks, and sends one request. After a lost answer it looks in the list.
 */
export async function payoutsRequestCommand(context: Context, flags: PayoutFlags): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const amount = parsePayoutAmount(flags.amount);
  if (typeof amount === 'string') throw new CommandError('bad-amount', amount, 'Nothing was sent.');
  requireAnswer(context, flags.yes, 'A payout cannot be undone');
  const service = await openService(context);
  const account = await choosePlatformAccount(service, flags.account);
  const at = sayService(context, service);
  return withLedger(context, service.client, isPayout, async (ledger, atStart) => {
    refuseMovedAlias(service.settings, account, atStart);
    if (!flags.acknowledge) refuseUnreadable(atStart, true);
    return requestOne({ context, service, at, account, amount, flags, format, ledger }, atStart);
  });
}

async function requestOne(run: PayoutRun, atStart: LedgerAtStart): Promise<number> {
  const known = knownPayouts(atStart.lines, run.account);
  const earlier = await resolveEarlier(run, known);
  if (earlier.kind === 'answered') return earlier.exit;
  const unconfirmed = earlier.looked.map(({ open }) => open);
  const order = await prepare(run, [...known.counted, ...unconfirmed], atStart);
  await acknowledgeEarlier(run, earlier.looked);
  const ports = payoutPorts(run);
  const sent = await sendPayout(ports, order);
  const { balances } = 'sent' in sent ? sent.sent.basis : order.checked;
  return reportPayout(run, await concludePayout(ports, order, sent), balances);
}

/** Checks what can be checked before, asks, and reads the list that a new request is compared with. */
async function prepare(
  run: PayoutRun,
  counted: readonly EarlierPayout[],
  atStart: LedgerAtStart,
): Promise<PayoutOrder> {
  const { context, account, amount, flags } = run;
  const order = await orderNow(run, counted);
  if (flags.yes) return order;
  const available = lowerCents(order.checked.balances.payoutAvailable) ?? 0;
  const text = payoutQuestion(account, amount, available, run.at);
  const question = typedQuestion(text, 'request this amount', amount.text);
  await requireYes(context, question, 'Nothing was sent.');
  // Check again, because the answer may have taken long.
  await refuseChangedLedger(atStart);
  return orderNow(run, counted);
}

async function orderNow(run: PayoutRun, counted: readonly EarlierPayout[]): Promise<PayoutOrder> {
  const { context, account, amount, flags } = run;
  const allowsSimilar = flags.allowSimilar;
  const askedAt = momentOf(context.clock);
  const checkAgain = () => check(run, counted);
  return { account, amount, allowsSimilar, checked: await checkAgain(), askedAt, checkAgain };
}

/** Throws why the payout is not possible, or may have been requested already. */
async function check(run: PayoutRun, counted: readonly EarlierPayout[]): Promise<PayoutBasis> {
  const { service, account, amount } = run;
  const balances = await service.client.read('payouts.balances', { params: placeOf(account) });
  const problems = balanceProblems(amount, balances);
  if (problems.length > 0)
    throw new CommandError(
      'payout-not-possible',
      `A payout of ${amount.text} USD for ${accountWords(account)} is not possible. ${problems.join(' ')}`,
      `Nothing was sent. For the balances: ${formatCommand('payouts', 'balances')}`,
      EXIT.failed,
      { problems, balances },
    );
  const requests = await readPayoutRequests(service.client, account);
  await refuseSimilar(run, requests, counted);
  return { balances, requests };
}

async function refuseSimilar(
  { context, service, account, amount, flags }: PayoutRun,
  requests: readonly PayoutRequest[],
  counted: readonly EarlierPayout[],
): Promise<void> {
  if (flags.allowSimilar) return;
  const times = await earliestTimes(service.client, context.clock);
  const similar = similarRequests(amount, requests, times.serviceMs);
  const onRecord = similarOnRecord(amount, counted, requests, times).filter(
    ({ listed }) => listed === null || !similar.includes(listed),
  );
  if (similar.length + onRecord.length === 0) return;
  const which = [...similar.map(requestWords), ...onRecord.map(recordWords)].join(', ');
  throw new CommandError(
    'similar-payout',
    `A payout of ${amount.text} USD may already have been requested for ${accountWords(account)} within the last 24 hours: ${which}. Nothing was sent.`,
    'To request the same amount again, add --allow-similar.',
    EXIT.blocked,
    { similar, on_record: onRecord.map(({ act }) => recordDetails(act)) },
  );
}
