import type { KnowledgeOn } from '../domain/knowledge.ts';
import type { KnownObjects } from './known-objects.ts';
import type { IntentLine, LedgerLine } from './lines.ts';
import type { Written } from './order.ts';
import type { AnsweredChange } from './recent-answers.ts';

/** What the ledger says for one service. */
export interface Reduced {
  readonly knowledge: KnowledgeOn<'record'>;
  /** The id of the account that each alias stood for when it was last used. */
  readonly accountIds: ReadonlyMap<string, string>;
  /** The number of the line that has the last word on that; null where none has. */
  readonly accountLineOf: (alias: string) => number | null;
  /**
   * All lines of the entries that a later line may still be about: those without an end, those of which a copy may
   * still land, and those that the reader keeps. In the order of the file.
   */
  readonly lines: readonly LedgerLine[];
  /** The number of the line that has the last word on a field of an object, by `objectKey`; null where none has. */
  readonly lineOf: KnownObjects['lineOf'];
  readonly saidAt: KnownObjects['saidAt'];
  /** The begins of all stops by hand, without those that were refused. */
  readonly stops: readonly IntentLine[];
  /** Status changes that were answered in the last seconds before the last line, by `objectKey`. */
  readonly answers: ReadonlyMap<string, AnsweredChange>;
  /** The time of the line that was written last; null where no line counts. */
  readonly last: Pick<Written, 'at' | 'at_skew_ms' | 'after_ms'> | null;
}
