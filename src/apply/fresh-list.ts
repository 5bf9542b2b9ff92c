import { KIND_ROWS } from '../domain/kind.ts';
import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import type { Change, Step } from '../domain/change.ts';
import { planningCommand } from '../domain/creating-command.ts';
import { momentOf, type Moment } from '../domain/elapsed.ts';
import type { LiveId } from '../domain/ids.ts';
import type { Clock } from '../domain/ports.ts';
import type { Declared, Kind, Observed, ResolvedAccount } from '../domain/resource.ts';
import { isPaused, isRecalled, isStopped } from '../domain/status.ts';
import { ensureServiceClockKnown } from '../live/hear-clock.ts';
import { scanScope } from '../live/read.ts';
import { isTooOld } from '../requests/fresh-reading.ts';
import { hasGoneOut } from './moved.ts';
import { untilShown } from './until-shown.ts';

/** A complete list taken just before an account's creates or starts, as far as they need it. */
export interface FreshList {
  /** What turns up later under a name and is not here is new (ERROR-7). */
  readonly idsByName: ReadonlyMap<string, readonly string[]>;
  readonly statusById: ReadonlyMap<string, string | null>;
  /** Broadcasts without their hour: they have begun to go out (BROADCAST-11). */
  readonly gone: ReadonlySet<string>;
  /** Why it could not be read; null when it was. */
  readonly problem: string | null;
  /** When it was asked for; null for the list of changes that need none. */
  readonly askedAt: Moment | null;
}

/** Whether the next create can go by a list that earlier ones went by. */
function stillServes({ askedAt }: FreshList, clock: ClockOfLists): boolean {
  return askedAt !== null && !isTooOld(clock, askedAt);
}

type ClockOfLists = Parameters<typeof momentOf>[0];

/** For changes that start nothing. */
export const NO_LIST: FreshList = {
  idsByName: new Map(),
  statusById: new Map(),
  gone: new Set(),
  problem: null,
  askedAt: null,
};

/** Whether a change may end in a create: an archived campaign that cannot be activated is created again. */
export function mayCreate(change: Change): boolean {
  return change.steps.some(({ kind }) => kind === 'create' || kind === 'reactivate');
}

/** Whether it starts sending. With another one of its name, that would be twice. */
function mayStart(change: Change): boolean {
  return mayCreate(change) || change.steps.some(({ kind }) => kind === 'activate' || kind === 'resume');
}

export async function readFreshList(
  { client, clock }: { readonly client: Client; readonly clock: ClockOfLists },
  account: ResolvedAccount,
  kind: Kind,
): Promise<FreshList> {
  const askedAt = momentOf(clock);
  try {
    const idsByName = new Map<string, string[]>();
    const statusById = new Map<string, string | null>();
    const gone = new Set<string>();
    for (const { live } of await scanScope(client, { account, kind })) {
      statusById.set(live.id, live.status ?? null);
      if (hasGoneOut(kind, live)) gone.add(live.id);
      const ids = idsByName.get(live.name ?? '');
      if (ids === undefined) idsByName.set(live.name ?? '', [live.id]);
      else ids.push(live.id);
    }
    // What goes by a fresh list and has a schedule goes by a fresh time as well.
    if (KIND_ROWS[kind].hasSchedule) await ensureServiceClockKnown(client);
    return { idsByName, statusById, gone, problem: null, askedAt };
  } catch (error) {
    if (!(error instanceof ServiceError) && !(error instanceof IncompleteScanError)) throw error;
    return { ...NO_LIST, problem: `the list could not be read: ${error.message}` };
  }
}

interface ListPorts {
  readonly client: Client;
  readonly clock: Clock;
  readonly byHand: object | null;
}

/** The list of the creates of an account and kind, and of all that is switched on; read again when it is too old. */
async function listToGoBy(
  ports: ListPorts,
  account: ResolvedAccount,
  change: Change,
  lists: Map<Kind, FreshList>,
): Promise<FreshList> {
  // What a person starts by hand was agreed to on a list that was read a moment ago.
  if (!(ports.byHand === null ? mayStart : mayCreate)(change)) return NO_LIST;
  const { kind } = change.address;
  const known = lists.get(kind);
  const serves = known !== undefined && stillServes(known, ports.clock);
  const list = serves ? known : await readFreshList(ports, account, kind);
  lists.set(kind, list);
  return list;
}

interface StartAsked {
  readonly account: ResolvedAccount;
  readonly change: Change;
  readonly sendsAgain: (list: FreshList) => string | null;
}

/**
 * The same for a start, for which other things were stopped first: `sendsAgain` says which of them a list shows as running.
 * A list may be older than the stops, or lag behind them (ERROR-15): then it is read again.
 */
export async function listAfterStops(
  ports: ListPorts,
  { account, change, sendsAgain }: StartAsked,
  lists: Map<Kind, FreshList>,
): Promise<FreshList> {
  const list = await listToGoBy(ports, account, change, lists);
  if (list.problem !== null || sendsAgain(list) === null) return list;
  const { kind } = change.address;
  const isShown = (now: FreshList) => now.problem !== null || sendsAgain(now) === null;
  const again = await untilShown(ports.clock, () => readFreshList(ports, account, kind), isShown);
  lists.set(kind, again);
  return again;
}

