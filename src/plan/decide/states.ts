import { passedEnd } from '../../domain/passed-end.ts';
import type { ObservedBroadcast, ObservedCampaign } from '../../domain/resource.ts';
import {
  broadcastStatusOf,
  campaignStatusOf,
  type BroadcastStatus,
  type CampaignStatus,
} from '../../domain/status.ts';

import type { ObjectRow } from '../../state/shapes.ts';

export type CampaignState = 'active' | 'paused' | 'archived' | 'recalled' | 'unnamed';

const CAMPAIGN_STATES: Readonly<Record<CampaignStatus, CampaignState>> = {
  active: 'active',
  paused: 'paused',
  archived: 'archived',
  recalling: 'recalled',
  recalled: 'recalled',
  unsending: 'recalled',
  unsent: 'recalled',
  none: 'unnamed',
  unnamed: 'unnamed',
};

/** What the status of a campaign means for decisions. */
export function campaignState({ live }: Pick<ObservedCampaign, 'live'>): CampaignState {
  return CAMPAIGN_STATES[campaignStatusOf(live)];
}

/** The versions in one state. */
export function campaignsIn<Version extends { readonly observed: ObservedCampaign }>(
  { versions }: { readonly versions: readonly Version[] },
  state: CampaignState,
): readonly Version[] {
  return versions.filter(({ observed }) => campaignState(observed) === state);
}

export type BroadcastState = 'waits' | 'paused' | 'halted' | 'archived' | 'left';

/** With its hour, and without: only what has begun to go out has none (BROADCAST-11). */
const BROADCAST_STATES: Readonly<
  Record<BroadcastStatus, readonly [withHour: BroadcastState, without: BroadcastState]>
> = {
  scheduled: ['waits', 'left'],
  queued: ['left', 'left'],
  sending: ['left', 'left'],
  paused: ['paused', 'halted'],
  // It was paused for too long. With its hour it never left.
  archived: ['archived', 'left'],
  none: ['left', 'left'],
  unnamed: ['left', 'left'],
};

/**
 * | state    | the broadcast                                                     |
 * |----------|-------------------------------------------------------------------|
 * | waits    | goes out at its hour, unless it is stopped                        |
 * | paused   | was paused before its hour                                        |
 * | halted   | was paused after it had begun to go out                           |
 * | archived | never left, and can no longer go out                              |
 * | left     | goes out or went out; also each status that has no name here      |
 */
export function broadcastState({ live }: Pick<ObservedBroadcast, 'live'>): BroadcastState {
  const [withHour, without] = BROADCAST_STATES[broadcastStatusOf(live)];
  return live.scheduled_at === null || live.scheduled_at === undefined ? without : withHour;
}

interface BroadcastVersion {
  readonly known: Pick<ObjectRow, 'status_by' | 'status_set'> | null;
  readonly observed: ObservedBroadcast;
}

/** The versions in one state. */
export function broadcastsIn<Version extends BroadcastVersion>(
  { versions, facts: { time } }: BroadcastCase<Version>,
  state: BroadcastState,
): readonly Version[] {
  return versions.filter((version) => stateAt(version, time.earliestMs) === state);
}

interface BroadcastCase<Version> {
  readonly versions: readonly Version[];
  readonly facts: { readonly time: { readonly earliestMs: number } };
}

/**
 * A broadcast counts as sent when its end passes, whatever it was (BROADCAST-8). What Herald had paused, and what still has its
 * hour then, never left.
 */
function stateAt({ known, observed }: BroadcastVersion, nowMs: number): BroadcastState {
  const { scheduled_at: hour, rules } = observed.live;
  const wasPaused = known?.status_by === 'apply' && known.status_set === 'paused';
  const isOver = passedEnd(rules, nowMs) !== null && hour != null && broadcastState(observed) === 'left';
  return wasPaused && isOver ? 'archived' : broadcastState(observed);
}
