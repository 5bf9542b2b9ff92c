import { COLUMNS, OPEN, STARTS, STOPS_BY_HAND, TABLES, type ColumnType, type Table } from './shapes.ts';

/** One value of a statement. Truth is 0 or 1. */
export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** Sends one statement with the values of `$1`, `$2` and so on, and returns its rows. */
export type Query = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/** SQLite or PostgreSQL. Errors are `state-…`. */
export interface Database {
  /** For messages: the path of the file, or the address without its password. */
  readonly name: string;
  readonly statements: Statements;
  /**
   * Runs statements that change something in one transaction. `work` may run again after a lost
   * connection: then `attempt` is above 1, and the earlier one may have been carried out.
   */
  transaction<Result>(work: (query: Query, attempt: number) => Promise<Result>): Promise<Result>;
  read: Query;
  /** What is wrong with the files of the database. A server looks after its own. */
  damage?(): Promise<readonly string[]>;
  /** Leaves nothing of deleted rows in the files of the database. */
  scrub?(): Promise<void>;
  close(): Promise<void>;
}

/** The rows of one workspace and one service in a database. */
export interface Place {
  readonly database: Database;
  readonly workspace: string;
  /** `live`, or the id of a simulator's world. Known after the first answer; throws before that. */
  readonly service: () => string;
}

const columnsOf = (table: Table): readonly string[] => Object.keys(COLUMNS[table]);
const REQUEST = columnsOf('request');
const OBJECT = columnsOf('object');

export type Statements = ReturnType<typeof statementsIn>;

/** The columns of a status. They change together, and only by a newer request. */
const STATUS = OBJECT.filter((column) => column.startsWith('status_'));
/** What a row of `object` keeps for good. A learned fact leaves the other columns as they are where it does not name them. */
const FIXED: readonly string[] = ['account_id', 'kind', 'live_id', 'first_seq'];
const KEPT = OBJECT.filter((column) => !STATUS.includes(column) && !FIXED.includes(column));

/** A column that no fact names. An object takes the last number when it is new, and keeps it. */
const valueOfNew = (column: string, workspace: string) => {
  if (column === 'first_seq') return `(SELECT seq FROM ${workspace} WHERE name = $1)`;
  const isFlag = Object.entries(COLUMNS.object).some(([name, type]) => name === column && type === 'flag');
  return isFlag ? `coalesce(${objectValue(column)}, 0)` : objectValue(column);
};

/** `$3` and so on: the values after the workspace and the service. */
const valuesOf = (columns: readonly string[]) => columns.map((_, index) => `$${index + 3}`);
const objectValue = (column: string) => `$${OBJECT.indexOf(column) + 3}`;

/** The first two values of most statements are the workspace and the service. */
const IN_SERVICE = 'workspace = $1 AND service = $2';

/** `schema` is empty, or a schema of PostgreSQL with a dot. */
export function statementsIn(schema: string) {
  return {
    tables: tableStatements(schema),
    ...workspaceStatements(`${schema}workspace`),
    ...requestStatements(schema),
    ...objectStatements(schema),
    ...exchangeStatements(schema),
    ...checkStatements(schema),
    ...eventStatements(`${schema}event`),
  };
}

const REQUEST_KEY = 'workspace, service, account_id, kind';

/** What a row is found by, after the workspace and the service. */
const KEYS: Readonly<Record<Table, string>> = {
  request: 'entry',
  object: 'account_id, kind, live_id',
  media: 'account_id, digest',
  alias: 'alias',
};

/**
 * Statements that create the tables, and the indexes that keep the promise. Every key begins with the workspace and the service,
 * because one database may hold several of both.
 */
function tableStatements(schema: string): readonly string[] {
  const workspace = `CREATE TABLE IF NOT EXISTS ${schema}workspace (
    name TEXT NOT NULL PRIMARY KEY, fence TEXT, seq BIGINT NOT NULL, cut BIGINT NOT NULL,
    holder TEXT, expires_at BIGINT, schema BIGINT NOT NULL)`;
  // Events come without the name of their service. With SQLite they are in a file of their own.
  const event = `CREATE TABLE IF NOT EXISTS ${schema}event (workspace TEXT NOT NULL, seq BIGINT NOT NULL,
    key TEXT NOT NULL, received_at BIGINT NOT NULL, kind TEXT, body TEXT NOT NULL, PRIMARY KEY (workspace, key))`;
  return [workspace, event, ...TABLES.map((table) => createTable(schema, table)), ...indexes(schema)];
}

