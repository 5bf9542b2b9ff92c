import type { ChangeKind, StepKind } from './change.ts';
import type { Kind } from './resource.ts';
import {
  BROADCAST_PATCH_STATUSES,
  BROADCAST_STATUSES,
  BROADCAST_TARGETS,
  broadcastStatusOf,
  CAMPAIGN_PATCH_STATUSES,
  CAMPAIGN_STATUSES,
  CAMPAIGN_TARGETS,
  campaignStatusOf,
  type CampaignTarget,
  type BroadcastTarget,
  type NamedStatus,
  type Status,
  type TargetStatus,
  type WithStatus,
} from './status.ts';

/** What differs between the kinds, as far as a word or a value says it. What differs more has a function for each kind. */
interface KindRow {
  /** As commands and paths of fields say it: `herald campaigns pause`. */
  readonly plural: string;
  /** At the beginning of a sentence. */
  readonly title: string;
  /** What the service names. */
  readonly statuses: readonly NamedStatus[];
  /** What a file may declare. */
  readonly targets: readonly (CampaignTarget | BroadcastTarget)[];
  /** What a PATCH may ask for. */
  readonly patches: readonly TargetStatus[];
  readonly statusOf: (live: WithStatus) => Status;
  /** The step that switches one on that is paused. */
  readonly start: Extract<StepKind, 'activate' | 'resume'>;
  /** How one is stopped that nothing declares any more, or that there are two of. */
  readonly retire: Extract<ChangeKind & StepKind, 'archive' | 'pause'>;
}

/** One row for each kind: a kind that is added to the union does not compile until it has its own. */
export const KIND_ROWS: Readonly<Record<Kind, KindRow>> = {
  campaign: {
    plural: 'campaigns',
    title: 'Campaign',
    statuses: CAMPAIGN_STATUSES,
    targets: CAMPAIGN_TARGETS,
    patches: CAMPAIGN_PATCH_STATUSES,
    statusOf: campaignStatusOf,
    start: 'activate',
    retire: 'archive',
  },
  broadcast: {
    plural: 'broadcasts',
    title: 'Broadcast',
    statuses: BROADCAST_STATUSES,
    targets: BROADCAST_TARGETS,
    patches: BROADCAST_PATCH_STATUSES,
    statusOf: broadcastStatusOf,
    start: 'resume',
    retire: 'pause',
  },
};
