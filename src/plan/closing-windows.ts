import { RESUME_WINDOW_MS } from '../domain/broadcast.ts';
import { ARCHIVED_AFTER_MS } from '../domain/campaign.ts';
import type { Change, StepKind } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { Declared } from '../domain/resource.ts';
import { isPaused } from '../domain/status.ts';
import { warning } from './decision.ts';
import type { Member } from './member.ts';
import { instant } from './instant.ts';
import { queuedOf, queuedWords } from './queue.ts';

/** When a warning is given. */
export interface WindowTerms {
  /** The service's time, epoch milliseconds. */
  readonly nowMs: number;
  /** How long before a window closes. */
  readonly warnBeforeMs: number;
}

/**
 * Warns of paused objects that the run leaves paused, if their window closes soon. Only the ledger knows how long an
 * object has been paused, so it gets no warning about another person's pause.
 *
 * | the object                                        | its window                                           |
 * |---------------------------------------------------|------------------------------------------------------|
 * | a campaign                                        | archived 7 days after its pause (CAMPAIGN-9)         |
 * | the same, replaced by another version             | the same, if sends are still queued                  |
 * | a broadcast, stopped half-way or before its hour  | resumed up to 5 days after its pause (BROADCAST-17)  |
 */
export function closingWindows(
  declared: Declared,
  group: readonly Member[],
  changes: readonly Change[],
  { nowMs, warnBeforeMs }: WindowTerms,
): readonly Diagnostic[] {
  return group.flatMap((member) => {
    const window = windowOf(member, nowMs);
    if (window === null || isEnded(member, changes)) return [];
    const leftMs = window.closesMs - nowMs;
    if (leftMs <= 0 || leftMs > warnBeforeMs) return [];
    return [{ ...warning(declared, 'window-closes', window.message()), at: instant(window.closesMs) }];
  });
}

interface Window {
  readonly closesMs: number;
  /** Only for a window that closes soon: a ledger may have times that no date can express. */
  readonly message: () => string;
}

function windowOf({ observed, known, id }: Member, nowMs: number): Window | null {
  const pausedAtMs = known?.pausedAtMs ?? null;
  if (pausedAtMs === null || !isPaused(observed.live)) return null;
  const since = () => `${id} is paused since ${instant(pausedAtMs)}`;
  const account = observed.account;
  if (observed.kind === 'campaign') {
    const closesMs = pausedAtMs + ARCHIVED_AFTER_MS;
    const queued = queuedOf(observed.live);
    const isReplaced = known?.supersededBy !== null;
    if (isReplaced && queued === null) return null;
    const lost = queued === null ? '' : ` Then its queue is cleared: ${queuedWords(queued)}.`;
    const ways = isReplaced
      ? `Another version replaced it, and only this one can send the queue, with its own text, while the new version is paused: ${formatCommand('campaigns', 'activate', id, '--account', account)}`
      : `To keep it: ${formatCommand('campaigns', 'activate', id, '--account', account)}. Otherwise declare status: archived.`;
    return {
      closesMs,
      message: () => `${since()}. The service archives it about ${instant(closesMs)}.${lost} ${ways}`,
    };
  }
  const hour = observed.live.scheduled_at ?? null;
  if (hour !== null && Date.parse(hour) <= nowMs) return null;
  const closesMs = pausedAtMs + RESUME_WINDOW_MS;
  const way = `To send it: ${formatCommand('broadcasts', 'resume', id, '--account', account)}`;
  return {
    closesMs,
    message: () =>
      `${since()}. It can be resumed until about ${instant(closesMs)}, and never after that. ${way}`,
  };
}

/** Steps after which it is not paused any more. */
const ENDS: readonly StepKind[] = ['activate', 'reactivate', 'resume', 'archive', 'recall'];

function isEnded({ id }: Member, changes: readonly Change[]): boolean {
  return changes.some(({ steps }) => steps.some((step) => step.live_id === id && ENDS.includes(step.kind)));
}
