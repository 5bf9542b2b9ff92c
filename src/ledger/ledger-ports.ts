import type { EntryNumbers } from './entry-numbers.ts';
import type { LedgerStore, Rescue } from '../domain/ledger-store.ts';
import type { Clock } from '../domain/ports.ts';
import type { Ages } from './ages.ts';
import type { ConnectedService } from './origins.ts';
import type { LedgerReader } from './reader.ts';

interface RunIdentity {
  readonly run: string;
  /** A CI job or a user, for people who read the history later. */
  readonly who: string;
}

/** What a ledger needs: where its lines are kept, the time, who writes, and the service that it is about. */
export interface LedgerPorts {
  readonly store: LedgerStore;
  /** Keeps lines that the store does not take. */
  readonly rescue?: Rescue | undefined;
  readonly clock: Clock;
  readonly identity: RunIdentity;
  readonly service: ConnectedService;
  /** That of the process, where something else of it reads the ledger, too: it reads only what was added since. */
  readonly reader?: LedgerReader;
  /** Those of the process, where something else of it judges ages, too. */
  readonly ages?: Ages;
  /** Stops by hand that a plan was made with; those that stand there now where it is missing. */
  readonly handStops?: ReadonlySet<string>;
  /** Entries of the requests that a plan was made with; those that stand there now where it is missing. */
  readonly entries?: ReadonlySet<string>;
  /** Those of the run, if it opens the ledger more than once. */
  readonly numbers?: EntryNumbers;
}
