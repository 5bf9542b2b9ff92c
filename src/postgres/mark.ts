import { refusedByMark, type LedgerMark } from '../domain/ledger-transfer.ts';
import type { Extent } from './ledger-lines.ts';
import type { StateWorkspace } from './workspace.ts';

/** What is written in the row of a workspace. */
export function markText(mark: LedgerMark | null): string | null {
  return mark === null ? null : JSON.stringify(mark);
}

export function markIn({ mark }: Pick<Extent, 'mark'>): LedgerMark | null {
  return mark === null ? null : (JSON.parse(mark) as LedgerMark);
}

/** Throws if the ledger was moved to another place, or did not arrive as a whole. */
export function refuseMarked({ place }: StateWorkspace, extent: Pick<Extent, 'mark'>): void {
  const mark = markIn(extent);
  if (mark !== null) throw refusedByMark(place, mark);
}
