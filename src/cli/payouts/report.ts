import { formatCommand } from '../../domain/command-line.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { ServiceError } from '../../api/errors.ts';
import { lowerCents } from '../../domain/payout-amount.ts';
import { type PayoutBalances } from '../../operations/payout-checks.ts';
import type { PayoutEnd } from '../../operations/payout-conclude.ts';
import type { PayoutRequest } from '../../operations/payout-list.ts';
import { newRequestsIn } from '../../operations/payout-resolve.ts';
import { isContradictory, toldWords } from '../../domain/payout-standing.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError, interruptedError } from '../failure.ts';
import type { PayoutRun } from './run.ts';
import {
  accountWords,
  balanceWords,
  LOOK_FIRST,
  requestWords,
  verdictWords,
} from '../../operations/payout-words.ts';
import { warningLine } from '../notice.ts';

/** Prints the result of a payout request and returns the exit code. Throws if it failed. */
export function reportPayout(run: PayoutRun, end: PayoutEnd, balances: PayoutBalances): number {
  const what = `A payout of ${run.amount.text} USD for ${accountWords(run.account)}`;
  switch (end.kind) {
    case 'made': {
      const invoice = end.request === null ? 'invoice not known yet' : `invoice ${end.request.invoiceId}`;
      const words = `${what} was requested: ${invoice}, state ${end.state}.${doubtWords(end)}`;
      for (const other of end.others ?? [])
        run.context.output.fail(
          warningLine(
            'other-payout',
            shown`Another payout was requested at the same time: ${requestWords(other)}.`,
          ),
        );
      if (end.unread != null)
        run.context.output.fail(warningLine('partly-checked', UNREAD_WORDS[end.unread]));
      printPayout(run, { outcome: end.adopted ? 'adopted' : 'requested', request: end.request, words });
      return EXIT.done;
    }
    case 'rejected':
      throw new CommandError(
        'payout-rejected',
        `${what} was rejected: ${end.reason}.`,
        `No money was moved. For the list: ${formatCommand('payouts', 'list')}`,
        EXIT.failed,
        { reject_reason: end.reason, request: end.request },
      );
    case 'unclear':
      throw new CommandError(
        'unclear-payout',
        `${what} was requested as ${requestWords(end.request)}; ${end.why}.`,
        'Check it on the service. Herald does not send it again.',
        EXIT.unknown,
        { request: end.request },
      );
    case 'two':
      throw twoPayouts(run, end, balances);
    case 'unchecked':
      throw uncheckedPayout(run, end, balances);
    case 'unknown':
      throw unknownOutcome(what, end, balances);
    case 'failed':
      throw new ServiceError({ ...end.problem, what: `${what} was not requested: ${end.problem.what}` });
    case 'interrupted':
      throw interruptedError();
  }
}

/** What speaks against it, and why it was made all the same. */
function doubtWords({ adopted, why, request }: Extract<PayoutEnd, { kind: 'made' }>): string {
  const lost = adopted
    ? ` The service did not confirm it (${why ?? 'no answer'}), but the list of payout requests shows it.`
    : '';
  return request !== null && isContradictory(request)
    ? `${lost} Its entry in the list has ${toldWords(request)}, and the balance fell by this amount.`
    : lost;
}

function twoPayouts(
  { account, amount }: PayoutRun,
  { requests, availableCents }: Extract<PayoutEnd, { kind: 'two' }>,
  balances: PayoutBalances,
): CommandError {
  const beforeCents = lowerCents(balances.payoutAvailable);
  const shown = requests.map(requestWords).join(', ');
  const list =
    requests.length > 1
      ? `The list shows ${requests.length} new requests of this amount: ${shown}.`
      : `The list shows ${requests.length === 1 ? `one of them so far: ${shown}` : 'neither of them yet'}.`;
  // By the balance alone, the other one can be of any amount.
  const other =
    requests.length > 1
      ? 'another one of the same amount was made at the same time'
      : 'another payout was probably requested at the same time';
  return new CommandError(
    'two-payouts',
    `A payout of ${amount.text} USD for ${accountWords(account)} was requested, and ${other}. ${list} ${balanceWords(beforeCents, availableCents, amount.cents)}`,
    'Check both on the service. If you want only one, ask the service to stop the other. Herald sends nothing again.',
    EXIT.unknown,
    { requests, available_before_cents: beforeCents, available_now_cents: availableCents },
  );
}

/** By what a second request of the same amount was ruled out, where one of the two reads failed. */
const UNREAD_WORDS = {
  list: shown`The list of payout requests could not be read, so only the balance was checked: it has fallen by this amount once.`,
  balance: shown`The balance could not be read, so only the list of payout requests was checked: it shows one new request of this amount.`,
} as const;

function uncheckedPayout(
  { account, amount }: PayoutRun,
  { state, isListRead, availableCents }: Extract<PayoutEnd, { kind: 'unchecked' }>,
  balances: PayoutBalances,
): CommandError {
  const beforeCents = lowerCents(balances.payoutAvailable);
  const list = isListRead
    ? 'The list of payout requests does not show it yet.'
    : 'The list of payout requests could not be read.';
  return new CommandError(
    'unchecked-payout',
    `A payout of ${amount.text} USD for ${accountWords(account)} was requested, state ${state}. It could not be checked if another one of the same amount was made at the same time. ${list} ${balanceWords(beforeCents, availableCents, amount.cents)}`,
    `Herald sends nothing again. To look later: ${formatCommand('payouts', 'list', '--account', account.alias)}`,
    EXIT.unknown,
    {
      list_read: isListRead,
      available_before_cents: beforeCents,
      available_now_cents: availableCents,
    },
  );
}

function unknownOutcome(
  what: string,
  end: Extract<PayoutEnd, { kind: 'unknown' }>,
  balances: PayoutBalances,
): CommandError {
  const { why, verdict, availableCents } = end;
  const beforeCents = lowerCents(balances.payoutAvailable);
  return new CommandError(
    'unknown-outcome',
    `${what} may have been requested: ${why}. ${verdictWords(verdict)} ${balanceWords(beforeCents, availableCents)}`,
    LOOK_FIRST,
    EXIT.unknown,
    {
      verdict: verdict.kind,
      new_requests: newRequestsIn(verdict),
      available_before_cents: beforeCents,
      available_now_cents: availableCents,
    },
  );
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

export function printPayout(run: PayoutRun, { outcome, request, words }: Printed): void {
  const { context, account, amount, format } = run;
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
