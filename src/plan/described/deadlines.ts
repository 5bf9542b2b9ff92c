import { RECALL_WINDOW_MS, RESUME_WINDOW_MS } from '../../domain/broadcast.ts';
import { ARCHIVED_AFTER_MS } from '../../domain/campaign.ts';
import { writes, type Change, type ChangeKind } from '../../domain/change.ts';
import { compareText } from '../../domain/diagnostic.ts';
import type { Deadline, DeadlineKind } from '../../domain/plan-facts.ts';
import type { Declared, Observed } from '../../domain/resource.ts';
import { isPaused } from '../../domain/status.ts';
import { instant, isInstant } from '../instant.ts';

interface Facts {
  readonly declared: Declared | undefined;
  readonly observed: Observed | undefined;
  /** The time of Herald's own pause, epoch milliseconds. */
  readonly pausedAtMs: number | null;
}

interface Due {
  readonly what: DeadlineKind;
  readonly atMs: number;
}

/** After these, a pause does not matter any more. */
const STOPPED_FOR_GOOD: readonly ChangeKind[] = ['archive', 'recall', 'retire', 'unmanaged'];

/**
 * What happens by itself to the resources of a plan, and when. Past times are left out.
 *
 * | deadline      | of                                                | at                                    |
 * |---------------|---------------------------------------------------|---------------------------------------|
 * | `sends`       | a broadcast that the plan changes, or blocks      | its declared time                     |
 * | `recall_ends` | a broadcast that the plan recalls                 | a day after its time (BROADCAST-20)   |
 * | `archived`    | a campaign that Herald paused                     | 7 days after its pause (CAMPAIGN-9)   |
 * | `resume_ends` | a broadcast that Herald paused before its time    | 5 days after its pause (BROADCAST-17) |
 */
export function deadlinesOf(
  changes: readonly Change[],
  factsOf: (change: Change) => Facts,
  nowMs: number,
): Deadline[] {
  const found = new Map<string, Deadline & { accounts: string[] }>();
  for (const change of changes) {
    const { account, kind, name } = change.address;
    for (const { what, atMs } of dueOf(change, factsOf(change))) {
      if (!isInstant(atMs) || atMs <= nowMs) continue;
      const at = instant(atMs);
      const key = JSON.stringify([at, what, kind, name]);
      const known = found.get(key);
      if (known === undefined) found.set(key, { at, what, kind, name, accounts: [account] });
      else if (known.accounts.at(-1) !== account) known.accounts.push(account);
    }
  }
  return [...found.values()].toSorted(compareDeadlines);
}

function dueOf(change: Change, { declared, observed, pausedAtMs }: Facts): readonly Due[] {
  const isTouched = writes(change) || change.action === 'blocked';
  const sendsAtMs = declared?.kind === 'broadcast' ? Date.parse(declared.scheduledAtUtc) : Number.NaN;
  const due: Due[] = [];
  if (isTouched && !Number.isNaN(sendsAtMs)) {
    due.push({ what: 'sends', atMs: sendsAtMs });
    if (change.action === 'recall') due.push({ what: 'recall_ends', atMs: sendsAtMs + RECALL_WINDOW_MS });
  }
  const isLeftPaused = !STOPPED_FOR_GOOD.includes(change.action);
  if (pausedAtMs === null || observed === undefined || !isLeftPaused || !isPaused(observed.live)) return due;
  return observed.kind === 'campaign'
    ? [...due, { what: 'archived', atMs: pausedAtMs + ARCHIVED_AFTER_MS }]
    : [...due, { what: 'resume_ends', atMs: pausedAtMs + RESUME_WINDOW_MS }];
}

function compareDeadlines(left: Deadline, right: Deadline): number {
  return (
    compareText(left.at, right.at) ||
    compareText(left.kind, right.kind) ||
    compareText(left.name, right.name) ||
    compareText(left.what, right.what)
  );
}
