import type { Command } from 'commander';
import { type Act, group, lockTimeout, sub } from '../sub.ts';

interface Flags {
  readonly amount: string;
  readonly account?: string;
  readonly yes?: boolean;
  readonly acknowledge?: boolean;
  readonly allowSimilar?: boolean;
}

/** Declares `herald payouts request`. The payout lists are declared elsewhere. */
export function declarePayouts(program: Command, act: Act): void {
  const payouts = group(program, 'payouts', 'balances and payout requests');
  sub(payouts, 'request', 'request a payout, never twice; cannot be undone', [
    'herald payouts request --account alice --amount 100.10',
    'herald payouts request --account alice --amount 100.10 --yes --format json',
  ])
    .requiredOption('--amount <usd>', 'amount in US dollars, such as 100.10; at most 1000000')
    .option('--account <name>', 'alias or id of the account')
    .option('--yes', 'do not ask')
    .option('--acknowledge', 'request despite an unconfirmed earlier payout; check the service first')
    .option('--allow-similar', 'request even if the same amount was requested within 24 hours')
    .addOption(lockTimeout())
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
