import { patternOf } from '../../plan/targets.ts';
import type { HistoryItem } from '../../ledger/history.ts';

type Addressed = Pick<HistoryItem, 'address' | 'account' | 'kind' | 'name'>;

/** Matches items by an address, exactly or as a pattern of `--target`. */
export function itemsAt(written: string): (item: Addressed) => boolean {
  const pattern = patternOf(written);
  return ({ address, account, kind, name }) =>
    address === written || (pattern.account(account) && pattern.kind(kind) && pattern.name(name));
}
