import { ServiceError } from '../../api/errors.ts';
import type { Client } from '../../api/client.ts';
import { listAccounts } from '../../api/pages/accounts.ts';
import type { AccountReply } from '../../api/shapes.ts';
import type { WorkspaceAccount, WorkspaceSettings } from '../../domain/workspace.ts';
import { resolveOne } from '../../live/accounts.ts';
import { movedAccounts, movedWords, wayOut } from '../../live/moved-accounts.ts';
import { fail, ok, skip, warn, type Check } from './checks.ts';
import type { ProbeAccount } from './permissions.ts';

/** All accounts that the key sees. Null if it may not list accounts. */
export async function visibleAccounts(client: Client): Promise<readonly AccountReply[] | null> {
  try {
    return await listAccounts(client);
  } catch (error) {
    if (error instanceof ServiceError && error.problem.status === 403) return null;
    throw error;
  }
}

/** Checks that each alias names exactly one account that the key sees, the same as in earlier runs. */
export function accountChecks(
  settings: WorkspaceSettings,
  listed: readonly AccountReply[] | null,
  onRecord: ReadonlyMap<string, string>,
): readonly Check[] {
  if (settings.accounts.length === 0)
    return [
      warn(
        'accounts',
        'herald.yaml names no account',
        'To see the accounts of the key: herald accounts list',
      ),
    ];
  return settings.accounts.map((account) =>
    accountCheck(account, listed, { primary: settings.service.platforms.primary, onRecord }),
  );
}

function accountCheck(
  account: WorkspaceAccount,
  listed: readonly AccountReply[] | null,
  { primary, onRecord }: { readonly primary: string; readonly onRecord: ReadonlyMap<string, string> },
): Check {
  const { alias, selector, source } = account;
  const name = `account ${alias}`;
  if (listed === null)
    return selector.by === 'id'
      ? skip(name, `id ${selector.value}, not checked: the key may not list accounts`)
      : fail(
          name,
          `${selector.by} "${selector.value}" cannot be looked up: the key may not list accounts`,
          'Give the key accounts.view, or write the id in herald.yaml.',
        );
  const found = selector.by === 'id' ? byId(selector.value, listed) : resolveOne(account, listed, primary);
  if ('problem' in found) return fail(name, found.problem, `${source.file}:${source.line} names it.`);
  const [moved] = movedAccounts([account], [{ alias, ...found }], onRecord);
  if (moved !== undefined) return fail(name, movedWords(moved), wayOut(moved));
  const live = listed.find(({ id }) => id === found.accountId);
  const words = `${found.accountId} (${live?.username ?? 'unnamed'}) on ${live?.platform ?? 'an unnamed platform'}`;
  if (typeof live?.platform === 'string' && live.platform !== primary)
    return warn(name, words, `Campaigns and broadcasts exist on ${primary} only; transactions can be read.`);
  return ok(name, words);
}

function byId(
  id: string,
  listed: readonly AccountReply[],
): { readonly accountId: string } | { readonly problem: string } {
  if (listed.some((account) => account.id === id)) return { accountId: id };
  return {
    problem: `the key does not see an account with the id ${id}. Check the id and the accounts of the key`,
  };
}

/** An account for test reads: one of the workspace, with its known ids, or any other that the key sees. */
export function accountToProbe(
  { accounts, service }: WorkspaceSettings,
  listed: readonly AccountReply[] | null,
): ProbeAccount {
  const { primary } = service.platforms;
  const onPrimary = (listed ?? []).filter(({ platform }) => platform == null || platform === primary);
  const own = onPrimary.find((live) => accounts.some(({ selector: { by, value } }) => live[by] === value));
  const live = own ?? onPrimary[0];
  if (live !== undefined)
    return { accountId: live.id, platform: primary, platformAccountId: live.platform_account_id ?? null };
  const stated = (by: 'id' | 'platform_account_id') =>
    accounts.find(({ selector }) => selector.by === by)?.selector.value ?? null;
  return { accountId: stated('id'), platform: primary, platformAccountId: stated('platform_account_id') };
}
