import { AccountIds } from '../../src/ledger/account-ids.ts';
import type { LedgerLine } from '../../src/ledger/lines.ts';
import { writtenAtMs } from '../../src/ledger/order.ts';

/** The account that each alias stood for last, by all of these lines, in the order of the aliases. */
export function accountIdsIn(lines: readonly LedgerLine[]): readonly (readonly [string, string])[] {
  const ids = new AccountIds();
  for (const [place, line] of lines.entries())
    ids.note(line, { ms: writtenAtMs(line), place, isByService: true });
  return [...ids.all()].toSorted();
}