function createTable(schema: string, table: Table): string {
  const columns = Object.entries<ColumnType>(COLUMNS[table]).map(([name, type]) => {
    const base = /^(?:number|flag)/.test(type) ? 'BIGINT' : 'TEXT';
    return `${name} ${base}${type.endsWith('?') ? '' : ' NOT NULL'}`;
  });
  return `CREATE TABLE IF NOT EXISTS ${schema}${table} (workspace TEXT NOT NULL, service TEXT NOT NULL,
    ${columns.join(', ')}, PRIMARY KEY (workspace, service, ${KEYS[table]}))`;
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
    `CREATE INDEX IF NOT EXISTS open_requests ON ${schema}request (workspace, service, seq) WHERE ${OPEN}`,
    `CREATE INDEX IF NOT EXISTS requests_in_order ON ${schema}request (workspace, service, seq)`,
    `CREATE INDEX IF NOT EXISTS requests_of_name ON ${schema}request (${REQUEST_KEY}, name, seq)`,
    `CREATE INDEX IF NOT EXISTS refused_requests ON ${schema}request (${REQUEST_KEY})
      WHERE outcome = 'refused' AND live_id IS NOT NULL`,
    // A reading of few events finds them without their bodies.
    `CREATE UNIQUE INDEX IF NOT EXISTS events_in_order ON ${schema}event (workspace, seq, received_at, kind)`,
    `CREATE INDEX IF NOT EXISTS stops_by_hand ON ${schema}request (workspace, service, seq) WHERE ${STOPS_BY_HAND}`,
  ];
}

/** The clock of PostgreSQL, in milliseconds. */
const NOW_MS = 'CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)';

function workspaceStatements(workspace: string) {
  return {
    addWorkspace: `INSERT INTO ${workspace} (name, seq, cut, schema) VALUES ($1, 0, $2, $3) ON CONFLICT (name) DO NOTHING`,
    workspace: `SELECT name, fence, seq, cut, holder, expires_at, schema FROM ${workspace} WHERE name = $1`,
    newestSchema: `SELECT max(schema) AS schema FROM ${workspace}`,
    /** The next number, and at the same time the check of the lease. No row: another run has it. */
    nextSeq: `UPDATE ${workspace} SET seq = seq + 1
      WHERE name = $1 AND (CAST($2 AS TEXT) IS NULL OR fence = $2) RETURNING seq`,
    setCut: `UPDATE ${workspace} SET cut = $2 WHERE name = $1`,
    /** On PostgreSQL: takes a lease that no run has, or that has ended. */
    takeLease: `UPDATE ${workspace} SET fence = $2, holder = $3, expires_at = ${NOW_MS} + $4
      WHERE name = $1 AND (fence IS NULL OR fence = $2 OR expires_at < ${NOW_MS}) RETURNING fence`,
    /** A lease of a file: the lock of the system decides, so whatever is on record is of a run that is gone. */
    replaceLease: `UPDATE ${workspace} SET fence = $2, holder = $3, expires_at = NULL WHERE name = $1`,
    renewLease: `UPDATE ${workspace} SET expires_at = ${NOW_MS} + $3 WHERE name = $1 AND fence = $2 RETURNING fence`,
    releaseLease: `UPDATE ${workspace} SET fence = NULL, holder = NULL, expires_at = NULL WHERE name = $1 AND fence = $2`,
    breakLease: `UPDATE ${workspace} SET fence = NULL, holder = NULL, expires_at = NULL, cut = 1
      WHERE name = $1 AND fence = $2 RETURNING name`,
    raiseSeq: `UPDATE ${workspace} SET seq = CASE WHEN seq < $2 THEN $2 ELSE seq END WHERE name = $1`,
  };
}

/** No copy has left after the one of this time. Without a time, that does not matter. */
const lastCopyAt = (value: string) => `(CAST(${value} AS BIGINT) IS NULL OR sent_at = ${value})`;

