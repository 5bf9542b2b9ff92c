import type { BroadcastContent } from './broadcast.ts';
import type { CampaignContent } from './campaign.ts';
import { compareText } from './diagnostic.ts';
import type { BroadcastReply, CampaignReply } from './replies.ts';
import type { BroadcastTarget, CampaignTarget } from './status.ts';

export const KINDS = ['broadcast', 'campaign'] as const;
export type Kind = (typeof KINDS)[number];

/** Who, what and which: the identity of a resource. `account` is the alias of `herald.yaml`. */
export interface Address {
  readonly account: string;
  readonly kind: Kind;
  readonly name: string;
}

/** `alice/campaign/Welcome series`, as people and `--target` write it. */
export function formatAddress(address: Address): string {
  return `${address.account}/${address.kind}/${address.name}`;
}

/** Orders by account, kind and name. */
export function compareAddresses(left: Address, right: Address): number {
  return (
    compareText(left.account, right.account) ||
    compareText(left.kind, right.kind) ||
    compareText(left.name, right.name)
  );
}

/** Where in the user's files a resource stands; line and column count from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Where a field of the resource that stands at a place stands itself; `path` leads down from the resource. */
export type PlaceOf = (resource: SourcePlace, path: readonly (string | number)[]) => SourcePlace;

interface DeclaredBase {
  readonly address: Address;
  readonly source: SourcePlace;
  /** The name it bore before, so that a rename is not a second send. */
  readonly renamedFrom: string | null;
  /** Whatever would pause, archive, replace or recall it is held back. */
  readonly protect: boolean;
  /** Fields that are sent but not compared, such as `messages.*.price_gross`; in one spelling, sorted. */
  readonly ignore: readonly string[];
}

export interface DeclaredCampaign extends DeclaredBase {
  readonly kind: 'campaign';
  readonly target: CampaignTarget;
  readonly content: CampaignContent;
  /** `create_first` risks a double message for a moment, `pause_first` a lost trigger (CONTENT-24). */
  readonly replace: 'pause_first' | 'create_first';
  /** What becomes of sends the replaced version still has queued. */
  readonly oldQueue: 'keep' | 'clear';
}

export interface DeclaredBroadcast extends DeclaredBase {
  readonly kind: 'broadcast';
  readonly target: BroadcastTarget;
  readonly content: BroadcastContent;
  /** A UTC instant on a whole hour, `YYYY-MM-DDTHH:00:00Z`. */
  readonly scheduledAtUtc: string;
}

/** A resource as the files want it, with defaults, variables and text files filled in. */
export type Declared = DeclaredCampaign | DeclaredBroadcast;

export interface ObservedCampaign {
  readonly kind: 'campaign';
  readonly account: string;
  readonly accountId: string;
  readonly live: CampaignReply;
}

export interface ObservedBroadcast {
  readonly kind: 'broadcast';
  readonly account: string;
  readonly accountId: string;
  readonly live: BroadcastReply;
}

/** A resource as an account's list showed it. */
export type Observed = ObservedCampaign | ObservedBroadcast;

/** An account of the workspace whose id is known. */
export interface ResolvedAccount {
  readonly alias: string;
  readonly accountId: string;
}
