import { passedEnd } from '../../domain/passed-end.ts';
import type { DeclaredBroadcast, ObservedBroadcast } from '../../domain/resource.ts';
import { broadcastStatusOf, isNamed, type BroadcastStatus } from '../../domain/status.ts';
import type { Case, Decision } from '../decision.ts';
import type { Member } from '../member.ts';

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

type BroadcastState = 'scheduled' | 'paused_pending' | 'paused_left' | 'out' | 'archived';

/** What each status means, with the schedule and without it. */
const STATES: Readonly<
  Record<BroadcastStatus, { readonly waits: BroadcastState; readonly left: BroadcastState }>
> = {
  scheduled: { waits: 'scheduled', left: 'out' },
  queued: { waits: 'out', left: 'out' },
  sending: { waits: 'out', left: 'out' },
  paused: { waits: 'paused_pending', left: 'paused_left' },
  archived: { waits: 'archived', left: 'out' },
  none: { waits: 'out', left: 'out' },
  unnamed: { waits: 'out', left: 'out' },
};

/**
 * Whether a broadcast may still go out, is stopped, or has left (BROADCAST-12). A missing schedule proves
 * that it left (BROADCAST-11), and a status that is null or unnamed is taken
 * to mean that, too. One that is archived with its schedule never left; it can no longer go out either.
 */
export function classifyBroadcast(member: Pick<BroadcastMember, 'observed'>): BroadcastState {
  const { waits, left } = STATES[broadcastStatusOf(member.observed.live)];
  return keepsSchedule(member) ? waits : left;
}

/**
 * The same at a time: a broadcast completes when its end passes, whatever state it was in, and one that was recalled
 * has no status that the service names. Either of them with its schedule never left, and can no longer go out: as good
 * as archived.
 */
export function classifyBroadcastAt(
  member: Pick<BroadcastMember, 'observed' | 'known'>,
  nowMs: number,
): BroadcastState {
  const isOver = passedEnd(member.observed.live.rules, nowMs) !== null;
  const isDone = isOver || member.known?.recalled === true;
  return isDone && isUnnamedWithSchedule(member) ? 'archived' : classifyBroadcast(member);
}

/**
 * The column of a group and the members that it is about. What has gone out, in whole or in part, speaks
 * first: whatever still waits under that name would go out a second time. An archived one that never left
 * only stands in the way of a new create.
 */
export function broadcastColumn(
  group: readonly BroadcastMember[],
  nowMs: number,
): {
  column: BroadcastColumn;
  members: readonly BroadcastMember[];
} {
  const current = group.filter((member) => !wasReplacedByUs(member, nowMs));
  const pick = (state: BroadcastState) =>
    current.filter((member) => classifyBroadcastAt(member, nowMs) === state);
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

/** The members that will go out unless someone stops them. */
export function waiting(group: readonly BroadcastMember[]): readonly BroadcastMember[] {
  return group.filter((member) => classifyBroadcast(member) === 'scheduled');
}

function keepsSchedule({ observed }: Pick<BroadcastMember, 'observed'>): boolean {
  return observed.live.scheduled_at !== null && observed.live.scheduled_at !== undefined;
}

function isUnnamedWithSchedule(member: Pick<BroadcastMember, 'observed'>): boolean {
  return keepsSchedule(member) && !isNamed(broadcastStatusOf(member.observed.live));
}

/**
 * A version that Herald took out of the way itself and that never left: it kept its schedule when it was
 * paused, and keeps it when the service archives or ends it later, or Herald takes it back by hand. It speaks for
 * nothing any more.
 */
function wasReplacedByUs(member: BroadcastMember, nowMs: number): boolean {
  const state = classifyBroadcastAt(member, nowMs);
  const { known } = member;
  if (known === null) return false;
  return (
    (state === 'paused_pending' || state === 'archived') &&
    (known.supersededBy !== null || known.pausedFor === 'duplicate' || known.pausedFor === 'superseded')
  );
}
