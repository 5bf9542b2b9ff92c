import type { Context } from './context.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { Lease } from '../domain/lease.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { shown } from '../domain/visible.ts';
import { Ledger } from '../ledger/ledger.ts';
import type { ConnectedService } from '../ledger/origins.ts';
import { LedgerReader, type LedgerReading } from '../ledger/reader.ts';
import type { KeepEntry } from '../ledger/reduction.ts';
import { underLease } from '../ledger/under-lease.ts';
import type { LeaseWait } from '../ledger/wait-for-lease.ts';
import { EXIT } from './exit-codes.ts';
import { CommandError } from './failure.ts';
import { leaseWait } from './lease-wait.ts';
import { warningLine } from './notice.ts';
import { incompleteLine, leaseLostLine } from './record-lines.ts';

/** The ledger of a service, as read when the lock was taken. */
export interface LedgerAtStart extends LedgerReading {
  readonly reader: LedgerReader;
}

/**
 * Runs a recorded command with the workspace lock. An interrupt waits for the current request. `keeps` selects
 * more entries to read than the unconfirmed ones. Rejects with `LockHeldError` if another run is
 * active.
 */
export async function withLedger<Result>(
  context: Context,
  service: ConnectedService,
  keeps: KeepEntry,
  work: (ledger: Ledger, atStart: LedgerAtStart) => Promise<Result>,
  wait: LeaseWait = leaseWait(context),
): Promise<Result> {
  const { clock, identity, state } = context;
  const store = state.ledger;
  const under = (lease: Lease) =>
    context.protect(async () => {
      const reader = new LedgerReader(store, service.address, { keeps, ownRun: identity.run });
      const reading = await reader.read();
      warnOfLines(context, reading.diagnostics);
      const ledger = await Ledger.open({
        store,
        rescue: state.rescue,
        lease,
        clock,
        identity,
        service,
        reader,
      });
      try {
        return await work(ledger, { ...reading, reader });
      } finally {
        await ledger.keepWritten();
        await ledger.close();
        reportRecord(context, ledger);
      }
    });
  return underLease(state.leases, under, wait);
}

/** Prints the problems of ledger lines, without what a plan says about all of them. */
export function warnOfLines({ output }: Context, diagnostics: readonly Diagnostic[]): void {
  for (const { severity, code, file, line, message } of diagnostics)
    if (severity !== 'info') output.fail(warningLine(code, shown`${file ?? ''}:${line ?? ''}: ${message}`));
}

/** What was sent and is not on record must not end with exit 0. */
function reportRecord({ output, onUnrecorded }: Context, { problem, rescuedIn, leaseLost }: Ledger): void {
  if (leaseLost !== null) output.fail(leaseLostLine(leaseLost));
  if (problem !== null) output.fail(incompleteLine({ problem, rescuedIn }));
  if (leaseLost !== null || problem !== null) onUnrecorded?.();
}

/**
 * Throws if a ledger line cannot be read. It could be an unconfirmed request, and these decide what must not be sent
 * twice. A last line cut short by a crash does not count: its request was never sent. `takesAcknowledge`: whether
 * the command has --acknowledge, for a person who has checked the service.
 */
export function refuseUnreadable({ damaged, name }: LedgerReading, takesAcknowledge: boolean): void {
  if (damaged.length === 0) return;
  throw new CommandError(
    'damaged-ledger',
    `${name} has unreadable lines (${damaged.slice(0, 5).join(', ')}). They may be about an unconfirmed request, so nothing was sent.`,
    takesAcknowledge
      ? `Run ${formatCommand('ledger', 'check')}, and restore the lines from git. Or check on the service that nothing is sent twice, and add --acknowledge.`
      : `Run ${formatCommand('ledger', 'check')}, and restore the lines from git. Or check on the service that nothing is sent twice, and delete them.`,
    EXIT.blocked,
    { lines: damaged },
  );
}

/**
 * Throws if other runs added or changed ledger lines while a question was asked, for example after a git pull. Those
 * lines were not checked.
 */
export async function refuseChangedLedger({ reader, revision, name }: LedgerAtStart): Promise<void> {
  if ((await reader.read()).revision === revision) return;
  throw new CommandError(
    'ledger-changed',
    `${name} changed while Herald waited for your answer. Nothing was sent.`,
    'Run the command again.',
    EXIT.blocked,
  );
}
