import { shown, type Visible } from '../domain/visible.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { FanPorts } from '../operations/fan-acts.ts';
import type { Service } from './accounts.ts';
import type { Context } from './context.ts';

/** The ports for a request to one fan, or for a payout. `waiting` says why it waits for an earlier request. */
export function actPorts(
  context: Context,
  { client, settings }: Service,
  ledger: Ledger,
  waiting: (seconds: number) => Visible,
): FanPorts {
  return {
    client,
    ledger,
    clock: context.clock,
    stop: context.interrupted,
    settleMs: settings.service.settleSec * 1000,
    onWait: (seconds) => context.output.say(waiting(seconds)),
  };
}

/** Said before a label or a follow that waits. */
export const WAITING = (seconds: number): Visible =>
  shown`Waiting ${seconds} s, because an earlier request may still succeed until then.`;
