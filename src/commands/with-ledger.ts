import { canonical } from '../domain/digest.ts';
import type { Context } from '../context.ts';
import { Ledger, LEDGER_PATH, ledgerText, LOCK_PATH, readLedger } from '../ledger/ledger.ts';
import type { LedgerLine } from '../ledger/lines.ts';
import type { Counterpart } from '../ledger/origins.ts';
import { rawLines } from '../ledger/raw-lines.ts';
import { EXIT } from './exit-codes.ts';
import { CommandError } from './failure.ts';

/**
 * Runs imperative work that the ledger must know of: no other run changes anything meanwhile, and an interrupt lets
 * the call in flight end. `lines` is what stood in the ledger of that service when the lock was taken.
 * Rejects with `LockHeldError` when another run is at work.
 */
export async function withLedger<Result>(
  context: Context,
  service: Counterpart,
  work: (ledger: Ledger, lines: readonly LedgerLine[]) => Promise<Result>,
): Promise<Result> {
  const release = await context.files.lock(LOCK_PATH);
  try {
    return await context.protect(async () => {
      const { files, clock, identity } = context;
      const { lines, diagnostics } = await readLedger(files, service.address);
      for (const { file, line, message } of diagnostics)
        context.output.fail(`warning: ${file ?? ''}:${line ?? ''}: ${message}`);
      const ledger = await Ledger.open({ files, clock, identity, service });
      try {
        return await work(ledger, lines);
      } finally {
        await ledger.close();
        if (ledger.problem !== null) context.output.fail(lostRecord(ledger.problem));
      }
    });
  } finally {
    await release();
  }
}

function lostRecord(problem: string): string {
  return `error: ${problem}. What this run did is not wholly on record: make room, and keep what is said here.`;
}

/**
 * Refuses where a line of the ledger cannot be read: it may be an open request, and what must never be done twice is
 * judged by those. Asked after the ledger was opened, which takes out a last line that a crash cut short: its request
 * never left.
 */
export async function refuseUnreadable({ files }: Context): Promise<void> {
  const numbers = rawLines(await ledgerText(files)).flatMap(({ line, number }) =>
    line === null ? [number] : [],
  );
  if (numbers.length === 0) return;
  throw new CommandError(
    'damaged-ledger',
    `${LEDGER_PATH} has lines that cannot be read (${numbers.slice(0, 5).join(', ')}): they may be about an open request, so nothing was sent.`,
    'See: herald ledger check. Restore them from git; to go on all the same once you have looked at the service, add --acknowledge.',
    EXIT.blocked,
    { lines: numbers },
  );
}

/**
 * Refuses where the ledger has other lines of other runs than before a question was asked: somebody pulled, merged or
 * restored it meanwhile, and what they say was not looked at.
 */
export async function refuseChangedLedger(
  { files, identity }: Context,
  { address }: Counterpart,
  before: readonly LedgerLine[],
): Promise<void> {
  const { lines } = await readLedger(files, address);
  const ofOthers = (all: readonly LedgerLine[]) => canonical(all.filter(({ run }) => run !== identity.run));
  if (ofOthers(lines) === ofOthers(before)) return;
  throw new CommandError(
    'ledger-changed',
    `${LEDGER_PATH} changed while it was asked, as after a git pull. Nothing was sent.`,
    'Run the command again.',
    EXIT.blocked,
  );
}
