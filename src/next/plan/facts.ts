import type { Allowance } from '../../domain/allowance.ts';
import type { ReviewedChange } from '../../domain/change.ts';
import type { Policy } from '../../domain/policy.ts';
import type { Address, Declared, Kind, Observed, PlaceOf, ResolvedAccount } from '../../domain/resource.ts';
import type { ServiceIdentity } from '../../domain/service-identity.ts';
import type { Known, ObjectRow, OpenRequest } from '../../state/shapes.ts';
import type { Change } from '../../domain/change.ts';
import type { Asked } from './compare/asked.ts';

/** What was reviewed: a list of fingerprints. It limits what a run may do, and never says what to do. */
export interface Review {
  readonly changes: readonly ReviewedChange[];
}

/**
 * Says why a change may not be carried out without another approval; null if it may. The fingerprints are that of the
 * change, and those of the reviewed changes that it is the rest of.
 */
export type ApprovalGate = (change: Change, fingerprints: readonly string[]) => string | null;

/** Says why a newer commit has overtaken what is declared for an address; null if none has. */
export type OutdatedGate = (address: Address) => string | null;

/** What limits the changes of a plan. */
export interface Permissions {
  /** What the run may do. Absent or null for everything. */
  readonly review?: Review | null;
  /** What has the approvals that it needs. Absent or null if none are asked for. */
  readonly approvals?: ApprovalGate | null;
  /** What a newer commit declares differently. Absent or null if no commit is applied. */
  readonly outdated?: OutdatedGate | null;
}

/** What the key does not see: an account by its alias, or one list of it as `alias/kind`. With the reason. */
export type Unseen = ReadonlyMap<string, string>;

/** The most requests per second over everything, and by endpoint (`campaigns.create`). */
export interface Rates {
  readonly token: number;
  readonly endpoint: Readonly<Record<string, number>>;
}

/** What a run is about: patterns over addresses, as `--target` and `--exclude` give them. */
export interface Targeting {
  /** Empty for everything. */
  readonly target: readonly string[];
  readonly exclude: readonly string[];
  /** Set if the patterns are what `--scope changed` found: the commit that the files were compared with. */
  readonly changedSince?: string;
}

export const EVERYTHING: Targeting = { target: [], exclude: [] };

/** The service's time by the two clocks, in epoch milliseconds. They are equal if the clocks agree. */
export interface Clocks {
  readonly earliestMs: number;
  readonly latestMs: number;
}

/** Names one live object. */
export interface ObjectName {
  readonly accountId: string;
  readonly kind: Kind;
  readonly liveId: string;
}

/** Facts from ended requests, which are not in `known`. Without them, Herald asks a person more often. */
export interface Past {
  /** When the request left that set the status on record, in epoch milliseconds; null if it is not on record. */
  readonly stoppedAtMs: (row: ObjectRow) => number | null;
  /** Whether the service refused the last recall (`recall`) or the last resume (`queued`) for good. */
  readonly isRefused: (object: ObjectName, request: 'recall' | 'queued') => boolean;
}

/** A create of this run that has ended, so that its late copies are known as ours. */
export interface OwnCreate {
  readonly accountId: string;
  readonly asked: Asked;
}

/** Everything a plan depends on. It reads no clock and sends nothing: equal facts, equal plan. */
export interface PlanFacts extends Permissions {
  readonly service: ServiceIdentity;
  readonly declared: readonly Declared[];
  /** All accounts of the workspace, also those that this run does not read. */
  readonly accounts: readonly ResolvedAccount[];
  /** Complete lists of every account and kind that the plan is about. */
  readonly observed: readonly Observed[];
  /** What could not be read, so that nothing is known of it. Absent if everything was. */
  readonly unseen?: Unseen;
  /** Of all accounts, so that those that the workspace no longer reads are named. */
  readonly known: Known;
  /** Unconfirmed requests, and those with a copy without an answer that may still take effect. */
  readonly open: readonly OpenRequest[];
  readonly past?: Past;
  readonly created?: readonly OwnCreate[];
  readonly time: Clocks;
  readonly settleMs: number;
  readonly allow: ReadonlySet<Allowance>;
  readonly policy: Policy;
  /** What `--allow prune` may retire where the state does not know it; null when not declared. */
  readonly ownershipPrefix: string | null;
  /** Patterns of `files:` that match nothing: what they declared looks removed. */
  readonly unmatched: readonly string[];
  readonly placeOf: PlaceOf;
  readonly rates: Rates;
  readonly targeting: Targeting;
  /** How long before a window closes a plan warns of it. */
  readonly warnBeforeMs: number;
}

/** The key of an object in maps. */
export function objectKey({ accountId, kind, liveId }: ObjectName): string {
  return `${accountId}/${kind}/${liveId}`;
}
