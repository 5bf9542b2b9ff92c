import type { Act } from './acts.ts';
import type { LedgerLine } from './lines.ts';
import type { KeepEntry } from './reduction.ts';

/** A line of an entry. */
export type EntryLine = Extract<LedgerLine, { readonly entry: string }>;

export function isEntryLine(line: LedgerLine): line is EntryLine {
  return 'entry' in line;
}

/**
 * The entries of which a later run needs every line, at any age: the unconfirmed ones, and the acts that decide about
 * the next one. A line that any service still needs stays, whichever service the workspace works with now.
 *
 * | entry                                          | why it is needed                                           |
 * |------------------------------------------------|------------------------------------------------------------|
 * | an unconfirmed change                          | it is resolved from live state                             |
 * | a later confirmed change of the same object    | it proves that the unconfirmed one before it is over       |
 * | a stop by hand of an uncertain time            | it may be later than the last word (`uncertain-stops.ts`)  |
 * | an act without an outcome, not acknowledged    | it blocks, or Herald waits out its window                  |
 * | an export into the vault                       | the same bytes are never uploaded twice                    |
 * | a payout, while any payout is unconfirmed      | its invoice must not be mistaken for the unconfirmed one's |
 */
const PAYOUT = 'payouts.request';
const EXPORT = 'vault.upload-export';

/** Outcomes after which the bytes are, or may be, in the vault. */
const EXPORTED: readonly Act['outcome'][] = ['done', 'adopted', 'unknown'];

export function neededActs(acts: readonly Act[], payoutOpen: boolean): readonly string[] {
  return acts
    .filter((act) => {
      if (isOpenAct(act)) return true;
      if (act.operation === EXPORT) return act.liveId !== null || EXPORTED.includes(act.outcome);
      return act.operation === PAYOUT && payoutOpen;
    })
    .map(({ entry }) => entry);
}

/** An unconfirmed payout request. */
export function isOpenPayout(act: Act): boolean {
  return act.operation === PAYOUT && isOpenAct(act);
}

/** Its outcome is not recorded, and no person has acknowledged it. */
export function isOpenAct({ outcome, acknowledged }: Act): boolean {
  return outcome === 'unknown' && !acknowledged;
}

/** All lines of these are read, with any outcome: which of them stay depends on the others. */
export const isExportOrPayout: KeepEntry = (begin) =>
  begin.type === 'act' && (begin.operation === EXPORT || begin.operation === PAYOUT);
