import { CATALOGUE, type Reply } from '../../api/catalogue.ts';
import { digest } from '../../domain/digest.ts';
import type { Conclusion, NewAct } from '../../ledger/ledger.ts';
import { FreshReading } from '../../requests/fresh-reading.ts';
import type { ChatDraft } from '../../domain/chat-draft.ts';
import { chatAct } from '../chat-send.ts';
import { payoutDetails, REQUEST_PAYOUT } from '../payout-acts.ts';
import { exactCents, formatCents } from '../../domain/payout-amount.ts';
import { readPayoutRequests } from '../payout-list.ts';
import { rememberPayout } from '../payout-send.ts';
import type { RawCall, RawEntry, RawPorts } from './raw-call.ts';

/** A chat message, as `herald chat send` records it: so that command sees it. */
export function chatEntry({ ledger, aliasOf }: RawPorts, { params, body }: RawCall): RawEntry {
  const { account_id: accountId = '', chat_id: chatId = '' } = params;
  const account = { alias: aliasOf(accountId), accountId };
  const act = chatAct({ account, chatId }, draftOf(body));
  return {
    intend: () => ledger.begin(act),
    remember: (reply) => ({ live_id: (reply as Reply<'chat.send'>).send_id ?? null }),
  };
}

/** The message of a raw send. */
export function draftOf(body: unknown): ChatDraft {
  const { text = null, price, locked_text: locked, media = [] } = CATALOGUE['chat.send'].body.parse(body);
  return {
    text,
    price: price === undefined ? null : String(price),
    lockedText: locked === true,
    media: media.map(({ id, type, is_paid: isPaid }) => ({ id, type, isPaid: isPaid === true })),
  };
}

/** A payout request, as `herald payouts request` records it: with the invoices that were there before. */
export async function payoutEntry(ports: RawPorts, { params, body }: RawCall): Promise<RawEntry> {
  const { client, clock, ledger, aliasOf, accountId } = ports;
  const { platform = '', platform_account_id: platformAccountId = '' } = params;
  const before = await FreshReading.asTyped(clock, async () => {
    const requests = await readPayoutRequests(client, { platform, platformAccountId });
    return requests.map(({ invoiceId }) => invoiceId);
  });
  const { withdrawal_amount: usd } = CATALOGUE[REQUEST_PAYOUT].body.parse(body);
  const cents = exactCents(usd) ?? 0;
  const amount = formatCents(cents);
  return {
    intend: () =>
      ledger.begin({
        operation: REQUEST_PAYOUT,
        account: aliasOf(platformAccountId),
        account_id: accountId ?? platformAccountId,
        subject: `${amount} USD`,
        details: payoutDetails({
          platformAccountId,
          cents,
          amount,
          baseline: before.forRecord(),
          availableCents: null,
        }),
      }),
    goesBy: before,
    remember: (reply) => rememberPayout(reply as Reply<typeof REQUEST_PAYOUT>),
  };
}

/** A label or a follow, as the commands of `herald fans` record them. */
export function fanEntry({ ledger, aliasOf }: RawPorts, call: RawCall): RawEntry {
  const { operation, params, body } = call;
  const { account_id: accountId = '', fan_id: fanId = '' } = params;
  const labels = operation === 'fans.label' ? { labels: CATALOGUE['fans.label'].body.parse(body) } : {};
  return {
    intend: () =>
      ledger.begin({
        operation,
        account: aliasOf(accountId),
        account_id: accountId,
        subject: `fan ${fanId}`,
        details: { fan_id: fanId, ...labels },
      }),
    remember: denied,
  };
}

/** A 200 that says that nothing was done. */
function denied(reply: unknown): Partial<Conclusion> {
  const no = Object.entries(Object(reply)).find(([name, value]) => DENIES.includes(name) && value === false);
  return no === undefined ? {} : { outcome: 'refused', message: `answered ${no[0]}: false` };
}

const DENIES: readonly string[] = ['success', 'subscribed'];

/** A request that no later run can find. The ledger has a digest of its body, and a person tells how it ended. */
export function plainEntry({ ledger, aliasOf }: RawPorts, { operation, params, body }: RawCall): RawEntry {
  const { account_id: accountId = '', ...others } = params;
  const key = typeof body === 'object' && body !== null && 'key' in body ? { key: body.key } : {};
  const act: NewAct = {
    operation,
    account: aliasOf(accountId),
    account_id: accountId,
    subject: Object.values(others).join(' ') || 'one object',
    details: { by: 'api', ...others, ...key, body_digest: body === undefined ? null : digest(body) },
  };
  return { intend: () => ledger.begin(act) };
}
