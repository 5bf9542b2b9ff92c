import { OPEN, STARTS } from './schema.ts';

/** One value of a statement. Truth is 0 or 1. */
export type Value = string | number | null;
export type Row = Readonly<Record<string, unknown>>;

/** Sends one statement with the values of `$1`, `$2` and so on, and returns its rows. */
export type Query = (text: string, values?: readonly Value[]) => Promise<readonly Row[]>;

/** SQLite or PostgreSQL. Errors are `StateError`. */
export interface Database {
  /** For messages: the path of the file, or the address without its password. */
  readonly name: string;
  readonly statements: Statements;
  /**
   * Runs statements that change something in one transaction. `work` may run again after a lost
   * connection: then `attempt` is above 1, and the earlier one may have been carried out.
   */
  transaction<Result>(work: (query: Query, attempt: number) => Promise<Result>): Promise<Result>;
  /** Sends one statement that only reads. */
  read: Query;
  /** The rows of one statement, a few at a time and in constant memory. */
  stream(text: string, values: readonly Value[]): AsyncIterable<Row>;
  close(): Promise<void>;
}

const REQUEST = [
  'seq',
  'entry',
  'run',
  'who',
  'command',
  'operation',
  'account',
  'account_id',
  'kind',
  'name',
  'live_id',
  'target',
  'purpose',
  'content',
  'asked',
  'sent_at',
  'unheard_copy',
  'outcome',
  'ended_at',
  'answer',
  'because',
] as const;

const OBJECT = [
  'account_id',
  'kind',
  'live_id',
  'name',
  'ours',
  'protect',
  'declared_digest',
  'hidden_digest',
  'shown',
  'status_set',
  'status_by',
  'status_why',
  'status_seq',
  'replaced_by',
  'replaced_for',
  'recalled',
  'first_seq',
] as const;

/** The tables that an export has, with their columns after the workspace and the service. */
export const EXPORTED = {
  request: REQUEST,
  object: OBJECT,
  media: ['account_id', 'digest', 'media_id'],
  alias: ['alias', 'account_id'],
} as const satisfies Record<string, readonly string[]>;
export type ExportedTable = keyof typeof EXPORTED;

/** All statements of the state. */
export type Statements = ReturnType<typeof statementsIn>;

/** The columns that a learned fact leaves as they are where it does not name them. */
const KEPT = [
  'name',
  'ours',
  'protect',
  'declared_digest',
  'hidden_digest',
  'shown',
  'replaced_by',
  'replaced_for',
  'recalled',
] as const;
const STATUS = ['status_set', 'status_by', 'status_why', 'status_seq'] as const;
const FLAGS: readonly string[] = ['ours', 'protect', 'recalled'];

/** The value of a column of `object` in a statement that begins with the workspace and the service. */
function objectValue(column: (typeof OBJECT)[number]): string {
  return `$${OBJECT.indexOf(column) + 3}`;
}

/** The first two values of most statements are the workspace and the service. */
const IN_SERVICE = 'workspace = $1 AND service = $2';

/** `schema` is empty, or a schema of PostgreSQL with a dot. */
export function statementsIn(schema: string) {
  return {
    ...workspaceStatements(`${schema}workspace`),
    ...requestStatements(`${schema}request`),
    ...objectStatements(`${schema}object`, `${schema}media`, `${schema}alias`),
    ...exchangeStatements(schema),
  };
}

/** The workspace, its numbers, and its lease. */
function workspaceStatements(workspace: string) {
  return {
    addWorkspace: `INSERT INTO ${workspace} (name, seq, cut, schema) VALUES ($1, 0, $2, $3) ON CONFLICT (name) DO NOTHING`,
    workspace: `SELECT name, fence, seq, cut, holder, expires_at, schema, repository FROM ${workspace} WHERE name = $1`,
    /** The next number, and at the same time the check of the lease. No row: another run has it. */
    nextSeq: `UPDATE ${workspace} SET seq = seq + 1
      WHERE name = $1 AND (CAST($2 AS TEXT) IS NULL OR fence = $2) RETURNING seq`,
    setCut: `UPDATE ${workspace} SET cut = $2 WHERE name = $1`,
    /** Takes a lease that no run has; on PostgreSQL also one that has ended. */
    takeLease: `UPDATE ${workspace} SET fence = $2, holder = $3, expires_at = $4
      WHERE name = $1 AND (fence IS NULL OR fence = $2 OR expires_at < $5) RETURNING fence`,
    /** A lease of a file: the lock of the system decides, so whatever is on record is of a run that is gone. */
    replaceLease: `UPDATE ${workspace} SET fence = $2, holder = $3, expires_at = NULL WHERE name = $1`,
    renewLease: `UPDATE ${workspace} SET expires_at = $3 WHERE name = $1 AND fence = $2 RETURNING fence`,
    releaseLease: `UPDATE ${workspace} SET fence = NULL, holder = NULL, expires_at = NULL WHERE name = $1 AND fence = $2`,
    breakLease: `UPDATE ${workspace} SET fence = NULL, holder = NULL, expires_at = NULL, cut = 1
      WHERE name = $1 AND fence = $2 RETURNING name`,
    raiseSeq: `UPDATE ${workspace} SET seq = CASE WHEN seq < $2 THEN $2 ELSE seq END WHERE name = $1`,
  };
}

