import type { Context } from '../context.ts';
import { LEDGER_PATH, readLedger } from '../ledger/ledger.ts';

/**
 * Says what lines that cannot be read mean for uploads. They hold up none, unlike a payout and a chat message, which
 * cannot be taken back (decision 10): whatever was uploaded twice takes place in the vault, and goes to no fan. Asked after the ledger was opened, which takes out a last line that a crash cut short.
 */
export async function sayUploadDoubts({ files, output }: Context, address: string): Promise<void> {
  const { diagnostics } = await readLedger(files, address);
  if (diagnostics.length === 0) return;
  const lines = diagnostics.flatMap(({ line }) => line ?? []).slice(0, 5);
  output.fail(
    `warning: ${LEDGER_PATH} has lines that cannot be read (${lines.join(', ')}). If one of them is about an upload, its bytes are uploaded a second time: the vault then has them twice, and nothing goes to a fan for that. To be sure, stop and restore the ledger first: herald ledger check`,
  );
}
