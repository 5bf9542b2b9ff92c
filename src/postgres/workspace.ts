import { formatCommand } from '../domain/command-line.ts';
import type { LedgerPlace } from '../domain/ledger-transfer.ts';
import { isUnknown, mayBeSame, repositoryWords, type RepositoryIdentity } from '../domain/repository.ts';
import { StateError } from '../domain/state-error.ts';
import type { Database } from './database.ts';
import { requireSchema } from './migrations.ts';

interface WorkspaceOptions {
  /** The variable that the address is from, for messages. */
  readonly variable: string;
  readonly repository: RepositoryIdentity;
}

/** One workspace of a state database. Its number is looked up once, with the first statement that needs it. */
export class StateWorkspace {
  readonly database: Database;
  /** As `state.workspace` of `herald.yaml` names it. */
  readonly name: string;
  readonly place: LedgerPlace;
  /** The repository that uses it, as JSON; null where nothing is known of that. */
  readonly repository: string | null;
  readonly #own: RepositoryIdentity;
  #id: Promise<string> | null = null;

  constructor(database: Database, name: string, { variable, repository }: WorkspaceOptions) {
    this.#own = repository;
    this.repository = isUnknown(repository) ? null : JSON.stringify(repository);
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

  /** Adds the workspace unless it is there. With `adopts`, it is this repository's from now on. */
  async add(adopts: boolean): Promise<void> {
    await this.database.query(
      'INSERT INTO herald.workspaces (name, repository) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING',
      [this.name, this.repository],
    );
    if (adopts)
      await this.database.query('UPDATE herald.workspaces SET repository = $2 WHERE name = $1', [
        this.name,
        this.repository,
      ]);
    await this.id();
  }

  #refuseOther(other: RepositoryIdentity): void {
    if (mayBeSame(this.#own, other)) return;
    throw new StateError(
      'state-foreign',
      `${this.place.name} is used by another repository: ${repositoryWords(other)}. This one is ${repositoryWords(this.#own)}. Nothing was sent.`,
      `Write another workspace in herald.yaml. If the repository has moved: ${formatCommand('state', 'init', '--adopt-state')}`,
    );
  }

  async #look(): Promise<string> {
    await requireSchema(this.database);
    const [row] = await this.database.query('SELECT id, repository FROM herald.workspaces WHERE name = $1', [
      this.name,
    ]);
    if (row === undefined)
      throw new StateError(
        'state-missing',
        `${this.database.name} has no workspace "${this.name}".`,
        formatCommand('state', 'init'),
      );
    const { repository } = row;
    if (typeof repository === 'string') this.#refuseOther(JSON.parse(repository) as RepositoryIdentity);
    return String(row['id']);
  }
}
