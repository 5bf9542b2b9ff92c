import { passedEnd } from '../../domain/passed-end.ts';
import type { DeclaredCampaign, ObservedCampaign } from '../../domain/resource.ts';
import { campaignStatusOf, type CampaignStatus } from '../../domain/status.ts';
import type { Case, Decision } from '../decision.ts';
import type { Member } from '../member.ts';

export type CampaignMember = Member<ObservedCampaign>;
export type CampaignCase = Case<DeclaredCampaign, CampaignMember>;
export type CampaignCell = (the: CampaignCase) => Decision;

/** The columns of the campaigns' table, in the order in which they win over one another. */
export const CAMPAIGN_COLUMNS = [
  'active_equal',
  'foreign',
  'active_unknowable',
  'active_different',
  'recalled',
  'paused_equal',
  'paused_different',
  'paused_unknowable',
  'archived_equal',
  'none',
] as const;
export type CampaignColumn = (typeof CAMPAIGN_COLUMNS)[number];

type CampaignState = 'active' | 'paused' | 'archived' | 'recall' | 'foreign';

/** What each status means for decisions; one that this version cannot name blocks action. */
const STATES: Readonly<Record<CampaignStatus, CampaignState>> = {
  active: 'active',
  paused: 'paused',
  archived: 'archived',
  recalling: 'recall',
  recalled: 'recall',
  unsending: 'recall',
  unsent: 'recall',
  none: 'foreign',
  unnamed: 'foreign',
};

/** What the status of a campaign means for decisions. */
export function classifyCampaign({ observed }: Pick<CampaignMember, 'observed'>): CampaignState {
  return STATES[campaignStatusOf(observed.live)];
}

/**
 * The column of a group and the members that it is about.
 * A group holds every live object of one name, so the most alive member decides:
 * an active equal one first, then what blocks, then what is active, recalled, paused, archived.
 */
export function campaignColumn(group: readonly CampaignMember[]): {
  column: CampaignColumn;
  members: readonly CampaignMember[];
} {
  const current = group.filter((member) => !wasReplacedByUs(member));
  const pick = (state: CampaignState, verdict?: 'equal' | 'different' | 'unknowable') =>
    current.filter(
      (member) =>
        classifyCampaign(member) === state &&
        (verdict === undefined || member.comparison.verdict === verdict),
    );
  const newest = newestRecalled(current);
  const candidates: Record<Exclude<CampaignColumn, 'none'>, () => readonly CampaignMember[]> = {
    active_equal: () => pick('active', 'equal'),
    foreign: () => pick('foreign'),
    active_unknowable: () => pick('active', 'unknowable'),
    active_different: () => pick('active', 'different'),
    recalled: () => (newest === null ? [] : [newest]),
    paused_equal: () => pick('paused', 'equal'),
    paused_different: () => pick('paused', 'different'),
    paused_unknowable: () => pick('paused', 'unknowable'),
    archived_equal: () => pick('archived', 'equal'),
  };
  for (const column of CAMPAIGN_COLUMNS) {
    const members = column === 'none' ? [] : candidates[column]();
    if (members.length > 0) return { column, members };
  }
  return { column: 'none', members: [] };
}

/**
 * Only the newest member speaks for the group: an older recall was followed by another version. A duplicate does not
 * count as one.
 */
export function newestRecalled(group: readonly CampaignMember[]): CampaignMember | null {
  const newest = group.findLast((member) => !isStoppedDuplicate(member));
  return newest !== undefined && classifyCampaign(newest) === 'recall' ? newest : null;
}

/** The paused versions, without those that a finished replace left behind. */
export function pausedVersions(group: readonly CampaignMember[]): readonly CampaignMember[] {
  return group.filter((member) => classifyCampaign(member) === 'paused' && !wasReplacedByUs(member));
}

/** The end of a live campaign that has passed; null when it still runs (CAMPAIGN-5). */
export function passedEndOf({ observed }: Pick<CampaignMember, 'observed'>, nowMs: number): string | null {
  return passedEnd(observed.live.rules, nowMs);
}

/** The end of a campaign that a file switches on, if it has passed: it is not created any more. Null otherwise. */
export function declaredEndPassed({ target, content }: DeclaredCampaign, nowMs: number): string | null {
  const endAt = content.rules?.end_at ?? null;
  return target === 'active' && endAt !== null && Date.parse(endAt) <= nowMs ? endAt : null;
}

export function isStopped(member: CampaignMember): boolean {
  const state = classifyCampaign(member);
  return state === 'paused' || state === 'archived';
}

/** A duplicate that Herald stopped. If a person starts it later, its status shows that. */
export function isStoppedDuplicate(member: CampaignMember): boolean {
  return member.known?.pausedFor === 'duplicate' && isStopped(member);
}

/** A version that our own finished replace left behind: paused, soon archived, and no longer of interest. */
function wasReplacedByUs(member: CampaignMember): boolean {
  return (
    isStopped(member) &&
    member.known !== null &&
    member.known.supersededBy !== null &&
    member.comparison.verdict !== 'equal'
  );
}
