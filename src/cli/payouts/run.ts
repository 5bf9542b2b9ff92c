import type { Context } from '../context.ts';
import { shown } from '../../domain/visible.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { PlatformAccount } from '../../live/targets.ts';
import type { PayoutAmount } from '../../domain/payout-amount.ts';
import type { SendPorts } from '../../operations/payout-send.ts';
import type { ResolvePorts } from '../../operations/payout-resolve.ts';
import { actPorts } from '../act-ports.ts';
import type { Service } from '../accounts.ts';

export interface PayoutFlags {
  /** As it was typed. */
  readonly amount: string;
  readonly account: string | undefined;
  readonly yes: boolean;
  /** A person has checked an unconfirmed request. */
  readonly acknowledge: boolean;
  /** Request even if the same amount was requested within a day. */
  readonly allowSimilar: boolean;
}

/** The state of one payout command. */
export interface PayoutRun {
  readonly context: Context;
  readonly service: Service;
  /** Name of the service, for the question. */
  readonly at: string;
  readonly account: PlatformAccount;
  readonly amount: PayoutAmount;
  readonly flags: PayoutFlags;
  readonly format: 'text' | 'json';
  readonly ledger: Ledger;
}

/** Ports for the stages of a run. */
export function payoutPorts({ context, service, ledger }: PayoutRun): SendPorts & ResolvePorts {
  return actPorts(
    context,
    service,
    ledger,
    (seconds) =>
      shown`A request is unconfirmed. Waiting up to ${seconds} s for its result; nothing is sent before that.`,
  );
}
