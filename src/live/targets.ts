import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { listAccounts } from '../api/pages/accounts.ts';
import type { AccountReply } from '../api/shapes.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import type { AccountSelector, WorkspaceSettings } from '../domain/workspace.ts';

/** An account as the endpoints of its platform know it (ACCOUNT-2): two different numbers, never to be mixed up. */
export interface PlatformAccount {
  /** The alias of the workspace, or the id as it was given. */
  readonly alias: string;
  /** The service's own id; null where only the platform's is known. */
  readonly accountId: string | null;
  /** The service's word for the platform. */
  readonly platform: string;
  readonly platformAccountId: string;
  /** As the accounts list says it; missing where that list was not needed. */
  readonly username?: string;
}

/** What `--account` said could not be understood; one sentence each. */
export class UnknownTargetError extends Error {
  override readonly name = 'UnknownTargetError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join(' '));
    this.problems = problems;
  }
}

/** An account that the user named: by an alias of the workspace, or by an id. */
interface Named {
  readonly alias: string;
  readonly selector: AccountSelector | { readonly by: 'any_id'; readonly value: string };
}

/**
 * The accounts that `--account` names: aliases, groups and ids; all of the workspace when none is named.
 * Throws `UnknownTargetError` when something is neither.
 */
export function namedAccounts(settings: WorkspaceSettings, given: readonly string[]): readonly Named[] {
  const { accounts, groups } = settings;
  if (given.length === 0) return accounts;
  const problems: string[] = [];
  const named = new Map<string, Named>();
  for (const name of given) {
    const members = Object.hasOwn(groups, name) ? (groups[name] ?? []) : [name];
    for (const member of members) {
      const known = accounts.find(({ alias }) => alias === member);
      if (known !== undefined) named.set(member, known);
      else if (/^\d{1,19}$/.test(member))
        named.set(member, { alias: member, selector: { by: 'any_id', value: member } });
      else problems.push(`No account, group or id is "${member}". The workspace has: ${namesOf(settings)}.`);
    }
  }
  if (problems.length > 0) throw new UnknownTargetError(problems);
  return [...named.values()];
}

function namesOf({ accounts, groups }: WorkspaceSettings): string {
  return [...accounts.map(({ alias }) => alias), ...Object.keys(groups)].join(', ') || 'none';
}

/**
 * The service's own id of each account; the accounts list is asked only where an alias is not that id. On the primary
 * platform, where everything but the account itself lives, unless any will do.
 */
export async function targetAccounts(
  client: Client,
  settings: WorkspaceSettings,
  named: readonly Named[],
  anyPlatform = false,
): Promise<readonly ResolvedAccount[]> {
  const needsList = named.some(({ selector }) => selector.by !== 'id');
  const listed = needsList ? await listOrNothing(client, named, ['id', 'any_id']) : null;
  const { primary } = settings.service.platforms;
  return collect(named, ({ alias, selector }) => {
    if (listed === null || selector.by === 'id') return { alias, accountId: selector.value };
    const found = findOne(listed, alias, selector, anyPlatform ? null : [primary]);
    if (found instanceof OtherPlatform) return found.sentence;
    return typeof found === 'string' ? found : { alias, accountId: found.id };
  });
}

/**
 * The platform's id of each account; the accounts list is asked unless every alias states that id. Where several
 * platforms are served, only the list knows which of them an id belongs to. Accounts of another platform are left
 * out where `onLeftOut` hears about them, unless nothing is left then; otherwise they are refused.
 */
