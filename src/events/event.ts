import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { isLosslessNumber, parse } from 'lossless-json';
import { digest } from '../domain/digest.ts';
import { isMembers, readMember } from '../domain/field-path.ts';
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
  const roots = readObjects({ encoding, body: text });
  const objects = listObjects(roots);
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
    id: ownId ?? findText(roots, ['id']),
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

/** In the year 5138. A larger number is in smaller units, and a `Date` cannot hold the largest ones. */
const LATEST_MS = 1e14;

/** The event's own time, in seconds, milliseconds or as a date, or else when it was received. */
export function readEventTime({ time, received_at }: StoredEvent): number {
  const number = Number(time);
  const ownMs = number > 1e12 ? number : number > 1e9 ? number * 1000 : Date.parse(time ?? '');
  return ownMs < LATEST_MS ? ownMs : Date.parse(received_at);
}

/** A short name of an event, for `events show`. */
export function nameEvent({ key, received_at }: StoredEvent): string {
  return digest([key, received_at]).slice(0, 10);
}

/** The first text or number under one of the names. */
export function findInBody(event: StoredEvent, names: readonly string[]): string | null {
  return findText(listObjects(readObjects(event)), names);
}

/** Which of these ids is in the body as a whole word; null if none is. */
export function findNamedId({ body }: StoredEvent, ids: { has(id: string): boolean }): string | null {
  return body.match(/[\w-]+/g)?.find((word) => ids.has(word)) ?? null;
}

/** An object of a body. Numbers keep their text. */
type JsonObject = Readonly<Record<string, unknown>>;

const UNPACKED_BYTES_MAX = 4 * 1_048_576;

/** The object of a body, or those of its list. None if it is not JSON, also compressed or with a byte order mark, or is another value. */
function readObjects({ encoding, body }: Pick<StoredEvent, 'encoding' | 'body'>): readonly JsonObject[] {
  try {
    const unpacked =
      encoding === 'utf8'
        ? body
        : gunzipSync(Buffer.from(body, encoding), { maxOutputLength: UNPACKED_BYTES_MAX }).toString('utf8');
    const value = parse(unpacked.replace(/^\uFEFF/, ''));
    return (Array.isArray(value) ? value : [value]).map(asObject).filter((one) => one !== null);
  } catch {
    // Other bytes, a syntax error, or so many brackets that the stack is full.
    return [];
  }
}

function asObject(value: unknown): JsonObject | null {
  return isMembers(value) && !isLosslessNumber(value) ? value : null;
}

/** No event has as many. What is nearer to the top comes first. */
const OBJECTS_MAX = 1_000;

/** The objects and the objects in them, from the top down. */
function listObjects(roots: readonly JsonObject[]): readonly JsonObject[] {
  const found = roots.slice(0, OBJECTS_MAX);
  for (const object of found)
    for (const member of Object.values(object)) {
      const inner = asObject(member);
      if (inner !== null && found.length < OBJECTS_MAX) found.push(inner);
    }
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
