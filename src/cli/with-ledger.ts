import type { Context } from './context.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { shown, type Visible } from '../domain/visible.ts';
import { Ledger } from '../ledger/ledger.ts';
import type { Counterpart } from '../ledger/origins.ts';
import { LedgerReader, type LedgerReading } from '../ledger/reader.ts';
import type { Keeps } from '../ledger/reduction.ts';
import { underLease } from '../ledger/under-lease.ts';
import { EXIT } from './exit-codes.ts';
import { CommandError } from './failure.ts';

/** What the ledger of a service knew when the lock was taken. */
export interface LedgerAtStart extends LedgerReading {
  readonly reader: LedgerReader;
}

/**
 * Runs imperative work that the ledger must know of: no other run changes anything meanwhile, and an interrupt lets
 * the call in flight end. `keeps` says of which entries the work needs the lines, beside those that are open.
 * Rejects with `LockHeldError` when another run is at work.
 */
export async function withLedger<Result>(
  context: Context,
  service: Counterpart,
  keeps: Keeps,
  work: (ledger: Ledger, atStart: LedgerAtStart) => Promise<Result>,
): Promise<Result> {
  const { clock, identity, state } = context;
  const store = state.ledger;
  return underLease(state.leases, (lease) =>
    context.protect(async () => {
      const reader = new LedgerReader(store, service.address, { keeps, ownRun: identity.run });
      const reading = await reader.read();
      warnOfLines(context, reading.diagnostics);
      const ledger = await Ledger.open({ store, lease, clock, identity, service, reader });
      try {
        return await work(ledger, { ...reading, reader });
      } finally {
        await ledger.close();
        if (ledger.problem !== null) context.output.fail(lostRecord(ledger.problem));
      }
    }),
  );
}

/** What is wrong with lines of the ledger. */
export function warnOfLines({ output }: Context, diagnostics: readonly Diagnostic[]): void {
  for (const { file, line, message } of diagnostics)
    output.fail(shown`warning: ${file ?? ''}:${line ?? ''}: ${message}`);
}

function lostRecord(problem: string): Visible {
  return shown`error: ${problem}. The ledger is incomplete (is the disk full?). Free some space and keep this output.`;
}

/**
 * Refuses where a line of the ledger cannot be read: it may be an open request, and what must never be done twice is
 * judged by those. A last line that a crash cut short is none of them: its request never left.
 */
export function refuseUnreadable({ damaged, name }: LedgerReading): void {
  if (damaged.length === 0) return;
  throw new CommandError(
    'damaged-ledger',
    `${name} has lines that cannot be read (${damaged.slice(0, 5).join(', ')}): they may be about an open request, so nothing was sent.`,
    'See: herald ledger check. Restore them from git; to go on all the same once you have looked at the service, add --acknowledge.',
    EXIT.blocked,
    { lines: damaged },
  );
}

/**
 * Refuses where the ledger has other lines of other runs than before a question was asked: somebody pulled, merged or
 * restored it meanwhile, and what they say was not looked at.
 */
export async function refuseChangedLedger({ reader, revision, name }: LedgerAtStart): Promise<void> {
  if ((await reader.read()).revision === revision) return;
  throw new CommandError(
    'ledger-changed',
    `${name} changed while it was asked, as after a git pull. Nothing was sent.`,
    'Run the command again.',
    EXIT.blocked,
  );
}
