import type * as z from 'zod';
import { conflict, invalid, invalidFor, notFound, Refusal } from './answers.ts';
import { drawUuid, mix, mixText, pick } from './random.ts';
import { BY_CONTROL, isoTime, type TimerOf } from './records.ts';
import type { Call } from './requests.ts';
import type { SeedOf } from './seed-shape.ts';
import { writtenShape, type AccountState, type Chat, type Follow, type Written } from './state.ts';
import { emitEvent } from './webhooks.ts';
import { getAccount, setTimer, type World } from './world.ts';

const MESSAGES_DEFAULT = 100;

/**
 * A page of a chat, starting after the message `message_id`, which may be hidden by now. Assumed: newest first unless
 * `asc` is requested. A mode decides whether that message is repeated (LIST-6).
 */
export function listMessages(world: World, { params, query, effects }: Call<'chat.messages'>): object {
  const open = requireChat(world, params);
  const { limit = MESSAGES_DEFAULT, order = 'desc', message_id: last } = query;
  if (order !== 'asc' && order !== 'desc') throw invalid(world.modes, 'must be asc or desc', 'order');
  const oldestFirst = visiblePlaces(open, world.nowMs);
  const places = order === 'asc' ? oldestFirst : oldestFirst.reverse();
  const comesAfter = (id: bigint, lastId: bigint): boolean =>
    id === lastId ? world.modes.messageIdInclusive : id > lastId === (order === 'asc');
  const after =
    last === undefined ? 0 : places.findIndex((place) => comesAfter(idAt(open, place), BigInt(last)));
  const rest = after === -1 ? places.length : after;
  const start = effects.repeatPage && last !== undefined ? Math.max(0, rest - limit) : rest;
  return {
    items: places.slice(start, start + limit).map((place) => messageAt(open, place)),
    has_more: start + limit < places.length,
  };
}

/**
 * A 202 means queued, not delivered. The message appears later, or the message guard stops it. The API does not report
 * that; an event does.
 */
export function sendMessage(world: World, { params, body, cause, key }: Call<'chat.send'>): object {
  const { modes } = world;
  const { account, chatId } = requireChat(world, params);
  requireConsistent(world, body);
  const restricted = findBanned(modes.restrictedWords, body.text);
  // The moderation check before the queue. The details list the matches. Assumed: their format (CHAT-3).
  if (restricted.length > 0)
    throw new Refusal(400, 'The text contains restricted words or topics', {
      code: 'RESTRICTED_WORDS_DETECTED',
      details: modes.restrictedDetails === 'list' ? restricted : { words: restricted },
    });
  const sendId = drawUuid(world);
  const appearsMs = world.nowMs + modes.chatDelaySec * 1000;
  const blocked = findBanned(modes.guardedWords, body.text).length > 0;
  write(world, account, chatId, {
    ...body,
    send_id: sendId,
    from_me: true,
    appearsMs,
    blocked,
    cause,
  });
  const ids = { account_id: account.live.id, id: sendId, chat_id: chatId, key: key.id };
  if (blocked && world.webhooks.entries.length > 0)
    setTimer(world, appearsMs, { kind: 'chat_blocked', ...ids });
  return { send_id: sendId };
}

/**
 * Sends the event of a message that the guard stopped (EVENT-5). `user_id` is null, because a key wrote it. A mode
 * decides whether the event has the `send_id` (EVENT-3).
 */
export function tellBlocked(
  world: World,
  account: AccountState,
  { id, chat_id, key }: TimerOf<'chat_blocked'>,
): void {
  emitEvent(world, account, 'firewall.message_guard.violation.svc_api', {
    user_id: null,
    svc_api_token_id: BigInt(key),
    ...(world.modes.webhookSendId === 'present' ? { send_id: id } : {}),
    chat_id,
  });
}

/**
 * Price, locked text and paid media must agree. Assumed: the exact rules, and that all violations are listed at
 * once (CHAT-5).
 */