export async function targetPlatformAccounts(
  client: Client,
  settings: WorkspaceSettings,
  named: readonly Named[],
  platforms: readonly string[],
  onLeftOut?: (sentence: string) => void,
): Promise<readonly PlatformAccount[]> {
  const needsList =
    platforms.length > 1 || named.some(({ selector }) => selector.by !== 'platform_account_id');
  const listed = needsList ? await listOrNothing(client, named, ['platform_account_id']) : null;
  const { primary } = settings.service.platforms;
  const elsewhere: string[] = [];
  const all = collect(named, ({ alias, selector }): PlatformAccount | OtherPlatform | string => {
    if (listed === null)
      return { alias, accountId: null, platform: primary, platformAccountId: selector.value };
    const found = findOne(listed, alias, selector, platforms);
    if (typeof found === 'string') return found;
    if (found instanceof OtherPlatform) {
      if (onLeftOut === undefined) return found.sentence;
      elsewhere.push(found.sentence);
      return found;
    }
    const { id: accountId, platform, platform_account_id: platformAccountId } = found;
    if (typeof platformAccountId !== 'string' || platformAccountId === '')
      return `Account ${accountId} ("${alias}") has no id on its platform yet.`;
    const username = typeof found.username === 'string' ? { username: found.username } : {};
    return { alias, accountId, platform: platform ?? primary, platformAccountId, ...username };
  });
  const served = all.filter((account): account is PlatformAccount => !(account instanceof OtherPlatform));
  if (served.length === 0 && elsewhere.length > 0) throw new UnknownTargetError(elsewhere);
  for (const sentence of elsewhere) onLeftOut?.(sentence);
  return served;
}

/** An account on a platform that is not served. */
class OtherPlatform {
  readonly sentence: string;
  constructor(sentence: string) {
    this.sentence = sentence;
  }
}

/**
 * What already is the id that is looked for may be used as it is by a key that cannot see the accounts list: the
 * service then says whether there is such an account.
 */
async function listOrNothing(
  client: Client,
  named: readonly Named[],
  usable: readonly Named['selector']['by'][],
): Promise<readonly AccountReply[] | null> {
  try {
    return await listAccounts(client);
  } catch (error) {
    const onlyIds = named.every(({ selector }) => usable.includes(selector.by));
    if (error instanceof ServiceError && error.problem.status === 403 && onlyIds) return null;
    throw error;
  }
}

function collect<Found>(named: readonly Named[], find: (account: Named) => Found | string): readonly Found[] {
  const results = named.map(find);
  const problems = results.filter((result) => typeof result === 'string');
  if (problems.length > 0) throw new UnknownTargetError(problems);
  return results.filter((result): result is Exclude<typeof result, string> => typeof result !== 'string');
}

/** The one account that is meant, or what is wrong; `platforms` are those that are served, null for all. */
function findOne(
  listed: readonly AccountReply[],
  alias: string,
  selector: Named['selector'],
  platforms: readonly string[] | null,
): AccountReply | OtherPlatform | string {
  const matches = listed.filter((account) => isMeant(account, selector));
  // The same name on a platform that is not served makes nothing ambiguous.
  const served = matches.filter(
    ({ platform }) => platforms === null || platform == null || platforms.includes(platform),
  );
  const [first, ...others] = served.length > 0 ? served : matches;
  const wanted = `${selector.by === 'any_id' ? 'the id' : selector.by} "${selector.value}"`;
  if (first === undefined)
    return `No account has ${wanted} ("${alias}"). Check the spelling. To see the accounts of the key: herald accounts list`;
  if (others.length > 0) {
    const ids = [first, ...others].map(({ id, username }) => `${id} (${username ?? 'unnamed'})`).join(', ');
    return `${others.length + 1} accounts have ${wanted} ("${alias}"): ${ids}. Use an alias of the workspace.`;
  }
  if (platforms !== null && served.length === 0)
    return new OtherPlatform(
      `Account ${first.id} ("${alias}") is on ${first.platform ?? 'an unnamed platform'}; this works on ${platforms.join(' and ')} only.`,
    );
  return first;
}

function isMeant(account: AccountReply, { by, value }: Named['selector']): boolean {
  if (by === 'any_id') return account.id === value || account.platform_account_id === value;
  return account[by] === value;
}
