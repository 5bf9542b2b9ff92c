import * as z from 'zod';
import { findChat } from './chat.ts';
import { takeId } from './random.ts';
import { isoTime } from './records.ts';
import type { AccountState } from './state.ts';
import { fireTrigger } from './states.ts';
import { emitEvent } from './webhooks.ts';
import { getAccount, type World } from './world.ts';

const who = { account_id: z.string(), fan_id: z.string().min(1) };
const amount = z.number().min(0).max(1_000_000);

export const fanActShape = z.discriminatedUnion('does', [
  z.strictObject({ ...who, does: z.literal('tip'), amount: amount.default(5) }),
  z.strictObject({
    ...who,
    does: z.literal('subscribe'),
    /** Assumed: the words for types of subscriptions (READ-1). */
    type: z.string().min(1).default('paid'),
    /** Default: the price of the account; free and trial subscriptions cost nothing. */
    price: amount.optional(),
  }),
  z.strictObject({
    ...who,
    does: z.literal('purchase'),
    content_type: z.enum(['message', 'post']).default('message'),
    amount: amount.default(10),
  }),
]);
type FanAct = z.output<typeof fanActShape>;
export type FanActInput = z.input<typeof fanActShape>;

const KINDS = {
  tip: 'fans.tip.received',
  subscribe: 'fans.subscription.new_subscriber',
  purchase: 'fans.ppv.purchased',
} as const;

/** Lets a fan act: the rows of the lists and the event belong together. Returns the payload of the event. */
export function actAsFan(world: World, act: FanAct): object {
  const account = getAccount(world, act);
  const payload = { fan: { id: act.fan_id }, ...carryOut(world, account, act) };
  emitEvent(world, account, KINDS[act.does], payload);
  return payload;
}

function carryOut(world: World, account: AccountState, act: FanAct): object {
  const { fan_id: fanId } = act;
  if (act.does === 'subscribe') return subscribe(world, account, act);
  if (act.does === 'tip')
    return { amount: act.amount, ...addTransaction(world, account, fanId, act.amount, 'tip') };
  const { content_type, amount: sum } = act;
  return { content_type, amount: sum, ...addTransaction(world, account, fanId, sum, content_type) };
}

const SUBSCRIPTION_MS = 30 * 86_400_000;

/** A new subscriber sets off the welcome campaigns. The transaction of a paid subscription is in the list too. */
function subscribe(
  world: World,
  account: AccountState,
  { fan_id: fanId, type, price: asked }: Extract<FanAct, { does: 'subscribe' }>,
): object {
  const { nowMs } = world;
  const regular = account.live.subscribe_price;
  const price = asked ?? (type === 'free' || type === 'trial' ? 0 : regular);
  // A new fan has an empty chat.
  if (findChat(world, account, fanId) === undefined) account.chats.chats[fanId] = [];
  account.happened.subscriptions.push({
    atMs: nowMs,
    row: {
      fan: { id: fanId },
      price_gross: price,
      regular_price_gross: regular,
      action: 'subscribe',
      type,
      subscribed_at: isoTime(nowMs),
      expires_at: isoTime(nowMs + SUBSCRIPTION_MS),
    },
  });
  if (price > 0) addTransaction(world, account, fanId, price, 'subscription');
  fireTrigger(world, account.live.id, 'welcome_message', fanId);
  return { type, price_gross: price };
}

/** Only some payloads name their transaction; the document does not show it (EVENT-5). */
function addTransaction(
  world: World,
  account: AccountState,
  fanId: string,
  sum: number,
  type: string,
): { readonly transaction_id?: string } {
  const id = takeId(world, 'nextTransactionId');
  const row = { id, amount: sum, fan: { id: fanId }, type, status: 'done', timestamp: isoTime(world.nowMs) };
  account.happened.transactions.push({ atMs: world.nowMs, row });
  return world.modes.webhookNames === 'full' ? { transaction_id: id } : {};
}
