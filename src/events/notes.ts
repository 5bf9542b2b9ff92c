import { eventKey, type StoredEvent } from '../domain/event-store.ts';
import type { RECONCILED } from './listed.ts';

/** What a receiver notes about itself, so that holes can be found later. */
export type NoteKind = 'herald.started' | 'herald.listening' | 'herald.stopped';

/** A note among the events. `run` names the process, so that each note has a key of its own. */
export function noteOf(
  kind: NoteKind | typeof RECONCILED,
  run: string,
  nowMs: number,
  content: object = {},
): StoredEvent {
  const at = new Date(nowMs).toISOString();
  return {
    key: eventKey('id', `${kind}:${run}:${at}`),
    schema: 'herald/event/1',
    source: 'herald',
    received_at: at,
    kind,
    id: null,
    time: at,
    account_id: null,
    platform_account_id: null,
    fan_id: null,
    encoding: 'utf8',
    body: JSON.stringify(content),
  };
}
