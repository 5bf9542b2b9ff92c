import type { FanId } from '../domain/ids.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { actsOf, type Act } from '../ledger/acts.ts';
import type { LedgerLine } from '../ledger/lines.ts';
import type { KeepEntry } from '../ledger/reduction.ts';
import type { WaitPorts } from '../requests/settle-window.ts';
import type { ActPorts } from './recorded-act.ts';

/** One fan of one account. */
export interface FanPlace {
  readonly account: ResolvedAccount;
  readonly fanId: FanId;
}

export interface FanPorts extends ActPorts, WaitPorts {}

/** Tells what was done about one fan by the lines that begin it. */
export function isAboutFan({ account, fanId }: FanPlace): KeepEntry {
  return (begin) =>
    begin.type === 'act' && begin.account_id === account.accountId && begin.details['fan_id'] === fanId;
}

/** Earlier acts of this operation on this fan, oldest first. */
export function earlierActs(
  lines: readonly LedgerLine[],
  operation: 'fans.label' | 'fans.follow',
  { account, fanId }: FanPlace,
): readonly Act[] {
  return actsOf(lines).filter(
    (act) =>
      act.operation === operation && act.accountId === account.accountId && act.details['fan_id'] === fanId,
  );
}
