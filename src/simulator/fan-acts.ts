import * as z from 'zod';
import { openChat, seedMessage } from './chat.ts';
import { takeId } from './random.ts';
import { isoTime } from './records.ts';
import type { AccountState } from './state.ts';
import { fireTrigger } from './states.ts';
import { emitEvent, type EventKind } from './webhooks.ts';
import { getAccount, type World } from './world.ts';

const who = { account_id: z.string(), fan_id: z.string().min(1) };
const amount = z.number().min(0).max(1_000_000);

/** What a fan does outside the API. */
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
  z.strictObject({ ...who, does: z.literal('reply'), text: z.string().min(1).default('Thank you!') }),
  z.strictObject({ ...who, does: z.literal('read') }),
]);
type FanAct = z.output<typeof fanActShape>;
export type FanActInput = z.input<typeof fanActShape>;

/** Lets a fan act: the rows of the lists and the event belong together. Returns what a list will show of it. */
export function actAsFan(world: World, act: FanAct): object {
  const account = getAccount(world, act.account_id);
  const { fan_id: fanId } = act;
  const tell = (kind: EventKind, members: Readonly<Record<string, unknown>>): object => {
    emitEvent(world, account, kind, { fan: { id: fanId }, ...members });
    return { fan: { id: fanId }, ...members };
  };
  switch (act.does) {
    case 'tip': {
      const transaction = addTransaction(world, account, fanId, act.amount, 'tip');
      return tell('fans.tip.received', { amount: act.amount, ...transaction });
    }
    case 'subscribe':
      return tell('fans.subscription.new_subscriber', subscribe(world, account, act));
    case 'purchase': {
      const { content_type, amount: sum } = act;
      const transaction = addTransaction(world, account, fanId, sum, content_type);
      return tell('fans.ppv.purchased', { content_type, amount: sum, ...transaction });
    }
    case 'reply': {
      openNewChat(world, account, fanId);
      seedMessage(world, account, { chat_id: fanId, text: act.text, from_me: false, price: 0 });
      if (world.modes.webhookNewKinds) tell('chat.message.received', { text: act.text });
      return { chat_id: fanId, text: act.text };
    }
    case 'read': {
      const read = readMessages(world, account, fanId);
      if (world.modes.webhookNewKinds) tell('chat.message.read', { messages: read });
      return { chat_id: fanId, read };
    }
  }
}

const SUBSCRIPTION_MS = 30 * 86_400_000;

/** A new subscriber sets off the welcome campaigns. The transaction of a paid subscription is in the list too. */
function subscribe(
  world: World,
  account: AccountState,
  { fan_id: fanId, type, price: asked }: Extract<FanAct, { does: 'subscribe' }>,
): { readonly type: string; readonly price_gross: number } {
  const { nowMs } = world;
  const regular = account.live.subscribe_price;
  const price = asked ?? (type === 'free' || type === 'trial' ? 0 : regular);
  openNewChat(world, account, fanId);
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

/** Opens what was sent to the fan while the world ran. Earlier messages are read already. Returns how many. */
function readMessages(world: World, account: AccountState, fanId: string): number {
  const unread = (openChat(world, account, fanId)?.chat.written ?? []).filter(
    ({ from_me: fromMe, blocked, appearsMs, opened }) =>
      fromMe && !blocked && appearsMs <= world.nowMs && !opened,
  );
  for (const message of unread) message.opened = true;
  return unread.length;
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

/** A new fan has an empty chat. */
function openNewChat(world: World, account: AccountState, fanId: string): void {
  if (openChat(world, account, fanId) !== undefined) return;
  account.chats.chats[fanId] = { history: 0, written: [] };
}
