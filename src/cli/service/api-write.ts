import { isOperation } from '../../api/catalogue.ts';
import type { Exchange } from '../../api/exchange.ts';
import type { Context } from '../context.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { WorkspaceSettings } from '../../domain/workspace.ts';
import { instantText } from '../../ledger/instant-text.ts';
import type { Reduced } from '../../ledger/reduced.ts';
import { unfinishedIn } from '../../ledger/unfinished.ts';
import { ensureAgesKnown, ensureServiceClockKnown } from '../../live/hear-clock.ts';
import { chatEntry, fanEntry, payoutEntry, plainEntry } from '../../operations/raw-call/acts.ts';
import { changeEntry, createEntry, nameOf } from '../../operations/raw-call/changes.ts';
import { waitOutLabels } from '../../operations/raw-call/late-labels.ts';
import { lateCopyMs, openAgainst } from '../../operations/raw-call/open-requests.ts';
import { comparedWith, similarTo } from '../../operations/raw-call/similar.ts';
import { earliestTimes } from '../../operations/service-time.ts';
import {
  sendRaw,
  type RawCall,
  type RawEntry,
  type RawPorts,
  type RecordedName,
  type RecordedOperation,
} from '../../operations/raw-call/raw-call.ts';
import { recordDetails } from '../../operations/payout-words.ts';
import { refuseMovedAlias } from '../../reconcile/moved-alias.ts';
import { actPorts, WAITING } from '../act-ports.ts';
import { EXIT } from '../exit-codes.ts';
import { CommandError, interruptedError } from '../failure.ts';
import type { Service } from '../accounts.ts';
import { obeyPolicy } from '../policy/obey.ts';
import { unconfirmedBy, unknownOutcome, type Unconfirmed } from './api-outcome.ts';
import { policyOnCall } from './api-policy.ts';
import type { ApiAccount } from './api-target.ts';
import { refuseUnreadable, withLedger } from '../with-ledger.ts';

/** The ledger entry for each operation that changes something: the same as that of the equivalent command. */
const ENTRIES = {
  'campaigns.create': create,
  'broadcasts.create': create,
  'campaigns.set-status': changeEntry,
  'broadcasts.set-status': changeEntry,
  'campaigns.unsend': changeEntry,
  'broadcasts.unsend': changeEntry,
  'chat.send': chatEntry,
  'fans.label': fanEntry,
  'fans.follow': fanEntry,
  'payouts.request': payoutEntry,
  'vault.upload-start': plainEntry,
  'vault.upload-finish': plainEntry,
  'vault.upload-export': plainEntry,
  'vault.upload-retry': plainEntry,
} as const satisfies Record<
  RecordedOperation,
  (ports: RawPorts, call: RawCall) => RawEntry | Promise<RawEntry>
>;

/** The name is needed, because later runs find the object by it. */
function create(ports: RawPorts, call: RawCall): RawEntry | Promise<RawEntry> {
  const name = nameOf(call);
  return name === null ? plainEntry(ports, call) : createEntry(ports, call, name);
}

function isInCatalogue(name: RecordedName): name is RecordedOperation {
  return isOperation(name);
}

/**
 * Operations that must never happen twice, and labels, on top of which an earlier value may land (LOST-11). A request
 * for the same may be in a line that cannot be read.
 */
const NEVER_TWICE: readonly RecordedName[] = [
  'broadcasts.create',
  'campaigns.create',
  'chat.send',
  'fans.follow',
  'fans.label',
  'payouts.request',
];

/** The answer to a recorded call, and what speaks against it. */
interface Written {
  readonly exchange: Exchange<unknown>;
  readonly unconfirmed: Unconfirmed | null;
}

/**
 * Sends one raw call that changes something, under the lock and with a ledger entry. Refuses if a request of the same
 * kind is unconfirmed, if it repeats a payout or a message on record, or if the alias of `--account` has moved to
 * another account. The call was validated before.
 */
