import type { Context } from '../context.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { shown, visible } from '../../domain/visible.ts';
import type { WholeRecord } from '../../ledger/whole-record.ts';

/** Prints which history is missing, since `since` if it is given. Returns true if nothing is missing. */
export function sayWhatIsMissing(
  context: Context,
  { damaged, missing }: WholeRecord,
  since: string | null,
): boolean {
  for (const { before, archive, who, at } of missing) {
    if (since !== null && since >= before) continue;
    const where = archive === null ? 'dropped' : `moved to ${visible(archive)}, which is not here`;
    context.output.say(shown`History from before ${before} is not shown: on ${at} it was ${where} (${who}).`);
  }
  if (damaged.length === 0) return true;
  const advice = damaged.some((place) => place.startsWith(`${context.state.ledger.name}:`))
    ? `Run ${formatCommand('ledger', 'check')}.`
    : 'Restore that from git or a backup.';
  context.output.fail(
    shown`The history is incomplete: ${damaged.slice(0, 5).join(', ')} cannot be read. ${advice}`,
  );
  return false;
}
