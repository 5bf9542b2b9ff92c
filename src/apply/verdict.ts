import type { Observed } from '../domain/resource.ts';
import { startsSending } from '../domain/status.ts';
import type { KnowledgeOn, ContentMatch, OpenCreate, OpenEntry } from '../domain/knowledge.ts';
import type { Conclusion } from '../ledger/ledger.ts';

/** What a complete read says about an unconfirmed request. */
export interface Verdict {
  readonly entry: OpenEntry;
  /** How the ledger is to close the entry; null to leave it open. */
  readonly conclusion: Conclusion | null;
  /** The change may be half done: it is asked for once more before its entry is closed. */
  readonly repeat: boolean;
  /**
   * The possible result of a create, if it has another text and Herald cannot tell its own objects yet; otherwise null.
   * The entry stays open after the window, too: more time tells nothing, so Herald does not wait for it.
   */
  readonly undecided: string | null;
  /**
   * New objects with the name and content of a create that the ledger does not know as ours, lowest id first. The create
   * made one of them. The others may be stopped as duplicates without an allowance.
   */
  readonly found: readonly Observed[];
  /**
   * Ids that are new with the name since a create, with any content, lowest first. Each may be its result, so the run
   * that sees them does not send it a second time.
   */
  readonly newcomers: readonly string[];
  /** For people; null if the entry's own warning is enough. */
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
  readonly contentMatch: (entry: OpenCreate, object: Observed) => ContentMatch | null;
}

/** The entry is closed like this, and nothing is asked for again. */
export function ended(
  entry: OpenEntry,
  conclusion: Conclusion,
  words: string,
  found: readonly Observed[] = [],
): Verdict {
  return { entry, conclusion, repeat: false, undecided: null, found, newcomers: [], words };
}

/** Nothing is known yet: the entry stays as it is. */
export function stillOpen(entry: OpenEntry, words: string | null): Verdict {
  return { entry, conclusion: null, repeat: false, undecided: null, found: [], newcomers: [], words };
}

/** An absence counts only in a read that began after the request could no longer succeed (ERROR-6). */
export function isPastWindow(input: OpenInput, entry: OpenEntry): boolean {
  return input.readStartedMs >= entry.sentAtMs + input.settleMs;
}

/** Whether the object is on the account and of the kind that the entry is about. */
export function concerns(entry: OpenEntry, object: Observed): boolean {
  return object.accountId === entry.accountId && object.kind === entry.address.kind;
}

/** The change shows, and is not repeated: this run stops its object, and the answer to the stop confirms the status. */
export function notRepeated(verdict: Verdict): Verdict {
  const { entry, conclusion } = verdict;
  const { liveId, targetText } = { targetText: null, ...entry };
  return {
    ...verdict,
    conclusion:
      conclusion === null ? null : { ...conclusion, message: 'live shows it, and it is stopped now' },
    repeat: false,
    words: `of ${liveId ?? '?'} to ${targetText ?? '?'} shows; it is stopped now`,
  };
}

/** Whether an activation that may be half done would be repeated. */
export function restarts({ entry, repeat }: Verdict): boolean {
  return repeat && entry.call === 'status' && startsSending(entry.target);
}

/** The outcome that closes an entry, without the fields that only some closings have. */
export function closing(outcome: Conclusion['outcome'], message: string): Conclusion {
  return { outcome, message, live_id: null, created_by: null, list_ids: null, sent_at_ms: null };
}
