import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { listAccounts } from '../api/pages/accounts.ts';
import type { AccountReply } from '../api/shapes.ts';
import type { AccountId, PlatformAccountId } from '../domain/ids.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import { findOne, OtherPlatform, statedElsewhere, UnseenAccount } from './find-account.ts';
import { platformIdOf, type Named } from './named-accounts.ts';
import { eachOnce } from './same-account.ts';
import { UnknownTargetError } from './unknown-target.ts';

/** An account as the endpoints of its platform know it (ACCOUNT-2): two different numbers, never to be mixed up. */
export interface PlatformAccount {
  /** The alias of the workspace, or the id as it was given. */
  readonly alias: string;
  /** The service's own id; null where only the platform's is known. */
  readonly accountId: AccountId | null;
  /** The service's word for the platform. */
  readonly platform: string;
  readonly platformAccountId: PlatformAccountId;
  /** As the accounts list says it; missing where that list was not needed. */
  readonly username?: string;
}

/** How a caller hears of accounts that are not read, or are read only once. */
export interface TargetOptions {
  /** Accounts of another platform are left out, and named here. Without it, they are refused. */
  readonly onLeftOut?: ((sentence: string) => void) | undefined;
  /** Accounts that the key does not see, if it sees others: the alias, and the reason. Without it, they are refused. */
  readonly onUnseen?: ((alias: string, sentence: string) => void) | undefined;
  /** Two names of one account. It is read once. */
  readonly onSame?: ((sentence: string) => void) | undefined;
}

/**
 * The service's own id of each account, each account once; the accounts list is asked only where an alias is not that
 * id. On the primary platform, where everything but the account itself is, unless `anyPlatform`.
 */
export async function targetAccounts(
  client: Client,
  settings: WorkspaceSettings,
  named: readonly Named[],
  options: TargetOptions & { readonly anyPlatform?: boolean } = {},
): Promise<readonly ResolvedAccount[]> {
  const needsList = named.some(({ selector }) => selector.by !== 'id');
  const isUsable = ({ selector: { by } }: Named) => by === 'id' || by === 'any_id';
  const listed = needsList ? await listOrNothing(client, named, isUsable) : null;
  const { primary } = settings.service.platforms;
  const platforms = options.anyPlatform === true ? null : [primary];
  const found = collect(named, options, (account): Found<ResolvedAccount> => {
    const { alias, selector } = account;
    const elsewhere = statedElsewhere(account, settings, platforms);
    if (elsewhere !== null) return elsewhere;
    if (listed === null) return { alias, accountId: selector.value };
    const live = findOne(listed, account, platforms);
    // An id that the list does not show may be out of the key's scope. The service then says so.
    if (selector.by === 'id' && (live instanceof UnseenAccount || typeof live === 'string'))
      return { alias, accountId: selector.value };
    return isProblem(live) ? live : { alias, accountId: live.id };
  });
  return eachOnce(settings, found, ({ accountId }) => accountId, options.onSame);
}

/**
 * The platform's id of each account, each account once; the accounts list is asked unless every alias states that id.
 * Where several platforms are served, only the list, or the workspace, knows which of them an account belongs to.
 */
export async function targetPlatformAccounts(
  client: Client,
  settings: WorkspaceSettings,
  named: readonly Named[],
  platforms: readonly string[],
  options: TargetOptions = {},
): Promise<readonly PlatformAccount[]> {
  const isKnown = (account: Named) =>
    statedElsewhere(account, settings, platforms) !== null ||
    (platformIdOf(account) !== undefined && (platforms.length === 1 || account.platform !== undefined));
  const isUsable = (account: Named) =>
    platformIdOf(account) !== undefined || account.selector.by === 'any_id';
  const listed = named.every(isKnown) ? null : await listOrNothing(client, named, isUsable);
  const found = collect(named, options, (account) => onPlatform(account, settings, { listed, platforms }));
  return eachOnce(
    settings,
    found,
    ({ platform, platformAccountId }) => `${platform}/${platformAccountId}`,
    options.onSame,
  );
}

function onPlatform(
  account: Named,
  settings: WorkspaceSettings,
  { listed, platforms }: { listed: readonly AccountReply[] | null; platforms: readonly string[] },
): Found<PlatformAccount> {
  const { alias, selector } = account;
  const words = settings.service.platforms;
  const elsewhere = statedElsewhere(account, settings, platforms);
  if (elsewhere !== null) return elsewhere;
  if (listed === null)
    return {
      alias,
      accountId: selector.by === 'id' ? selector.value : null,
      platform: words[account.platform ?? 'primary'],
      platformAccountId: platformIdOf(account) ?? selector.value,
    };
  const live = findOne(listed, account, platforms);
  if (isProblem(live)) return live;
  const { id: accountId, platform, platform_account_id: platformAccountId } = live;
  if (typeof platformAccountId !== 'string' || platformAccountId === '')
    return `Account ${accountId} ("${alias}") has no id on its platform yet.`;
  const username = typeof live.username === 'string' ? { username: live.username } : {};
  return { alias, accountId, platform: platform ?? words.primary, platformAccountId, ...username };
}

/**
 * A key that may not see the accounts list can use ids that it was given. The service then says whether there is such
 * an account.
 */
async function listOrNothing(
  client: Client,
  named: readonly Named[],
  isUsable: (account: Named) => boolean,
): Promise<readonly AccountReply[] | null> {
  try {
    return await listAccounts(client);
  } catch (error) {
    if (error instanceof ServiceError && error.problem.status === 403 && named.every(isUsable)) return null;
    throw error;
  }
}

/** An account, or why it cannot be used. */
type Found<Account extends object> = Account | Problem;
type Problem = OtherPlatform | UnseenAccount | string;

function isProblem(found: object | string): found is Problem {
  return found instanceof OtherPlatform || found instanceof UnseenAccount || typeof found === 'string';
}

/** All that were found. Throws for those that were not, and if none is left that can be used. */
function collect<Account extends object>(
  named: readonly Named[],
  { onLeftOut, onUnseen }: TargetOptions,
  find: (account: Named) => Found<Account>,
): readonly Account[] {
  const found: Account[] = [];
  const problems: string[] = [];
  const left: (OtherPlatform | UnseenAccount)[] = [];
  for (const account of named) {
    const result = find(account);
    if (!isProblem(result)) found.push(result);
    else if (typeof result === 'string') problems.push(result);
    else if ((result instanceof OtherPlatform ? onLeftOut : onUnseen) === undefined)
      problems.push(result.sentence);
    else left.push(result);
  }
  if (problems.length > 0) throw new UnknownTargetError(problems);
  if (found.length === 0 && left.length > 0)
    throw new UnknownTargetError(left.map(({ sentence }) => sentence));
  for (const one of left)
    if (one instanceof OtherPlatform) onLeftOut?.(one.sentence);
    else onUnseen?.(one.alias, one.sentence);
  return found;
}
