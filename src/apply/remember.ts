import type { Change, Plan } from '../domain/change.ts';
import { canonical } from '../domain/digest.ts';
import { NOT_SENT, objectKey, type Knowledge } from '../domain/knowledge.ts';
import { formatAddress, type Address, type Observed } from '../domain/resource.ts';
import type { Ledger } from '../ledger/ledger.ts';

/**
 * Writes down which live objects stand as declared, where the ledger does not know it yet: an equal object
 * is adopted without a write, a rename keeps its object, and a pause of ours that somebody ended is over.
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
  if (kind === 'campaign') return live.status === 'active';
  return live.status === 'scheduled' && (live.messages ?? []).length > 0;
}

/** Which live object begins or ends to be protected. */
interface Protection {
  readonly address: Address;
  readonly accountId: string;
  readonly liveId: string;
  readonly protect: boolean;
}

/** Writes down what is protected, so that it stays so when its lines leave the files, and what is no longer. */
export async function rememberProtection(ledger: Ledger, protection: readonly Protection[]): Promise<void> {
  for (const { address, accountId, liveId, protect } of protection)
    await ledger.protection({ ...address, account_id: accountId, live_id: liveId, protect });
}

/** An object whose fields the service changed while creating it. */
export interface Rewritten {
  readonly address: string;
  readonly liveId: string;
  readonly paths: readonly string[];
}

/**
 * Compares what was just created with what was declared, by a plan made after it: a field that still
 * differs was rewritten by the service. It is remembered, so that it is never replaced for. What shows a value that no
 * file states was filled in by the service: that is remembered too, because it is no loss.
 */
export async function rememberRewrites(
  ledger: Ledger,
  created: ReadonlySet<string>,
  after: Plan,
  observed: readonly Observed[],
): Promise<readonly Rewritten[]> {
  const accountIds = new Map(observed.map((object) => [object.account, object.accountId]));
  const rewritten: Rewritten[] = [];
  for (const change of after.changes.filter(({ live_id: id }) => created.has(id ?? ''))) {
    const { account, kind, name } = change.address;
    const changed = isRewritten(change) ? change.fields : [];
    const rewrites = [
      ...changed.map(({ path, old, new: sent }) => ({
        path,
        sent: canonical(sent ?? null),
        got: canonical(old ?? null),
      })),
      ...change.dropped.map(({ path, live }) => ({ path, sent: NOT_SENT, got: canonical(live) })),
    ];
    if (rewrites.length === 0) continue;
    const liveId = change.live_id ?? '';
    await ledger.rewritten({
      account,
      account_id: accountIds.get(account) ?? '',
      kind,
      name,
      live_id: liveId,
      rewrites,
    });
    const paths = changed.map(({ path }) => path);
    if (paths.length > 0) rewritten.push({ address: formatAddress(change.address), liveId, paths });
  }
  return rewritten;
}

/** What is protected from its first moment is held back instead of being replaced. */
function isRewritten({ action }: Change): boolean {
  return action === 'replace' || action === 'blocked';
}
