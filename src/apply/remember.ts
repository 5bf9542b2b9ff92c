import type { Change, Plan } from '../domain/change.ts';
import type { AccountId, LiveId } from '../domain/ids.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import { objectKey, type Knowledge } from '../domain/knowledge.ts';
import type { Address, Observed } from '../domain/resource.ts';
import { isStopped, STATUS_TRAITS, statusOf } from '../domain/status.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { FreshList } from './fresh-list.ts';
import type { StepContext } from './step-context.ts';

/**
 * Records which live objects equal the files, if the ledger does not know it yet. An equal object is adopted without a
 * request, a rename keeps its object, and a pause of ours that someone ended is over.
 */
export async function rememberKept(
  ledger: Ledger,
  plan: Plan,
  observed: readonly Observed[],
  knowledge: Knowledge,
): Promise<void> {
  const byKey = new Map(
    observed.map((object) => [`${object.account}/${object.kind}/${object.live.id}`, object]),
  );
  for (const change of plan.changes) {
    if (change.action !== 'keep' || change.live_id === null) continue;
    const { account, kind, name } = change.address;
    const object = byKey.get(`${account}/${kind}/${change.live_id}`);
    if (object === undefined || !standsAsDeclared(object)) continue;
    const known = knowledge.objects.get(objectKey(object.accountId, kind, change.live_id));
    if (known !== undefined && known.ours && known.name === name && known.pausedFor === null) continue;
    const write = {
      accountId: object.accountId,
      kind,
      name,
      liveId: change.live_id,
      starts: false,
      group: [],
    };
    // A person has stopped it meanwhile: it does not run as it was seen.
    if ((await ledger.stopAgainst(write)) !== null) continue;
    await ledger.sawAsDeclared({
      account,
      account_id: object.accountId,
      kind,
      name,
      live_id: change.live_id,
    });
  }
}

/**
 * Records which objects of ours a person has started, as this run sees them: for each id, its status now. A pause of ours
 * is over by that. If the object is paused again later, it was a person who paused it.
 */
export async function rememberStarts(
  { ledger, account, change, planned, ownStatuses, isOurs }: StartsSeen,
  statusById: ReadonlyMap<string, string | null>,
): Promise<void> {
  const { kind, name } = change.address;
  for (const [liveId, status] of statusById) {
    const before = ownStatuses.get(liveId) ?? planned(liveId)?.live.status ?? null;
    if (!isStopped({ status: before }) || !STATUS_TRAITS[statusOf({ status })].runs || !isOurs(liveId))
      continue;
    const write = { accountId: account.accountId, kind, name, liveId, starts: false, group: [] };
    if ((await ledger.stopAgainst(write)) !== null) continue;
    await ledger.sawAsDeclared({ ...change.address, account_id: account.accountId, live_id: liveId });
  }
}

type StartsSeen = Pick<StepContext, 'ledger' | 'account' | 'change' | 'planned' | 'ownStatuses' | 'isOurs'>;

/** The statuses of a list that a change goes by, of its own objects and of all with its name. */
export function statusesAbout(
  { address, live_id: own, steps }: Change,
  { idsByName, statusById }: FreshList,
): ReadonlyMap<string, string | null> {
  const ids = [own, ...steps.map(({ live_id: id }) => id), ...(idsByName.get(address.name) ?? [])];
  return new Map(
    ids.flatMap((id) => (id !== null && statusById.has(id) ? [[id, statusById.get(id) ?? null]] : [])),
  );
}

/** Kept while running means equal; kept while paused or unreadable says nothing about the content. */
function standsAsDeclared({ kind, live }: Observed): boolean {
  const { runs, goingOut } = STATUS_TRAITS[KIND_ROWS[kind].statusOf(live)];
  if (!runs || goingOut) return false;
  return kind === 'campaign' || (live.messages ?? []).length > 0;
}

/** Which live object begins or ends to be protected. */
interface Protection {
  readonly address: Address;
  readonly accountId: AccountId;
  readonly liveId: LiveId;
  readonly protect: boolean;
}

/** Writes down what is protected, so that it stays so when its lines leave the files, and what is no longer. */
export async function rememberProtection(ledger: Ledger, protection: readonly Protection[]): Promise<void> {
  for (const { address, accountId, liveId, protect } of protection)
    await ledger.protection({ ...address, account_id: accountId, live_id: liveId, protect });
}
