import type { Change, Plan } from '../domain/change.ts';
import { canonical } from '../domain/digest.ts';
import { objectKey, type Knowledge } from '../domain/knowledge.ts';
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
 * differs was rewritten by the service. It is remembered, so that it is never replaced for (rulebook 2.8.8).
 */
export async function rememberRewrites(
  ledger: Ledger,
  created: ReadonlySet<string>,
  after: Plan,
  observed: readonly Observed[],
): Promise<readonly Rewritten[]> {
  const accountIds = new Map(observed.map((object) => [object.account, object.accountId]));
  const rewritten: Rewritten[] = [];
  for (const change of after.changes.filter((candidate) => isRewritten(candidate, created))) {
    const { account, kind, name } = change.address;
    const rewrites = change.fields.map((field) => ({
      path: field.path,
      sent: canonical(field.new ?? null),
      got: canonical(field.old ?? null),
    }));
    const liveId = change.live_id ?? '';
    await ledger.rewritten({
      account,
      account_id: accountIds.get(account) ?? '',
      kind,
      name,
      live_id: liveId,
      rewrites,
    });
    rewritten.push({
      address: formatAddress(change.address),
      liveId,
      paths: rewrites.map((rewrite) => rewrite.path),
    });
  }
  return rewritten;
}

/** What is protected from its first moment is held back instead of being replaced. */
function isRewritten(change: Change, created: ReadonlySet<string>): boolean {
  return (
    (change.action === 'replace' || change.action === 'blocked') &&
    change.live_id !== null &&
    created.has(change.live_id) &&
    change.fields.length > 0
  );
}
