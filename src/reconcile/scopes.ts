import { objectKey, type Knowledge, type KnownObject, type OpenEntry } from '../domain/knowledge.ts';
import { knownLists } from '../domain/objects-on-record.ts';
import { compareIds } from '../domain/ids.ts';
import { KINDS, type Declared, type Kind, type Observed, type ResolvedAccount } from '../domain/resource.ts';
import { resolveAccounts } from '../live/accounts.ts';
import type { Scope } from '../live/read.ts';
import { knownOf } from '../plan/match.ts';
import { withSuccessors } from '../plan/successors.ts';
import { coverage, type Selection } from '../plan/targets.ts';
import type { LedgerReading } from '../ledger/reader.ts';
import type { Opened } from './source.ts';

/** What a run has read. */
interface Seen {
  readonly observed: readonly Observed[];
  readonly knowledge: Knowledge;
}

/**
 * The run does not close, repeat or wait for entries of other addresses, or of lists that were not read. An object
 * outside these lists is not known to be missing. A create that replaces a version of an address of the run counts as
 * its own: next to what it made, that version must not start.
 */
export function coveredEntries(
  selection: Selection,
  declared: readonly Declared[],
  scopes: readonly Scope[],
  seen: Seen,
): (entry: OpenEntry) => boolean {
  const covers = coverage(selection, declared);
  const aliasOf = new Map(scopes.map(({ account, kind }) => [`${account.accountId}/${kind}`, account.alias]));
  let replaceable: ReadonlySet<string> | null = null;
  const isOwn = (accountId: string, kind: Kind) => (id: string) => {
    replaceable ??= withSuccessors(objectsOf(covers, seen), seen.knowledge);
    return replaceable.has(objectKey(accountId, kind, id));
  };
  return (entry) => {
    const { accountId, address } = entry;
    const account = aliasOf.get(`${accountId}/${address.kind}`);
    if (account === undefined) return false;
    if (covers({ ...address, account })) return true;
    return entry.call === 'create' && entry.supersedes.some(isOwn(accountId, address.kind));
  };
}

/** Live objects with a covered name, now or as the ledger knows them. */
function objectsOf(covers: ReturnType<typeof coverage>, { observed, knowledge }: Seen): readonly Observed[] {
  return observed.filter((object) => {
    const { account, kind, live } = object;
    const names = [live.name, knownOf(object, knowledge)?.name];
    return names.some((name) => name != null && covers({ account, kind, name }));
  });
}

/** Looks up only accounts with declared, known or unconfirmed objects, to save requests. */
export async function resolveUsed(
  { workspace, declared, client }: Opened,
  { knowledge, accountIds }: Pick<LedgerReading, 'knowledge' | 'accountIds'>,
  { reaches }: Selection,
  onUnseen: (alias: string, why: string) => boolean,
): Promise<readonly ResolvedAccount[]> {
  const aliases = new Set([
    ...declared
      .filter(({ address, kind }) => reaches(address.account, kind))
      .map((resource) => resource.address.account),
    ...knowledge.open.map(({ address }) => address.account),
  ]);
  const knownIds = new Set([
    ...[...knownLists(knowledge.objects).sizes.keys()].map((list) => list.slice(0, list.lastIndexOf('/'))),
    ...knowledge.open.map((entry) => entry.accountId),
  ]);
  const used = workspace.accounts
    .filter(({ alias }) => KINDS.some((kind) => reaches(alias, kind)))
    .filter(
      ({ alias, selector: { by, value } }) =>
        aliases.has(alias) || knownIds.has(by === 'id' ? value : (accountIds.get(alias) ?? '')),
    );
  return resolveAccounts(client, used, workspace.service.platforms.primary, { onUnseen });
}

/**
 * Accounts with something on record as running that the workspace does not name any more: the account was removed, or its alias
 * has another id now. Their alias is their id. What runs there is listed, so that it is not forgotten.
 */
export function accountsLeft(
  { workspace }: Opened,
  { objects }: Knowledge,
  resolved: readonly ResolvedAccount[],
): readonly ResolvedAccount[] {
  const named = new Set([
    ...resolved.map(({ accountId }) => accountId),
    ...workspace.accounts.flatMap(({ selector: { by, value } }) => (by === 'id' ? [value] : [])),
  ]);
  const listed = [...knownLists(objects).sizes.keys()].map((list) => list.slice(0, list.lastIndexOf('/')));
  if (listed.every((id) => named.has(id))) return [];
  const left = new Set<string>();
  for (const known of objects.values())
    if (!named.has(known.accountId) && isRunningOnRecord(known)) left.add(known.accountId);
  return [...left]
    .toSorted(compareIds)
    .slice(0, LEFT_ACCOUNTS_MAX)
    .map((id) => ({ alias: id, accountId: id }));
}

/** A workspace with a long past may have left many accounts, and each list takes time of the published rate. */
const LEFT_ACCOUNTS_MAX = 5;

function isRunningOnRecord({ ours, pausedFor, supersededBy, recalled }: KnownObject): boolean {
  return ours && pausedFor === null && supersededBy === null && !recalled;
}

/** The lists with declared, known or unconfirmed objects. */
export function scopesOf(
  accounts: readonly ResolvedAccount[],
  declared: readonly Declared[],
  knowledge: Knowledge,
  { reaches }: Selection,
): readonly Scope[] {
  const wanted = new Set([
    ...declared.map((resource) => `${resource.address.account}/${resource.kind}`),
    ...knownLists(knowledge.objects).sizes.keys(),
    ...knowledge.open.map((entry) => `${entry.accountId}/${entry.address.kind}`),
  ]);
  return accounts.flatMap((account) =>
    KINDS.filter((kind) => reaches(account.alias, kind))
      .filter((kind) => wanted.has(`${account.alias}/${kind}`) || wanted.has(`${account.accountId}/${kind}`))
      .map((kind) => ({ account, kind })),
  );
}
