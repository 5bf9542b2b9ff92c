import type { Context } from '../context.ts';
import { shown } from '../../domain/visible.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PlatformAccount } from '../../live/targets.ts';
import type { PayoutAmount } from '../../operations/payout-amount.ts';
import type { SendPorts } from '../../operations/payout-send.ts';
import type { SettlePorts } from '../../operations/payout-settle.ts';
import type { Service } from '../accounts.ts';

export interface PayoutFlags {
  /** As it was typed. */
  readonly amount: string;
  readonly account: string | undefined;
  readonly yes: boolean;
  /** A person has looked at a request whose answer was lost. */
  readonly acknowledge: boolean;
  /** A request of the same amount within a day is meant. */
  readonly allowSimilar: boolean;
}

/** Everything that one run of the command works with. */
export interface PayoutRun {
  readonly context: Context;
  readonly service: Service;
  /** The service, for the question. */
  readonly at: string;
  readonly account: PlatformAccount;
  readonly amount: PayoutAmount;
  readonly flags: PayoutFlags;
  readonly format: 'text' | 'json';
  readonly ledger: Ledger;
}

/** What the stages of a run need of the outside. */
export function payoutPorts({ context, service, ledger }: PayoutRun): SendPorts & SettlePorts {
  return {
    client: service.client,
    ledger,
    clock: context.clock,
    stop: context.interrupted,
    settleMs: service.settings.service.settleSec * 1000,
    onWait: (seconds) =>
      context.output.say(
        shown`A request was not confirmed. Waiting up to ${seconds} s to see the result; nothing is sent before that.`,
      ),
  };
}
