import type * as z from 'zod';
import { compareIds } from '../domain/ids.ts';
import { Refusal } from './answers.ts';
import { mix, mixText, pick } from './random.ts';
import type { Call, Handlers, Seeders, Timers } from './calls.ts';
import type { SeedOf } from './seed-shape.ts';
import { writtenShape, type AccountState, type Written } from './state.ts';
import { emitEvent } from './webhooks.ts';
import { type World, dropUndefined, isoTime, type TimerOf } from './world.ts';

/**
 * A page of a chat, starting after the message `message_id`, which may be hidden by now. Assumed: newest first unless
 * `asc` is requested, and that message is not repeated (LIST-6).
 */
function listMessages(world: World, { params, query }: Call<'chat.messages'>): object {
  const { account, chat, chatId } = requireChat(world, params);
  const { limit = 100, order = 'desc', message_id: last } = query;
  if (order !== 'asc' && order !== 'desc') throw Refusal.invalid('must be asc or desc', 'order');
  const oldestFirst = chat.filter((one) => isVisible(world, one));
  const rest = (order === 'asc' ? oldestFirst : oldestFirst.toReversed()).filter(
    ({ id }) => last === undefined || (id !== last && compareIds(id, last) > 0 === (order === 'asc')),
  );
  return {
    items: rest.slice(0, limit).map((one) => readMessage(account, chatId, one)),
    has_more: limit < rest.length,
  };
}

function isVisible({ nowMs }: World, { blocked, appearsMs }: Written): boolean {
  return !blocked && appearsMs <= nowMs;
}

/** The moderation check refuses texts with these words, in any case and as part of a word. */
const RESTRICTED_WORDS = ['paypal', 'meet in person'];

/** Texts with this word are queued, and then stopped by the message guard. The API does not report this. */
const GUARDED_WORD = 'guarded';

/** A 202 means queued. If the message guard stops the message, an event reports it, and the API does not. */
function sendMessage(world: World, { params, body, key }: Call<'chat.send'>): object {
  const { modes } = world;
  const { account, chat, chatId } = requireChat(world, params);
  requireConsistent(body);
  const text = (body.text ?? '').toLowerCase();
  const restricted = RESTRICTED_WORDS.filter((word) => text.includes(word));
  // The moderation check before the queue. The details list the matches. Assumed: their format (CHAT-3).
  if (restricted.length > 0)
    throw new Refusal(400, 'The text contains restricted words or topics', {
      code: 'RESTRICTED_WORDS_DETECTED',
      details: modes.restrictedDetails === 'list' ? restricted : { words: restricted },
    });
  const sendId = world.drawUuid();
  const appearsMs = world.nowMs + modes.chatDelaySec * 1000;
  const blocked = text.includes(GUARDED_WORD);
  const sender = { type: 'api', user_id: null };
  write(world, chat, chatId, { ...body, send_id: sendId, from_me: true, sender, appearsMs, blocked });
  const ids = { account_id: account.live.id, id: sendId, chat_id: chatId, key: key.id };
  if (blocked) world.setTimer(appearsMs, { kind: 'chat_blocked', ...ids });
  return { send_id: sendId };
}

/** Assumed: the exact rules, and that all violations are listed at once (CHAT-5). */
function requireConsistent(body: Call<'chat.send'>['body']): void {
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
  if (issues.length > 0) throw Refusal.invalid(issues.map(({ message }) => message).join('; '), issues);
}

/** A message from a person or the fan. It is visible at once. */
function seedMessage(world: World, account: AccountState, seed: SeedOf<'chat_message'>): Written {
  const { chat_id, from_me, text, price } = seed;
  const chat = findChat(world, account, chat_id);
  if (chat === undefined) throw Refusal.notFound(`Chat ${chat_id}`);
  const sender = from_me ? SENDERS[0] : null;
  return write(world, chat, chat_id, { from_me, text, price, sender, appearsMs: world.nowMs });
}

const ID_BEFORE_2_53 = 9_007_199_254_740_990n;

