import type { Act } from './acts.ts';
import type { LedgerLine } from './lines.ts';
import type { Keeps } from './reduction.ts';

/** Lines of one entry, wherever they stand. */
export type EntryLine = Extract<LedgerLine, { readonly entry: string }>;

export function isEntryLine(line: LedgerLine): line is EntryLine {
  return 'entry' in line;
}

/**
 * The entries of which a later run needs every line, whatever their age: those that nobody knows the end of, and the
 * acts by which the next one is judged. What one service still needs stays, whichever the workspace works with now.
 *
 * | entry                                    | why it is needed                                            |
 * |------------------------------------------|-------------------------------------------------------------|
 * | a change whose end is not on record      | it is settled from live state                               |
 * | the same change of the same object, once | it is what tells that an unconfirmed one before it is over      |
 * | an act without an end, not acknowledged  | it blocks, or its window is waited out                      |
 * | an export into the vault                 | the same bytes are never uploaded twice                     |
 * | a payout, while any payout is open       | its invoice is not taken for the one that is looked for     |
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

/** A payout of which nobody knows whether it was made. */
export function isOpenPayout(act: Act): boolean {
  return act.operation === PAYOUT && isOpenAct(act);
}

/** Its end is on no record, and nobody has looked at it since. */
export function isOpenAct({ outcome, acknowledged }: Act): boolean {
  return outcome === 'unknown' && !acknowledged;
}

/** Of these the lines are kept whatever became of them: which of them stay depends on the others. */
export const isExportOrPayout: Keeps = (begin) =>
  begin.type === 'act' && (begin.operation === EXPORT || begin.operation === PAYOUT);
