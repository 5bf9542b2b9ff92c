import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import type { Change } from '../domain/change.ts';
import type { Kind, Observed, ResolvedAccount } from '../domain/resource.ts';
import { scanScope } from '../live/read.ts';

/** A complete list taken just before an account's creates, as far as the creates need it. */
export interface FreshList {
  /** What turns up later under a name and is not here is new (rulebook 0.5). */
  readonly idsByName: ReadonlyMap<string, readonly string[]>;
  readonly statusById: ReadonlyMap<string, string | null>;
  /** Why nothing may be created; null when the list was read. */
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
    const problem = `Nothing was created because the list could not be read: ${error.message}`;
    return { ...NO_LIST, problem };
  }
}

/**
 * Why the change must not be carried out after all: another run or a person was faster, and what the plan
 * was made for is no longer so. Null when all is as it was.
 */
export function movedSince(
  list: FreshList,
  change: Change,
  planned: (liveId: string) => Observed | undefined,
): string | null {
  const again = 'Nothing was sent; run "herald plan" again.';
  const strangers = (list.idsByName.get(change.address.name) ?? []).filter((id) => planned(id) === undefined);
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
