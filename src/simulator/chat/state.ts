import * as z from 'zod';
import { causeShape } from '../cause.ts';

const mediaShape = z.strictObject({ id: z.string(), type: z.string(), is_paid: z.boolean() });

/** A message that was written while the world ran, whoever wrote it. */
const writtenShape = z.strictObject({
  /** null where a person or the fan wrote it. */
  send_id: z.string().nullable(),
  fromMe: z.boolean(),
  text: z.string().nullable(),
  price: z.number(),
  lockedText: z.boolean(),
  media: z.array(mediaShape),
  writtenMs: z.number(),
  /** From when on it is seen in the chat. */
  appearsMs: z.number(),
  /** Stopped by the message guard: it never appears, and nothing in the API says so. */
  blocked: z.boolean(),
  cause: causeShape,
});
export interface Written extends z.infer<typeof writtenShape> {}

const chatShape = z.strictObject({
  /** How many older messages the chat has; they are derived and never kept. */
  history: z.int(),
  /** In the order in which they were committed; they come after the history. */
  written: z.array(writtenShape),
});
export interface Chat extends z.infer<typeof chatShape> {}

const followShape = z.strictObject({
  fan_id: z.string(),
  subscribedMs: z.number(),
  /** null: no end. */
  expiresMs: z.number().nullable(),
  price: z.number(),
  cause: causeShape,
});
export interface Follow extends z.infer<typeof followShape> {}

/** What one account has said, noted and followed. */
export const chatsShape = z.strictObject({
  /** By chat id, which is the fan's; a chat that nobody touched has no entry. */
  chats: z.record(z.string(), chatShape),
  /** By fan id. */
  labels: z.record(z.string(), z.strictObject({ custom_name: z.string(), note: z.string() })),
  /** Every subscription that was begun, oldest first: each was paid for. */
  follows: z.array(followShape),
});
export interface Chats extends z.infer<typeof chatsShape> {}

export function newChats(): Chats {
  return { chats: {}, labels: {}, follows: [] };
}

/** The size of a chat, which may be one that the account does not have yet. */
export const chatSeedShape = z.strictObject({
  chat_id: z.string().min(1),
  /** How many derived messages it holds. */
  messages: z.int().min(0).max(1_000_000),
});
export interface ChatSeed extends z.infer<typeof chatSeedShape> {}

/** A message that appears without the API: a person's, or the fan's. */
export const chatMessageSeedShape = z.strictObject({
  chat_id: z.string().min(1),
  text: z.string().nullable(),
  from_me: z.boolean().default(true),
  price: z.number().min(0).default(0),
});
export interface ChatMessageSeed extends z.infer<typeof chatMessageSeedShape> {}
