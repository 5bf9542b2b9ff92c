import type { Database } from './sql.ts';

/** The rows of one workspace and one service in a database. */
export interface Place {
  readonly database: Database;
  readonly workspace: string;
  /** `live`, or the id of a simulator's world. Known after the first answer; throws before that. */
  readonly service: () => string;
}
