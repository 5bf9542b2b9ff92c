import { ServiceError } from '../../api/errors.ts';
import type { Client } from '../../api/client.ts';
import { listAccounts } from '../../api/pages.ts';
import type { AccountReply } from '../../api/rows/accounts.ts';
import { formatCommand } from '../../domain/command-line.ts';
import type { WorkspaceAccount, WorkspaceSettings } from '../../domain/workspace.ts';
import {
  describeMoved,
  explainMoved,
  findAccount,
  findMoved,
  findPlatformId,
  isProblem,
  type Problem,
} from '../../live/accounts.ts';
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
        `To see the accounts of the key: ${formatCommand('accounts', 'list')}`,
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
      ? skip(name, `id ${selector.value}, not checked: the key may not list accounts`, withoutList(account))
      : fail(
          name,
          `${selector.by} "${selector.value}" cannot be looked up: the key may not list accounts`,
          'Give the key accounts.view, or write the id in herald.yaml.',
        );
  const found = findOnAny(account, listed, primary);
  if (isProblem(found)) return fail(name, found.sentence, `${source.file}:${source.line} names it.`);
  const [moved] = findMoved([account], [{ alias, accountId: found.id }], onRecord);
  if (moved !== undefined) return fail(name, describeMoved(moved), explainMoved(moved));
  const words = `${found.id} (${found.username ?? 'unnamed'}) on ${found.platform ?? 'an unnamed platform'}`;
  if (typeof found.platform === 'string' && found.platform !== primary)
    return warn(name, words, `Campaigns and broadcasts exist on ${primary} only; transactions can be read.`);
  return ok(name, words);
}

/** What such a key can still read, and what it needs for the rest. */
function withoutList(account: WorkspaceAccount): string | null {
  const { alias, selector } = account;
  if (findPlatformId(account) !== undefined) return null;
  return `traffic, revenue and payouts look up the id on the platform, which needs accounts.view. Without it, write both ids: ${alias}: { id: "${selector.value}", platform_account_id: "…" }`;
}

/** An account of another platform is accepted: its transactions can be read. */
function findOnAny(
  account: WorkspaceAccount,
  listed: readonly AccountReply[],
  primary: string,
): AccountReply | Problem {
  const found = findAccount(listed, account, [primary]);
  return isProblem(found) && found.why === 'elsewhere' ? findAccount(listed, account, null) : found;
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
  const byId = accounts.find(({ selector }) => selector.by === 'id');
  const onPlatform = accounts.find(
    (account) => findPlatformId(account) !== undefined && account.platform !== 'secondary',
  );
  return {
    accountId: byId?.selector.value ?? null,
    platform: primary,
    platformAccountId: onPlatform === undefined ? null : (findPlatformId(onPlatform) ?? null),
  };
}