function requireConsistent({ modes }: World, body: Call<'chat.send'>['body']): void {
  const { text, price = 0, locked_text: isLocked = false, media = [] } = body;
  const hasText = typeof text === 'string' && /\S/.test(text);
  const isPaid = media.some((medium) => medium.is_paid === true);
  const rules: readonly (readonly [boolean, string, string])[] = [
    [!hasText && media.length === 0, 'text', 'a message needs text or media'],
    [!/^\d+(?:\.\d{1,2})?$/.test(String(price)), 'price', 'a price has at most two decimals'],
    [price > 0 && !isLocked && !isPaid, 'price', 'a price needs locked text or paid media'],
    [price === 0 && isLocked, 'locked_text', 'locked text needs a price'],
    [price === 0 && isPaid, 'media', 'paid media needs a price'],
    [isLocked && !hasText, 'locked_text', 'locked text needs text'],
  ];
  const issues = rules.flatMap(([isBroken, path, message]) => (isBroken ? [{ path, message }] : []));
  if (issues.length > 0) throw invalidFor(modes, issues.map(({ message }) => message).join('; '), issues);
}

function findBanned(words: readonly string[], text: string | null | undefined): readonly string[] {
  const low = (text ?? '').toLowerCase();
  return words.filter((word) => low.includes(word.toLowerCase()));
}

/** Sets the size of a chat. Once messages were written to it, its ids and its size are fixed. */
export function seedChat({ chats: { chats } }: AccountState, { chat_id, messages }: SeedOf<'chat'>): Chat {
  if (Object.hasOwn(chats, chat_id) && chats[chat_id]?.written.length !== 0)
    throw conflict(`chat ${chat_id} has been written to`);
  const chat: Chat = { history: messages, written: [] };
  chats[chat_id] = chat;
  return chat;
}

/** A message from a person or the fan. It is visible at once. */
export function seedMessage(world: World, account: AccountState, seed: SeedOf<'chat_message'>): Written {
  if (openChat(world, account, seed.chat_id) === undefined) throw notFound(`Chat ${seed.chat_id}`);
  return write(world, account, seed.chat_id, {
    from_me: seed.from_me,
    text: seed.text,
    price: seed.price,
    appearsMs: world.nowMs,
    cause: BY_CONTROL,
  });
}

function write(
  world: World,
  account: AccountState,
  chatId: string,
  parts: Omit<z.input<typeof writtenShape>, 'at'>,
): Written {
  const chat = openChat(world, account, chatId)?.chat ?? { history: 0, written: [] };
  const written = writtenShape.parse({ ...parts, at: isoTime(world.nowMs) });
  chat.written.push(written);
  account.chats.chats[chatId] = chat;
  return written;
}

/** A chat has the id of its fan. */
function requireChat(
  world: World,
  path: { readonly account_id: string; readonly chat_id?: string; readonly fan_id?: string },
): OpenChat {
  const { chat_id, fan_id = chat_id ?? '' } = path;
  const open = openChat(world, getAccount(world, path.account_id), fan_id);
  if (open === undefined) throw notFound(`${chat_id === undefined ? 'Fan' : 'Chat'} ${fan_id}`);
  return open;
}

const FANS_DEFAULT = 10_000;

/** Assumed: every fan with a message in the chat is listed (CHAT-13). */
export function listFans(world: World, { params, query }: Call<'fans.list'>): object {
  const account = getAccount(world, params.account_id);
  const ids = [...new Set([...account.fans, ...Object.keys(account.chats.chats)])];
  const active = ids.filter((id) => {
    const open = openChat(world, account, id);
    return open !== undefined && visiblePlaces(open, world.nowMs).length > 0;
  });
  return { fan_ids: active.slice(0, query.limit ?? FANS_DEFAULT) };
}

/** Assumed: the bounds are not shown (CHAT-8). In characters. */
const LABEL_MAX = 1000;

