import type { Knowledge, OpenEntry } from '../domain/knowledge.ts';
import { knownLists } from '../domain/objects-on-record.ts';
import { KINDS, type Declared, type ResolvedAccount } from '../domain/resource.ts';
import { resolveAccounts } from '../live/accounts.ts';
import type { Scope } from '../live/read.ts';
import { coverage, type Selection } from '../plan/targets.ts';
import type { Opened } from './source.ts';

/**
 * The run does not close, repeat or wait for entries of other addresses, or of lists that were not read. An object
 * outside these lists is not known to be missing.
 */
export function coveredEntries(
  selection: Selection,
  declared: readonly Declared[],
  scopes: readonly Scope[],
): (entry: OpenEntry) => boolean {
  const covers = coverage(selection, declared);
  const aliasOf = new Map(scopes.map(({ account, kind }) => [`${account.accountId}/${kind}`, account.alias]));
  return ({ accountId, address }) => {
    const account = aliasOf.get(`${accountId}/${address.kind}`);
    return account !== undefined && covers({ ...address, account });
  };
}

/** Looks up only accounts with declared, known or unconfirmed objects, to save requests. */
export async function resolveUsed(
  { workspace, declared, client }: Opened,
  knowledge: Knowledge,
  { reaches }: Selection,
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
      ({ alias, selector }) => aliases.has(alias) || (selector.by === 'id' && knownIds.has(selector.value)),
    );
  return resolveAccounts(client, used, workspace.service.platforms.primary);
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
