import { actsOf, type Act } from './acts.ts';
import type { LedgerLine } from './lines.ts';
import { reduceLedger, sameChange } from './reduce.ts';

/** Lines of one entry, wherever they stand. */
export type EntryLine = Extract<LedgerLine, { readonly entry: string }>;

export function isEntryLine(line: LedgerLine): line is EntryLine {
  return 'entry' in line;
}

/**
 * The entries of which a later run needs every line, whatever their age: those that nobody knows the end of, and the
 * acts by which the next one is judged.
 *
 * | entry                                    | why it is needed                                            |
 * |------------------------------------------|-------------------------------------------------------------|
 * | a change whose end is not on record      | it is settled from live state                               |
 * | the same change of the same object, once | it is what tells that an unheard one before it is over      |
 * | an act without an end, not acknowledged  | it blocks, or is outwaited                                  |
 * | an export into the vault                 | the same bytes are never uploaded twice                     |
 * | a payout, while any payout is open       | its invoice is not taken for the one that is looked for     |
 */
export function neededEntries(lines: readonly LedgerLine[]): ReadonlySet<string> {
  const open = reduceLedger(lines).open.map(({ entry }) => entry);
  return new Set([...open, ...neededActs(actsOf(lines))]);
}

const PAYOUT = 'payouts.request';
const EXPORT = 'vault.upload-export';

/** Outcomes after which the bytes are, or may be, in the vault. */
const EXPORTED: readonly Act['outcome'][] = ['done', 'adopted', 'unknown'];

function neededActs(acts: readonly Act[]): readonly string[] {
  const payoutOpen = acts.some((act) => act.operation === PAYOUT && isOpenAct(act));
  return acts
    .filter((act) => {
      if (isOpenAct(act)) return true;
      if (act.operation === EXPORT) return act.liveId !== null || EXPORTED.includes(act.outcome);
      return act.operation === PAYOUT && payoutOpen;
    })
    .map(({ entry }) => entry);
}

/** Its end is on no record, and nobody has looked at it since. */
export function isOpenAct({ outcome, acknowledged }: Act): boolean {
  return outcome === 'unknown' && !acknowledged;
}

/**
 * Entries without an end of their own are over where a later change of the same object was heard: with those that
 * stay in the ledger stays whatever may have ended them.
 */
export function withTheirClosers(
  kept: ReadonlySet<string>,
  lines: readonly LedgerLine[],
): ReadonlySet<string> {
  const ended = new Set(
    lines.flatMap((line) => (line.type === 'outcome' && line.outcome !== 'unknown' ? [line.entry] : [])),
  );
  const intents = lines.filter((line) => line.type === 'intent').filter(({ call }) => call !== 'create');
  const objects = new Set(
    intents.filter(({ entry }) => kept.has(entry) && !ended.has(entry)).map(sameChange),
  );
  const closers = intents.filter((intent) => objects.has(sameChange(intent)));
  return new Set([...kept, ...closers.map(({ entry }) => entry)]);
}
