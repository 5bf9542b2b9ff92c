import type { Kind } from '../domain/resource.ts';
import { requestRow } from './requests.ts';
import { SCHEMA_VERSION } from './schema.ts';
import type { RequestRow } from './shapes.ts';
import type { Place, Query } from './sql.ts';

/** What a check of the state found. An empty list everywhere but in `services` is a state without a problem. */
export interface StateReport {
  readonly schema: number;
  /** What the database says of its own files. */
  readonly damage: readonly string[];
  /** Rows of each service in this workspace: `live`, and the worlds of simulators. */
  readonly services: readonly { readonly service: string; readonly rows: number }[];
  /** Rows of a workspace that this database does not have. */
  readonly strays: readonly { readonly workspace: string; readonly rows: number }[];
  /** Requests that are unconfirmed, oldest first. */
  readonly unconfirmed: readonly (RequestRow & { readonly service: string })[];
  /** Names that several objects on record run under. */
  readonly same_names: readonly {
    readonly service: string;
    readonly account_id: string;
    readonly kind: Kind;
    readonly name: string;
    readonly objects: number;
  }[];
}

/** Checks what no run looks at. Changes nothing, and needs no service. */
export async function checkState({
  database,
  workspace,
}: Pick<Place, 'database' | 'workspace'>): Promise<StateReport> {
  const { statements, read } = database;
  const damage = (await database.damage?.()) ?? [];
  // The rows of a damaged file say nothing.
  const ask: Query = async (text, values) => (damage.length > 0 ? [] : read(text, values));
  const services = await ask(statements.services, [workspace]);
  const strays = await ask(statements.strays);
  const unconfirmed = await ask(statements.unconfirmed, [workspace]);
  return {
    schema: SCHEMA_VERSION,
    damage,
    services: services.map((row) => ({ service: String(row['service']), rows: Number(row['n']) })),
    strays: strays.map((row) => ({ workspace: String(row['workspace']), rows: Number(row['n']) })),
    unconfirmed: unconfirmed.map((row) => ({ ...requestRow(row), service: String(row['service']) })),
    same_names: (await ask(statements.sameNames, [workspace])) as unknown as StateReport['same_names'],
  };
}
