import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { isLosslessNumber, parse } from 'lossless-json';
import { digest } from '../domain/digest.ts';
import * as z from 'zod';

/** `herald/event/1`: one event of the service, as it was received or found in a list. */
export const storedEventShape = z.strictObject({
  /** Two with the same key are the same event. */
  key: z.string(),
  schema: z.literal('herald/event/1'),
  /** `list`: it did not come, and a list shows that it happened. */
  source: z.enum(['webhook', 'list']),
  /** By the clock of the machine. */
  received_at: z.string(),
  /** Null if none was found in the body. */
  kind: z.string().nullable(),
  id: z.string().nullable(),
  /** As the body has it. */
  time: z.string().nullable(),
  account_id: z.string().nullable(),
  platform_account_id: z.string().nullable(),
  fan_id: z.string().nullable(),
  /** How `body` is written. `base64` is for bytes that are not text. */
  encoding: z.enum(['utf8', 'base64']),
  /** As it came. */
  body: z.string(),
});
export interface StoredEvent extends z.infer<typeof storedEventShape> {}

const KIND_NAMES = ['event', 'type', 'kind', 'event_type', 'eventType', 'event_kind', 'topic'];
const TIME_NAMES = ['created_at', 'createdAt', 'occurred_at', 'time', 'timestamp', 'sent_at', 'date'];

/** `fans.tip.received`, and not `message` or `tip`. */
const DOTTED = /^[\w-]+(?:\.[\w-]+)+$/;

/** An event without an id of its own is known by its body, within each ten minutes. */
const SAME_BODY_MS = 10 * 60_000;

/**
 * A body as it is stored: as it came, with the facts that are found in it. The document does not show where they are (EVENT-1), so
 * they may be at any depth, and what is nearest to the top counts. What is not found is null: nothing is refused. Two events with
 * the same key are one: the `event_id` is equal, or without one the whole body.
 */
export function createEvent(body: Uint8Array, receivedMs: number): StoredEvent {
  const encoding = isUtf8(body) ? 'utf8' : 'base64';
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(encoding);
  const root = encoding === 'utf8' ? parseObject(text) : null;
  const objects = listObjects(root);
  const find = (...names: readonly string[]) => findText(objects, names);
  const findId = (...names: readonly string[]) =>
    findText(
      names.flatMap((name) => objects.map((object) => asObject(readMember(object, name)))),
      ['id'],
    );
  const ownId = find('event_id', 'eventId', 'delivery_id', 'deliveryId');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return {
    key: ownId === null ? `body:${sha256}:${Math.floor(receivedMs / SAME_BODY_MS)}` : `id:${ownId}`,
    schema: 'herald/event/1',
    source: 'webhook',
    received_at: new Date(receivedMs).toISOString(),
    kind: findKind(objects),
    id: ownId ?? readText(readMember(root, 'id')),
    time: find(...TIME_NAMES),
    account_id: find('account_id', 'accountId') ?? findId('account'),
    platform_account_id: find('platform_account_id', 'platformAccountId'),
    // `user` may also be a team member, so it comes last.
    fan_id:
      find('fan_id', 'fanId', 'subscriber_id') ??
      findId('fan', 'subscriber', 'from_user', 'user') ??
      find('chat_id', 'chatId'),
    encoding,
    body: text,
  };
}

/** A text with dots, or else the first text under one of the names. */
function findKind(objects: readonly (JsonObject | null)[]): string | null {
  const kinds = objects.flatMap((object) =>
    KIND_NAMES.map((name) => readMember(object, name)).filter((value) => typeof value === 'string'),
  );
  return readText(kinds.find((kind) => DOTTED.test(kind)) ?? kinds[0]);
}

/** The event's own time, in seconds, milliseconds or as a date, or else when it was received. */
export function readEventTime({ time, received_at }: StoredEvent): number {
  const number = Number(time);
  const ownMs = number > 1e12 ? number : number > 1e9 ? number * 1000 : Date.parse(time ?? '');
  return Number.isNaN(ownMs) ? Date.parse(received_at) : ownMs;
}

/** A short name of an event, for `events show`. */
export function nameEvent({ key, received_at }: StoredEvent): string {
  return digest([key, received_at]).slice(0, 10);
}

/** The first text or number under one of the names. */
export function findInBody({ body }: StoredEvent, names: readonly string[]): string | null {
  return findText(listObjects(parseObject(body)), names);
}

/** Which of these ids is in the body as a whole word; null if none is. */
export function findNamedId({ body }: StoredEvent, ids: { has(id: string): boolean }): string | null {
  return body.match(/[\w-]+/g)?.find((word) => ids.has(word)) ?? null;
}

/** An object of a body. Numbers keep their text. */
type JsonObject = Readonly<Record<string, unknown>>;

/** The body as an object; null if it is not JSON, or is another value. */
function parseObject(text: string): JsonObject | null {
  try {
    return asObject(parse(text));
  } catch {
    // A syntax error, or so many brackets that the stack is full.
    return null;
  }
}

function asObject(value: unknown): JsonObject | null {
  const isObject =
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value);
  return isObject ? (value as JsonObject) : null;
}

/** The object and the objects in it, from the top down. */
function listObjects(root: JsonObject | null): readonly JsonObject[] {
  const found = root === null ? [] : [root];
  for (const object of found)
    found.push(
      ...Object.values(object)
        .map(asObject)
        .filter((inner) => inner !== null),
    );
  return found;
}

function findText(objects: readonly (JsonObject | null)[], names: readonly string[]): string | null {
  const values = objects.flatMap((object) => names.map((name) => readText(readMember(object, name))));
  return values.find((text) => text !== null) ?? null;
}

/** What a database can hold: no null characters and no halves of characters. An id, a kind or a time is not longer. */
const STORABLE = /^[^\0\p{Cs}]{1,200}$/u;

/** A text or a number, with each of its digits; null for anything else. */
function readText(value: unknown): string | null {
  const text = isLosslessNumber(value) ? value.value : value;
  return typeof text === 'string' && STORABLE.test(text) ? text : null;
}

/** A member of an object, not an inherited one. */
function readMember(object: JsonObject | null, name: string): unknown {
  return object !== null && Object.hasOwn(object, name) ? object[name] : undefined;
}
