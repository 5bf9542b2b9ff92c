import { KIND_ROWS } from '../domain/kind.ts';
import { listIdsOf } from '../domain/audience.ts';
import { compareIds } from '../domain/ids.ts';
import {
  objectKey,
  type Knowledge,
  type KnowledgeOn,
  type Likeness,
  type OpenCreate,
  type OpenEntry,
  type OpenStatus,
  type OpenUnsend,
} from '../domain/knowledge.ts';
import type { Observed } from '../domain/resource.ts';
import { isRepeatable, isStopped, showsTarget, STATUS_TRAITS } from '../domain/status.ts';
import type { Conclusion } from '../ledger/ledger.ts';
import type { LedgerLine, OutcomeLine, SeenLine } from '../ledger/lines.ts';
import type { Reduced } from '../ledger/reduction.ts';

/** What a complete read says about a request whose outcome is not on record. */
export interface Verdict {
  readonly entry: OpenEntry;
  /** How the ledger is to close the entry; null to leave it open. */
  readonly conclusion: Conclusion | null;
  /** The change may be half done: it is asked for once more before its entry is closed. */
  readonly repeat: boolean;
  /**
   * What a create may have made, if it shows another text and Herald cannot tell its own objects yet; null otherwise. It
   * stays open although nothing can come late any more: time alone tells nothing, so it is not waited for.
   */
  readonly undecided: string | null;
  /**
   * What turned up since a create under its name and with its content, lowest id first, as far as the ledger does not
   * know it as ours. The create made one of them; the others may be stopped as duplicates without asking.
   */
  readonly found: readonly Observed[];
  /** For people; null when the entry's own warning says all there is. */
  readonly words: string | null;
}

export interface OpenInput {
  readonly knowledge: KnowledgeOn<'machine'>;
  /** Complete lists of everything that an entry is about. */
  readonly observed: readonly Observed[];
  /** When the read that `observed` comes from began, epoch milliseconds of this machine. */
  readonly readStartedMs: number;
  readonly settleMs: number;
  /** How the object compares with what the create asked for; null when the ledger or the object does not tell. */
  readonly likeness: (entry: OpenCreate, object: Observed) => Likeness | null;
}

/**
 * Decides what an earlier run's open entries came to. It sends nothing: a plan shows it, an apply acts on it.
 *
 * | entry  | live now                                     | verdict                                          |
 * |--------|----------------------------------------------|--------------------------------------------------|
 * | create | new of its name and content, after the window | adopted: the lowest id                          |
 * | create | the same, still inside the window            | open: another one may still come                 |
 * | create | new of its name, by us, with other texts, after it | adopted: the service or a person changed it |
 * | create | the same, and Herald does not know itself yet | open, and not waited for                         |
 * | create | such a one, and equal copies that Herald stopped | as without the copies                          |
 * | create | new of its name, with other content, after it | absent; the plan decides about that one         |
 * | create | none, read after the settle window           | absent: the plan may create it                   |
 * | create | none, still inside the window                | open; the plan blocks its create                 |
 * | status | a campaign shows what was asked for          | done once it was asked for again (half done?)    |
 * | status | a broadcast shows the pause: that is one step | done                                            |
 * | status | a resumed broadcast waits or goes out        | done                                             |
 * | status | shows another, after the window              | refused: the plan decides anew from what is live |
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

/**
 * An object that was not there before the create, with its name and content, is the create's own or that of another
 * person or run. Nothing tells them apart, so the entry is closed only once no copy of the request can be carried out
 * any more.
 */
function judgeCreate(input: OpenInput, entry: OpenCreate, taken: Set<string>): Verdict {
  const { knowledge } = input;
  const since = input.observed
    .filter((object) => concerns(entry, object) && object.live.name === entry.address.name)
    .filter(({ live }) => !entry.baseline.includes(live.id) && !taken.has(live.id))
    .toSorted((left, right) => compareIds(left.live.id, right.live.id));
  const made = since.filter((object) => {
    const likeness = input.likeness(entry, object);
    return likeness === null ? isByUs(knowledge, object) : likeness === 'equal';
  });
  const [first] = made;
  const found = made.filter((object) => !isKnownAsOurs(knowledge, object));
  const isOnlyCopies = made.every((object) => wasStoppedAsCopy(knowledge, object));
  // A copy was stopped beside what the create made: that one shows another text by now.
  if (first === undefined || (isOnlyCopies && rewordedIn(input, entry, since) !== undefined))
    return judgeReworded(input, entry, since, taken);
  const { id, audience_filters: filters } = first.live;
  taken.add(id);
  if (!isSettled(input, entry)) {
    const until = new Date(entry.sentAtMs + input.settleMs).toISOString();
    return {
      ...stillOpen(entry, `may have made ${id}, and may still make another one until ${until}`),
      found,
    };
  }
  // Who made it is not learned from it: only answers to our own creates tell who we are.
  const conclusion = {
    ...closing('adopted', 'found by a later run'),
    live_id: id,
    list_ids: [...listIdsOf(filters)],
  };
  return ended(entry, conclusion, `made ${id}, which is taken over`, found);
}

/**
 * Nothing is equal to what the create asked for. The service may have rewritten its texts since, or a person: so what
 * is new, ours and differs in texts only is taken for the create's own, and nothing is created beside it in its place.
 */
