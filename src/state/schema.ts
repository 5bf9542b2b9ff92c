import type { ColumnType } from './cells.ts';

/**
 * The tables of the state, for SQLite and PostgreSQL alike: only TEXT and BIGINT, and the indexes that keep the promise. Every
 * key begins with the workspace and the service, because one database may hold several of both.
 */

/** Raised with every change of the tables. A state of a higher number is refused. */
export const SCHEMA_VERSION = 1;

/** The workspace of a file or of a branch, which has one. Its rows may go to any workspace. */
export const OWN_WORKSPACE = 'workspace';

const CREATES: readonly string[] = ['campaigns.create', 'broadcasts.create'];
/** What the service is asked for by an activation of a campaign, and by a resume of a broadcast (CAMPAIGN-6, BROADCAST-19). */
const START_TARGETS: readonly string[] = ['active', 'queued'];

const inList = (values: readonly string[]) => `IN (${values.map((value) => `'${value}'`).join(', ')})`;

/** A request that may put messages in front of fans: a create, an activation or a resume. */
export const STARTS = `(operation ${inList(CREATES)} OR coalesce(target, '') ${inList(START_TARGETS)})`;

/** Whether `STARTS` is true of a request. */
export function isStart({
  operation,
  target,
}: {
  readonly operation: string;
  readonly target: string | null;
}): boolean {
  return CREATES.includes(operation) || START_TARGETS.includes(target ?? '');
}

/** A pause, an archive or a recall that a person asked for by a command. */
export const STOPS_BY_HAND = `(purpose = 'by_hand' AND kind IN ('campaign', 'broadcast') AND NOT ${STARTS})`;

/** It has no answer yet, or an earlier copy of it got none and its window is not over. */
export const OPEN = '(outcome IS NULL OR unheard_copy = 1)';

const REQUEST_KEY = 'workspace, service, account_id, kind';

/** The columns of each table after the workspace and the service: those of an export. */
export const COLUMNS = {
  request: {
    seq: 'number',
    entry: 'text',
    run: 'text',
    who: 'text?',
    command: 'text',
    operation: 'text',
    // The alias, for people.
    account: 'text',
    account_id: 'text',
    kind: 'any_kind',
    // Empty for what has no name.
    name: 'text',
    live_id: 'text?',
    // The requested status; null for a create and a recall.
    target: 'text?',
    // Why: declared, replace, duplicate, prune or by_hand.
    purpose: 'text?',
    // The digest of the content; for a start of an object, that of the object.
    content: 'text?',
    asked: 'json',
    // The last copy, by the wall clock of the sender: for people, and never compared.
    sent_at: 'number',
    // 1 while a copy without an answer may still take effect.
    unheard_copy: 'flag',
    outcome: 'outcome?',
    ended_at: 'number?',
    answer: 'json?',
    because: 'text?',
  },
  object: {
    account_id: 'text',
    kind: 'kind',
    live_id: 'text',
    name: 'text',
    ours: 'flag',
    protect: 'flag',
    declared_digest: 'text?',
    // Of what the service never returns, with the version of the digest.
    hidden_digest: 'text?',
    // What was read back after the create.
    shown: 'json?',
    // The status that was confirmed last, by whom, why, and by which request.
    status_set: 'text?',
    status_by: 'status_by?',
    status_why: 'text?',
    status_seq: 'number',
    replaced_by: 'text?',
    // The fingerprint of the live difference that it was replaced for.
    replaced_for: 'text?',
    recalled: 'flag',
    first_seq: 'number',
  },
  media: { account_id: 'text', digest: 'text', media_id: 'text' },
  alias: { alias: 'text', account_id: 'text' },
} as const satisfies Record<string, Readonly<Record<string, ColumnType>>>;

export type Table = keyof typeof COLUMNS;
export const TABLES = Object.keys(COLUMNS) as readonly Table[];

/** What a row is found by, after the workspace and the service. */
const KEYS: Readonly<Record<Table, string>> = {
  request: 'entry',
  object: 'account_id, kind, live_id',
  media: 'account_id, digest',
  alias: 'alias',
};

/** Statements that create the tables and their indexes. `schema` is empty, or a schema of PostgreSQL with a dot. */
export function schemaStatements(schema: string): readonly string[] {
  const workspace = `CREATE TABLE IF NOT EXISTS ${schema}workspace (
    name TEXT NOT NULL PRIMARY KEY, fence TEXT, seq BIGINT NOT NULL, cut BIGINT NOT NULL,
    holder TEXT, expires_at BIGINT, schema BIGINT NOT NULL)`;
  // Events come without the name of their service. With SQLite they are in a file of their own.
  const event = `CREATE TABLE IF NOT EXISTS ${schema}event (workspace TEXT NOT NULL, seq BIGINT NOT NULL,
    key TEXT NOT NULL, received_at BIGINT NOT NULL, kind TEXT, body TEXT NOT NULL, PRIMARY KEY (workspace, key))`;
  return [workspace, event, ...TABLES.map((table) => tableStatement(schema, table)), ...indexes(schema)];
}

function tableStatement(schema: string, table: Table): string {
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
