import type { Command } from 'commander';
import { group, sub, wholeNumber, type Act } from './sub.ts';

/** The commands that tell what happened, and whether everything is in order. */
export function declareDayTwo(program: Command, act: Act): void {
  declareHistory(program, act);
  declareLedger(program, act);
  sub(program, 'doctor', 'check key, permissions, accounts, clock, proxy and ledger; sends only reads', [
    'herald doctor',
    'herald doctor --format json',
  ]).action((_flags: unknown, command: Command) =>
    act(command, async (context) => (await import('../commands/doctor/command.ts')).doctorCommand(context)),
  );
}

interface HistoryFlags {
  readonly since?: string;
  readonly limit?: number;
  readonly columns?: string;
  readonly sort?: string;
}

function declareHistory(program: Command, act: Act): void {
  const history = sub(program, 'history [ADDRESS]', 'show what Herald did here, newest first', [
    'herald history --since 30d',
    "herald history 'alice/campaign/Welcome*' --limit 10",
    "herald history '*/payouts/*' --format csv",
    'herald history diff alice/campaign/Welcome',
  ])
    .option('--since <time>', 'a date, an instant, or a time ago such as 30d')
    .option('--limit <number>', 'stop after so many rows', wholeNumber(1, 1_000_000_000))
    .option('--columns <names>', 'columns to show; table and csv')
    .option('--sort <column>', 'order the table by a column; -column turns the order')
    .addHelpText(
      'after',
      '\nADDRESS is account/kind/name; * stands for any characters.\nFormats: table (default), json, ndjson (an item a line), csv',
    )
    .action((address: string | undefined, flags: HistoryFlags, command: Command) =>
      act(command, async (context) =>
        (await import('../commands/history.ts')).historyCommand(context, address, {
          since: flags.since,
          limit: flags.limit,
          columns: flags.columns,
          sort: flags.sort,
        }),
      ),
    );
  sub(
    history,
    'diff <ADDRESS> [FROM] [TO]',
    'compare two declared versions of a resource, the last two unless said',
    [
      'herald history diff alice/campaign/Welcome',
      'herald history diff alice/campaign/Welcome 1a2b3c4d --format json',
    ],
  )
    .addHelpText(
      'after',
      '\nFROM and TO: the beginning of a digest (column version), a live id, or an entry.',
    )
    .action(
      (
        address: string,
        from: string | undefined,
        to: string | undefined,
        _flags: unknown,
        command: Command,
      ) =>
        act(command, async (context) =>
          (await import('../commands/history-diff.ts')).historyDiffCommand(context, address, from, to),
        ),
    )
    // The flags of the list that it stands under are none of its own.
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => [...program.options] })
    .hook('preAction', (command) => {
      const [given] = Object.keys(history.opts());
      if (given !== undefined) command.error(`error: --${given} goes with herald history alone`);
    });
}

interface CloseFlags {
  readonly because: string;
  readonly yes?: boolean;
}

interface CompactFlags {
  readonly keep?: string;
  readonly drop?: boolean;
  readonly dryRun?: boolean;
}

function declareLedger(program: Command, act: Act): void {
  const ledger = group(program, 'ledger', 'the record of what Herald did, .herald/ledger.ndjson');
  sub(ledger, 'check', 'say whether the ledger can be relied on; exit 1 when it needs somebody', [
    'herald ledger check',
    'herald ledger check --format json',
  ]).action((_flags: unknown, command: Command) =>
    act(command, async (context) =>
      (await import('../commands/ledger-check.ts')).ledgerCheckCommand(context),
    ),
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
        (await import('../commands/ledger-close.ts')).ledgerCloseCommand(context, entry, {
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
        (await import('../commands/ledger-compact.ts')).ledgerCompactCommand(context, {
          keep: flags.keep,
          drop: flags.drop === true,
          dryRun: flags.dryRun === true,
        }),
      ),
    );
}
