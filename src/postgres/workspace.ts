import type { LedgerPlace } from '../domain/ledger-transfer.ts';
import { StateError } from '../domain/state-error.ts';
import type { Database } from './database.ts';
import { requireSchema } from './migrations.ts';

/** One workspace of a state database. Its number is looked up once, with the first statement that needs it. */
export class StateWorkspace {
  readonly database: Database;
  /** As `state.workspace` of `herald.yaml` names it. */
  readonly name: string;
  readonly place: LedgerPlace;
  #id: Promise<string> | null = null;

  constructor(database: Database, name: string, variable: string) {
    this.database = database;
    this.name = name;
    this.place = { name: `${database.name} (workspace ${name})`, as: `${variable}/${name}` };
  }

  /** Its number in the database. A workspace that is new to the database is added by `add`, and never by a read. */
  async id(): Promise<string> {
    this.#id ??= this.#look();
    try {
      return await this.#id;
    } catch (error) {
      this.#id = null;
      throw error;
    }
  }

  /** Adds the workspace unless it is there. */
  async add(): Promise<void> {
    await this.database.query(
      'INSERT INTO herald.workspaces (name) VALUES ($1) ON CONFLICT (name) DO NOTHING',
      [this.name],
    );
  }

  async #look(): Promise<string> {
    await requireSchema(this.database);
    const [row] = await this.database.query('SELECT id FROM herald.workspaces WHERE name = $1', [this.name]);
    if (row === undefined)
      throw new StateError(
        'state-missing',
        `${this.database.name} has no workspace "${this.name}".`,
        'herald state init',
      );
    return String(row['id']);
  }
}
