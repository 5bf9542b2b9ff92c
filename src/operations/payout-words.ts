import { shown, visible, type Visible } from '../domain/visible.ts';
import type { Act } from '../ledger/acts.ts';
import type { SimilarOnRecord } from './payout-acts.ts';
import { instantText } from '../ledger/instant-text.ts';
import type { PlatformAccount } from '../live/targets.ts';
import { exactCents, formatCents, type PayoutAmount } from '../domain/payout-amount.ts';
import type { PayoutRequest } from './payout-list.ts';
import type { PayoutVerdict } from './payout-resolve.ts';
import { toldWords } from '../domain/payout-standing.ts';

/** `alice (account 101, platform account 9101, @alice_x)` */
export function accountWords({ alias, accountId, platformAccountId, username }: PlatformAccount): string {
  const parts = [
    accountId === null ? null : `account ${accountId}`,
    `platform account ${platformAccountId}`,
    username === undefined ? null : `@${visible(username)}`,
  ];
  return `${alias} (${parts.filter((part) => part !== null).join(', ')})`;
}

/** The question before money moves. */
export function payoutQuestion(
  account: PlatformAccount,
  amount: PayoutAmount,
  availableCents: number,
  at: string,
): Visible {
  const there = `${formatCents(availableCents)} USD are available`;
  return shown`Request a payout of ${amount.text} USD for ${accountWords(account)} at ${at}? ${there}. This cannot be undone.`;
}

/** `inv-9101-0001 (100.10 USD, new, 2026-06-01T14:00:00+02:00)` */
export function requestWords({ invoiceId, amount, currency, state, createdAt }: PayoutRequest): string {
  const cents = exactCents(amount);
  const money = `${cents === null ? String(amount ?? 'unknown amount') : formatCents(cents)} ${currency ?? 'without a currency'}`;
  return visible(`${invoiceId} (${money}, ${state ?? 'no state'}, ${createdAt ?? 'no date'})`);
}

/** `100.10 USD, requested at 2026-06-01T12:00:00.000Z by ana (recorded here, not in the list)` */
export function recordWords({ act: { subject, sentAtMs, who }, listed }: SimilarOnRecord): string {
  const list = listed === null ? ', not in the list' : `; the list has it as ${requestWords(listed)}`;
  return visible(`${subject}, requested at ${instantText(sentAtMs)} by ${who} (recorded here${list})`);
}

/** A request of an earlier run, for JSON. */
export function recordDetails({ entry, subject, sentAtMs, who }: Act): object {
  return { entry, subject, sent_at: instantText(sentAtMs), who };
}

/** The verdict of the list about an unconfirmed request, as a sentence. */
export function verdictWords(verdict: PayoutVerdict): string {
  switch (verdict.kind) {
    case 'made':
      return `It was made as invoice ${visible(verdict.request.invoiceId)}.`;
    case 'contradictory':
      return `The list of payout requests shows ${requestWords(verdict.request)}, with ${visible(toldWords(verdict.request))}.`;
    case 'not_seen':
      return 'The list of payout requests does not show it, and was read after the last time at which it could appear.';
    case 'ambiguous': {
      const found = verdict.requests.map(requestWords).join(', ');
      return found === ''
        ? 'Its line in the ledger is damaged, so the list cannot show if it was made.'
        : `The list of payout requests shows possible matches: ${found}.`;
    }
    case 'unread':
      return `The list of payout requests did not show if it was made: ${verdict.why}.`;
  }
}

/**
 * How the balance changed meanwhile: a hint, not a proof. `cents` is the requested amount, to mention a fall by twice
 * as much.
 */
export function balanceWords(
  beforeCents: number | null,
  nowCents: number | null,
  cents: number | null = null,
): string {
  if (beforeCents === null || nowCents === null) return 'The available balance could not be compared.';
  const now = `${formatCents(nowCents)} USD`;
  if (nowCents === beforeCents) return `The available balance is unchanged: ${now}.`;
  const moved = nowCents < beforeCents ? 'has fallen' : 'has risen';
  const twice = cents === null ? '' : twiceWords(beforeCents - nowCents, 2 * cents);
  return `The available balance ${moved} from ${formatCents(beforeCents)} to ${now}${twice}.`;
}

function twiceWords(fellCents: number, twiceCents: number): string {
  if (fellCents < twiceCents) return '';
  return fellCents === twiceCents ? ', twice this amount' : ', more than twice this amount';
}

export const LOOK_FIRST =
  "Check the account's payouts on the service. To check again, run the command again; it sends nothing while this is unconfirmed. To request a payout anyway after that, add --acknowledge. For the same amount within 24 hours, add --allow-similar too.";
