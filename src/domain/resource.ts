import { formatCommand } from './command-line.ts';
import { compareText } from './diagnostic.ts';
import { escapeGlob } from './glob.ts';
import type { DeclaredFilter, DeclaredMessage, CampaignContent, BroadcastContent } from './content.ts';
import type { AccountId } from './ids.ts';
import type { BroadcastReply, CampaignReply } from './replies.ts';
import {
  BROADCAST_STATUSES,
  CAMPAIGN_STATUSES,
  type BroadcastTarget,
  type CampaignTarget,
} from './status.ts';

export const KINDS = ['broadcast', 'campaign'] as const;
export type Kind = (typeof KINDS)[number];

/** Differences between the kinds, as far as a word, a value or a flag can express them. */
export const KIND_ROWS = {
  campaign: {
    /** The key of its list in a file, and its group of commands: `herald campaigns pause`. */
    plural: 'campaigns',
    statuses: CAMPAIGN_STATUSES,
    /** The status that a create gives it. */
    created: 'active',
    /** The step that starts a paused object. */
    start: 'activate',
    /** The step that stops an object after its declaration was removed. */
    retire: 'archive',
    /** True if its status shows a recall (CAMPAIGN-11). */
    showsRecall: true,
    /** True if a status may show while its change is half done (CAMPAIGN-7). */
    mayBeHalfDone: true,
    /** True if the list has an entry for an object that the single read answers with 502 (BROADCAST-23). */
    listShowsUnreadable: false,
    /** True if an object without a name shows its text as its name (BROADCAST-24). */
    readsAsItsText: false,
  },
  broadcast: {
    plural: 'broadcasts',
    statuses: BROADCAST_STATUSES,
    created: 'scheduled',
    start: 'resume',
    retire: 'pause',
    showsRecall: false,
    mayBeHalfDone: false,
    listShowsUnreadable: true,
    readsAsItsText: true,
  },
} as const satisfies Readonly<Record<Kind, unknown>>;

/** The kinds in the order of resource files. */
export const KINDS_IN_FILES = Object.keys(KIND_ROWS) as readonly Kind[];

/** The identity of a resource. `account` is the alias of `herald.yaml`. */
export interface Address {
  readonly account: string;
  readonly kind: Kind;
  readonly name: string;
}

/** The parts of an address, also of what is in no file, such as a chat. */
export type AddressParts = Readonly<Record<keyof Address, string>>;

/** `alice/campaign/Welcome series`, as in messages and `--target`. */
export function formatAddress(address: AddressParts): string {
  return `${address.account}/${address.kind}/${address.name}`;
}

/** The command that applies one resource, and nothing else that the files declare. */
export function formatApply(address: AddressParts): string {
  return formatCommand('apply', '--target', escapeGlob(formatAddress(address)));
}

/** Orders by account, kind and name. */
export function compareAddresses(left: Address, right: Address): number {
  return (
    compareText(left.account, right.account) ||
    compareText(left.kind, right.kind) ||
    compareText(left.name, right.name)
  );
}

/** The place of a resource in the user's files. Line and column count from 1. */
export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Looks up the place of a field. `path` starts at the resource. */
export type PlaceOf = (resource: SourcePlace, path: readonly (string | number)[]) => SourcePlace;

interface DeclaredBase {
  readonly address: Address;
  readonly source: SourcePlace;
  /** The zone in which its times are written, of its schedule if there is one. Null without a zone. */
  readonly timezone: string | null;
  /** The former name, so that a rename does not send twice. */
  readonly renamedFrom: string | null;
  /** Blocks changes that would pause, archive, replace or recall it. */
  readonly protect: boolean;
  /** Fields that are sent but not compared, such as `messages.*.price_gross`; normalised and sorted. */
  readonly ignore: readonly string[];
  /** The content before its variables were filled in, for people. Only of content that has some. */
  readonly written?: WrittenContent;
}

/** Shared by all accounts of a resource, but for the values of the variables. */
interface WrittenContent {
  readonly audience_filters: readonly DeclaredFilter[];
  readonly messages: readonly DeclaredMessage[];
  readonly variables: ReadonlyMap<string, string>;
}

export interface DeclaredCampaign extends DeclaredBase {
  readonly kind: 'campaign';
  readonly target: CampaignTarget;
  readonly content: CampaignContent;
  /** `create_first` may send twice for a moment, `pause_first` may lose a trigger (CONTENT-24). */
  readonly replace: 'pause_first' | 'create_first';
  /** What to do with the queue of the replaced version. */
  readonly oldQueue: 'keep' | 'clear';
}

export interface DeclaredBroadcast extends DeclaredBase {
  readonly kind: 'broadcast';
  readonly target: BroadcastTarget;
  readonly content: BroadcastContent;
  /** A UTC instant on a whole hour, `YYYY-MM-DDTHH:00:00Z`. */
  readonly scheduledAtUtc: string;
  /** It is sent at once, on purpose: `broadcasts send`. Its schedule is the time of the plan. */
  readonly atOnce?: true;
}

/** A declared resource, with defaults, variables and text files filled in. */
export type Declared = DeclaredCampaign | DeclaredBroadcast;

interface ObservedAs<OneKind extends Kind, Reply> {
  readonly kind: OneKind;
  readonly account: string;
  readonly accountId: AccountId;
  readonly live: Reply;
}
export type ObservedCampaign = ObservedAs<'campaign', CampaignReply>;
export type ObservedBroadcast = ObservedAs<'broadcast', BroadcastReply>;

export type Observed = ObservedCampaign | ObservedBroadcast;

export interface ResolvedAccount {
  readonly alias: string;
  readonly accountId: AccountId;
}
