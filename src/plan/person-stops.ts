import { ARCHIVED_AFTER_MS } from '../domain/campaign.ts';
import type { Observed } from '../domain/resource.ts';
import { isArchived } from '../domain/status.ts';
import type { Member } from './member.ts';

/**
 * Whether the ledger shows that an apply stopped it. A stop without a record was made by a person. So was each
 * stop of a recalled object.
 */
export function isOurStop({ known, observed }: Pick<Member, 'known' | 'observed'>, nowMs: number): boolean {
  if (known === null || known.pausedFor === null || known.pausedFor === 'by_hand' || known.recalled)
    return false;
  if (isPausedForErrors(observed)) return false;
  // A declared pause becomes archived after a week. Before that, a person archived it.
  const { pausedFor, pausedAtMs } = known;
  const isEarly = pausedAtMs !== null && nowMs - pausedAtMs < ARCHIVED_AFTER_MS;
  return !(isArchived(observed.live) && pausedFor === 'declared' && isEarly);
}

/** The service paused it after too many failed sends. So if it was paused before, a person has resumed it since. */
function isPausedForErrors({ kind, live }: Observed): boolean {
  return kind === 'broadcast' && live.pause_reason === 'send_errors';
}

/** Whether a person stopped it with Herald: their decision, whatever the files say. */
export function isStoppedByHand({ known }: Member): boolean {
  return known?.pausedFor === 'by_hand';
}

/**
 * The member that tells what became of the declared content: the newest that has it. Copies that Herald stopped tell
 * nothing. Where the newest of all cannot be compared, it may have this content.
 */
export function latestOfContent<Live extends Member>(group: readonly Live[]): Live | null {
  const newest = group.at(-1);
  if (newest?.comparison.verdict === 'unknowable') return newest;
  const equal = group.filter(({ comparison }) => comparison.verdict === 'equal');
  return equal.findLast(({ known }) => known?.pausedFor !== 'duplicate') ?? null;
}

/** `Paused outside Herald: 5003. It has the declared content.` */
export function stopWords(member: Member): string {
  const what = {
    equal: 'It has the declared content.',
    different: 'It is another version.',
    unknowable: 'It cannot be compared with the file.',
  } as const;
  return `${howStopped(member)}: ${member.id}. ${what[member.comparison.verdict]}`;
}

function howStopped(member: Member): string {
  const { known, observed } = member;
  const verb = isArchived(observed.live) ? 'Archived' : 'Paused';
  if (known?.recalled === true) return 'Recalled with Herald';
  if (isPausedForErrors(observed)) return 'Paused by the service after too many send errors';
  if (isStoppedByHand(member)) return `Stopped by hand with Herald${sinceWords(known?.pausedAtMs ?? null)}`;
  return known === null ? `${verb}, and the ledger does not record by whom` : `${verb} outside Herald`;
}

/** It may have been paused before the person stopped it. */
function sinceWords(ms: number | null): string {
  return ms === null ? '' : ` (paused since ${new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z')})`;
}