/** Ids within a chat grow by one. For every other fan they exceed the largest safe integer. */
function write(
  { data }: World,
  chat: Written[],
  chatId: string,
  parts: Omit<z.input<typeof writtenShape>, 'id'>,
): Written {
  const isEven = chatId.charCodeAt(chatId.length - 1) % 2 === 0;
  const first = isEven ? ID_BEFORE_2_53 : 5_000_000n + BigInt(mixText(data.seed, chatId) % 1_000_000);
  const written = writtenShape.parse({ ...parts, id: String(first + BigInt(chat.length)) });
  chat.push(written);
  return written;
}

/** The chat with a fan; undefined if there is none. Assumed: a chat has the id of its fan (CHAT-13). */
export function findChat(world: World, account: AccountState, chatId: string): Written[] | undefined {
  const { chats } = account.chats;
  if (Object.hasOwn(chats, chatId)) return chats[chatId];
  if (!account.fans.includes(chatId)) return undefined;
  const spread = mixText(world.data.seed, `${account.live.id} ${chatId}`) % 24;
  return beginChat(world, account, chatId, 8 + spread);
}

function requireChat(
  world: World,
  path: { readonly account_id: string; readonly chat_id?: string; readonly fan_id?: string },
) {
  const { chat_id, fan_id: chatId = chat_id ?? '' } = path;
  const account = world.getAccount(path);
  const chat = findChat(world, account, chatId);
  if (chat === undefined) throw Refusal.notFound(`${chat_id === undefined ? 'Fan' : 'Chat'} ${chatId}`);
  return { account, chat, chatId };
}

/** Assumed: every fan with a message in the chat is listed (CHAT-13). */
function listFans(world: World, { params, query }: Call<'fans.list'>): object {
  const account = world.getAccount(params);
  const ids = [...new Set([...account.fans, ...Object.keys(account.chats.chats)])];
  const active = ids.filter((id) => findChat(world, account, id)?.some((one) => isVisible(world, one)));
  return { fan_ids: active.slice(0, query.limit ?? 10_000) };
}

/** A missing field keeps its value (CHAT-7). Assumed: a label has any length (CHAT-8). */
function labelFan(world: World, { params, body }: Call<'fans.label'>): object {
  const { labels } = requireChat(world, params).account.chats;
  const known = labels[params.fan_id] ?? { custom_name: '', note: '' };
  labels[params.fan_id] = { ...known, ...dropUndefined(body) };
  return { success: true };
}

/** Assumed: the duration of a paid subscription (CHAT-12). */
export const SUBSCRIPTION_MS = 30 * 86_400_000;

/** An active subscription is returned unchanged and costs nothing (CHAT-10). */
function followFan(world: World, { params }: Call<'fans.follow'>): object {
  const { follows } = requireChat(world, params).account.chats;
  const { nowMs, modes } = world;
  const known = follows.find(
    ({ fan, expires_at }) =>
      fan.id === params.fan_id && (expires_at === null || Date.parse(expires_at) > nowMs),
  );
  if (known !== undefined) return known;
  const price = modes.followPriceUsd;
  const follow = {
    fan: { id: params.fan_id },
    subscribed: true,
    subscribed_at: isoTime(nowMs),
    expires_at: price === 0 ? null : isoTime(nowMs + SUBSCRIPTION_MS),
    auto_renew_enabled: price > 0,
    price_gross: price,
  };
  follows.push(follow);
  return follow;
}

/** A media in the vault or in a chat. One in twelve cannot be viewed, one is not ready, and one has an error. */
export function readMedia(
  seed: number,
  { id, type, created_at }: { readonly id: string; readonly type: string; readonly created_at: string },
): object {
  const odd = mixText(seed, `media ${id}`) % 12;
  return {
    id: BigInt(id),
    type,
    can_view: odd !== 1,
    is_ready: odd !== 2,
    has_error: odd === 3,
    converted_to_video: type === 'gif',
    created_at,
    thumbnail_url: `https://media.example.com/thumbnails/${id}.jpg`,
  };
}

