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

/** A reply without a status, or with an unknown one. The reply keeps the text. */
type Unreadable = 'none' | 'unnamed';

export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number] | Unreadable;
export type BroadcastStatus = (typeof BROADCAST_STATUSES)[number] | Unreadable;
type Status = CampaignStatus | BroadcastStatus;

interface StatusTraits {
  /** It sends, or waits to send. */
  readonly runs: boolean;
  readonly goingOut: boolean;
  /** It was stopped by a person, an apply or the service. */
  readonly stopped: boolean;
  /** It was recalled, or is being recalled. */
  readonly recalled: boolean;
}

const TRAITS = {
  runs: { runs: true, goingOut: false, stopped: false, recalled: false },
  goingOut: { runs: true, goingOut: true, stopped: false, recalled: false },
  stopped: { runs: false, goingOut: false, stopped: true, recalled: false },
  recalled: { runs: false, goingOut: false, stopped: true, recalled: true },
  unreadable: { runs: false, goingOut: false, stopped: false, recalled: false },
} as const satisfies Record<string, StatusTraits>;

/** The traits of each status. A status without a row does not compile. */
export const STATUS_TRAITS: Readonly<Record<Status, StatusTraits>> = {
  active: TRAITS.runs,
  scheduled: TRAITS.runs,
  queued: TRAITS.goingOut,
  sending: TRAITS.goingOut,
  paused: TRAITS.stopped,
  archived: TRAITS.stopped,
  recalling: TRAITS.recalled,
  recalled: TRAITS.recalled,
  unsending: TRAITS.recalled,
  unsent: TRAITS.recalled,
  none: TRAITS.unreadable,
  unnamed: TRAITS.unreadable,
};

export interface WithStatus {
  readonly status?: string | null | undefined;
}

const NAMED = [...CAMPAIGN_STATUSES, ...BROADCAST_STATUSES];

/** Reads a status of any kind. */
export function readStatus(object: WithStatus): Status {
  return readKindStatus(object, NAMED);
}

/** Reads a status of one kind, which has only those `named`. A status of the other kind only counts as unknown. */
export function readKindStatus<Named extends string>(
  { status }: WithStatus,
  named: readonly Named[],
): Named | Unreadable {
  if (status === null || status === undefined) return 'none';
  return named.find((one) => one === status) ?? 'unnamed';
}

export function isPaused(object: WithStatus): boolean {
  return readStatus(object) === 'paused';
}

export function isArchived(object: WithStatus): boolean {
  return readStatus(object) === 'archived';
}

/** Recalled, or being recalled. */
export function isRecalled(object: WithStatus): boolean {
  return STATUS_TRAITS[readStatus(object)].recalled;
}

/** Whether it reaches fans, or waits to. */
export function isRunning(object: WithStatus): boolean {
  return STATUS_TRAITS[readStatus(object)].runs;
}

/** Stopped in any way. */
export function isStopped(object: WithStatus): boolean {
  return STATUS_TRAITS[readStatus(object)].stopped;
}

/** Statuses that a file may declare for a campaign. Default: `active`. */
export const CAMPAIGN_TARGETS = ['active', 'paused', 'archived', 'recalled'] as const;
export type CampaignTarget = (typeof CAMPAIGN_TARGETS)[number];

/** Statuses that a file may declare for a broadcast. Default: `scheduled`. */
export const BROADCAST_TARGETS = ['scheduled', 'paused', 'recalled'] as const;
export type BroadcastTarget = (typeof BROADCAST_TARGETS)[number];

/** True if the file declares that it sends, now or at its time. */
export function isDeclaredToSend({ target }: { readonly target: CampaignTarget | BroadcastTarget }): boolean {
  return STATUS_TRAITS[target].runs;
}

/** Statuses that a PATCH of a campaign may set (CAMPAIGN-6). */
export const CAMPAIGN_PATCH_STATUSES = ['active', 'paused', 'archived'] as const;

/** Statuses that a PATCH of a broadcast may set. `queued` resumes it (BROADCAST-19). */
export const BROADCAST_PATCH_STATUSES = ['paused', 'queued'] as const;

export type TargetStatus = (typeof CAMPAIGN_PATCH_STATUSES | typeof BROADCAST_PATCH_STATUSES)[number];

/** Reads the requested status of a recorded request. Null if this version does not know it. */
export function readTargetStatus(text: string | null): TargetStatus | null {
  return [...CAMPAIGN_PATCH_STATUSES, ...BROADCAST_PATCH_STATUSES].find((known) => known === text) ?? null;
}

/** Whether an object shows this status. A resumed broadcast shows any but `paused`: it may have left by now (BROADCAST-19). */
export function showsTarget(object: WithStatus, target: TargetStatus): boolean {
  return target === 'queued' ? !isPaused(object) : object.status === target;
}
