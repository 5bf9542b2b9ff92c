import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { listAccounts } from '../api/pages/accounts.ts';
import type { PlatformAccountId } from '../domain/ids.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import type { WorkspaceAccount } from '../domain/workspace.ts';
import { platformIdOf } from './named-accounts.ts';

/** The aliases of the workspace's accounts, by the id that each has on its platform (ACCOUNT-2). */
export async function aliasesByPlatformId(
  client: Client,
  accounts: readonly WorkspaceAccount[],
  resolved: readonly ResolvedAccount[],
): Promise<ReadonlyMap<PlatformAccountId, string>> {
  const aliasOf = new Map(resolved.map(({ accountId, alias }) => [accountId, alias]));
  const stated = accounts.flatMap((account) => {
    const id = platformIdOf(account);
    return id === undefined ? [] : [[id, account.alias] as const];
  });
  const listed = (await listOrNothing(client)).flatMap(({ id, platform_account_id: platformId }) => {
    const alias = aliasOf.get(id);
    return alias === undefined || platformId == null ? [] : [[platformId, alias] as const];
  });
  return new Map([...listed, ...stated]);
}

/** A key may not see the list. Then only the ids that herald.yaml states are known. */
async function listOrNothing(client: Client): ReturnType<typeof listAccounts> {
  try {
    return await listAccounts(client);
  } catch (error) {
    if (error instanceof ServiceError && error.problem.status === 403) return [];
    throw error;
  }
}
