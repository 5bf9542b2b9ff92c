import { instantText } from '../../ledger/instant-text.ts';
import { earliestTimes, leastAgeMs } from '../../operations/service-time.ts';
import type { KnownPayouts } from '../../operations/payout-acts.ts';
import { SIMILAR_PAYOUT_MS } from '../../domain/repeats.ts';
import { reconcilePayouts, type ReconciledPayout } from '../../operations/payout-reconcile.ts';
import { visibleProse } from '../../domain/visible.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError } from '../failure.ts';
import { printPayout } from './report.ts';
import { payoutPorts, type PayoutRun } from './run.ts';
import {
  accountWords,
  LOOK_FIRST,
  recordDetails,
  requestWords,
  verdictWords,
} from '../../operations/payout-words.ts';

/**
 * Resolves unconfirmed requests of earlier runs on the account, before a new one is made.
 *
 * | the earlier request                   | without --acknowledge          | with it          |
 * |---------------------------------------|--------------------------------|------------------|
 * | was made, of the same amount, just now | exit 0, nothing is sent       | the same         |
 * | was made, of another amount, or by now more than a day ago | exit 5, nothing is sent | the same |
 * | was rejected, or not seen for 24 h    | go on                          | go on            |
 * | is not seen, cannot be found, or its entry contradicts itself | exit 3, nothing is sent | go on |
 * | cannot be looked at                   | exit 3, nothing is sent        | the same         |
 *
 * One that is left unconfirmed still counts as a request of its amount.
 */
export async function resolveEarlier(run: PayoutRun, known: KnownPayouts): Promise<ResolvedEarlier> {
  const { context, account } = run;
  if (known.open.length === 0) return { kind: 'go_on', looked: [] };
  const reconciled = await reconcilePayouts(payoutPorts(run), account, known);
  for (const one of reconciled)
    if (one.end.kind === 'rejected' || one.end.kind === 'gone')
      context.output.say(visibleProse(earlierWords(one)));
  const looked = openAfterLook(run, reconciled);
  const exit = await answerMade(run, reconciled);
  return exit === null ? { kind: 'go_on', looked } : { kind: 'answered', exit };
}

/** Requests that a person has checked. Their entries are closed right before the new request is sent. */
type ResolvedEarlier =
  | { readonly kind: 'go_on'; readonly looked: readonly ReconciledPayout[] }
  | { readonly kind: 'answered'; readonly exit: number };

/** Closes the entries that a person has decided about, right before the new request. */
export async function acknowledgeEarlier(
  { context, ledger }: PayoutRun,
  looked: readonly ReconciledPayout[],
): Promise<void> {
  for (const one of looked) {
    await ledger.acknowledge(one.open.act.entry);
    context.output.say(visibleProse(`Acknowledged. ${earlierWords(one)}`));
  }
}

/** The requests that stay unconfirmed. Throws unless `--acknowledge` is given. */
function openAfterLook(
  { flags, account }: PayoutRun,
  reconciled: readonly ReconciledPayout[],
): readonly ReconciledPayout[] {
  const open = reconciled.filter(({ end }) => end.kind === 'open');
  const unread = open.some(({ end }) => end.kind === 'open' && end.verdict.kind === 'unread');
  if (open.length > 0 && (!flags.acknowledge || unread))
    throw new CommandError(
      'open-payout',
      `An earlier payout request for ${accountWords(account)} is unconfirmed, so nothing was sent now. ${reconciled.map(earlierWords).join(' ')}`,
      LOOK_FIRST,
      EXIT.unknown,
      {
        open: open.map(({ open: { act } }) => recordDetails(act)),
      },
    );
  return open;
}

async function answerMade(run: PayoutRun, reconciled: readonly ReconciledPayout[]): Promise<number | null> {
  const { context, service, account, amount } = run;
  const made = reconciled.filter(({ end }) => end.kind === 'made' || end.kind === 'unclear');
  const [first] = made;
  if (first === undefined) return null;
  const words = `${made.map(earlierWords).join(' ')} Nothing was sent now.`;
  const times = await earliestTimes(service.client, context.clock);
  const same = made.find(
    ({ open }) => open.trace?.cents === amount.cents && leastAgeMs(open.act, times) < SIMILAR_PAYOUT_MS,
  );
  const sameAmount = made.some(({ open: { trace } }) => trace?.cents === amount.cents);
  const why = sameAmount
    ? 'It was more than a day ago.'
    : `It was for another amount than ${amount.text} USD.`;
  if (same === undefined)
    throw new CommandError(
      'earlier-payout-made',
      `${words} ${why}`,
      `If ${account.alias} is to get ${amount.text} USD as well, run the command again.`,
      EXIT.blocked,
      { made: made.map(({ end }) => end) },
    );
  const request = 'request' in same.end ? same.end.request : null;
  printPayout(run, { outcome: 'made_earlier', request, words });
  return same.end.kind === 'made' ? EXIT.done : EXIT.unknown;
}

/** The result of an earlier request, as a sentence. */
function earlierWords({ open: { act }, end }: ReconciledPayout): string {
  const at = instantText(act.sentAtMs);
  const which = `The earlier request of ${act.subject} (${at}, by ${act.who})`;
  switch (end.kind) {
    case 'made':
      return `${which} was made as invoice ${end.request?.invoiceId ?? '?'}, state ${end.state}.`;
    case 'unclear':
      return `${which} was made as ${requestWords(end.request)}; ${end.why}.`;
    case 'rejected':
      return `${which} was rejected: ${end.reason}.`;
    case 'gone':
      return `${which} did not appear in the list within 24 hours, and no longer counts.`;
    case 'open':
      return `${which} is unconfirmed. ${verdictWords(end.verdict)}`;
  }
}
