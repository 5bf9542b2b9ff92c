/**
 * The tables of the state, for SQLite and PostgreSQL alike: only TEXT and BIGINT, and the indexes that keep the promise. Every
 * key begins with the workspace and the service, because one database may hold several of both.
 */

/** Raised with every change of the tables. A state of a higher number is refused. */
export const SCHEMA_VERSION = 1;

/** A request that may put messages in front of fans: a create, an activation or a resume. */
export const STARTS =
  "(operation IN ('campaigns.create', 'broadcasts.create') OR coalesce(target, '') IN ('active', 'queued'))";

/** It has no answer yet, or an earlier copy of it got none and its window is not over. */
export const OPEN = '(outcome IS NULL OR unheard_copy = 1)';

const REQUEST_KEY = 'workspace, service, account_id, kind';

/** Statements that create the tables and their indexes. `schema` is empty, or a schema of PostgreSQL with a dot. */
export function schemaStatements(schema: string): readonly string[] {
  return [...recordTables(schema), ...objectTables(schema), ...indexes(schema)];
}

/** The workspace with its lease, and the requests. */
function recordTables(schema: string): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${schema}workspace (
      name TEXT NOT NULL PRIMARY KEY,
      fence TEXT,
      seq BIGINT NOT NULL,
      cut BIGINT NOT NULL,
      holder TEXT,
      expires_at BIGINT,
      schema BIGINT NOT NULL,
      repository TEXT)`,
    `CREATE TABLE IF NOT EXISTS ${schema}request (
      workspace TEXT NOT NULL,
      service TEXT NOT NULL,
      seq BIGINT NOT NULL,
      entry TEXT NOT NULL,
      run TEXT NOT NULL,
      who TEXT,
      command TEXT NOT NULL,
      operation TEXT NOT NULL,
      account TEXT NOT NULL,
      account_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      name TEXT NOT NULL,
      live_id TEXT,
      target TEXT,
      purpose TEXT,
      content TEXT,
      asked TEXT NOT NULL,
      sent_at BIGINT NOT NULL,
      unheard_copy BIGINT NOT NULL,
      outcome TEXT,
      ended_at BIGINT,
      answer TEXT,
      because TEXT,
      PRIMARY KEY (workspace, service, entry))`,
  ];
}

/** What is known of objects, media and accounts. */
function objectTables(schema: string): readonly string[] {
  return [
    `CREATE TABLE IF NOT EXISTS ${schema}object (
      workspace TEXT NOT NULL,
      service TEXT NOT NULL,
      account_id TEXT NOT NULL,
      kind TEXT NOT NULL,
      live_id TEXT NOT NULL,
      name TEXT NOT NULL,
      ours BIGINT NOT NULL,
      protect BIGINT NOT NULL,
      declared_digest TEXT,
      hidden_digest TEXT,
      shown TEXT,
      status_set TEXT,
      status_by TEXT,
      status_why TEXT,
      status_seq BIGINT NOT NULL,
      replaced_by TEXT,
      replaced_for TEXT,
      recalled BIGINT NOT NULL,
      first_seq BIGINT NOT NULL,
      PRIMARY KEY (workspace, service, account_id, kind, live_id))`,
    `CREATE TABLE IF NOT EXISTS ${schema}media (
      workspace TEXT NOT NULL,
      service TEXT NOT NULL,
      account_id TEXT NOT NULL,
      digest TEXT NOT NULL,
      media_id TEXT NOT NULL,
      PRIMARY KEY (workspace, service, account_id, digest))`,
    `CREATE TABLE IF NOT EXISTS ${schema}alias (
      workspace TEXT NOT NULL,
      service TEXT NOT NULL,
      alias TEXT NOT NULL,
      account_id TEXT NOT NULL,
      PRIMARY KEY (workspace, service, alias))`,
  ];
}

function indexes(schema: string): readonly string[] {
  return [
    // One unconfirmed start of a name, and one of a content: the database itself refuses a second one.
    `CREATE UNIQUE INDEX IF NOT EXISTS one_start_of_name ON ${schema}request (${REQUEST_KEY}, name)
      WHERE ${STARTS} AND ${OPEN} AND name <> ''`,
    `CREATE UNIQUE INDEX IF NOT EXISTS one_start_of_content ON ${schema}request (${REQUEST_KEY}, content)
      WHERE ${STARTS} AND ${OPEN}`,
    `CREATE UNIQUE INDEX IF NOT EXISTS one_payout ON ${schema}request (workspace, service, account_id)
      WHERE operation = 'payouts.request' AND ${OPEN}`,
    `CREATE INDEX IF NOT EXISTS open_requests ON ${schema}request (workspace, service) WHERE ${OPEN}`,
    `CREATE INDEX IF NOT EXISTS requests_in_order ON ${schema}request (workspace, service, seq)`,
    `CREATE INDEX IF NOT EXISTS requests_of_name ON ${schema}request (${REQUEST_KEY}, name, seq)`,
    `CREATE INDEX IF NOT EXISTS requests_of_object ON ${schema}request (${REQUEST_KEY}, live_id, seq)`,
    `CREATE INDEX IF NOT EXISTS stops_by_hand ON ${schema}request (workspace, service, seq)
      WHERE purpose = 'by_hand' AND NOT ${STARTS}`,
  ];
}
