import { eventKey, type StoredEvent } from '../domain/event-store.ts';

/** What Herald notes about itself, so that holes can be found later. */
export type NoteKind = 'herald.started' | 'herald.listening' | 'herald.stopped' | typeof RECONCILED;

/** A range was compared with the lists. */
export const RECONCILED = 'herald.reconciled';

/** A note among the events. `run` names the process, so that each note has a key of its own. */
export function createNote(kind: NoteKind, run: string, nowMs: number, content: object = {}): StoredEvent {
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
