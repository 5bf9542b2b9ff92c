/** The statuses that the service names for campaigns (CAMPAIGN-6, CAMPAIGN-11). */
export const CAMPAIGN_STATUSES = [
  'active',
  'paused',
  'archived',
  'recalling',
  'recalled',
  'unsending',
  'unsent',
] as const;

/** The statuses that the service names for broadcasts (BROADCAST-12). */
export const BROADCAST_STATUSES = ['scheduled', 'queued', 'sending', 'paused', 'archived'] as const;

type NamedCampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
type NamedBroadcastStatus = (typeof BROADCAST_STATUSES)[number];

/** Every status that the service names. */
export type NamedStatus = NamedCampaignStatus | NamedBroadcastStatus;

/** A reply without a status, or with one that this version cannot name. The reply keeps the text itself. */
type Unreadable = 'none' | 'unnamed';

export type CampaignStatus = NamedCampaignStatus | Unreadable;
export type BroadcastStatus = NamedBroadcastStatus | Unreadable;
export type Status = NamedStatus | Unreadable;

/** What decisions ask of a status. */
interface StatusTraits {
  /** It sends, or waits to send: nothing has stopped it. */
  readonly runs: boolean;
  /** It goes out at this moment. */
  readonly goingOut: boolean;
  /** A person, an apply or the service stopped it. */
  readonly stopped: boolean;
  /** It was recalled, or is being recalled. */
  readonly recalled: boolean;
  /** It may send, now or once it is switched on: shown even where no file declares it. */
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

/** What each status means. A status that is added without a row here does not compile. */
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

/** The part of a reply that holds its status, as the service wrote it. */
export interface WithStatus {
  readonly status?: string | null | undefined;
}

/** Reads a status, of whatever kind the object is. */
export function statusOf({ status }: WithStatus): Status {
  return parse<NamedStatus>(NAMED, status);
}

/** Reads the status of a campaign; a status that only broadcasts have is unnamed. */
export function campaignStatusOf({ status }: WithStatus): CampaignStatus {
  return parse(CAMPAIGN_STATUSES, status);
}

/** Reads the status of a broadcast; a status that only campaigns have is unnamed. */
export function broadcastStatusOf({ status }: WithStatus): BroadcastStatus {
  return parse(BROADCAST_STATUSES, status);
}

const NAMED: readonly NamedStatus[] = [...CAMPAIGN_STATUSES, ...BROADCAST_STATUSES];

function parse<Named extends string>(named: readonly Named[], text: unknown): Named | Unreadable {
  if (text === null || text === undefined) return 'none';
  return named.find((one) => one === text) ?? 'unnamed';
}

/** Every status that has a trait. */
export function statusesThat(trait: keyof StatusTraits): readonly Status[] {
  const all: readonly Status[] = [...new Set(NAMED), 'none', 'unnamed'];
  return all.filter((status) => STATUS_TRAITS[status][trait]);
}

/** Whether the service names the status, so that its meaning is known. */
export function isNamed<Any extends Status>(status: Any): status is Exclude<Any, Unreadable> {
  return status !== 'none' && status !== 'unnamed';
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

/** Stopped in whatever way. */
export function isStopped(object: WithStatus): boolean {
  return STATUS_TRAITS[statusOf(object)].stopped;
}

/** The statuses a file may declare for a campaign; `active` is the default. */
export const CAMPAIGN_TARGETS = ['active', 'paused', 'archived', 'recalled'] as const;
export type CampaignTarget = (typeof CAMPAIGN_TARGETS)[number];

/** The statuses a file may declare for a broadcast; `scheduled` is the default. */
export const BROADCAST_TARGETS = ['scheduled', 'paused', 'recalled'] as const;
export type BroadcastTarget = (typeof BROADCAST_TARGETS)[number];

const DECLARED_TO_SEND: Readonly<Record<CampaignTarget | BroadcastTarget, boolean>> = {
  active: true,
  scheduled: true,
  paused: false,
  archived: false,
  recalled: false,
};

/** Whether a file declares that it sends, now or at its hour. */
export function isDeclaredToSend({ target }: { readonly target: CampaignTarget | BroadcastTarget }): boolean {
  return DECLARED_TO_SEND[target];
}

/** The statuses a PATCH of a campaign may ask for (CAMPAIGN-6). */
export const CAMPAIGN_PATCH_STATUSES = ['active', 'paused', 'archived'] as const;
export type CampaignPatchStatus = (typeof CAMPAIGN_PATCH_STATUSES)[number];

/** The statuses a PATCH of a broadcast may ask for; `queued` resumes it (BROADCAST-19). */
export const BROADCAST_PATCH_STATUSES = ['paused', 'queued'] as const;
type BroadcastPatchStatus = (typeof BROADCAST_PATCH_STATUSES)[number];

/** What a status change asks for. */
export type TargetStatus = CampaignPatchStatus | BroadcastPatchStatus;

interface TargetTraits {
  /** It makes something send. */
  readonly starts: boolean;
  /** It stops something. */
  readonly stops: boolean;
  /** Asked for again, it does nothing else. A resume of what runs is refused. */
  readonly repeatable: boolean;
}

const TARGET_TRAITS: Readonly<Record<TargetStatus, TargetTraits>> = {
  active: { starts: true, stops: false, repeatable: true },
  queued: { starts: true, stops: false, repeatable: false },
  paused: { starts: false, stops: true, repeatable: true },
  archived: { starts: false, stops: true, repeatable: true },
};

/** Reads the status that a request on record asked for; null where this version knows no such request. */
export function targetStatusOf(text: string | null): TargetStatus | null {
  return text !== null && Object.hasOwn(TARGET_TRAITS, text) ? (text as TargetStatus) : null;
}

/** Whether a status change makes something send; false of what is no status change. */
export function startsSending(target: string | null): boolean {
  const known = targetStatusOf(target);
  return known !== null && TARGET_TRAITS[known].starts;
}

/** Whether a status change stops something; false of what is no status change. */
export function stopsSending(target: string | null): boolean {
  const known = targetStatusOf(target);
  return known !== null && TARGET_TRAITS[known].stops;
}

/** Whether a status change may be asked for again without another effect. */
export function isRepeatable(target: TargetStatus): boolean {
  return TARGET_TRAITS[target].repeatable;
}

/** Whether an object shows the status that was asked for. A resumed broadcast waits for its hour or goes out (BROADCAST-19). */
export function showsTarget(object: WithStatus, target: TargetStatus): boolean {
  return target === 'queued' ? STATUS_TRAITS[broadcastStatusOf(object)].runs : object.status === target;
}