function requestStatements(schema: string) {
  const request = `${schema}request`;
  const requests = `SELECT ${REQUEST.join(', ')} FROM ${request}`;
  return {
    insertRequest: `INSERT INTO ${request} (workspace, service, ${REQUEST.join(', ')})
      VALUES ($1, $2, ${valuesOf(REQUEST).join(', ')})`,
    request: `${requests} WHERE ${IN_SERVICE} AND entry = $3`,
    open: `${requests} WHERE ${IN_SERVICE} AND ${OPEN} ORDER BY seq`,
    /** What may still take effect: starts of one of two names or of the content, and all requests about the object. */
    openNear: `${requests} WHERE ${IN_SERVICE} AND account_id = $3 AND kind = $4 AND ${OPEN} AND entry <> $8
      AND ((${STARTS} AND ((name <> '' AND name IN ($5, $6)) OR content = $7)) OR live_id = $9) ORDER BY seq`,
    openPayout: `${requests} WHERE ${IN_SERVICE} AND account_id = $3 AND operation = 'payouts.request' AND ${OPEN}
      AND entry <> $4 LIMIT 1`,
    /** A stop by hand of one of two names or of the object, after a number. */
    stopByHand: `${requests} WHERE ${IN_SERVICE} AND account_id = $3 AND kind = $4 AND seq > $5
      AND ${STOPS_BY_HAND} AND (outcome IS NULL OR outcome = 'done')
      AND ((name <> '' AND name IN ($6, $7)) OR live_id = $8) ORDER BY seq DESC LIMIT 1`,
    /** One more copy leaves. \`unheard_copy\` stays set once a copy got no answer. */
    repeatRequest: `UPDATE ${request} SET sent_at = $4, unheard_copy = CASE WHEN $5 = 1 THEN 1 ELSE unheard_copy END
      WHERE ${IN_SERVICE} AND entry = $3 AND outcome IS NULL RETURNING seq`,
    endRequest: `UPDATE ${request} SET outcome = $4, ended_at = $5, answer = $6, because = $7,
      live_id = coalesce(live_id, $8)
      WHERE ${IN_SERVICE} AND entry = $3 AND outcome IS NULL AND ${lastCopyAt('$9')} RETURNING seq`,
    endWindow: `UPDATE ${request} SET unheard_copy = 0 WHERE ${IN_SERVICE} AND entry = $3 AND ${lastCopyAt('$4')}`,
    historyOfName: `${requests} WHERE ${IN_SERVICE} AND account_id = $3 AND kind = $4 AND name = $5 AND seq < $6
      ORDER BY seq DESC LIMIT $7`,
    history: `${requests} WHERE ${IN_SERVICE} AND (CAST($3 AS TEXT) IS NULL OR account_id = $3) AND seq < $4
      ORDER BY seq DESC LIMIT $5`,
    refused: `SELECT account_id, kind, live_id, target, answer FROM ${request} WHERE ${IN_SERVICE} AND account_id = $3
      AND outcome = 'refused' AND live_id IS NOT NULL AND (target IS NULL OR target = 'queued')`,
    /** The request of the status on record stays: it tells since when an object is stopped. */
    prune: `DELETE FROM ${request} WHERE ${IN_SERVICE} AND outcome IS NOT NULL AND unheard_copy = 0 AND ended_at < $3
      AND seq NOT IN (SELECT status_seq FROM ${schema}object WHERE ${IN_SERVICE}) RETURNING entry`,
  };
}

/** On record as ours, and not stopped. */
const RUNNING = `ours = 1 AND recalled = 0 AND coalesce(status_set, '') NOT IN ('paused', 'archived')`;

/** A status that is newer, or was seen since. What a person has stopped stays a person's, also if an apply stops it once more on its way. */
const IS_NEWS = `excluded.status_set IS NOT NULL AND excluded.status_seq >= o.status_seq AND NOT
  (excluded.status_by = 'apply' AND coalesce(o.status_by, '') = 'hand' AND excluded.status_set = coalesce(o.status_set, ''))`;

