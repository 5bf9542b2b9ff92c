import type { Diagnostic } from '../domain/diagnostic.ts';
import { StateError } from '../domain/state-error.ts';
import type { StateWorkspace } from './workspace.ts';

/** Rights that a run needs to change something, as `has_table_privilege` names them. */
const WRITE_RIGHTS = [
  ['herald.workspaces', 'UPDATE'],
  ['herald.ledger_lines', 'INSERT'],
  ['herald.leases', 'INSERT'],
  ['herald.leases', 'UPDATE'],
  ['herald.leases', 'DELETE'],
] as const;

/** PostgreSQL 13. */
const OLDEST_SERVER = 130_000;

/** What is wrong with a workspace of a database. Rejects if rows are missing. Changes nothing, and only reads. */
export async function inspectWorkspace(workspace: StateWorkspace): Promise<readonly Diagnostic[]> {
  const id = await workspace.id();
  const missing = WRITE_RIGHTS.map(
    ([table, right]) =>
      `CASE WHEN has_table_privilege('${table}', '${right}') THEN NULL ELSE '${right} on ${table}' END`,
  );
  const [server] = await workspace.database.read(
    `SELECT current_setting('server_version_num')::integer AS version, current_user AS name,
       current_setting('transaction_read_only') = 'on' AS read_only, concat_ws(', ', ${missing.join(', ')}) AS missing`,
  );
  const [ledger] = await workspace.database.read(
    `SELECT w.last_position AS last, w.ledger_bytes AS bytes, count(l.position) AS lines,
       coalesce(sum(octet_length(l.line) + 1), 0) AS there
     FROM herald.workspaces w LEFT JOIN herald.ledger_lines l ON l.workspace = w.id AND l.epoch = w.epoch
     WHERE w.id = $1 GROUP BY w.id`,
    [id],
  );
  refuseMissingRows(workspace, ledger ?? {});
  return serverFindings(server ?? {});
}

type Row = Readonly<Record<string, unknown>>;

function serverFindings({ version, name, read_only: readOnly, missing }: Row): readonly Diagnostic[] {
  return [
    ...(Number(version) >= OLDEST_SERVER
      ? []
      : [finding('error', 'state-server', 'The server is older than PostgreSQL 13. Update it.')]),
    ...(readOnly === true
      ? [
          finding(
            'warning',
            'state-rights',
            'The database is read-only here, as a replica is. Plan, drift and history work. To apply, use the address of the primary server.',
          ),
        ]
      : []),
    ...(missing === ''
      ? []
      : [
          finding(
            'warning',
            'state-rights',
            `The user ${String(name)} may only read. Plan, drift and history work. To apply, it also needs: ${String(missing)}.`,
          ),
        ]),
  ];
}

/** Throws if rows are missing. No command can read such a ledger: a part of it must not look like all of it. */
function refuseMissingRows({ place }: StateWorkspace, { last, bytes, lines, there }: Row): void {
  if (Number(last) === Number(lines) && Number(bytes) === Number(there)) return;
  throw new StateError(
    'state-failed',
    `${place.name} has ${String(lines)} lines with ${String(there)} bytes, and should have ${String(last)} lines with ${String(bytes)} bytes. Rows were changed by hand.`,
    'Restore them from a backup of the database.',
  );
}

function finding(
  severity: Diagnostic['severity'],
  code: 'state-server' | 'state-rights',
  message: string,
): Diagnostic {
  return { severity, code, message };
}
