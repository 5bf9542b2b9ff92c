/** The documented statuses of campaigns (CAMPAIGN-6, CAMPAIGN-11). */
export const CAMPAIGN_STATUSES = [
  'active',
  'paused',
  'archived',
  'recalling',
  'recalled',
  'unsending',
  'unsent',
] as const;

/** The documented statuses of broadcasts (BROADCAST-12). */
export const BROADCAST_STATUSES = ['scheduled', 'queued', 'sending', 'paused', 'archived'] as const;

type NamedCampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
type NamedBroadcastStatus = (typeof BROADCAST_STATUSES)[number];

/** All documented statuses. */
export type NamedStatus = NamedCampaignStatus | NamedBroadcastStatus;

/** A reply without a status, or with an unknown one. The reply keeps the text. */
type Unreadable = 'none' | 'unnamed';

export type CampaignStatus = NamedCampaignStatus | Unreadable;
export type BroadcastStatus = NamedBroadcastStatus | Unreadable;
export type Status = NamedStatus | Unreadable;

/** Traits of a status for decisions. */
interface StatusTraits {
  /** It sends, or waits to send. */
  readonly runs: boolean;
  /** It is being sent. */
  readonly goingOut: boolean;
  /** It was stopped by a person, an apply or the service. */
  readonly stopped: boolean;
  /** It was recalled, or is being recalled. */
  readonly recalled: boolean;
  /** It may send, now or after a start. Such objects are shown even if they are unmanaged. */
  readonly listed: boolean;
}

const TRAITS = {
  runs: { runs: true, goingOut: false, stopped: false, recalled: false, listed: true },
  goingOut: { runs: true, goingOut: true, stopped: false, recalled: false, listed: true },
  paused: { runs: false, goingOut: false, stopped: true, recalled: false, listed: true },
  over: { runs: false, goingOut: false, stopped: true, recalled: false, listed: false },
  recalled: { runs: false, goingOut: false, stopped: true, recalled: true, listed: false },
  unreadable: { runs: false, goingOut: false, stopped: false, recalled: false, listed: false },
} as const satisfies Record<string, StatusTraits>;

/** The traits of each status. A status without a row does not compile. */
export const STATUS_TRAITS: Readonly<Record<Status, StatusTraits>> = {
  active: TRAITS.runs,
  scheduled: TRAITS.runs,
  queued: TRAITS.goingOut,
  sending: TRAITS.goingOut,
  paused: TRAITS.paused,
  archived: TRAITS.over,
  recalling: TRAITS.recalled,
  recalled: TRAITS.recalled,
  unsending: TRAITS.recalled,
  unsent: TRAITS.recalled,
  none: TRAITS.unreadable,
  unnamed: TRAITS.unreadable,
};

/** The part of a reply with its status, unchanged. */
export interface WithStatus {
  readonly status?: string | null | undefined;
}

/** Reads a status of any kind. */
export function statusOf({ status }: WithStatus): Status {
  return parse<NamedStatus>(NAMED, status);
}

/** Reads the status of a campaign. A status of broadcasts only counts as unknown. */
export function campaignStatusOf({ status }: WithStatus): CampaignStatus {
  return parse(CAMPAIGN_STATUSES, status);
}

/** Reads the status of a broadcast. A status of campaigns only counts as unknown. */
export function broadcastStatusOf({ status }: WithStatus): BroadcastStatus {
  return parse(BROADCAST_STATUSES, status);
}

const NAMED: readonly NamedStatus[] = [...CAMPAIGN_STATUSES, ...BROADCAST_STATUSES];

function parse<Named extends string>(named: readonly Named[], text: unknown): Named | Unreadable {
  if (text === null || text === undefined) return 'none';
  return named.find((one) => one === text) ?? 'unnamed';
}

/** All statuses with a trait. */
export function statusesThat(trait: keyof StatusTraits): readonly Status[] {
  const all: readonly Status[] = [...new Set(NAMED), 'none', 'unnamed'];
  return all.filter((status) => STATUS_TRAITS[status][trait]);
}

export function isPaused(object: WithStatus): boolean {
  return statusOf(object) === 'paused';
}

export function isArchived(object: WithStatus): boolean {
  return statusOf(object) === 'archived';
}

/** Recalled, or being recalled. */
export function isRecalled(object: WithStatus): boolean {
  return STATUS_TRAITS[statusOf(object)].recalled;
}

/** Stopped in any way. */
export function isStopped(object: WithStatus): boolean {
  return STATUS_TRAITS[statusOf(object)].stopped;
}

/** Statuses that a file may declare for a campaign. Default: `active`. */
export const CAMPAIGN_TARGETS = ['active', 'paused', 'archived', 'recalled'] as const;
export type CampaignTarget = (typeof CAMPAIGN_TARGETS)[number];

/** Statuses that a file may declare for a broadcast. Default: `scheduled`. */
export const BROADCAST_TARGETS = ['scheduled', 'paused', 'recalled'] as const;
export type BroadcastTarget = (typeof BROADCAST_TARGETS)[number];

const DECLARED_TO_SEND: Readonly<Record<CampaignTarget | BroadcastTarget, boolean>> = {
  active: true,
  scheduled: true,
  paused: false,
  archived: false,
  recalled: false,
};

/** True if the file declares that it sends, now or at its time. */
export function isDeclaredToSend({ target }: { readonly target: CampaignTarget | BroadcastTarget }): boolean {
  return DECLARED_TO_SEND[target];
}

/** Statuses that a PATCH of a campaign may set (CAMPAIGN-6). */
export const CAMPAIGN_PATCH_STATUSES = ['active', 'paused', 'archived'] as const;
export type CampaignPatchStatus = (typeof CAMPAIGN_PATCH_STATUSES)[number];

/** Statuses that a PATCH of a broadcast may set. `queued` resumes it (BROADCAST-19). */
export const BROADCAST_PATCH_STATUSES = ['paused', 'queued'] as const;
type BroadcastPatchStatus = (typeof BROADCAST_PATCH_STATUSES)[number];

/** The requested status of a change. */
export type TargetStatus = CampaignPatchStatus | BroadcastPatchStatus;

interface TargetTraits {
  /** It starts sending. */
  readonly starts: boolean;
  /** It stops sending. */
  readonly stops: boolean;
  /** Repeating it has no further effect. A resume of a running object is refused. */
  readonly repeatable: boolean;
}

const TARGET_TRAITS: Readonly<Record<TargetStatus, TargetTraits>> = {
  active: { starts: true, stops: false, repeatable: true },
  queued: { starts: true, stops: false, repeatable: false },
  paused: { starts: false, stops: true, repeatable: true },
  archived: { starts: false, stops: true, repeatable: true },
};

/** Reads the requested status of a recorded request. Null if this version does not know it. */
export function targetStatusOf(text: string | null): TargetStatus | null {
  return text !== null && Object.hasOwn(TARGET_TRAITS, text) ? (text as TargetStatus) : null;
}

/** True for a status change that starts sending. */
export function startsSending(target: string | null): boolean {
  const known = targetStatusOf(target);
  return known !== null && TARGET_TRAITS[known].starts;
}

/** True for a status change that stops sending. */
export function stopsSending(target: string | null): boolean {
  const known = targetStatusOf(target);
  return known !== null && TARGET_TRAITS[known].stops;
}

/**
 * True if an object shows the requested status. A resumed broadcast waits for its time, or is being sent
 * (BROADCAST-19).
 */
export function showsTarget(object: WithStatus, target: TargetStatus): boolean {
  return target === 'queued' ? STATUS_TRAITS[broadcastStatusOf(object)].runs : object.status === target;
}
