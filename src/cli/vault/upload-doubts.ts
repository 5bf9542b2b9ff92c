import type { Context } from '../context.ts';
import { shown } from '../../domain/visible.ts';
import type { LedgerReading } from '../../ledger/reader.ts';

/**
 * Says what lines that cannot be read mean for uploads. They hold up none, unlike a payout and a chat message, which
 * cannot be taken back (decision 10): whatever was uploaded twice takes place in the vault, and goes to no fan.
 */
export function sayUploadDoubts({ output }: Context, { damaged, name }: LedgerReading): void {
  if (damaged.length === 0) return;
  const lines = damaged.slice(0, 5);
  output.fail(
    shown`warning: ${name} has lines that cannot be read (${lines.join(', ')}). If one of them is about an upload, its bytes are uploaded a second time: the vault then has them twice, and nothing goes to a fan for that. To be sure, stop and restore the ledger first: herald ledger check`,
  );
}