export async function writeOnRecord(
  context: Context,
  service: Service,
  account: ApiAccount | null,
  call: RawCall,
  allowSimilar: boolean,
): Promise<Written> {
  const { client, settings } = service;
  return withLedger(context, client, comparedWith(call), async (ledger, known) => {
    const { clock, interrupted } = context;
    if (account !== null) refuseMovedAlias(settings, account, known);
    const aliasOf = (id: string) => aliasGiven(settings, account, id) ?? aliasIn(settings, known, id);
    const accountId = account?.accountId ?? null;
    const ports: RawPorts = { client, ledger, clock, known, stop: interrupted, aliasOf, accountId };
    if (NEVER_TWICE.includes(call.operation)) refuseUnreadable(known, false);
    await refuseOpen(service, ports, call);
    if (!allowSimilar) await refuseSimilar(ports, call);
    if (!(await waitOutLabels(actPorts(context, service, ledger, WAITING), known, call)))
      throw interruptedError();
    const { operation } = call;
    const entry = await (isInCatalogue(operation) ? ENTRIES[operation] : plainEntry)(ports, call);
    // The line needs the service's time. The next run judges its age by it.
    await ensureServiceClockKnown(client);
    const findings = () => policyOnCall(settings.policy, call, clock.now() + client.skewMs());
    obeyPolicy(context, findings());
    // Quiet hours may have begun by the time at which it leaves.
    const refuseNow = () => obeyPolicy(context, findings(), { warn: false });
    const { exchange, entry: name, notDone } = await sendRaw(ports, call, entry, refuseNow);
    if (exchange.kind === 'unknown') throw await unknownOutcome(context, service, exchange, name);
    if (exchange.kind === 'not_sent' && exchange.withheld && interrupted.aborted) throw interruptedError();
    const unconfirmed =
      notDone === null ? null : await unconfirmedBy(context, service, operation, { ...notDone, entry: name });
    return { exchange, unconfirmed };
  });
}

/** The alias that was typed, so that later runs know which account it stood for; null without one. */
function aliasGiven({ accounts }: WorkspaceSettings, account: ApiAccount | null, id: string): string | null {
  if (account === null || !Object.values(account.params).includes(id)) return null;
  return accounts.some(({ alias }) => alias === account.alias) ? account.alias : null;
}

/** The alias in `herald.yaml` or in the ledger. The id if there is none. */
function aliasIn({ accounts }: WorkspaceSettings, { accountIds }: Reduced, accountId: AccountId): string {
  const stated = accounts.find(({ selector: { by, value } }) => isId(by) && value === accountId);
  if (stated !== undefined) return stated.alias;
  const [known] = [...accountIds].find(([, id]) => id === accountId) ?? [];
  return accounts.find(({ alias }) => alias === known)?.alias ?? accountId;
}

function isId(by: string): boolean {
  return by === 'id' || by === 'platform_account_id';
}

async function refuseOpen({ client, settings }: Service, ports: RawPorts, call: RawCall): Promise<void> {
  const settleMs = settings.service.settleSec * 1000;
  const entries = openAgainst(ports.known, call);
  const nowMs = ports.clock.now();
  const [open] = unfinishedIn(ports.known, { nowMs, settleMs }).filter(({ entry }) =>
    entries.includes(entry),
  );
  if (open !== undefined)
    throw new CommandError(
      'open-request',
      `Nothing was sent. An earlier request is unconfirmed: ${open.what}, sent at ${open.sentAt} by ${open.who}.`,
      open.advice,
      EXIT.unknown,
      { entry: open.entry, sent_at: open.sentAt, who: open.who },
    );
  if (lateCopyMs(ports, call, settleMs) === 0) return;
  await ensureAgesKnown(client);
  const lateMs = lateCopyMs(ports, call, settleMs);
  if (lateMs > 0)
    throw new CommandError(
      'open-request',
      `Nothing was sent. An earlier request for another status of this object may still arrive and undo this one.`,
      `Try again after ${instantText(nowMs + lateMs)}.`,
      EXIT.unknown,
    );
}

/** The ledger alone decides: a raw call reads no more lists than its entry needs. */
async function refuseSimilar(ports: RawPorts, call: RawCall): Promise<void> {
  if (call.operation !== 'payouts.request' && call.operation !== 'chat.send') return;
  const similar = similarTo(call, ports, await earliestTimes(ports.client, ports.clock));
  const [first] = similar;
  if (first === undefined) return;
  const what = `${first.subject}, sent at ${instantText(first.sentAtMs)} by ${first.who}`;
  const details = { on_record: similar.map(recordDetails) };
  throw call.operation === 'payouts.request'
    ? new CommandError(
        'similar-payout',
        `Nothing was sent. A payout of the same amount may already have been requested within the last 24 hours: ${what}.`,
        'To request the same amount again, add --allow-similar.',
        EXIT.blocked,
        details,
      )
    : new CommandError(
        'similar-message',
        `Nothing was sent. The same message was sent within the last five minutes: ${what}.`,
        'To send it again, add --allow-similar.',
        EXIT.blocked,
        details,
      );
}
