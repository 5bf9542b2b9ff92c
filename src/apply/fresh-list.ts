import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import { RECALL_STATUSES } from '../domain/campaign.ts';
import type { Change } from '../domain/change.ts';
import type { Kind, Observed, ResolvedAccount } from '../domain/resource.ts';
import { scanScope } from '../live/read.ts';

/** A complete list taken just before an account's creates, as far as the creates need it. */
export interface FreshList {
  /** What turns up later under a name and is not here is new (rulebook 0.5). */
  readonly idsByName: ReadonlyMap<string, readonly string[]>;
  readonly statusById: ReadonlyMap<string, string | null>;
  /** Why it could not be read; null when it was. */
  readonly problem: string | null;
}

/** For changes that create nothing. */
export const NO_LIST: FreshList = { idsByName: new Map(), statusById: new Map(), problem: null };

/** Whether a change may end in a create: an archived campaign that cannot be switched on is created anew. */
export function mayCreate(change: Change): boolean {
  return change.steps.some(({ kind }) => kind === 'create' || kind === 'reactivate');
}

export async function readFreshList(
  client: Client,
  account: ResolvedAccount,
  kind: Kind,
): Promise<FreshList> {
  try {
    const idsByName = new Map<string, string[]>();
    const statusById = new Map<string, string | null>();
    for (const { live } of await scanScope(client, { account, kind })) {
      statusById.set(live.id, live.status ?? null);
      const ids = idsByName.get(live.name ?? '');
      if (ids === undefined) idsByName.set(live.name ?? '', [live.id]);
      else ids.push(live.id);
    }
    return { idsByName, statusById, problem: null };
  } catch (error) {
    if (!(error instanceof ServiceError) && !(error instanceof IncompleteScanError)) throw error;
    return { ...NO_LIST, problem: `the list could not be read: ${error.message}` };
  }
}

type Planned = (liveId: string) => Observed | undefined;

/**
 * Why the change must not be carried out after all: another run or a person was faster, and what the plan
 * was made for is no longer so. Null when all is as it was.
 */
export function movedSince(list: FreshList, change: Change, planned: Planned): string | null {
  const again = 'Nothing was sent; run "herald plan" again.';
  const strangers = strangersIn(list, change, planned);
  if (strangers.length > 0)
    return `${strangers.join(', ')} appeared under this name since the plan was made. ${again}`;
  for (const { live_id: id } of change.steps) {
    if (id === null || !list.statusById.has(id)) continue;
    const [was, is] = [planned(id)?.live.status ?? null, list.statusById.get(id) ?? null];
    if (was !== is)
      return `${id} was ${was ?? 'without a status'} when the plan was made and is ${is ?? 'without a status'} now. ${again}`;
  }
  return null;
}

/**
 * The same once the steps before the create have been carried out and it had to wait: nobody else has made one, and
 * what was stopped is stopped still.
 */
export function movedBeforeCreate(list: FreshList, change: Change, planned: Planned): string | null {
  const again = 'Run "herald plan" again.';
  const strangers = strangersIn(list, change, planned);
  if (strangers.length > 0)
    return `Not created: ${strangers.join(', ')} appeared under this name while the create waited for its turn. ${again}`;
  const created = change.steps.findIndex(({ kind }) => kind === 'create');
  const stopped = change.steps.filter(
    ({ kind }, index) => index < created && (kind === 'pause' || kind === 'archive'),
  );
  for (const id of [change.live_id, ...stopped.map((step) => step.live_id)]) {
    const is = id === null ? undefined : list.statusById.get(id);
    if (id === null || is === undefined || isStopped(is)) continue;
    if (stopped.some((step) => step.live_id === id) || isStopped(planned(id)?.live.status ?? null))
      return `Not created: ${id} was stopped and is ${is ?? 'without a status'} now. ${again}`;
  }
  return null;
}

function isStopped(status: string | null): boolean {
  return status !== null && STOPPED.includes(status);
}

const STOPPED: readonly string[] = ['paused', 'archived', ...RECALL_STATUSES];

/** Ids under the name of the change that the plan knew nothing of. */
export function strangersIn(
  { idsByName }: FreshList,
  { address }: Pick<Change, 'address'>,
  planned: Planned,
): readonly string[] {
  return (idsByName.get(address.name) ?? []).filter((id) => planned(id) === undefined);
}