/** A missing field keeps its value (CHAT-7). */
export function labelFan(world: World, { params, body }: Call<'fans.label'>): object {
  const { labels } = requireChat(world, params).account.chats;
  for (const [name, value] of Object.entries(body))
    if (Array.from(value ?? '').length > LABEL_MAX)
      throw invalid(world.modes, `at most ${LABEL_MAX} characters`, name);
  const known = labels[params.fan_id] ?? { custom_name: '', note: '' };
  labels[params.fan_id] = {
    custom_name: body.custom_name ?? known.custom_name,
    note: body.note ?? known.note,
  };
  return { success: true };
}

/** Assumed: the duration of a paid subscription (CHAT-12). */
const SUBSCRIPTION_MS = 30 * 86_400_000;

/** An active subscription is returned unchanged and costs nothing (CHAT-10). */
export function followFan(world: World, { params, cause }: Call<'fans.follow'>): object {
  const { follows } = requireChat(world, params).account.chats;
  const { nowMs, modes } = world;
  const known = follows.find(
    ({ fan_id, expires_at }) =>
      fan_id === params.fan_id && (expires_at === null || Date.parse(expires_at) > nowMs),
  );
  if (known !== undefined) return readFollow(known);
  const price = modes.followPriceUsd;
  const expires_at = price === 0 ? null : isoTime(nowMs + SUBSCRIPTION_MS);
  const follow: Follow = { fan_id: params.fan_id, at: isoTime(nowMs), expires_at, price, cause };
  follows.push(follow);
  return readFollow(follow);
}

function readFollow({ fan_id: id, at, expires_at, price }: Follow): object {
  return {
    fan: { id },
    subscribed: true,
    subscribed_at: at,
    expires_at,
    auto_renew_enabled: price > 0,
    price_gross: price,
  };
}

/** One chat of an account, and the seed of its generated messages. */
interface OpenChat {
  readonly account: AccountState;
  readonly chatId: string;
  readonly chat: Chat;
  readonly seed: number;
}

/** A fixed date, so that a world without a file shows the same messages in every run. */
const HISTORY_END_MS = Date.UTC(2025, 11, 31, 18);
const MESSAGE_EVERY_MS = 37 * 60_000;

const HISTORY_LEAST = 8;
const HISTORY_SPREAD = 24;

/** The chat with a fan; undefined if there is none. Assumed: a chat has the id of its fan (CHAT-13). */
export function openChat(world: World, account: AccountState, chatId: string): OpenChat | undefined {
  const { chats } = account.chats;
  const known = Object.hasOwn(chats, chatId) ? chats[chatId] : undefined;
  if (known === undefined && !account.fans.includes(chatId)) return undefined;
  const seed = mixText(world.data.seed, `chat ${account.live.id} ${chatId}`);
  const fresh = { history: HISTORY_LEAST + (mix(seed, 0) % HISTORY_SPREAD), written: [] };
  return { account, chatId, seed, chat: known ?? fresh };
}

/** Ids within a chat grow by a fixed step. For every other fan they exceed the largest safe integer. */
const ID_STEP = 7n;
const ID_BEFORE_2_53 = 9_007_199_254_740_952n;

/** The id of the message at a position of the chat, counted from the oldest. */
function idAt({ chatId, seed }: OpenChat, place: number): bigint {
  const isEven = chatId.charCodeAt(chatId.length - 1) % 2 === 0;
  const first = isEven ? ID_BEFORE_2_53 : 5_000_000n + BigInt(seed % 1_000_000);
  return first + ID_STEP * BigInt(place);
}

/** The positions of the visible messages, oldest first. */
function visiblePlaces({ chat: { history, written } }: OpenChat, nowMs: number): number[] {
  const places = Array.from({ length: history }, (_, place) => place);
  for (const [index, { blocked, appearsMs }] of written.entries())
    if (!blocked && appearsMs <= nowMs) places.push(history + index);
  return places;
}

