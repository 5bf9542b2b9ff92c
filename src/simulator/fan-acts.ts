import * as z from 'zod';
import { accountOf } from './access.ts';
import { seedMessage } from './chat/handlers.ts';
import { openChat } from './chat/history.ts';
import { takeId } from './ids.ts';
import { subscriptionRow, transactionRow } from './reads/happened.ts';
import type { AccountState } from './state.ts';
import { emitEvent, type EventKind } from './webhooks/emit.ts';
import type { World } from './world.ts';

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
export type FanAct = z.output<typeof fanActShape>;
export type FanActInput = z.input<typeof fanActShape>;
type ActOf<Does extends FanAct['does']> = Extract<FanAct, { does: Does }>;

/** Lets a fan act: the rows of the lists and the event belong together. Returns what a list will show of it. */
export function actAsFan(world: World, act: FanAct): object {
  const account = accountOf(world, act.account_id);
  switch (act.does) {
    case 'tip':
      return tip(world, account, act);
    case 'subscribe':
      return subscribe(world, account, act);
    case 'purchase':
      return purchase(world, account, act);
    case 'reply':
      return reply(world, account, act);
    case 'read':
      return readMessages(world, account, act);
  }
}

function tip(world: World, account: AccountState, { fan_id: fanId, amount: sum }: ActOf<'tip'>): object {
  const transaction = addTransaction(world, account, fanId, sum, 'tip');
  return tell(world, account, 'fans.tip.received', fanId, { amount: sum, ...transaction });
}

/** The transaction of a paid subscription is in the list, as that of a tip is. */
function subscribe(world: World, account: AccountState, act: ActOf<'subscribe'>): object {
  const { fan_id: fanId, type } = act;
  const regular = account.live.subscribe_price;
  const price = act.price ?? (type === 'free' || type === 'trial' ? 0 : regular);
  openNewChat(world, account, fanId);
  const [cents, regularCents] = [centsOf(price), centsOf(regular)];
  account.happened.subscriptions.push(subscriptionRow(world.nowMs, { fanId, cents, regularCents, type }));
  if (price > 0) addTransaction(world, account, fanId, price, 'subscription');
  return tell(world, account, 'fans.subscription.new_subscriber', fanId, { type, price_gross: price });
}

function purchase(world: World, account: AccountState, act: ActOf<'purchase'>): object {
  const { fan_id: fanId, amount: sum, content_type } = act;
  const transaction = addTransaction(world, account, fanId, sum, content_type);
  return tell(world, account, 'fans.ppv.purchased', fanId, { content_type, amount: sum, ...transaction });
}

function reply(world: World, account: AccountState, { fan_id: fanId, text }: ActOf<'reply'>): object {
  openNewChat(world, account, fanId);
  const chat = { chat_id: fanId, text, from_me: false, price: 0 };
  seedMessage(world, account, chat);
  if (world.modes.webhookNewKinds) tell(world, account, 'chat.message.received', fanId, { text });
  return { chat_id: fanId, text };
}

/** Opens what was sent to the fan while the world ran. Earlier messages are read already. */
function readMessages(world: World, account: AccountState, { fan_id: fanId }: ActOf<'read'>): object {
  const unread = (openChat(world, account, fanId)?.chat.written ?? []).filter(
    ({ fromMe, blocked, appearsMs, opened }) =>
      fromMe && !blocked && appearsMs <= world.nowMs && opened !== true,
  );
  for (const message of unread) message.opened = true;
  if (world.modes.webhookNewKinds)
    tell(world, account, 'chat.message.read', fanId, { messages: unread.length });
  return { chat_id: fanId, read: unread.length };
}

function tell(
  world: World,
  account: AccountState,
  kind: EventKind,
  fanId: string,
  members: Readonly<Record<string, unknown>>,
): object {
  emitEvent(world, account, kind, { fan: { id: fanId }, ...members });
  return { fan: { id: fanId }, ...members };
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
  const cents = centsOf(sum);
  account.happened.transactions.push(transactionRow(world.nowMs, { id, fanId, cents, type }));
  return world.modes.webhookNames === 'full' ? { transaction_id: id } : {};
}

/** A new fan has an empty chat. */
function openNewChat(world: World, account: AccountState, fanId: string): void {
  if (openChat(world, account, fanId) !== undefined) return;
  account.chats.chats[fanId] = { history: 0, written: [] };
}

function centsOf(sum: number): number {
  return Math.round(sum * 100);
}
