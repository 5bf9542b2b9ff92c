import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { eventKey, type StoredEvent } from '../domain/event-store.ts';
import { factsOf, type Pointers } from './facts.ts';

/**
 * A body as it is stored: as it came, with what was found in it.
 *
 * | the body has                                     | it is the same event as another if         |
 * |--------------------------------------------------|--------------------------------------------|
 * | an id of the event (`event_id`, or by pointer)   | the id is equal                            |
 * | an `id`, perhaps of what the event is about      | the id and the whole body are equal        |
 * | neither                                          | the body is equal, within ten minutes      |
 */
export function receivedEvent(body: Uint8Array, receivedMs: number, pointers: Pointers = {}): StoredEvent {
  const { text, encoding } = written(body);
  const { isOwnId, ...facts } = factsOf(encoding === 'utf8' ? text : '', pointers);
  const key =
    facts.id !== null && isOwnId
      ? eventKey('id', facts.id)
      : keyByContent(facts.id, createHash('sha256').update(body).digest('hex').slice(0, 32));
  return {
    key,
    schema: 'herald/event/1',
    source: 'webhook',
    received_at: new Date(receivedMs).toISOString(),
    ...facts,
    encoding,
    body: text,
  };
}

function keyByContent(id: string | null, digest: string): string {
  return id === null ? eventKey('digest', digest) : eventKey('id', `${id}:${digest}`);
}

function written(body: Uint8Array): { readonly text: string; readonly encoding: 'utf8' | 'base64' } {
  const encoding = isUtf8(body) ? 'utf8' : 'base64';
  return { text: Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString(encoding), encoding };
}
