import type { Command } from 'commander';
import { type Act, group, lockTimeout, sub } from '../sub.ts';

interface CloseFlags {
  readonly because: string;
  readonly yes?: boolean;
}

interface CompactFlags {
  readonly keep?: string;
  readonly drop?: boolean;
  readonly dryRun?: boolean;
}

/** Declares `herald ledger`: check, close and compact. */
export function declareLedger(program: Command, act: Act): void {
  const ledger = group(program, 'ledger', 'the record of what Herald did, .herald/ledger.ndjson');
  sub(
    ledger,
    'check',
    'check the ledger for damage and unconfirmed requests; exit 1 if it needs manual repair',
    ['herald ledger check', 'herald ledger check --format json'],
  ).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./check.ts')).ledgerCheckCommand(context)),
  );
  sub(ledger, 'close <ENTRY>', 'mark an unconfirmed request as closed when its outcome cannot be found out', [
    'herald ledger close 20260601T120000000Z-1a2b3c4d-2 --because "account sold; the agency saw it go out"',
    'herald ledger close 20260601T120000000Z-1a2b3c4d-2 --because "recalled, seen in the service" --yes',
  ])
    .requiredOption('--because <text>', 'what you found, and where')
    .option('--yes', 'do not ask')
    .addOption(lockTimeout())
    .addHelpText(
      'after',
      '\nENTRY is shown by herald ledger check. Use this for an account that was removed from herald.yaml, a recall, a chat message, or a simulator that no longer exists.',
    )
    .action((entry: string, flags: CloseFlags, command: Command) =>
      act(command, async (context) =>
        (await import('./close.ts')).ledgerCloseCommand(context, entry, {
          because: flags.because,
          yes: flags.yes === true,
        }),
      ),
    );
  sub(ledger, 'compact', 'move old, finished history to an archive file', [
    'herald ledger compact --dry-run',
    'herald ledger compact --keep 180d',
  ])
    .option('--keep <time>', 'keep everything since this age or date (default: 90d)')
    .option('--drop', 'delete removed lines instead of moving them to an archive')
    .option('--dry-run', 'show what would be moved, and change nothing')
    .addOption(lockTimeout())
    .action((flags: CompactFlags, command: Command) =>
      act(command, async (context) =>
        (await import('./compact.ts')).ledgerCompactCommand(context, {
          keep: flags.keep,
          drop: flags.drop === true,
          dryRun: flags.dryRun === true,
        }),
      ),
    );
}
