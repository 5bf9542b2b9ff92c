import { RECALL_WINDOW_MS, RESUME_WINDOW_MS } from '../domain/broadcast.ts';
import { ARCHIVED_AFTER_MS } from '../domain/campaign.ts';
import { writes, type Change, type ChangeKind } from '../domain/change.ts';
import { compareText } from '../domain/diagnostic.ts';
import type { Deadline, DeadlineKind } from '../domain/plan-facts.ts';
import type { Declared, Observed } from '../domain/resource.ts';
import { isPaused } from '../domain/status.ts';

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
export function listDeadlines(
  changes: readonly Change[],
  findFacts: (change: Change) => Facts,
  nowMs: number,
): Deadline[] {
  const found = new Map<string, Deadline & { accounts: string[] }>();
  for (const change of changes) {
    const { account, kind, name } = change.address;
    for (const { what, atMs } of listDue(change, findFacts(change))) {
      if (Math.abs(atMs) > LATEST_MS || atMs <= nowMs) continue;
      const at = formatInstant(atMs);
      const key = JSON.stringify([at, what, kind, name]);
      const known = found.get(key);
      if (known === undefined) found.set(key, { at, what, kind, name, accounts: [account] });
      else if (known.accounts.at(-1) !== account) known.accounts.push(account);
    }
  }
  return [...found.values()].toSorted(compareDeadlines);
}

function listDue(change: Change, { declared, observed, pausedAtMs }: Facts): readonly Due[] {
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

/** A `Date` has no later time. */
const LATEST_MS = 8.64e15;

/** An instant to the second: `2026-06-01T12:00:00Z`. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}
