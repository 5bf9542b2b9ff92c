import { accountOf } from '../access.ts';
import type { Call } from '../call.ts';
import { draw } from '../random.ts';
import { BY_CONTROL } from '../cause.ts';
import { conflict, invalid, notFound } from '../refusal.ts';
import type { AccountState } from '../state.ts';
import { setTimer } from '../timers.ts';
import type { World } from '../world.ts';
import { messageAt, openChat, placeOf, visiblePlaces, type OpenChat } from './history.ts';
import { isGuarded, requireConsistent, requireModerate } from './rules.ts';
import type { Chat, ChatMessageSeed, ChatSeed, Written } from './state.ts';

const LIMIT_DEFAULT = 100;

/**
 * A page of a chat, starting after the message `message_id`. Assumed: newest first unless `asc` is requested. A
 * mode decides whether that message is repeated (LIST-6).
 */
export function listMessages(world: World, { params, query, effects }: Call<'chat.messages'>): object {
  const open = chatOf(world, params);
  const { limit = LIMIT_DEFAULT, order = 'desc', message_id: last } = query;
  if (order !== 'asc' && order !== 'desc') throw invalid(world.modes, 'must be asc or desc', 'order');
  const oldestFirst = visiblePlaces(open, world.nowMs);
  const places = order === 'asc' ? oldestFirst : oldestFirst.reverse();
  const after = last === undefined ? 0 : startAfter(world, open, places, order, BigInt(last));
  const start = effects.repeatPage && last !== undefined ? Math.max(0, after - limit) : after;
  const page = places.slice(start, start + limit);
  return {
    items: page.map((place) => messageAt(world, open, place)),
    has_more: start + limit < places.length,
  };
}

/** The start of a page after the message with this id. That message may be hidden by now. */
function startAfter(
  { modes }: World,
  open: OpenChat,
  places: readonly number[],
  order: 'asc' | 'desc',
  last: bigint,
): number {
  const place = placeOf(open, last);
  const isBehind = (candidate: number) => {
    if (candidate === place) return modes.messageIdInclusive;
    return order === 'asc' ? candidate > place : candidate < place;
  };
  const start = places.findIndex(isBehind);
  return start === -1 ? places.length : start;
}

/**
 * A 202 means queued, not delivered. The message appears later, or the message guard stops it without telling
 * anyone.
 */
export function sendMessage(world: World, { params, body, cause, key }: Call<'chat.send'>): object {
  const { account, chatId } = chatOf(world, params);
  requireConsistent(world, body);
  requireModerate(world, body);
  const sendId = newUuid(world);
  const appearsMs = world.nowMs + world.modes.chatDelaySec * 1000;
  const blocked = isGuarded(world, body);
  write(world, account, chatId, {
    send_id: sendId,
    fromMe: true,
    text: body.text ?? null,
    price: body.price ?? 0,
    lockedText: body.locked_text ?? false,
    media: (body.media ?? []).map(({ id, type, is_paid }) => ({ id, type, is_paid: is_paid ?? false })),
    appearsMs,
    blocked,
    cause,
  });
  if (blocked && world.webhooks.entries.length > 0)
    setTimer(world, appearsMs, {
      kind: 'chat_blocked',
      account_id: account.live.id,
      id: sendId,
      chat_id: chatId,
      key: key.id,
    });
  return { send_id: sendId };
}

/** Sets the size of a chat. Once messages were written to it, its ids and its size are fixed. */
export function seedChat(account: AccountState, { chat_id: chatId, messages }: ChatSeed): Chat {
  const { chats } = account.chats;
  if (Object.hasOwn(chats, chatId) && chats[chatId]?.written.length !== 0)
    throw conflict(`chat ${chatId} has been written to`);
  const chat: Chat = { history: messages, written: [] };
  chats[chatId] = chat;
  return chat;
}

/** A message from a person or the fan. It is visible at once. */
export function seedMessage(world: World, account: AccountState, seed: ChatMessageSeed): Written {
  if (openChat(world, account, seed.chat_id) === undefined) throw notFound(`Chat ${seed.chat_id}`);
  return write(world, account, seed.chat_id, {
    send_id: null,
    fromMe: seed.from_me,
    text: seed.text,
    price: seed.price,
    lockedText: false,
    media: [],
    appearsMs: world.nowMs,
    blocked: false,
    cause: BY_CONTROL,
  });
}

function write(
  world: World,
  account: AccountState,
  chatId: string,
  parts: Omit<Written, 'writtenMs'>,
): Written {
  const chat = openChat(world, account, chatId)?.chat ?? { history: 0, written: [] };
  const written = { ...parts, writtenMs: world.nowMs };
  chat.written.push(written);
  account.chats.chats[chatId] = chat;
  return written;
}

function chatOf(world: World, { account_id, chat_id }: { account_id: string; chat_id: string }): OpenChat {
  const open = openChat(world, accountOf(world, account_id), chat_id);
  if (open === undefined) throw notFound(`Chat ${chat_id}`);
  return open;
}

/** A version 4 uuid drawn from the world's seed. */
function newUuid(world: World): string {
  const digits = Array.from({ length: 32 }, () => Math.floor(draw(world) * 16).toString(16)).join('');
  const [a, b, c, d, e] = [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20),
  ];
  return `${a}-${b}-${c}-${d}-${e}`;
}
