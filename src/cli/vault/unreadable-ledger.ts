import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { shown } from '../../domain/visible.ts';
import type { LedgerReading } from '../../ledger/reader.ts';
import { warningLine } from '../notice.ts';

/**
 * Warns about unreadable ledger lines. They do not stop an upload: uploading twice only duplicates vault media
 * (decision 10). Call after opening the ledger, which drops a torn last line.
 */
export function warnUnreadableLedger({ output }: Context, { damaged, name }: LedgerReading): void {
  if (damaged.length === 0) return;
  const lines = damaged.slice(0, 5);
  output.fail(
    warningLine(
      'ledger-damaged',
      shown`${name} has unreadable lines (${lines.join(', ')}). If one of them is about an upload, Herald may upload the same bytes again. The vault then has them twice, but fans get nothing twice. To avoid it, restore the ledger first: ${formatCommand('ledger', 'check')}`,
    ),
  );
}
