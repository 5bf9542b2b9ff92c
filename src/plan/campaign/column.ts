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

type Standing = 'active' | 'paused' | 'archived' | 'recall' | 'foreign';

/** What each status means for decisions; one that this version cannot name blocks action. */
const STANDINGS: Readonly<Record<CampaignStatus, Standing>> = {
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
export function standingOf({ observed }: Pick<CampaignMember, 'observed'>): Standing {
  return STANDINGS[campaignStatusOf(observed.live)];
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
  const current = group.filter((member) => !isFinishedLeftover(member));
  const pick = (standing: Standing, verdict?: 'equal' | 'different' | 'unknowable') =>
    current.filter(
      (member) =>
        standingOf(member) === standing && (verdict === undefined || member.comparison.verdict === verdict),
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

/** Only the newest member speaks for the group: an older recall was followed by another version. */
export function newestRecalled(group: readonly CampaignMember[]): CampaignMember | null {
  const newest = group.at(-1);
  return newest !== undefined && standingOf(newest) === 'recall' ? newest : null;
}

/** The paused versions, without those that a finished replace left behind. */
export function pausedVersions(group: readonly CampaignMember[]): readonly CampaignMember[] {
  return group.filter((member) => standingOf(member) === 'paused' && !isFinishedLeftover(member));
}

/** The end of a live campaign that has passed; null when it still runs (CAMPAIGN-5). */
export function passedEndOf(member: CampaignMember, nowMs: number): string | null {
  const endAt = member.observed.live.rules?.['end_at'];
  return typeof endAt === 'string' && Date.parse(endAt) <= nowMs ? endAt : null;
}

/** A version that our own finished replace left behind: paused, soon archived, and no longer of interest. */
function isFinishedLeftover(member: CampaignMember): boolean {
  const standing = standingOf(member);
  return (
    (standing === 'paused' || standing === 'archived') &&
    member.known !== null &&
    member.known.supersededBy !== null &&
    member.comparison.verdict !== 'equal'
  );
}
