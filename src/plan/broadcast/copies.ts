import { canonical } from '../../domain/digest.ts';
import type { ObservedMessage } from '../../domain/replies.ts';
import type { BroadcastMember } from './column.ts';
import { inOrder } from '../compare/messages.ts';
import { plainText } from '../../domain/plain-text.ts';

/** What is to become of several broadcasts of one name that all wait for their hour, none of them as declared. */
export interface SortedWaiting {
  /** Nothing tells these apart: each goes out unless a person stops it. */
  readonly stay: readonly BroadcastMember[];
  readonly surplus: readonly { readonly member: BroadcastMember; readonly why: string }[];
}

/**
 * | of two that wait                                   | what                             |
 * |----------------------------------------------------|----------------------------------|
 * | the other replaced it, as the ledger says           | surplus                          |
 * | Herald had paused it as a duplicate                | surplus                          |
 * | both say the same                                  | the one with the higher id is surplus |
 * | otherwise                                          | both stay: a person must decide  |
 */
export function sortWaiting(
  members: readonly BroadcastMember[],
  group: readonly BroadcastMember[],
): SortedWaiting {
  const stay: BroadcastMember[] = [];
  const surplus: { member: BroadcastMember; why: string }[] = [];
  for (const member of members) {
    const why = surplusWords(member, { members, group, stay });
    if (why === null) stay.push(member);
    else surplus.push({ member, why: `${why}: every fan would get both.` });
  }
  const paused = stay.filter(({ known }) => known?.pausedFor === 'duplicate');
  if (paused.length === stay.length) return { stay, surplus };
  const why = 'Herald had paused it as a duplicate, and someone resumed it: every fan would get both.';
  return {
    stay: stay.filter((member) => !paused.includes(member)),
    surplus: [...surplus, ...paused.map((member) => ({ member, why }))],
  };
}

interface Waiting {
  readonly members: readonly BroadcastMember[];
  readonly group: readonly BroadcastMember[];
  /** Those before it that stay. */
  readonly stay: readonly BroadcastMember[];
}

/** Why it is one too many; null where nothing tells. */
function surplusWords(member: BroadcastMember, { members, group, stay }: Waiting): string | null {
  const ofThisVersion = members.filter((other) => other === member || isCopy(other, member));
  const successor = ofThisVersion
    .map((other) => successorOf(other, members, group))
    .find((found) => found !== null && !ofThisVersion.includes(found));
  if (successor != null) return `${successor.id} has replaced it`;
  const original = stay.find((other) => ofThisVersion.includes(other));
  return original === undefined ? null : `A duplicate of ${original.id}`;
}

/** The waiting one that replaced it, maybe after others; null if there is none. */
function successorOf(
  member: BroadcastMember,
  members: readonly BroadcastMember[],
  group: readonly BroadcastMember[],
): BroadcastMember | null {
  const seen = new Set<BroadcastMember>();
  let next: BroadcastMember | undefined = member;
  while (next !== undefined && !seen.has(next)) {
    seen.add(next);
    const id: string | null = next.known?.supersededBy ?? null;
    next = group.find((other) => other.id === id);
    if (next !== undefined && members.includes(next)) return next;
  }
  return null;
}

function isCopy(left: BroadcastMember, right: BroadcastMember): boolean {
  if (instantOf(left) !== instantOf(right)) return false;
  const [made, madeToo] = [left.known?.contentDigest ?? null, right.known?.contentDigest ?? null];
  if (made !== null && madeToo !== null && made !== madeToo) return false;
  if (made !== null && made === madeToo && (isUnread(left) || isUnread(right))) return true;
  return !isUnread(left) && !isUnread(right) && shownContent(left) === shownContent(right);
}

function isUnread({ comparison }: BroadcastMember): boolean {
  return comparison.verdict === 'unknowable';
}

function instantOf({ observed }: BroadcastMember): number {
  return Date.parse(observed.live.scheduled_at ?? '');
}

/** Everything of it that the service shows, in one spelling. */
function shownContent({ observed: { live } }: BroadcastMember): string {
  const filters = live.audience_filters?.map((filter) => canonical(filter)).toSorted() ?? null;
  return canonical({
    rules: live.rules ?? null,
    filters,
    messages: inOrder(live.messages ?? []).map(shownMessage),
  });
}

function shownMessage({ step: _step, text, price_gross: price, ...rest }: ObservedMessage): unknown {
  return { ...rest, text: plainText(text), price: Math.round((price ?? 0) * 100) };
}
