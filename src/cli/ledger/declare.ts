import type { Command } from 'commander';
import { group, sub, type Act } from '../sub.ts';

interface CloseFlags {
  readonly because: string;
  readonly yes?: boolean;
}

interface CompactFlags {
  readonly keep?: string;
  readonly drop?: boolean;
  readonly dryRun?: boolean;
}

/** `herald ledger`: check, close and compact the record of what Herald did. */
export function declareLedger(program: Command, act: Act): void {
  const ledger = group(program, 'ledger', 'the record of what Herald did, .herald/ledger.ndjson');
  sub(ledger, 'check', 'say whether the ledger can be relied on; exit 1 when it needs somebody', [
    'herald ledger check',
    'herald ledger check --format json',
  ]).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('./check.ts')).ledgerCheckCommand(context)),
  );
  sub(
    ledger,
    'close <ENTRY>',
    'end the waiting for an answer that no run can find out about; adds a line with who and why',
    [
      'herald ledger close 20260601T120000000Z-1a2b3c4d-2 --because "account sold; the agency saw it go out"',
      'herald ledger close 20260601T120000000Z-1a2b3c4d-2 --because "recalled, seen in the service" --yes',
    ],
  )
    .requiredOption('--because <text>', 'what you found, and where')
    .option('--yes', 'do not ask')
    .addHelpText(
      'after',
      '\nENTRY as herald ledger check names it: of an account that has left herald.yaml, a recall, a chat message, or what was asked of a simulator that is gone.',
    )
    .action((entry: string, flags: CloseFlags, command: Command) =>
      act(command, async (context) =>
        (await import('./close.ts')).ledgerCloseCommand(context, entry, {
          because: flags.because,
          yes: flags.yes === true,
        }),
      ),
    );
  sub(ledger, 'compact', 'put settled history away; whatever decides stays', [
    'herald ledger compact --dry-run',
    'herald ledger compact --keep 180d',
  ])
    .option('--keep <time>', 'everything since then stays: a time ago, or a date (default: 90d)')
    .option('--drop', 'drop what leaves the ledger instead of moving it to an archive beside it')
    .option('--dry-run', 'say what would be put away, and change nothing')
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
