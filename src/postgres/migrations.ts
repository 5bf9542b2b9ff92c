import { formatCommand } from '../domain/command-line.ts';
import { StateError } from '../domain/state-error.ts';
import type { Database } from './database.ts';
import { RATE_SCHEMA } from './rate-schema.ts';

/**
 * A session plans this once, perhaps while the table is empty. As a join, the search for known keys could then read all events
 * of the workspace for each batch. As a value of each row, it can only look for the key.
 */
const ADD_EVENTS = `
   CREATE OR REPLACE FUNCTION herald.add_events(of_workspace bigint, batch json, places bigint, same_content_ms bigint)
   RETURNS SETOF bigint LANGUAGE plpgsql SET jit = off AS $$
   DECLARE
     before bigint;
   BEGIN
     INSERT INTO herald.event_streams AS stream (workspace, last_position) VALUES (of_workspace, places)
     ON CONFLICT (workspace) DO UPDATE SET last_position = stream.last_position + places
     RETURNING last_position - places INTO before;
     RETURN QUERY
       INSERT INTO herald.events AS added (workspace, position, key, received_at, kind, event)
       SELECT of_workspace, before + given.place, given.key, given.received_at, given.kind, given.event
       FROM json_to_recordset(batch)
         AS given (place bigint, key text, received_at timestamptz, kind text, is_timed boolean, event text)
       CROSS JOIN LATERAL (
         SELECT count(*) AS times FROM (
           SELECT FROM herald.events known
           WHERE known.workspace = of_workspace AND known.key = given.key
             AND (NOT given.is_timed
               OR known.received_at > given.received_at - same_content_ms * interval '1 millisecond')
           LIMIT 1
         ) AS one
       ) AS seen
       WHERE seen.times = 0
       RETURNING added.position - before;
   END $$`;

