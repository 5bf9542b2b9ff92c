import type { Command } from 'commander';
import { sub, wholeNumber, type Act } from '../sub.ts';

interface HistoryFlags {
  readonly since?: string;
  readonly limit?: number;
  readonly columns?: string;
  readonly sort?: string;
}

/** `herald history`: what Herald did here. */
export function declareHistory(program: Command, act: Act): void {
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
        (await import('./list.ts')).historyCommand(context, address, {
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
          (await import('./diff.ts')).historyDiffCommand(context, address, from, to),
        ),
    )
    // The flags of the list that it stands under are none of its own.
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => [...program.options] })
    .hook('preAction', (command) => {
      const [given] = Object.keys(history.opts());
      if (given !== undefined) command.error(`error: --${given} goes with herald history alone`);
    });
}