/** The message at a position, as in answers. Ids are integers of any size (ACCOUNT-1). */
function messageAt(open: OpenChat, place: number): Record<string, unknown> {
  const { account, chat, chatId } = open;
  const written = chat.written[place - chat.history];
  const { fromMe, atMs, opened, ...parts } =
    written === undefined ? drawMessage(open, place) : readWritten(open, written, place);
  const writer = fromMe ? account.live.platform_account_id : chatId;
  return {
    id: idAt(open, place),
    from_user: /^\d+$/.test(writer) ? BigInt(writer) : null,
    is_sent_by_me: fromMe,
    created_at: isoTime(atMs),
    media_count: parts.media.length,
    is_opened: opened,
    is_new: !opened,
    can_purchase: false,
    can_purchase_reason: '',
    ...parts,
  };
}

/**
 * What a media in the vault or in a chat says about itself, drawn from a number: one in twelve cannot be viewed, one is
 * not ready, and one has an error.
 */
export function mediaFlags(drawn: number, type: string) {
  const odd = drawn % 12;
  return {
    can_view: odd !== 1,
    is_ready: odd !== 2,
    has_error: odd === 3,
    converted_to_video: type === 'gif',
  };
}

const FAN_WORDS = ['Hi!', 'How are you?', 'Loved the last one', 'Thank you ❤️', '😂'] as const;
const MY_WORDS = ['Hey you', 'Good morning!', 'Something new tonight', 'See you later', 'Grüße!'] as const;
/** The document does not name the last one (CHAT-6). */
const MEDIA_TYPES = ['photo', 'video', 'audio', 'hologram'] as const;
/** Assumed: the document shows no types; here null, a common one and an unknown one (CHAT-6). */
const SENDERS: readonly [object | null, ...(object | null)[]] = [
  { type: 'user', user_id: 9001 },
  null,
  { type: null, user_id: null },
  { type: 'concierge', user_id: null },
];

/** Some have allowed but unusual values: no text, no price, no sender (CHAT-6). */
function drawMessage(open: OpenChat, place: number) {
  const { chat, seed } = open;
  const mixed = mix(seed, place + 1);
  const fromMe = mixed % 3 === 0;
  const bare = mixed % 11 === 0;
  const media = bare || mixed % 5 === 0 ? [readMedium(open, place, pick(MEDIA_TYPES, mixed >>> 5))] : [];
  const isSold = fromMe && media.length > 0;
  // A fan's paid message can be bought, or a reason says why it cannot. Assumed: the reason is any text (CHAT-6).
  const isForSale = !fromMe && media.length > 0;
  const can_purchase = isForSale && mixed % 2 === 0;
  const price = isSold ? 4.99 : 0;
  return {
    fromMe,
    atMs: HISTORY_END_MS - (chat.history - place) * MESSAGE_EVERY_MS + (mixed % 60_000),
    opened: true,
    text: bare ? null : pick(fromMe ? MY_WORDS : FAN_WORDS, mixed >>> 3),
    media,
    price: bare ? null : price,
    is_free: !isSold,
    can_purchase,
    can_purchase_reason: isForSale && !can_purchase ? 'opened' : '',
    sender: fromMe ? pick(SENDERS, mixed >>> 4) : null,
  };
}

function readMedium(open: OpenChat, place: number, type: string, id?: string): object {
  const number = id === undefined || !/^\d+$/.test(id) ? idAt(open, place) * 10n : BigInt(id);
  return {
    id: number,
    type,
    ...mediaFlags(mix(open.seed, Number(number % 1_000_000n)), type),
    created_at: isoTime(HISTORY_END_MS - Number(number % 1_000n) * MESSAGE_EVERY_MS),
    thumbnail_url: `https://media.example.com/thumbnails/${number}.jpg`,
  };
}

function readWritten(open: OpenChat, written: Written, place: number) {
  const { from_me: fromMe, text, price, media, appearsMs, send_id: sendId, opened } = written;
  return {
    fromMe,
    atMs: appearsMs,
    opened,
    text,
    media: media.map(({ id, type }) => readMedium(open, place, type, id)),
    price,
    is_free: price === 0,
    sender: sendId === null ? SENDERS[0] : { type: 'api', user_id: null },
  };
}
