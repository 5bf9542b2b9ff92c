import type { Command } from 'commander';
import { group, sub, type Act } from '../sub.ts';

interface Flags {
  readonly amount: string;
  readonly account?: string;
  readonly yes?: boolean;
  readonly acknowledge?: boolean;
  readonly allowSimilar?: boolean;
}

/** The command that takes money out; the ones that read stand with the other reads. */
export function declarePayouts(program: Command, act: Act): void {
  const payouts = group(program, 'payouts', 'balances and payout requests');
  sub(payouts, 'request', 'request a payout; it cannot be undone, and is never sent twice', [
    'herald payouts request --account alice --amount 100.10',
    'herald payouts request --account alice --amount 100.10 --yes --format json',
  ])
    .requiredOption('--amount <usd>', 'US dollars as a plain decimal number, at most 1000000')
    .option('--account <name>', 'alias or id of the account')
    .option('--yes', 'do not ask')
    .option('--acknowledge', 'go on although an earlier request is not certain: you have looked at it')
    .option('--allow-similar', 'go on although the same amount was requested within 24 hours')
    .action((flags: Flags, command: Command) =>
      act(command, async (context) =>
        (await import('./request.ts')).payoutsRequestCommand(context, {
          amount: flags.amount,
          account: flags.account,
          yes: flags.yes === true,
          acknowledge: flags.acknowledge === true,
          allowSimilar: flags.allowSimilar === true,
        }),
      ),
    );
}
