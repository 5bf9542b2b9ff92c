import { mix, mixText, pick } from './random.ts';
import { isoTime } from './records.ts';
import type { AccountState, Chat, Written } from './state.ts';
import type { World } from './world.ts';

/** One chat of an account, and the seed of its generated messages. */
export interface OpenChat {
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
const ID_BEFORE_2_53 = 40n;

function firstId({ chatId, seed }: OpenChat): bigint {
  if (chatId.charCodeAt(chatId.length - 1) % 2 === 0) return 9_007_199_254_740_992n - ID_BEFORE_2_53;
  return 5_000_000n + BigInt(seed % 1_000_000);
}

/** The id of the message at a position of the chat, counted from the oldest. */
function idAt(open: OpenChat, place: number): bigint {
  return firstId(open) + ID_STEP * BigInt(place);
}

/** The position of the first message with this id or a larger one. */
export function findPlace(open: OpenChat, id: bigint): number {
  const ahead = id - firstId(open);
  return ahead <= 0n ? 0 : Number((ahead + ID_STEP - 1n) / ID_STEP);
}

/** The positions of the visible messages, oldest first. */
export function visiblePlaces({ chat: { history, written } }: OpenChat, nowMs: number): number[] {
  const places = Array.from({ length: history }, (_, place) => place);
  for (const [index, { blocked, appearsMs }] of written.entries())
    if (!blocked && appearsMs <= nowMs) places.push(history + index);
  return places;
}

/** The message at a position, as in answers. Ids are integers of any size (ACCOUNT-1). */
export function messageAt(world: World, open: OpenChat, place: number): Record<string, unknown> {
  const { chat } = open;
  const written = chat.written[place - chat.history];
  const parts = written === undefined ? drawMessage(open, place) : readWritten(open, written, place);
  return {
    id: idAt(open, place),
    ...parts,
    ...(world.modes.extraFields ? { reactions: [] } : {}),
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

const FAN_WORDS = [
  'Hi!',
  'How are you?',
  'Loved the last one',
  'When is the next one?',
  'Thank you ❤️',
  '😂',
] as const;
const MY_WORDS = [
  'Hey you',
  'Good morning!',
  'Something new tonight',
  'Only for you',
  'See you later',
  'Grüße!',
] as const;
/** The document does not name the last one (CHAT-6). */
const MEDIA_TYPES = ['photo', 'video', 'audio', 'hologram'] as const;

function drawMessage(open: OpenChat, place: number): Record<string, unknown> {
  const { chat, seed } = open;
  const mixed = mix(seed, place + 1);
  const fromMe = mixed % 3 === 0;
  const atMs = HISTORY_END_MS - (chat.history - place) * MESSAGE_EVERY_MS + (mixed % 60_000);
  // Some have allowed but unusual values: no text, no price, no sender (CHAT-6).
  const bare = mixed % 11 === 0;
  const media = bare || mixed % 5 === 0 ? [readMedium(open, place, pick(MEDIA_TYPES, mixed >>> 5))] : [];
  return {
    text: bare ? null : pick(fromMe ? MY_WORDS : FAN_WORDS, mixed >>> 3),
    from_user: readWriter(open, fromMe),
    is_sent_by_me: fromMe,
    created_at: isoTime(atMs),
    media,
    media_count: media.length,
    is_opened: true,
    is_new: false,
    price: bare ? null : fromMe && media.length > 0 ? 4.99 : 0,
    is_free: !(fromMe && media.length > 0),
    ...readPurchase(fromMe, media.length > 0, mixed),
    sender: drawSender(fromMe, mixed),
  };
}

/** A fan's paid message can be bought, or a reason says why it cannot. Assumed: the reason is any text (CHAT-6). */
function readPurchase(fromMe: boolean, hasMedia: boolean, mixed: number): Record<string, unknown> {
  const isForSale = !fromMe && hasMedia;
  const can_purchase = isForSale && mixed % 2 === 0;
  return { can_purchase, can_purchase_reason: isForSale && !can_purchase ? 'opened' : '' };
}

/** Assumed: the document shows no types; here null, a common one and an unknown one (CHAT-6). */
function drawSender(fromMe: boolean, mixed: number): object | null {
  if (!fromMe || mixed % 7 === 1) return null;
  if (mixed % 7 === 2) return { type: null, user_id: null };
  return mixed % 7 === 3 ? { type: 'concierge', user_id: null } : { type: 'user', user_id: 9001 };
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

function readWritten(open: OpenChat, written: Written, place: number): Record<string, unknown> {
  const { fromMe, text, price, media, appearsMs, send_id: sendId, opened = false } = written;
  return {
    text,
    from_user: readWriter(open, fromMe),
    is_sent_by_me: fromMe,
    created_at: isoTime(appearsMs),
    media: media.map(({ id, type }) => readMedium(open, place, type, id)),
    media_count: media.length,
    is_opened: opened,
    is_new: !opened,
    price,
    is_free: price === 0,
    can_purchase: false,
    can_purchase_reason: '',
    sender: sendId === null ? { type: 'user', user_id: 9001 } : { type: 'api', user_id: null },
  };
}

/** An integer in JSON; null for a fan with an id that is not a number. */
function readWriter({ account, chatId }: OpenChat, fromMe: boolean): bigint | null {
  const id = fromMe ? account.live.platform_account_id : chatId;
  return /^\d+$/.test(id) ? BigInt(id) : null;
}
