import {
  EVENTS_BEGIN,
  isSelected,
  isTimedKey,
  SAME_CONTENT_MS,
  storablePart,
  type EventFilter,
  type EventPosition,
  type EventStore,
  type EventWriter,
  type StoredEvent,
} from '../domain/event-store.ts';
import type { StateWorkspace } from './workspace.ts';

const PAGE_EVENTS = 1_000;

/**
 * The row of the workspace gives the positions, so batches of several receivers come one after the other. One request
 * stores a batch: each further one would cost its sender a round trip.
 */
const ADD = 'SELECT place FROM herald.add_events($1, $2::json, $3, $4) AS added (place)';

/** The events of a workspace as rows of a table. The text of a row is the same JSON line as in a file. */
export function postgresEventStore(workspace: StateWorkspace): EventStore {
  const { database } = workspace;
  return {
    name: `${database.name} (workspace ${workspace.name})`,
    openToAdd: async () => {
      await workspace.id();
      return {
        add: (events) => add(workspace, events),
        close: () => Promise.resolve(),
      } satisfies EventWriter;
    },
    read: async (from, take, filter = {}) => ({
      position: await readAfter(workspace, from, take, filter),
      damaged: 0,
    }),
    end: () => endOf(workspace),
    dropBefore: async (instant) => {
      const rows = await database.query(
        'DELETE FROM herald.events WHERE workspace = $1 AND received_at < $2::timestamptz RETURNING position',
        [await workspace.id(), instant],
      );
      return rows.length;
    },
    erase: (isErased) => erase(workspace, isErased),
  };
}

const READ = `
  SELECT position, event FROM herald.events
  WHERE workspace = $1 AND position > $2 AND position <= $3`;

async function readAfter(
  workspace: StateWorkspace,
  from: EventPosition,
  take: (event: StoredEvent) => void,
  filter: EventFilter,
): Promise<EventPosition> {
  const end = await endOf(workspace);
  const bounds = [
    ...(filter.since === undefined ? [] : [['received_at >= ', filter.since, '::timestamptz'] as const]),
    ...(filter.kind === undefined ? [] : [['kind LIKE ', likeBeginning(filter.kind), ''] as const]),
  ];
  const more = bounds.map(([before, , after], index) => ` AND ${before}$${index + 5}${after}`).join('');
  const text = `${READ}${more} ORDER BY position LIMIT $4`;
  let taken = 0;
  for (let position = from === EVENTS_BEGIN ? '0' : from; ;) {
    const values = [await workspace.id(), position, end, PAGE_EVENTS, ...bounds.map(([, value]) => value)];
    const rows = await workspace.database.read(text, values);
    for (const row of rows) {
      const event = JSON.parse(String(row['event'])) as StoredEvent;
      if (isSelected(event, filter)) take(event);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_EVENTS) return end;
    position = String(last['position']);
    taken += rows.length;
    if (taken >= (filter.enough ?? Number.POSITIVE_INFINITY)) return position;
  }
}

/** A batch moves it in the same transaction, so all events up to there can be read. */
async function endOf(workspace: StateWorkspace): Promise<EventPosition> {
  const [stream] = await workspace.database.read(
    'SELECT last_position FROM herald.event_streams WHERE workspace = $1',
    [await workspace.id()],
  );
  return stream === undefined ? '0' : String(stream['last_position']);
}

function likeBeginning(kind: string): string {
  return `${storablePart(kind).replace(/[\\%_]/g, '\\$&')}%`;
}

/** Repeating it after a lost answer does no harm: what is there is not added again. */
async function add(workspace: StateWorkspace, events: readonly StoredEvent[]): Promise<readonly boolean[]> {
  const id = await workspace.id();
  const inCall = new Set<string>();
  const rows = events.flatMap((event, index) => {
    const { key, received_at } = event;
    if (inCall.has(key)) return [];
    inCall.add(key);
    const kind = event.kind === null ? null : storablePart(event.kind);
    const row = { place: index + 1, key, received_at, kind, is_timed: isTimedKey(key) };
    return [{ ...row, event: JSON.stringify(event) }];
  });
  const values = [id, JSON.stringify(rows), events.length, SAME_CONTENT_MS];
  const added = await workspace.database.query(ADD, values);
  const places = new Set(added.map((row) => Number(row['place'])));
  return events.map((_, index) => places.has(index + 1));
}

async function erase(workspace: StateWorkspace, isErased: (event: StoredEvent) => boolean): Promise<number> {
  const { database } = workspace;
  const id = await workspace.id();
  let erased = 0;
  for (let position = '0'; ;) {
    const rows = await database.read(
      'SELECT position, event FROM herald.events WHERE workspace = $1 AND position > $2 ORDER BY position LIMIT $3',
      [id, position, PAGE_EVENTS],
    );
    const gone = rows.filter((row) => isErased(JSON.parse(String(row['event'])) as StoredEvent));
    if (gone.length > 0) {
      const places = JSON.stringify(gone.map((row) => String(row['position'])));
      await database.query(
        `DELETE FROM herald.events WHERE workspace = $1
         AND position IN (SELECT value::bigint FROM json_array_elements_text($2::json))`,
        [id, places],
      );
    }
    erased += gone.length;
    if (rows.length < PAGE_EVENTS) return erased;
    position = String(rows.at(-1)?.['position']);
  }
}
