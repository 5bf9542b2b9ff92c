import { LEDGER_BEGIN, type LedgerLines } from '../domain/ledger-store.ts';

/** Takes one line. The last one may have no line break. */
export type TakeRaw = (text: string, number: number) => void;

/**
 * Work that goes through all lines of a ledger several times and holds none of them: each function that it yields wants
 * to see every line. So the same work runs over a store and over a text.
 */
export type Passes<Result> = Generator<TakeRaw, Result, void>;

/** Gives the lines of an open ledger to each pass. */
export async function throughLedger<Result>(lines: LedgerLines, passes: Passes<Result>): Promise<Result> {
  for (let next = passes.next(); ; next = passes.next()) {
    if (next.done === true) return next.value;
    const take = next.value;
    const { torn } = await lines.read(LEDGER_BEGIN, take);
    if (torn !== null) take(torn.text, torn.number);
  }
}