const FAN_WORDS = ['Hi!', 'How are you?', 'Loved the last one', 'Thank you ❤️', '😂'] as const;

const MY_WORDS = ['Hey you', 'Good morning!', 'Something new tonight', 'See you later', 'Grüße!'] as const;

/** The document does not name the last one (CHAT-6). */
const MEDIA_TYPES = ['photo', 'video', 'audio', 'hologram'] as const;

/** Assumed: the document shows no types; here null, a common one and an unknown one (CHAT-6). */
const SENDERS: readonly [Written['sender'], ...Written['sender'][]] = [
  { type: 'user', user_id: 9001 },
  null,
  { type: null, user_id: null },
  { type: 'concierge', user_id: null },
];

/** A fixed date, so that a world without a file shows the same messages in every run. */
const HISTORY_END_MS = Date.UTC(2025, 11, 31, 18);

const MESSAGE_EVERY_MS = 37 * 60_000;

/** Fills a chat. Some messages have allowed but unusual values: no text, no price, no sender (CHAT-6). */
function beginChat(world: World, account: AccountState, chatId: string, count: number): Written[] {
  const chat: Written[] = [];
  const seed = mixText(world.data.seed, `chat ${account.live.id} ${chatId}`);
  for (let place = 0; place < count; place += 1) {
    const mixed = mix(seed, place);
    const from_me = mixed % 3 === 0;
    const isBare = mixed % 11 === 0;
    const hasMedia = isBare || mixed % 5 === 0;
    write(world, chat, chatId, {
      from_me,
      text: isBare ? null : pick(from_me ? MY_WORDS : FAN_WORDS, mixed >>> 3),
      media: hasMedia ? [{ id: `${mixed}0`, type: pick(MEDIA_TYPES, mixed >>> 5) }] : [],
      price: isBare ? null : 4.99 * Number(hasMedia),
      sender: from_me ? pick(SENDERS, mixed >>> 4) : null,
      opened: true,
      appearsMs: HISTORY_END_MS - (count - place) * MESSAGE_EVERY_MS,
    });
  }
  account.chats.chats[chatId] = chat;
  return chat;
}

/** The message as in answers. Ids are integers of any size (ACCOUNT-1). */
function readMessage({ live }: AccountState, chatId: string, written: Written): object {
  const { id, from_me, text, price, media, opened, sender, appearsMs } = written;
  const writer = from_me ? live.platform_account_id : chatId;
  const created_at = isoTime(appearsMs);
  return {
    id: BigInt(id),
    text,
    from_user: /^\d+$/.test(writer) ? BigInt(writer) : null,
    is_sent_by_me: from_me,
    created_at,
    // In a send, the id of a media may be any text; here it is digits.
    media: media.map((one) => readMedia(0, { ...one, id: /^\d+$/.test(one.id) ? one.id : id, created_at })),
    media_count: media.length,
    is_opened: opened,
    is_new: !opened,
    price,
    is_free: price === 0,
    can_purchase: !from_me && Boolean(price),
    can_purchase_reason: '',
    sender,
  };
}

export const CHAT = {
  'fans.list': listFans,
  'chat.messages': listMessages,
  'chat.send': sendMessage,
  'fans.label': labelFan,
  'fans.follow': followFan,
} as const satisfies Handlers;

/** A key wrote it, so `user_id` is null (EVENT-5). Assumed: the event has the `send_id` (EVENT-3). */
function reportBlocked(world: World, account: AccountState, timer: TimerOf<'chat_blocked'>): void {
  emitEvent(world, account, 'firewall.message_guard.violation.svc_api', {
    user_id: null,
    svc_api_token_id: BigInt(timer.key),
    send_id: timer.id,
    chat_id: timer.chat_id,
  });
}

export const CHAT_TIMERS = { chat_blocked: reportBlocked } as const satisfies Timers;

export const CHAT_SEEDS = {
  chat: (world, account, set) => {
    beginChat(world, account, set.chat_id, set.messages);
    return set;
  },
  chat_message: seedMessage,
} as const satisfies Seeders;