function judgeReworded(
  input: OpenInput,
  entry: OpenCreate,
  since: readonly Observed[],
  taken: Set<string>,
): Verdict {
  const { creators } = input.knowledge;
  const reworded = rewordedIn(input, entry, since);
  if (reworded !== undefined) taken.add(reworded.live.id);
  if (!isSettled(input, entry)) return stillOpen(entry, null);
  if (reworded !== undefined && creators.size === 0) {
    const words = `may have made ${reworded.live.id}, which shows another text than was sent; Herald cannot tell yet which objects are its own`;
    return { ...stillOpen(entry, words), undecided: reworded.live.id };
  }
  if (reworded === undefined) {
    const conclusion = closing('absent', 'not there after the settle window');
    const ids = since.map(({ live }) => live.id).join(', ');
    const beside = ids === '' ? '' : ` as it was sent; ${ids}, new under its name, has another content`;
    return ended(entry, conclusion, `was never carried out${beside}`);
  }
  const { id, audience_filters: filters } = reworded.live;
  const conclusion = {
    ...closing('adopted', 'found by a later run, with another text'),
    live_id: id,
    list_ids: [...listIdsOf(filters)],
  };
  const words = `made ${id}, which is taken over; the service or a person has changed its text since`;
  return ended(entry, conclusion, words);
}

/** What is new, may be ours, and differs in its texts only. */
function rewordedIn(
  { knowledge, likeness }: OpenInput,
  entry: OpenCreate,
  since: readonly Observed[],
): Observed | undefined {
  return since.find(
    (object) =>
      likeness(entry, object) === 'reworded' &&
      (isByUs(knowledge, object) || (knowledge.creators.size === 0 && !isStopped(object.live))) &&
      !isMadeByAnother(knowledge, object),
  );
}

/** The entry is closed like this, and nothing is asked for again. */
function ended(
  entry: OpenEntry,
  conclusion: Conclusion,
  words: string,
  found: readonly Observed[] = [],
): Verdict {
  return { entry, conclusion, repeat: false, undecided: null, found, words };
}

function stillOpen(entry: OpenEntry, words: string | null): Verdict {
  return { entry, conclusion: null, repeat: false, undecided: null, found: [], words };
}

/** Another create is known to have made it. */
function isMadeByAnother({ objects }: Knowledge, { accountId, kind, live }: Observed): boolean {
  return objects.get(objectKey(accountId, kind, live.id))?.createdByHerald === true;
}

/** Herald stopped it beside an equal one of a lower id. */
function wasStoppedAsCopy({ objects }: Knowledge, { accountId, kind, live }: Observed): boolean {
  return objects.get(objectKey(accountId, kind, live.id))?.pausedFor === 'duplicate';
}

function isKnownAsOurs({ objects }: Knowledge, { accountId, kind, live }: Observed): boolean {
  return objects.get(objectKey(accountId, kind, live.id))?.ours === true;
}

function judgeStatus(input: OpenInput, entry: OpenStatus, observed: Observed | undefined): Verdict {
  const { target, targetText: text, liveId } = entry;
  const live = observed?.live.status ?? null;
  const what = `of ${liveId ?? '?'} to ${text ?? '?'}`;
  const shows = observed !== undefined && target !== null && showsTarget(observed.live, target);
  if (shows && KIND_ROWS[observed.kind].mayBeHalfDone && isRepeatable(target)) {
    const conclusion = {
      ...closing('done', 'carried out again by a later run'),
      live_id: liveId,
      unheard_ms: entry.sentAtMs,
    };
    return {
      entry,
      conclusion,
      repeat: true,
      undecided: null,
      found: [],
      words: `(${what}) shows, but may be half done: apply repeats it`,
    };
  }
  if (shows) {
    // A broadcast's change is one step. A resume of one that runs would be refused, and a pause of a paused one does nothing.
    const conclusion = {
      ...closing('done', 'live shows it'),
      live_id: liveId,
      unheard_ms: entry.sentAtMs,
    };
    return ended(entry, conclusion, `(${what}) was carried out`);
  }
  if (!isSettled(input, entry)) return stillOpen(entry, null);
  const conclusion = {
    ...closing('refused', `live shows ${live ?? 'no status'}: decided anew`),
    live_id: liveId,
  };
  return ended(entry, conclusion, `(${what}) does not show: decided anew`);
}

function judgeUnsend(entry: OpenUnsend, observed: Observed | undefined): Verdict {
  const recalled = observed !== undefined && isShownAsRecalled(observed);
  if (!recalled) return stillOpen(entry, null);
  const conclusion = { ...closing('done', 'live shows the recall'), live_id: entry.liveId };
  return ended(entry, conclusion, `of ${entry.liveId ?? '?'} was carried out`);
}

/** Only a kind that has statuses for it shows that it was recalled. */
function isShownAsRecalled({ kind, live }: Observed): boolean {
  return STATUS_TRAITS[KIND_ROWS[kind].statusOf(live)].recalled;
}

/** A stranger's object of the same name explains nothing, and its creator must not be learned as ours. */
function isByUs({ creators }: Knowledge, { live: { created_by: creator } }: Observed): boolean {
  return creator?.type != null && creator.id != null && creators.has(`${creator.type}:${creator.id}`);
}

/** Absence means something only in a read that began after the request could still commit (ERROR-6). */
function isSettled(input: OpenInput, entry: OpenEntry): boolean {
  return input.readStartedMs >= entry.sentAtMs + input.settleMs;
}

function concerns(entry: OpenEntry, object: Observed): boolean {
  return object.accountId === entry.accountId && object.kind === entry.address.kind;
}

function closing(outcome: Conclusion['outcome'], message: string): Conclusion {
  return { outcome, message, live_id: null, created_by: null, list_ids: null, sent_at_ms: null };
}
