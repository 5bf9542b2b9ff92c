import type { Observed } from '../domain/resource.ts';
import type { KnowledgeOn, Likeness, OpenCreate, OpenEntry } from '../domain/knowledge.ts';
import type { Conclusion } from '../ledger/ledger.ts';

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
  /**
   * Ids that are new under the name since a create, whatever they contain, lowest first. Each may be what it made, so
   * the run that sees them sends it no second time.
   */
  readonly newcomers: readonly string[];
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

/** Absence means something only in a read that began after the request could still commit (ERROR-6). */
export function isSettled(input: OpenInput, entry: OpenEntry): boolean {
  return input.readStartedMs >= entry.sentAtMs + input.settleMs;
}

/** Whether the object is on the account and of the kind that the entry is about. */
export function concerns(entry: OpenEntry, object: Observed): boolean {
  return object.accountId === entry.accountId && object.kind === entry.address.kind;
}

/** How the ledger is to close an entry, without what only some closings know. */
export function closing(outcome: Conclusion['outcome'], message: string): Conclusion {
  return { outcome, message, live_id: null, created_by: null, list_ids: null, sent_at_ms: null };
}
