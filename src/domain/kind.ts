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
  type BroadcastTarget,
  type CampaignTarget,
  type NamedStatus,
  type Status,
  type TargetStatus,
  type WithStatus,
} from './status.ts';

/** What differs between the kinds, as far as a word, a value or a yes says it. */
interface KindRow {
  /** The key of its list in a file, and its group of commands: `herald campaigns pause`. */
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
  /** How one is stopped that nothing declares any more. */
  readonly retire: Extract<ChangeKind & StepKind, 'archive' | 'pause'>;
  /** It sends once, at an hour that its reply shows until it has left (BROADCAST-11). */
  readonly hasSchedule: boolean;
  /** Its status says that it was recalled (CAMPAIGN-11). */
  readonly showsRecall: boolean;
  /** A status may show although the change is half done (CAMPAIGN-7). */
  readonly mayBeHalfDone: boolean;
  /** The answer to a status change has the status that now holds (BROADCAST-18). */
  readonly answersStatus: boolean;
  /** The list has an entry although the single read answers 502 (BROADCAST-23). */
  readonly listShowsUnreadable: boolean;
  /** One without a name shows its text as its name (BROADCAST-24). */
  readonly readsAsItsText: boolean;
}

/** One row for each kind, in the order in which files list them. A kind without a row does not compile. */
export const KIND_ROWS = {
  campaign: {
    plural: 'campaigns',
    title: 'Campaign',
    statuses: CAMPAIGN_STATUSES,
    targets: CAMPAIGN_TARGETS,
    patches: CAMPAIGN_PATCH_STATUSES,
    statusOf: campaignStatusOf,
    start: 'activate',
    retire: 'archive',
    hasSchedule: false,
    showsRecall: true,
    mayBeHalfDone: true,
    answersStatus: false,
    listShowsUnreadable: false,
    readsAsItsText: false,
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
    hasSchedule: true,
    showsRecall: false,
    mayBeHalfDone: false,
    answersStatus: true,
    listShowsUnreadable: true,
    readsAsItsText: true,
  },
} as const satisfies Record<Kind, KindRow>;

/** The kinds in the order in which files list them. */
export const KINDS_IN_FILES = Object.keys(KIND_ROWS) as readonly Kind[];