function objectStatements(schema: string) {
  const [object, request, media, alias] = ['object', 'request', 'media', 'alias'].map(
    (table) => `${schema}${table}`,
  );
  return {
    statusTimes: `SELECT r.seq, coalesce(r.ended_at, r.sent_at) AS at FROM ${object} o JOIN ${request} r
      ON r.workspace = o.workspace AND r.service = o.service AND r.seq = o.status_seq
      WHERE o.workspace = $1 AND o.service = $2 AND o.account_id = $3`,
    objects: `SELECT ${OBJECT.join(', ')} FROM ${object} WHERE ${IN_SERVICE} AND account_id = $3`,
    allObjects: `SELECT ${OBJECT.join(', ')} FROM ${object} WHERE ${IN_SERVICE} ORDER BY account_id, kind, live_id`,
    running: `SELECT ${OBJECT.join(', ')} FROM ${object} WHERE ${IN_SERVICE} AND ${RUNNING} ORDER BY account_id, kind, name, live_id`,
    learnObject: `INSERT INTO ${object} AS o (workspace, service, ${OBJECT.join(', ')})
      VALUES ($1, $2, ${OBJECT.map((column) => valueOfNew(column, `${schema}workspace`)).join(', ')})
      ON CONFLICT (workspace, service, account_id, kind, live_id) DO UPDATE SET
      ${KEPT.map((column) => `${column} = coalesce(${objectValue(column)}, o.${column})`).join(', ')},
      ${STATUS.map((column) => `${column} = CASE WHEN ${IS_NEWS} THEN excluded.${column} ELSE o.${column} END`).join(', ')}`,
    statusSeq: `SELECT status_seq FROM ${object} WHERE ${IN_SERVICE} AND account_id = $3 AND kind = $4 AND live_id = $5`,
    distrustStops: `UPDATE ${object} SET status_by = 'hand', status_why = 'lost_state'
      WHERE workspace = $1 AND status_by = 'apply' AND status_set IN ('paused', 'archived') AND status_seq <= $2`,
    /** A simulator does not tell what is under way on the service. */
    endCut: `UPDATE ${schema}workspace SET cut = 0 WHERE name = $1 AND (CAST($2 AS TEXT) = 'live' OR NOT EXISTS
      (SELECT 1 FROM ${object} WHERE workspace = $1 AND service = 'live'))`,
    forgetObject: `DELETE FROM ${object} WHERE ${IN_SERVICE} AND account_id = $3 AND kind = $4 AND live_id = $5
      RETURNING name`,
    media: `SELECT account_id, digest, media_id FROM ${media} WHERE ${IN_SERVICE} AND account_id = $3`,
    learnMedia: `INSERT INTO ${media} (workspace, service, account_id, digest, media_id) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (workspace, service, account_id, digest) DO UPDATE SET media_id = excluded.media_id`,
    aliases: `SELECT alias, account_id FROM ${alias} WHERE ${IN_SERVICE}`,
    learnAlias: `INSERT INTO ${alias} (workspace, service, alias, account_id) VALUES ($1, $2, $3, $4)
      ON CONFLICT (workspace, service, alias) DO UPDATE SET account_id = excluded.account_id`,
  };
}

function eventStatements(event: string) {
  return {
    /** No row: the same event is there. */
    addEvent: `INSERT INTO ${event} (workspace, seq, key, received_at, kind, body) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (workspace, key) DO NOTHING RETURNING seq`,
    events: `SELECT seq, body FROM ${event} WHERE workspace = $1 AND seq > $2 AND seq <= $3 AND received_at >= $4
      AND (CAST($5 AS TEXT) IS NULL OR substr(kind, 1, length($5)) = $5) ORDER BY seq LIMIT $6`,
    dropEvents: `DELETE FROM ${event} WHERE workspace = $1 AND received_at < $2`,
    eraseEvent: `DELETE FROM ${event} WHERE workspace = $1 AND seq = $2 RETURNING seq`,
  };
}

function checkStatements(schema: string) {
  const all = `(SELECT workspace, service FROM ${schema}request UNION ALL SELECT workspace, service FROM ${schema}object) AS rows`;
  return {
    services: `SELECT service, count(*) AS n FROM ${all} WHERE workspace = $1 GROUP BY service ORDER BY service`,
    unconfirmed: `SELECT service, ${REQUEST.join(', ')} FROM ${schema}request
      WHERE workspace = $1 AND outcome IS NULL ORDER BY seq`,
    sameNames: `SELECT service, account_id, kind, name, count(*) AS objects FROM ${schema}object
      WHERE workspace = $1 AND name <> '' AND ${RUNNING} GROUP BY service, account_id, kind, name HAVING count(*) > 1
      ORDER BY service, account_id, kind, name`,
  };
}

function exchangeStatements(schema: string) {
  return {
    exported: (table: Table) =>
      `SELECT service, ${columnsOf(table).join(', ')} FROM ${schema}${table} WHERE workspace = $1`,
    imported: (
      table: Table,
    ) => `INSERT INTO ${schema}${table} (workspace, service, ${columnsOf(table).join(', ')})
      VALUES ($1, $2, ${valuesOf(columnsOf(table)).join(', ')})`,
    count: (table: Table) => `SELECT count(*) AS n FROM ${schema}${table} WHERE workspace = $1`,
  };
}
