import { patternOf } from '../../plan/targets.ts';
import type { HistoryItem } from '../../ledger/history.ts';

type Addressed = Pick<HistoryItem, 'address' | 'account' | 'kind' | 'name'>;

/** Whether an item is about an address as `--target` writes it, or bears exactly that address. */
export function itemsAt(written: string): (item: Addressed) => boolean {
  const pattern = patternOf(written);
  return ({ address, account, kind, name }) =>
    address === written || (pattern.account(account) && pattern.kind(kind) && pattern.name(name));
}