type Planned = (liveId: LiveId) => Observed | undefined;

/**
 * Why the change must not be carried out: another run or a person changed something that the plan depends on. Null if
 * nothing changed.
 */
export function movedSince(
  list: FreshList,
  change: Change,
  planned: Planned,
  declared: Declared | null,
): string | null {
  const again = `Nothing was sent; run "${planningCommand(declared)}" again.`;
  const strangers = unplannedIds(list, change, planned);
  if (strangers.length > 0)
    return `${strangers.join(', ')} appeared with this name since the plan was made. ${again}`;
  const own = new Map(idsOf(change.steps).map((id) => [id, statusOf(planned(id))]));
  const found = notAsExpected(list, change, { planned, own });
  return found === null
    ? null
    : `${found.id} was ${found.was} when the plan was made and is ${found.is} now. ${again}`;
}

/** The same once the steps before the create have been carried out and it had to wait. */
export function movedBeforeCreate(
  list: FreshList,
  change: Change,
  planned: Planned,
  declared: Declared | null,
): string | null {
  const again = `Run "${planningCommand(declared)}" again.`;
  const strangers = unplannedIds(list, change, planned);
  if (strangers.length > 0)
    return `Not created: ${strangers.join(', ')} appeared with this name while the create waited. ${again}`;
  const created = change.steps.findIndex(({ kind }) => kind === 'create');
  const own = new Map(idsOf([change, ...change.steps]).map((id) => [id, statusOf(planned(id))]));
  for (const { kind, live_id: id } of change.steps.slice(0, Math.max(created, 0)))
    if (kind === 'pause' || kind === 'archive') own.set(id ?? '', kind === 'pause' ? 'paused' : 'archived');
  const found = notAsExpected(list, change, { planned, own });
  if (found !== null) return `Not created: ${found.id} was ${found.was} and is ${found.is} now. ${again}`;
  const begun = [...own.keys()].find((id) => list.gone.has(id) && !hadGoneOut(change, planned(id)));
  return begun === undefined
    ? null
    : `Not created: ${begun} has begun to go out while the create waited, and fans could get both. ${again}`;
}

function hadGoneOut({ address }: Change, object: Observed | undefined): boolean {
  return object === undefined || hasGoneOut(address.kind, object.live);
}

interface Expected {
  readonly planned: Planned;
  /** What the change is about, and what each of it must be by now. */
  readonly own: ReadonlyMap<string, string | null>;
}

/**
 * The first that is not as it must be for a create; null when all is. What the list does not show proves nothing.
 *
 * | under the name                                            | it must be                  |
 * |-----------------------------------------------------------|-----------------------------|
 * | the change is about it                                    | as expected                 |
 * | any other that was stopped, such as an earlier version    | stopped, in whatever way    |
 * | any other                                                 | whatever the service did    |
 */
function notAsExpected(
  { idsByName, statusById }: FreshList,
  { address }: Change,
  { planned, own }: Expected,
): { readonly id: string; readonly was: string; readonly is: string } | null {
  for (const id of new Set([...own.keys(), ...(idsByName.get(address.name) ?? [])])) {
    const is = statusById.get(id);
    if (is === undefined) continue;
    const isOwn = own.has(id);
    const was = isOwn ? (own.get(id) ?? null) : statusOf(planned(id));
    const isFine = isOwn ? isAsBefore(was, is) : !isStopped({ status: was }) || isStopped({ status: is });
    if (!isFine) return { id, was: inWords(was), is: inWords(is) };
  }
  return null;
}

function idsOf(parts: readonly Pick<Step, 'live_id'>[]): readonly string[] {
  return parts.flatMap(({ live_id: id }) => (id === null ? [] : [id]));
}

function statusOf(object: Observed | undefined): string | null {
  return object?.live.status ?? null;
}

function inWords(status: string | null): string {
  return status ?? 'without a status';
}

/** A recall goes on by itself. */
function isAsBefore(was: string | null, is: string | null): boolean {
  return was === is || (isRecalled({ status: was }) && isRecalled({ status: is }));
}

/** Stopped by more than a pause: by a person, or by the service for good. */
export function isOver(status: string | null): boolean {
  return isStopped({ status }) && !isPaused({ status });
}

/** Ids under the name of the change that were stopped when the plan was made, and are not any more. */
export function startedSince(
  { idsByName, statusById }: FreshList,
  { address }: Pick<Change, 'address'>,
  planned: Planned,
): readonly string[] {
  return (idsByName.get(address.name) ?? []).filter(
    (id) => isStopped({ status: statusOf(planned(id)) }) && !isStopped({ status: statusById.get(id) }),
  );
}

/** Ids under the name of the change that the plan knew nothing of. */
export function unplannedIds(
  { idsByName }: FreshList,
  { address }: Pick<Change, 'address'>,
  planned: Planned,
): readonly string[] {
  return (idsByName.get(address.name) ?? []).filter((id) => planned(id) === undefined);
}
