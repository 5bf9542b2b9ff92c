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
  const { isOwnId, ...facts } = encoding === 'utf8' ? factsOf(text, pointers) : factsOf('');
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 32);
  const key =
    facts.id === null ? eventKey('digest', hash) : eventKey('id', isOwnId ? facts.id : `${facts.id}:${hash}`);
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

function written(body: Uint8Array): { readonly text: string; readonly encoding: 'utf8' | 'base64' } {
  try {
    return {
      text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body),
      encoding: 'utf8',
    };
  } catch {
    return { text: Buffer.from(body).toString('base64'), encoding: 'base64' };
  }
}
