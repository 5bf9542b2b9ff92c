import { AccountIds } from './account-ids.ts';
import { HeldEntries } from './held-entries.ts';
import { KnownObjects } from './known-objects.ts';
import type { IntentLine } from './lines.ts';
import { MediaInVaults } from './media-on-record.ts';
import type { Written } from './order.ts';
import type { Placed } from './placed.ts';
import { RecentAnswers } from './recent-answers.ts';
import { bounds } from './reduce.ts';
import { SeenNames } from './seen-names.ts';

/** Everything that a `Reduction` has taken from the lines so far. */
export interface ReductionState {
  readonly objects: KnownObjects;
  readonly accounts: AccountIds;
  readonly creators: Set<string>;
  readonly media: MediaInVaults;
  /** The begins of all stops by hand, without those that were refused. */
  readonly stops: IntentLine[];
  /** Status changes that were answered just before the last line. */
  readonly answers: RecentAnswers;
  readonly held: HeldEntries;
  /** Entries that were let go of. */
  readonly ended: SeenNames;
  /** Entries of which an end was seen and no begin. */
  readonly orphans: Set<string>;
  /** The simulator that each run has named last. */
  readonly origins: Map<string, string>;
  /** Runs with lines that name no simulator, and those that named another one after such a line. */
  readonly bareRuns: SeenNames;
  readonly misnamed: Set<string>;
  lastBareRun: string | null;
  /** Lines of entries that are taken with care. */
  readonly tangled: Placed[];
  /** Changes that were heard of, where those are taken with care. */
  readonly closers: Placed[];
  /** The number of the last line. */
  place: number;
  /** When the line was written that was written last, and its time as it stands. */
  lastMs: number;
  last: Written | null;
}

/** What is known before the first line. `unpacked`: so many objects that lines spoke of last stay unpacked. */
export function emptyState(unpacked?: number): ReductionState {
  const objects = new KnownObjects(null, unpacked);
  return {
    objects,
    accounts: new AccountIds(),
    creators: new Set(),
    media: new MediaInVaults(),
    stops: [],
    answers: new RecentAnswers(),
    held: new HeldEntries(isSuspectAmong(objects)),
    ended: new SeenNames(),
    orphans: new Set(),
    origins: new Map(),
    bareRuns: new SeenNames(),
    misnamed: new Set(),
    lastBareRun: null,
    tangled: [],
    closers: [],
    place: 0,
    lastMs: Number.NEGATIVE_INFINITY,
    last: null,
  };
}

/** Whether a change that left later than this one, of one of these objects, was heard of before. */
export function isSuspectAmong(objects: KnownObjects): (begin: IntentLine) => boolean {
  return ({ call, account_id, live_id, ...begin }) => {
    if (call === 'create') return false;
    return objects.heardUntilMs({ call, account_id, live_id }) >= bounds(begin)[0];
  };
}
