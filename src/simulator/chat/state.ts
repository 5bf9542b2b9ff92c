import * as z from 'zod';
import { causeShape } from '../cause.ts';

const mediaShape = z.strictObject({ id: z.string(), type: z.string(), is_paid: z.boolean() });

/** A message written while the world ran, by anyone. */
const writtenShape = z.strictObject({
  /** null if a person or the fan wrote it. */
  send_id: z.string().nullable(),
  fromMe: z.boolean(),
  text: z.string().nullable(),
  price: z.number(),
  lockedText: z.boolean(),
  media: z.array(mediaShape),
  writtenMs: z.number(),
  /** The time from which it is visible in the chat. */
  appearsMs: z.number(),
  /** Stopped by the message guard: it never appears, and the API does not report this. */
  blocked: z.boolean(),
  /** True once the fan has read it. */
  opened: z.boolean().optional(),
  cause: causeShape,
});
export interface Written extends z.infer<typeof writtenShape> {}

const chatShape = z.strictObject({
  /** The number of older messages. They are generated on demand and never stored. */
  history: z.int(),
  /** In the order of their commits, after the history. */
  written: z.array(writtenShape),
});
export interface Chat extends z.infer<typeof chatShape> {}

const followShape = z.strictObject({
  fan_id: z.string(),
  subscribedMs: z.number(),
  /** null if it does not end. */
  expiresMs: z.number().nullable(),
  price: z.number(),
  cause: causeShape,
});
export interface Follow extends z.infer<typeof followShape> {}

/** The chats, labels and follows of one account. */
export const chatsShape = z.strictObject({
  /** By chat id, which is the fan's id. A chat without written messages has no entry. */
  chats: z.record(z.string(), chatShape),
  /** By fan id. */
  labels: z.record(z.string(), z.strictObject({ custom_name: z.string(), note: z.string() })),
  /** Every subscription that was started, oldest first. Each was paid for. */
  follows: z.array(followShape),
});
export interface Chats extends z.infer<typeof chatsShape> {}

export function newChats(): Chats {
  return { chats: {}, labels: {}, follows: [] };
}

/** The size of a chat. The chat may be new. */
export const chatSeedShape = z.strictObject({
  chat_id: z.string().min(1),
  /** The number of generated messages. */
  messages: z.int().min(0).max(1_000_000),
});
export interface ChatSeed extends z.infer<typeof chatSeedShape> {}

/** A message that a person or the fan writes outside the API. */
export const chatMessageSeedShape = z.strictObject({
  chat_id: z.string().min(1),
  text: z.string().nullable(),
  from_me: z.boolean().default(true),
  price: z.number().min(0).default(0),
});
export interface ChatMessageSeed extends z.infer<typeof chatMessageSeedShape> {}
