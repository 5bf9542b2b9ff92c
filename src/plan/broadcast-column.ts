import type { DeclaredBroadcast, ObservedBroadcast } from '../domain/resource.ts';
import type { Case, Decision } from './decision.ts';
import type { Member } from './member.ts';

export type BroadcastMember = Member<ObservedBroadcast>;
export type BroadcastCase = Case<DeclaredBroadcast, BroadcastMember>;
export type BroadcastCell = (the: BroadcastCase) => Decision;

/** The columns of the broadcasts' table. */
export const BROADCAST_COLUMNS = [
  'none',
  'scheduled_equal',
  'scheduled_different',
  'scheduled_unknowable',
  'paused_pending',
  'paused_left',
  'left',
] as const;
export type BroadcastColumn = (typeof BROADCAST_COLUMNS)[number];

type Standing = 'scheduled' | 'paused_pending' | 'paused_left' | 'out' | 'archived';

/**
 * Whether a broadcast may still go out, is stopped, or has left (rulebook 0.9). A missing schedule proves
 * that it left (service-api.md, Broadcast: `scheduled_at`), and a status that is null or unnamed is taken
 * to mean that, too. One that is archived with its schedule never left; it can no longer go out either.
 */
export function broadcastStanding(member: Pick<BroadcastMember, 'observed'>): Standing {
  const { status } = member.observed.live;
  if (!keepsSchedule(member)) return status === 'paused' ? 'paused_left' : 'out';
  if (status === 'scheduled' || status === 'archived') return status;
  return status === 'paused' ? 'paused_pending' : 'out';
}

/**
 * The column of a group and the members that it is about. What has gone out, in whole or in part, speaks
 * first: whatever still waits under that name would go out a second time. An archived one that never left
 * only stands in the way of a new create.
 */
export function broadcastColumn(group: readonly BroadcastMember[]): {
  column: BroadcastColumn;
  members: readonly BroadcastMember[];
} {
  const current = group.filter((member) => !isNeutralised(member));
  const pick = (standing: Standing) => current.filter((member) => broadcastStanding(member) === standing);
  const scheduled = (verdict: 'equal' | 'different' | 'unknowable') =>
    pick('scheduled').filter((member) => member.comparison.verdict === verdict);
  const candidates: readonly (readonly [BroadcastColumn, readonly BroadcastMember[]])[] = [
    ['left', pick('out')],
    ['paused_left', pick('paused_left')],
    ['scheduled_equal', scheduled('equal')],
    ['left', pick('archived')],
    ['scheduled_unknowable', scheduled('unknowable')],
    ['scheduled_different', scheduled('different')],
    ['paused_pending', pick('paused_pending')],
  ];
  const [column, members] = candidates.find(([, found]) => found.length > 0) ?? ['none', []];
  return { column, members };
}

/** The members that will go out unless somebody stops them. */
export function waiting(group: readonly BroadcastMember[]): readonly BroadcastMember[] {
  return group.filter((member) => broadcastStanding(member) === 'scheduled');
}

function keepsSchedule({ observed }: Pick<BroadcastMember, 'observed'>): boolean {
  return observed.live.scheduled_at !== null && observed.live.scheduled_at !== undefined;
}

/**
 * A version that Herald took out of the way itself and that never left: it kept its schedule when it was
 * paused, and keeps it when the service archives it later. It speaks for nothing any more.
 */
function isNeutralised(member: BroadcastMember): boolean {
  const standing = broadcastStanding(member);
  const { known } = member;
  return (
    (standing === 'paused_pending' || standing === 'archived') &&
    known !== null &&
    (known.supersededBy !== null || known.pausedFor === 'duplicate' || known.pausedFor === 'superseded')
  );
}
