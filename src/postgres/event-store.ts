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

/** The row of the workspace gives the positions, so batches of several receivers come one after the other. */
const LOCK = `
  INSERT INTO herald.event_streams (workspace, last_position) VALUES ($1, 0)
  ON CONFLICT (workspace) DO UPDATE SET last_position = herald.event_streams.last_position
  RETURNING last_position`;

/** The lock is held, so what this statement sees is complete. */
const ADD = `
  WITH given AS (
    SELECT * FROM json_to_recordset($3::json)
      AS given (place bigint, key text, received_at timestamptz, kind text, is_timed boolean, event text)
  )
  INSERT INTO herald.events (workspace, position, key, received_at, kind, event)
  SELECT $1, $2::bigint + place, key, received_at, kind, event FROM given
  WHERE NOT EXISTS (
    SELECT 1 FROM herald.events known
    WHERE known.workspace = $1 AND known.key = given.key
      AND (NOT is_timed OR known.received_at > given.received_at - $4 * interval '1 millisecond')
  )
  RETURNING position`;

const MOVE = 'UPDATE herald.event_streams SET last_position = $2 WHERE workspace = $1';

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
  return workspace.database.transaction(async (query) => {
    const [stream] = await query(LOCK, [id]);
    const last = BigInt(String(stream?.['last_position']));
    const added = await query(ADD, [id, String(last), JSON.stringify(rows), SAME_CONTENT_MS]);
    if (added.length > 0) await query(MOVE, [id, String(last + BigInt(events.length))]);
    const places = new Set(added.map((row) => BigInt(String(row['position'])) - last));
    return events.map((_, index) => places.has(BigInt(index + 1)));
  });
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
