import type { HistoryItem } from '../../domain/history-item.ts';
import { parsePatterns } from '../../plan/targets.ts';

/** Matches items by an address, exactly or as a pattern of `--target`. */
export function itemsAt(written: string): (item: HistoryItem) => boolean {
  const pattern = parsePatterns([written]);
  return (item) => item.address === written || pattern.fits(item);
}
