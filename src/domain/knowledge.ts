import type { BroadcastContent } from './broadcast.ts';
import type { CampaignContent } from './campaign.ts';
import { NO_MEDIA, type MediaOnRecord } from './media.ts';
import type { Address, Kind } from './resource.ts';
import type { TargetStatus } from './status.ts';

/**
 * Why Herald paused or archived an object; a stop that is on no record was somebody else's. `by_hand` is a person's
 * decision that Herald carried out: no plan takes it back by itself.
 */
export const PAUSE_PURPOSES = ['declared', 'replace', 'superseded', 'duplicate', 'by_hand'] as const;
export type PausePurpose = (typeof PAUSE_PURPOSES)[number];

/** Sent with nothing: what the service shows there it has filled in by itself. */
export const NOT_SENT = '';

/** A value that the service answered instead of the one sent; it is no drift as long as both stay. */
export interface Rewrite {
  readonly path: string;
  /** `NOT_SENT`, or what was sent. */
  readonly sent: string;
  readonly got: string;
}

/** What the ledger knows of one live object. Losing it costs precision, never safety. */
export interface KnownObject {
  readonly id: string;
  readonly accountId: string;
  readonly kind: Kind;
  /** The declared name; the live one may differ after a rename or when the service rewrote it. */
  readonly name: string;
  readonly createdByHerald: boolean;
  /** False where Herald only did by hand what a person asked for: that adopts nothing. */
  readonly ours: boolean;
  /** The files declared it with `protect: true` when they were last applied, and not without it since. */
  readonly isProtected: boolean;
  /** Digest of the declared content that it was created from; null when it was not created by Herald. */
  readonly contentDigest: string | null;
  /** Digest of the declared fields that the service never returns (fan-list names, days); null when unknown. */
  readonly hiddenDigest: string | null;
  /** Ids of fan lists learned from the create's answer, sorted; null when unknown. */
  readonly listIds: readonly string[] | null;
  /** Fingerprints of the files that its create showed, by the media ids that were sent; null when unknown. */
  readonly media: Readonly<Record<string, string>> | null;
  /** Also what it was archived for. */
  readonly pausedFor: PausePurpose | null;
  /** When Herald last paused it, epoch milliseconds of the service's clock as far as it was known; null when it runs again or somebody else did. */
  readonly pausedAtMs: number | null;
  /** The object that took its place in a finished replace. */
  readonly supersededBy: string | null;
  readonly recalled: boolean;
  /** The service refused to take it back, and Herald has not changed its status since. */
  readonly recallRefused: boolean;
  readonly rewrites: readonly Rewrite[];
  /** `type:id` of the maker, as the answer to its create said; null when unknown. */
  readonly createdBy: string | null;
  /** When its create left, epoch milliseconds of the service's clock; null when unknown. */
  readonly createLeftMs: number | null;
  /** The name and the text that its create sent (`madeAs`); null when unknown, or when it was adopted as it is since. */
  readonly createdAs: number | null;
}

/** The part of that by which a live object's content is compared with a file. */
export type KnownContent = Pick<
  KnownObject,
  'contentDigest' | 'hiddenDigest' | 'listIds' | 'media' | 'rewrites'
>;

/** The content of a lost create, by which its object is told from a stranger's of the same name. */
export interface WantedContent {
  readonly content: CampaignContent | BroadcastContent;
  /** A UTC instant; null for campaigns. */
  readonly scheduledAtUtc: string | null;
}

/** How a live object compares with what a lost create asked for; `reworded` where only texts differ. */
export type Likeness = 'equal' | 'reworded' | 'other';

/** A request whose outcome is not on record: its answer was lost, or the process died. */
export type OpenEntry = OpenCreate | OpenStatus | OpenUnsend;

interface OpenRequest {
  readonly entry: string;
  readonly address: Address;
  readonly accountId: string;
  /** Epoch milliseconds, by the clock of the machine that sent it; on our own once its age was judged. */
  readonly sentAtMs: number;
  /** The same as the ledger has it, for people. */
  readonly notedAtMs: number;
  /** The service's clock minus that one, as it was known then; null where it was not. */
  readonly skewMs: number | null;
}

export interface OpenCreate extends OpenRequest {
  readonly call: 'create';
  readonly liveId: null;
  /** Of what was declared; null where the ledger does not say. */
  readonly contentDigest: string | null;
  /** What it asked for, as declared then; null where the ledger does not say. */
  readonly wanted: WantedContent | null;
  /** What it may have made, if that shows another text than was sent and Herald cannot tell yet; null otherwise. */
  readonly maybeMade: string | null;
  /** Ids that existed just before: everything else that turns up is new. */
  readonly baseline: readonly string[];
}

export interface OpenStatus extends OpenRequest {
  readonly call: 'status';
  /** The object asked to change; null where the line in the ledger does not say. */
  readonly liveId: string | null;
  /** The status asked for; null for one that this version cannot name. */
  readonly target: TargetStatus | null;
  /** The same as the ledger has it, for people. */
  readonly targetText: string | null;
}

export interface OpenUnsend extends OpenRequest {
  readonly call: 'unsend';
  /** The object to recall; null where the line in the ledger does not say. */
  readonly liveId: string | null;
}

export interface Knowledge {
  /** By `objectKey`. */
  readonly objects: ReadonlyMap<string, KnownObject>;
  /** `created_by` of our own creates, as `type:id`. */
  readonly creators: ReadonlySet<string>;
  readonly open: readonly OpenEntry[];
  readonly media: MediaOnRecord;
  /** Entries of the stops that people asked for by hand. */
  readonly handStops: ReadonlySet<string>;
}

/**
 * Knowledge whose open requests have their times on one clock: as the ledger has them, this machine's, or the service's.
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

export function objectKey(accountId: string, kind: Kind, id: string): string {
  return `${accountId}/${kind}/${id}`;
}
