import type { Lease } from './lease.ts';
import { StateError } from './state-error.ts';
import { formatCommand } from './command-line.ts';

/** A place that can keep a ledger. */
export interface LedgerPlace {
  /** For messages, without a password. */
  readonly name: string;
  /** As `herald state migrate` takes it: `.herald`, or `HERALD_STATE_URL/agency-eu`. */
  readonly as: string;
}

/** What `herald state migrate` leaves in a place where the ledger must not be used. */
export interface LedgerMark {
  /** `moved`: the ledger is in the other place now. `arriving`: it was not copied here from there as a whole. */
  readonly type: 'moved' | 'arriving';
  readonly other: LedgerPlace;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly who: string;
}

/** Lines in order, some at a time: a ledger can be longer than memory. */
export type LinePages = AsyncIterable<readonly string[]> | Iterable<readonly string[]>;

/** What it takes to move a ledger. Each step can be repeated, and works on a marked ledger as well. */
export interface LedgerTransfer {
  readonly place: LedgerPlace;
  /** Whether the ledger must not be used here; null if it may be. */
  mark(): Promise<LedgerMark | null>;
  /** Marks the ledger. */
  setMark(mark: LedgerMark, lease: Lease): Promise<void>;
  /** All whole lines, without marks. */
  lines(): LinePages;
  /** In one step: adds the lines that are not there, and replaces the mark. Returns how many lines were added. */
  unite(lines: LinePages, mark: LedgerMark | null, lease: Lease): Promise<number>;
  /** Adds to an archive the lines that are not there. */
  uniteArchive(name: string, lines: LinePages): Promise<void>;
  /** What another kind of store must not overlook; null if there is nothing here. */
  leftover(): Promise<Leftover | null>;
}

/** A ledger in a folder that keeps its state in another place by now. */
export interface Leftover {
  readonly mark: LedgerMark | null;
  /** How many lines went with the mark. */
  readonly lines: number;
  /** True if lines are here that did not go with it. */
  readonly hasMore: boolean;
}

/** The archives of one day have one name in each kind of store. Without a day, the name itself. */
export function archiveDay(name: string): string {
  return /\d{4}-\d\d-\d\d/.exec(name)?.[0] ?? name;
}

/** The ledger here must not be used: it was moved to another place, or a move to this place was not finished. */
export function refusedByMark(here: LedgerPlace, { type, other, at, who }: LedgerMark): StateError {
  return type === 'moved'
    ? new StateError(
        'state-moved',
        `The ledger of ${here.name} was moved to ${other.name} by ${who} at ${at}. Nothing was sent.`,
        `Name the new place in herald.yaml: ${settingFor(other)}`,
      )
    : new StateError(
        'state-moved',
        `The ledger was not moved to ${here.name} as a whole. Nothing was sent.`,
        formatCommand('state', 'migrate', other.as, here.as),
      );
}

/** The line of `herald.yaml` that names the place. */
export function settingFor({ as }: LedgerPlace): string {
  const [variable = '', ...workspace] = as.split('/');
  return workspace.length === 0
    ? `state: ${as}`
    : `state: { postgres: "\${${variable}}", workspace: ${JSON.stringify(workspace.join('/'))} }`;
}
