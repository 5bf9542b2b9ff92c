import type { Plan } from '../domain/change.ts';
import type { AccountId, LiveId } from '../domain/ids.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import { objectKey, type Knowledge } from '../domain/knowledge.ts';
import type { Address, Observed } from '../domain/resource.ts';
import { STATUS_TRAITS } from '../domain/status.ts';
import type { Ledger } from '../ledger/ledger.ts';

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
