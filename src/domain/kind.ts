import type { ChangeKind, StepKind } from './change.ts';
import type { Kind } from './resource.ts';
import {
  BROADCAST_STATUSES,
  BROADCAST_TARGETS,
  broadcastStatusOf,
  CAMPAIGN_STATUSES,
  CAMPAIGN_TARGETS,
  campaignStatusOf,
  type BroadcastTarget,
  type CampaignTarget,
  type NamedStatus,
  type Status,
  type WithStatus,
} from './status.ts';

/** Differences between the kinds, as far as a word, a value or a flag can express them. */
interface KindRow {
  /** The key of its list in a file, and its group of commands: `herald campaigns pause`. */
  readonly plural: string;
  /** For the beginning of a sentence. */
  readonly title: string;
  /** The documented statuses. */
  readonly statuses: readonly NamedStatus[];
  /** Statuses that a file may declare. */
  readonly targets: readonly (CampaignTarget | BroadcastTarget)[];
  readonly statusOf: (live: WithStatus) => Status;
  /** The step that starts a paused object. */
  readonly start: Extract<StepKind, 'activate' | 'resume'>;
  /** The step that stops an object that is no longer declared. */
  readonly retire: Extract<ChangeKind & StepKind, 'archive' | 'pause'>;
  /** True if it sends once, at a scheduled time that replies show until it was sent (BROADCAST-11). */
  readonly hasSchedule: boolean;
  /** The key of the time in a file after which it is not created any more (BROADCAST-6, CAMPAIGN-5). */
  readonly timeKey: 'scheduled_at' | 'rules.end_at';
  /** True if its status shows a recall (CAMPAIGN-11). */
  readonly showsRecall: boolean;
  /** True if a status may show while its change is half done (CAMPAIGN-7). */
  readonly mayBeHalfDone: boolean;
  /** True if the answer to a status change has the new status (BROADCAST-18). */
  readonly answersStatus: boolean;
  /** True if the list has an entry for an object that the single read answers with 502 (BROADCAST-23). */
  readonly listShowsUnreadable: boolean;
  /** True if an object without a name shows its text as its name (BROADCAST-24). */
  readonly readsAsItsText: boolean;
}

/** One row per kind, in the order of resource files. A kind without a row does not compile. */
export const KIND_ROWS = {
  campaign: {
    plural: 'campaigns',
    title: 'Campaign',
    statuses: CAMPAIGN_STATUSES,
    targets: CAMPAIGN_TARGETS,
    statusOf: campaignStatusOf,
    start: 'activate',
    retire: 'archive',
    hasSchedule: false,
    timeKey: 'rules.end_at',
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
    statusOf: broadcastStatusOf,
    start: 'resume',
    retire: 'pause',
    hasSchedule: true,
    timeKey: 'scheduled_at',
    showsRecall: false,
    mayBeHalfDone: false,
    answersStatus: true,
    listShowsUnreadable: true,
    readsAsItsText: true,
  },
} as const satisfies Record<Kind, KindRow>;

/** The kinds in the order of resource files. */
export const KINDS_IN_FILES = Object.keys(KIND_ROWS) as readonly Kind[];