/**
 * The changes of the schema, oldest first; each is carried out once, in a transaction of its own. One that was released
 * never changes.
 */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE herald.workspaces (
     id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
     name text NOT NULL UNIQUE CHECK (name <> ''),
     created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     fence bigint NOT NULL DEFAULT 0,
     epoch bigint NOT NULL DEFAULT 1,
     last_position bigint NOT NULL DEFAULT 0,
     ledger_bytes bigint NOT NULL DEFAULT 0
   );
   CREATE TABLE herald.ledger_lines (
     workspace bigint NOT NULL REFERENCES herald.workspaces (id),
     epoch bigint NOT NULL,
     position bigint NOT NULL,
     id uuid NOT NULL,
     fence bigint,
     written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     line text NOT NULL,
     PRIMARY KEY (workspace, epoch, position),
     UNIQUE (workspace, epoch, id)
   );
   CREATE TABLE herald.ledger_archives (
     workspace bigint NOT NULL REFERENCES herald.workspaces (id),
     name text NOT NULL,
     position bigint NOT NULL,
     line text NOT NULL,
     PRIMARY KEY (workspace, name, position)
   );
   CREATE TABLE herald.leases (
     workspace bigint PRIMARY KEY REFERENCES herald.workspaces (id),
     fence bigint NOT NULL,
     holder text NOT NULL,
     taken_at timestamptz NOT NULL,
     expires_at timestamptz NOT NULL
   )`,
  RATE_SCHEMA,
  `CREATE TABLE herald.views (
     workspace bigint NOT NULL REFERENCES herald.workspaces (id),
     name text NOT NULL,
     epoch bigint NOT NULL,
     position bigint NOT NULL,
     part integer NOT NULL,
     bytes bigint NOT NULL,
     data bytea NOT NULL,
     written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
     PRIMARY KEY (workspace, name, epoch, position, part)
   )`,
  `CREATE TABLE herald.event_streams (
     workspace bigint PRIMARY KEY REFERENCES herald.workspaces (id),
     last_position bigint NOT NULL
   );
   CREATE TABLE herald.events (
     workspace bigint NOT NULL REFERENCES herald.workspaces (id),
     position bigint NOT NULL,
     key text NOT NULL,
     received_at timestamptz NOT NULL,
     event text NOT NULL,
     PRIMARY KEY (workspace, position)
   );
   CREATE INDEX events_by_key ON herald.events (workspace, key, received_at);
   CREATE INDEX events_by_time ON herald.events (workspace, received_at)`,
  // What `herald state migrate` leaves in a workspace where the ledger must not be used, as JSON.
  'ALTER TABLE herald.workspaces ADD COLUMN mark text',
  // The repository that uses the workspace, as JSON; null until one of which something is known has the lease.
  'ALTER TABLE herald.workspaces ADD COLUMN repository text',
  // Of events that have a kind. The quotation marks of a body are escaped, so this is the kind of the event.
  `ALTER TABLE herald.events ADD COLUMN kind text;
   UPDATE herald.events SET kind = substring(event from '"kind":"([^"\\\\]*)"');
   CREATE INDEX events_by_kind ON herald.events (workspace, kind text_pattern_ops)`,
  // One request for a batch. The first statement takes the lock of the stream, so the second one sees all earlier batches.
  `CREATE FUNCTION herald.add_events(of_workspace bigint, batch json, places bigint, same_content_ms bigint)
   RETURNS SETOF bigint LANGUAGE plpgsql AS $$
   DECLARE
     before bigint;
   BEGIN
     INSERT INTO herald.event_streams AS stream (workspace, last_position) VALUES (of_workspace, places)
     ON CONFLICT (workspace) DO UPDATE SET last_position = stream.last_position + places
     RETURNING last_position - places INTO before;
     RETURN QUERY
       INSERT INTO herald.events AS added (workspace, position, key, received_at, kind, event)
       SELECT of_workspace, before + given.place, given.key, given.received_at, given.kind, given.event
       FROM json_to_recordset(batch)
         AS given (place bigint, key text, received_at timestamptz, kind text, is_timed boolean, event text)
       WHERE NOT EXISTS (
         SELECT 1 FROM herald.events known
         WHERE known.workspace = of_workspace AND known.key = given.key
           AND (NOT given.is_timed
             OR known.received_at > given.received_at - same_content_ms * interval '1 millisecond')
       )
       RETURNING added.position - before;
   END $$`,
  // Compiling these short statements took ten times as long as running them, where the server can compile.
  `ALTER FUNCTION herald.rate_exchange(jsonb, timestamptz) SET jit = off;
   ALTER FUNCTION herald.add_events(bigint, json, bigint, bigint) SET jit = off`,
  ADD_EVENTS,
];

/** The version of the schema that this version of Herald uses. */
const SCHEMA_VERSION = MIGRATIONS.length;

/** Two runs of `herald state init` wait for one another. The number means nothing. */
const INIT_LOCK = 7_217_001;

/** Creates the schema `herald`, or brings it to this version. Returns the versions that were added. */
export async function migrate(database: Database): Promise<readonly number[]> {
  await database.transaction(async (query) => {
    await query('SELECT pg_advisory_xact_lock($1)', [INIT_LOCK]);
    // Asked first: a user without the right to create something must be able to find that nothing is missing.
    const [there] = await query(
      "SELECT to_regnamespace('herald') AS schema, to_regclass('herald.migrations') AS list",
    );
    if (there?.['schema'] === null) await query('CREATE SCHEMA herald');
    if (there?.['list'] !== null) return;
    await query(
      'CREATE TABLE herald.migrations (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT clock_timestamp())',
    );
  });
  const added: number[] = [];
  for (const [index, sql] of MIGRATIONS.entries()) {
    const version = index + 1;
    const isNew = await database.transaction(async (query) => {
      await query('SELECT pg_advisory_xact_lock($1)', [INIT_LOCK]);
      const [known] = await query('SELECT version FROM herald.migrations WHERE version = $1', [version]);
      if (known !== undefined) return false;
      await query(sql);
      await query('INSERT INTO herald.migrations (version) VALUES ($1)', [version]);
      return true;
    });
    if (isNew) added.push(version);
  }
  return added;
}

/** Rejects with a `StateError` that names the command, unless the schema has this version. */
export async function requireSchema(database: Database): Promise<void> {
  const [row] = await database.query('SELECT max(version) AS version FROM herald.migrations');
  const version = Number(row?.['version'] ?? 0);
  if (version < SCHEMA_VERSION)
    throw new StateError(
      'state-missing',
      `The schema in ${database.name} has version ${version}; this Herald needs ${SCHEMA_VERSION}.`,
      formatCommand('state', 'init'),
    );
  if (version > SCHEMA_VERSION)
    throw new StateError(
      'state-newer',
      `The schema in ${database.name} has version ${version}; this Herald knows ${SCHEMA_VERSION}.`,
      'Update Herald on this machine.',
    );
}
