import type { BroadcastContent } from './broadcast.ts';
import type { CampaignContent } from './campaign.ts';
import type { AccountId, LiveId } from './ids.ts';
import { NO_MEDIA, type MediaOnRecord } from './media.ts';
import type { Address, Kind } from './resource.ts';
import type { TargetStatus } from './status.ts';

/**
 * Why Herald paused or archived an object. A stop without a record was made by someone else. `by_hand` is a person's
 * decision, and no plan undoes it.
 */
export const PAUSE_PURPOSES = ['declared', 'replace', 'superseded', 'duplicate', 'by_hand'] as const;
export type PausePurpose = (typeof PAUSE_PURPOSES)[number];

/** Nothing was sent for this field. A live value was filled in by the service. */
export const NOT_SENT = '';

/** A value that the service returned instead of the sent one. It is not drift while both are unchanged. */
export interface Rewrite {
  readonly path: string;
  /** The sent value, or `NOT_SENT`. */
  readonly sent: string;
  readonly got: string;
}

/** The ledger's knowledge about one live object. Losing it costs precision, never safety. */
export interface KnownObject {
  readonly id: string;
  readonly accountId: AccountId;
  readonly kind: Kind;
  /** The declared name. The live one may differ after a rename, or if the service rewrote it. */
  readonly name: string;
  readonly createdByHerald: boolean;
  /** False if Herald only changed it by hand for a person. That does not adopt it. */
  readonly ours: boolean;
  /** True if the files declared `protect: true` at the last apply. */
  readonly isProtected: boolean;
  /** Digest of the declared content of its create. Null if Herald did not create it. */
  readonly contentDigest: string | null;
  /** Digest of the declared fields that the service never returns (fan-list names, days), or null. */
  readonly hiddenDigest: string | null;
  /** Ids of fan lists from the answer of its create, sorted, or null. */
  readonly listIds: readonly string[] | null;
  /** Fingerprints of the files of its create, by media id, or null. */
  readonly media: Readonly<Record<string, string>> | null;
  /** The purpose of its pause or archive. */
  readonly pausedFor: PausePurpose | null;
  /**
   * Time of Herald's last pause, in epoch milliseconds of the service's clock if known. Null if it runs again, or if
   * someone else paused it.
   */
  readonly pausedAtMs: number | null;
  /** The object that replaced it. */
  readonly supersededBy: string | null;
  readonly recalled: boolean;
  /** The service refused its recall, and Herald has not changed its status since. */
  readonly recallRefused: boolean;
  readonly rewrites: readonly Rewrite[];
  /** `type:id` of the creator, from the answer of its create, or null. */
  readonly createdBy: string | null;
  /** Time of its create, in epoch milliseconds of the service's clock, or null. */
  readonly createLeftMs: number | null;
  /** The name and text of its create (`madeAs`). Null if unknown, or if it was adopted without change since. */
  readonly createdAs: number | null;
}

/** The part that is compared with a file. */
export type KnownContent = Pick<
  KnownObject,
  'contentDigest' | 'hiddenDigest' | 'listIds' | 'media' | 'rewrites'
>;

/** The content of an unconfirmed create. It identifies its object among others of the same name. */
export interface WantedContent {
  readonly content: CampaignContent | BroadcastContent;
  /** A UTC instant. Null for campaigns. */
  readonly scheduledAtUtc: string | null;
}

/** Similarity of a live object and an unconfirmed create. `reworded`: only texts differ. */
export type ContentMatch = 'equal' | 'reworded' | 'other';

/** A request without a recorded outcome: its answer was lost, or the process ended. */
export type OpenEntry = OpenCreate | OpenStatus | OpenUnsend;

interface OpenRequest {
  readonly entry: string;
  readonly address: Address;
  readonly accountId: AccountId;
  /** Epoch milliseconds on the sender's clock; on our own clock after its age was judged. */
  readonly sentAtMs: number;
  /** The recorded time, for people. */
  readonly notedAtMs: number;
  /** The service's clock minus the sender's, if it was known. */
  readonly skewMs: number | null;
}

export interface OpenCreate extends OpenRequest {
  readonly call: 'create';
  readonly liveId: null;
  /** Of the declared content. Null if the ledger does not have it. */
  readonly contentDigest: string | null;
  /** The declared content. Null if the ledger does not have it. */
  readonly wanted: WantedContent | null;
  /** Its possible object, if the text differs and it cannot be identified yet. Otherwise null. */
  readonly maybeMade: string | null;
  /** Ids of the versions that it replaces. */
  readonly supersedes: readonly string[];
  /** Ids that existed just before. All others are newer. */
  readonly baseline: readonly string[];
}

export interface OpenStatus extends OpenRequest {
  readonly call: 'status';
  /** The object to change. Null if the ledger does not have it. */
  readonly liveId: LiveId | null;
  /** The requested status. Null if this version does not know it. */
  readonly target: TargetStatus | null;
  /** The recorded time, for people. */
  readonly targetText: string | null;
  /** What it is for. Null if the ledger does not have it. */
  readonly purpose: PausePurpose | null;
}

export interface OpenUnsend extends OpenRequest {
  readonly call: 'unsend';
  /** The object to recall. Null if the ledger does not have it. */
  readonly liveId: LiveId | null;
}

/** The name of each request in messages. */
export const CALL_WORDS = {
  create: 'create',
  status: 'status change',
  unsend: 'recall',
} as const satisfies Record<OpenEntry['call'], string>;

/** Known objects by `objectKey`. */
export interface ObjectsOnRecord extends ReadonlyMap<string, KnownObject> {
  /** Missing where the answers are found by going through all objects. */
  readonly lists?: KnownLists;
}

/** Answers about many objects. A ledger with a long history gives them without going through all of them. */
export interface KnownLists {
  /** The number of objects in each list that has one, by account id and kind: `101/campaign`. */
  readonly sizes: ReadonlyMap<string, number>;
  /** False if no object is protected. */
  readonly mayHaveProtected: boolean;
  /** The objects of a list that were declared with this name, in any order. */
  readonly named: (accountId: AccountId, kind: Kind, name: string) => readonly KnownObject[];
}

export interface Knowledge {
  readonly objects: ObjectsOnRecord;
  /** `created_by` of our own creates, as `type:id`. */
  readonly creators: ReadonlySet<string>;
  readonly open: readonly OpenEntry[];
  readonly media: MediaOnRecord;
  /** Entries of stops by hand. */
  readonly handStops: ReadonlySet<string>;
}

/**
 * Knowledge with all times of open requests on one clock: as the ledger has them, this machine's, or the service's.
 * The mark is a type only, so that a plan is not made from times of another clock.
 */
export type KnowledgeOn<On extends 'record' | 'machine' | 'service'> = Knowledge & { readonly on?: On };

export const NOTHING_KNOWN: Knowledge = {
  objects: new Map(),
  creators: new Set(),
  open: [],
  media: NO_MEDIA,
  handStops: new Set(),
};

export function objectKey(accountId: AccountId, kind: Kind, id: string): string {
  return `${accountId}/${kind}/${id}`;
}

/** Herald itself stopped it, because another version replaced it or because it was a duplicate. */
export function wasReplaced({ supersededBy, pausedFor }: KnownObject): boolean {
  return supersededBy !== null || pausedFor === 'superseded' || pausedFor === 'duplicate';
}

/** Herald stopped it for a replace, and the new version is still missing. */
export function isOwedToReplace(known: KnownObject | null): boolean {
  return known?.pausedFor === 'replace' && known.supersededBy === null;
}
