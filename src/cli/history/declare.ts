import type { Command } from 'commander';
import { LIST_FORMATS } from '../formats.ts';
import { sub, wholeNumber, type Act } from '../sub.ts';

interface HistoryFlags {
  readonly since?: string;
  readonly limit?: number;
  readonly columns?: string;
}

/** Declares `herald history`. */
export function declareHistory(program: Command, act: Act): void {
  const history = sub(
    program,
    'history [ADDRESS]',
    'show what Herald did in this workspace, newest first',
    [
      'herald history --since 30d',
      "herald history 'alice/campaign/Welcome*' --limit 10",
      "herald history '*/payouts/*' --format csv",
      'herald history diff alice/campaign/Welcome',
    ],
    { formats: LIST_FORMATS },
  )
    .option('--since <time>', 'a date, a time, or an age such as 30d')
    .option('--limit <number>', 'stop after this many rows', wholeNumber(1, 1_000_000_000))
    .option('--columns <names>', 'columns to show (table and csv)')
    .addHelpText('after', '\nADDRESS is account/kind/name; * matches any characters.')
    .action((address: string | undefined, flags: HistoryFlags, command: Command) =>
      act(command, async (context) =>
        (await import('./list.ts')).historyCommand(context, address, {
          since: flags.since,
          limit: flags.limit,
          columns: flags.columns,
        }),
      ),
    );
  declareDiff(program, history, act);
}

function declareDiff(program: Command, history: Command, act: Act): void {
  sub(
    history,
    'diff <ADDRESS> [FROM] [TO]',
    'compare two declared versions of a resource (default: the last two)',
    [
      'herald history diff alice/campaign/Welcome',
      'herald history diff alice/campaign/Welcome 1a2b3c4d --format json',
    ],
  )
    .addHelpText(
      'after',
      '\nFROM and TO are the beginning of a digest (column version), a live id, or an entry.',
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
    // Help without the flags of `herald history`, which do not apply here.
    .configureHelp({ showGlobalOptions: true, visibleGlobalOptions: () => [...program.options] })
    .hook('preAction', (command) => {
      const [given] = Object.keys(history.opts());
      if (given !== undefined)
        command.error(`error: --${given} works only with herald history, not with diff`);
    });
}