/** Requests, from their record to their end. */
function requestStatements(request: string) {
  const requests = `SELECT ${REQUEST.join(', ')} FROM ${request}`;
  return {
    insertRequest: `INSERT INTO ${request} (workspace, service, ${REQUEST.join(', ')})
      VALUES ($1, $2, ${REQUEST.map((_, index) => `$${index + 3}`).join(', ')})`,
    request: `${requests} WHERE ${IN_SERVICE} AND entry = $3`,
    open: `${requests} WHERE ${IN_SERVICE} AND ${OPEN} ORDER BY seq`,
    /** Another start of one of two names or of the content, that may still take effect. */
    openStart: `${requests} WHERE ${IN_SERVICE} AND account_id = $3 AND kind = $4 AND ${OPEN} AND ${STARTS}
      AND ((name <> '' AND name IN ($5, $6)) OR content = $7) AND entry <> $8 ORDER BY seq LIMIT 1`,
    openPayout: `${requests} WHERE ${IN_SERVICE} AND account_id = $3 AND operation = 'payouts.request' AND ${OPEN}
      AND entry <> $4 LIMIT 1`,
    /** A stop by hand of one of two names or of the object, after a number. */
    stopByHand: `${requests} WHERE ${IN_SERVICE} AND account_id = $3 AND kind = $4 AND seq > $5
      AND purpose = 'by_hand' AND NOT ${STARTS} AND (outcome IS NULL OR outcome = 'done')
      AND ((name <> '' AND name IN ($6, $7)) OR live_id = $8) ORDER BY seq DESC LIMIT 1`,
    stopsSince: `${requests} WHERE ${IN_SERVICE} AND seq > $3 AND purpose = 'by_hand' AND NOT ${STARTS} ORDER BY seq`,
    /** One more copy leaves. \`unheard_copy\` stays set once a copy got no answer. */
    repeatRequest: `UPDATE ${request} SET sent_at = $4, unheard_copy = CASE WHEN $5 = 1 THEN 1 ELSE unheard_copy END
      WHERE ${IN_SERVICE} AND entry = $3 AND outcome IS NULL RETURNING seq`,
    endRequest: `UPDATE ${request} SET outcome = $4, ended_at = $5, answer = $6, because = $7, live_id = coalesce(live_id, $8)
      WHERE ${IN_SERVICE} AND entry = $3 AND outcome IS NULL RETURNING seq`,
    endWindow: `UPDATE ${request} SET unheard_copy = 0 WHERE ${IN_SERVICE} AND entry = $3`,
    historyOfName: `${requests} WHERE ${IN_SERVICE} AND account_id = $3 AND kind = $4 AND name = $5 AND seq < $6
      ORDER BY seq DESC LIMIT $7`,
    history: `${requests} WHERE ${IN_SERVICE} AND (CAST($3 AS TEXT) IS NULL OR account_id = $3) AND seq < $4
      ORDER BY seq DESC LIMIT $5`,
    prune: `DELETE FROM ${request} WHERE ${IN_SERVICE} AND outcome IS NOT NULL AND unheard_copy = 0 AND ended_at < $3
      RETURNING entry`,
  };
}

/** What is known of objects, media and accounts. */
function objectStatements(object: string, media: string, alias: string) {
  return {
    objects: `SELECT ${OBJECT.join(', ')} FROM ${object} WHERE ${IN_SERVICE} AND account_id = $3`,
    /** Everything that is on record as ours and not stopped, on any account: also on one that is not read any more. */
    running: `SELECT ${OBJECT.join(', ')} FROM ${object} WHERE ${IN_SERVICE} AND ours = 1 AND recalled = 0
      AND coalesce(status_set, '') NOT IN ('paused', 'archived') ORDER BY account_id, kind, name, live_id`,
    learnObject: `INSERT INTO ${object} AS o (workspace, service, ${OBJECT.join(', ')})
      VALUES ($1, $2, ${OBJECT.map((column) => (FLAGS.includes(column) ? `coalesce(${objectValue(column)}, 0)` : objectValue(column))).join(', ')})
      ON CONFLICT (workspace, service, account_id, kind, live_id) DO UPDATE SET
      ${KEPT.map((column) => `${column} = coalesce(${objectValue(column)}, o.${column})`).join(', ')},
      ${STATUS.map((column) => `${column} = CASE WHEN excluded.status_seq > o.status_seq THEN excluded.${column} ELSE o.${column} END`).join(', ')}`,
    forgetObject: `DELETE FROM ${object} WHERE ${IN_SERVICE} AND account_id = $3 AND kind = $4 AND live_id = $5`,
    media: `SELECT account_id, digest, media_id FROM ${media} WHERE ${IN_SERVICE} AND account_id = $3`,
    learnMedia: `INSERT INTO ${media} (workspace, service, account_id, digest, media_id) VALUES ($1, $2, $3, $4, $5)
      ON CONFLICT (workspace, service, account_id, digest) DO UPDATE SET media_id = excluded.media_id`,
    aliases: `SELECT alias, account_id FROM ${alias} WHERE ${IN_SERVICE}`,
    learnAlias: `INSERT INTO ${alias} (workspace, service, alias, account_id) VALUES ($1, $2, $3, $4)
      ON CONFLICT (workspace, service, alias) DO UPDATE SET account_id = excluded.account_id`,
  };
}

/** Whole tables of a workspace. */
function exchangeStatements(schema: string) {
  return {
    exported: (table: ExportedTable) =>
      `SELECT service, ${EXPORTED[table].join(', ')} FROM ${schema}${table} WHERE workspace = $1`,
    imported: (table: ExportedTable) =>
      `INSERT INTO ${schema}${table} (workspace, service, ${EXPORTED[table].join(', ')})
       VALUES ($1, $2, ${EXPORTED[table].map((_, index) => `$${index + 3}`).join(', ')})`,
    count: (table: ExportedTable) => `SELECT count(*) AS n FROM ${schema}${table} WHERE workspace = $1`,
  };
}
