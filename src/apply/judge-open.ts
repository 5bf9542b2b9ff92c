import { formatCommand } from '../domain/command-line.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import type { OpenEntry, OpenStatus, OpenUnsend } from '../domain/knowledge.ts';
import type { Observed } from '../domain/resource.ts';
import { isRepeatable, showsTarget, STATUS_TRAITS, stopsSending } from '../domain/status.ts';
import type { Conclusion } from '../ledger/ledger.ts';
import type { LedgerLine, OutcomeLine, SeenLine } from '../ledger/lines.ts';
import type { Reduced } from '../ledger/reduced.ts';
import { judgeCreate } from './judge-create.ts';
import {
  closing,
  concerns,
  ended,
  isPastWindow,
  stillOpen,
  type OpenInput,
  type Verdict,
} from './verdict.ts';

/**
 * Decides what happened to the unconfirmed requests of earlier runs. It sends nothing: a plan shows the result, and an
 * apply acts on it. If anything is new with the name, the run of that create creates nothing there
 * (`reconcile/not-again.ts`).
 *
 * | entry  | live now                                     | verdict                                          |
 * |--------|----------------------------------------------|--------------------------------------------------|
 * | create | new of its name and content, after the window | adopted: the lowest id                          |
 * | create | the same, still inside the window            | open: another one may still come                 |
 * | create | such a one, made by an answered create      | as if it were not there                           |
 * | create | new of its name, by us, with other texts, after it | adopted: the service or a person changed it |
 * | create | the same, and Herald does not know itself yet | open, and not waited for                         |
 * | create | such a one, and equal copies that Herald stopped | as without the copies                          |
 * | create | such a one that a person archived            | adopted: it stays archived                       |
 * | create | new of its name, and not comparable, after it | open, and not waited for                       |
 * | create | new of its name, with other content, after it | absent as sent; the next run's plan decides     |
 * | create | none, read after the settle window           | absent: the plan may create it                   |
 * | create | none, still inside the window                | open; the plan blocks its create                 |
 * | status | a campaign shows what was asked for          | done once it was asked for again (half done?)    |
 * | status | a broadcast shows the pause: that is one step | done                                            |
 * | status | a resumed broadcast waits or goes out        | done                                             |
 * | status | shows another, after the window              | refused: the plan decides from the live state    |
 * | status | shows another, still inside the window       | open                                             |
 * | unsend | a campaign in recall                         | done                                             |
 * | unsend | anything else                                | open, for a person                               |
 */
export function judgeOpen(input: OpenInput): readonly Verdict[] {
  const taken = new Set<string>();
  return input.knowledge.open.map((entry) => {
    if (entry.call === 'create') return judgeCreate(input, entry, taken);
    const observed = input.observed.find(
      (object) => concerns(entry, object) && object.live.id === entry.liveId,
    );
    return entry.call === 'status' ? judgeStatus(input, entry, observed) : judgeUnsend(entry, observed);
  });
}

/**
 * The verdicts as lines of the ledger, so that a plan is made from what an apply will find on record; `last` is the time
 * of its last line.
 */
export function verdictLines(last: Reduced['last'], verdicts: readonly Verdict[]): readonly LedgerLine[] {
  if (last === null) return [];
  const base = { v: 1, ...last, run: '' } as const;
  return verdicts.flatMap(({ entry, conclusion, found }): readonly (OutcomeLine | SeenLine)[] => {
    const seen = found.map((object): SeenLine => ({ ...base, type: 'seen', ...seenOf(entry, object) }));
    if (conclusion === null) return seen;
    return [...seen, { ...base, type: 'outcome', entry: entry.entry, unheard_ms: null, ...conclusion }];
  });
}

/** How the ledger notes an object that turned up since a create as ours. */
export function seenOf({ address, accountId }: OpenEntry, { live }: Observed) {
  return { ...address, account_id: accountId, live_id: live.id };
}

function judgeStatus(input: OpenInput, entry: OpenStatus, observed: Observed | undefined): Verdict {
  const { target, targetText: text, liveId } = entry;
  const live = observed?.live.status ?? null;
  const what = `of ${liveId ?? '?'} to ${text ?? '?'}`;
  const shows = observed !== undefined && target !== null && showsTarget(observed.live, target);
  if (shows && KIND_ROWS[observed.kind].mayBeHalfDone && isRepeatable(target)) {
    const conclusion = {
      ...doneStatus(entry, 'carried out again by a later run'),
      unheard_ms: entry.sentAtMs,
    };
    return {
      entry,
      conclusion,
      repeat: true,
      undecided: null,
      found: [],
      newcomers: [],
      words: `(${what}) shows, but may be half done: ${formatCommand('apply')} repeats it`,
    };
  }
  if (shows) {
    // A broadcast's change is one step. A resume of one that runs would be refused, and a pause of a paused one does nothing.
    const conclusion = { ...doneStatus(entry, 'live shows it'), unheard_ms: entry.sentAtMs };
    return ended(entry, conclusion, `(${what}) succeeded`);
  }
  if (!isPastWindow(input, entry)) return stillOpen(entry, null);
  const conclusion = {
    ...closing('refused', `live shows ${live ?? 'no status'}, so the plan decides again`),
    live_id: liveId,
  };
  return ended(entry, conclusion, `(${what}) did not succeed, so the plan decides again`);
}

/** A stop that counts as a person's stays so: `withUncertainStops`. */
function doneStatus({ liveId, target, purpose }: OpenStatus, message: string): Conclusion {
  const isByHand = purpose === 'by_hand' && stopsSending(target);
  return { ...closing('done', message), live_id: liveId, ...(isByHand ? { by_hand: true } : {}) };
}

function judgeUnsend(entry: OpenUnsend, observed: Observed | undefined): Verdict {
  const recalled = observed !== undefined && isShownAsRecalled(observed);
  if (!recalled) return stillOpen(entry, null);
  const conclusion = { ...closing('done', 'live shows the recall'), live_id: entry.liveId };
  return ended(entry, conclusion, `of ${entry.liveId ?? '?'} succeeded`);
}

/** Only a kind that has statuses for it shows that it was recalled. */
function isShownAsRecalled({ kind, live }: Observed): boolean {
  return STATUS_TRAITS[KIND_ROWS[kind].statusOf(live)].recalled;
}
