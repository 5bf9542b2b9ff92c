import type { Context } from '../context.ts';
import type { Question } from '../../domain/ports.ts';
import { visible } from '../../domain/visible.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { LedgerLine } from '../../ledger/lines.ts';
import { isAboutFan, type FanPlace, type FanPorts } from '../../operations/fan-acts.ts';
import { requireAnswer } from '../failure.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { requireYes } from '../question.ts';
import { actPorts, WAITING } from '../act-ports.ts';
import { typedOwned } from '../addresses.ts';
import { chooseAccount, openService, sayService } from '../accounts.ts';
import { refuseMovedAlias } from '../../reconcile/moved-alias.ts';
import { refuseChangedLedger, withLedger, type LedgerAtStart } from '../with-ledger.ts';

/** The state of one command about a fan. */
export interface FanRun {
  readonly context: Context;
  readonly ports: FanPorts;
  readonly place: FanPlace;
  /** Name of the service, for the question. */
  readonly at: string;
  readonly ledger: Ledger;
  /** The ledger as it was before this command. */
  readonly known: LedgerAtStart;
  /** Its lines. */
  readonly lines: readonly LedgerLine[];
  /** Whether lines of the ledger cannot be read. */
  readonly damaged: boolean;
  readonly format: 'text' | 'json';
}

export interface FanFlags {
  readonly account: string | undefined;
  readonly yes: boolean;
}

/** Opens service and ledger for one fan. `reason` explains why `--yes` is needed without a terminal. */
export async function withFan(
  context: Context,
  typed: string,
  flags: FanFlags,
  reason: string,
  work: (run: FanRun) => Promise<number>,
): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  requireAnswer(context, flags.yes, reason);
  const service = await openService(context);
  const { id: fanId, account } = typedOwned(typed, 'fan', flags.account);
  const place = { account: await chooseAccount(service, account), fanId };
  const at = sayService(context, service);
  return withLedger(context, service.client, isAboutFan(place), (ledger, known) => {
    refuseMovedAlias(service.settings, place.account, known);
    const ports = actPorts(context, service, ledger, WAITING);
    const damaged = known.damaged.length > 0;
    return work({ context, ports, place, at, ledger, known, lines: known.lines, damaged, format });
  });
}

/** Asks, unless `--yes` was given. */
export async function agreeTo(
  { context, known }: FanRun,
  { yes }: FanFlags,
  question: Question,
): Promise<void> {
  if (yes) return;
  await requireYes(context, question, 'Nothing was sent.');
  await refuseChangedLedger(known);
}

/** `fan 101001 of alice (account 101)` */
export function fanWords({ account: { alias, accountId }, fanId }: FanPlace): string {
  const account = alias === accountId ? `account ${accountId}` : `${alias} (account ${accountId})`;
  return visible(`fan ${fanId} of ${account}`);
}
