import type { Database, Query } from './sql.ts';
import { HeraldError } from '../domain/herald-error.ts';

/** The rows of one workspace and one service in a database. */
export interface Place {
  readonly database: Database;
  readonly workspace: string;
  /** `live`, or the id of a simulator's world. Known after the first answer; throws before that. */
  readonly service: () => string;
}

/**
 * The next number of the workspace. At the same time it checks the lease: null if the run with this id does not have it any
 * more. Without an id, nothing is checked.
 */
export async function nextSeq(
  query: Query,
  { database, workspace }: Pick<Place, 'database' | 'workspace'>,
  fence: string | null,
): Promise<number | null> {
  const [row] = await query(database.statements.nextSeq, [workspace, fence]);
  return row === undefined ? null : Number(row['seq']);
}

/** Work of a run with the lease, in one transaction that checks it. */
export function underLease<Result>(
  place: Pick<Place, 'database' | 'workspace'>,
  fence: string,
  work: (query: Query, attempt: number) => Promise<Result>,
): Promise<Result> {
  return place.database.transaction(async (query, attempt) => {
    if ((await nextSeq(query, place, fence)) === null) throw leaseLost();
    return work(query, attempt);
  });
}

/** The run has no lease, or not any more. */
export function leaseLost(): HeraldError {
  return new HeraldError(
    'state-lease-lost',
    'This run does not have the lease of the workspace any more. Nothing was changed.',
    'Run the command again.',
  );
}
