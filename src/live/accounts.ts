import { HeraldError } from '../domain/herald-error.ts';
import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import { listAccounts } from '../api/pages.ts';
import type { AccountReply } from '../api/rows/accounts.ts';
import type { DiagnosticCode } from '../domain/codes.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import type { AccountId, PlatformAccountId } from '../domain/ids.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import type { AccountSelector, WorkspaceAccount, WorkspaceSettings } from '../domain/workspace.ts';

/** The error for what `--account` said and Herald could not understand; one sentence each. */
export function unknownTarget(problems: readonly string[]): HeraldError {
  return new HeraldError('unknown-account', problems.join(' '), null, { details: { problems } });
}

/** An account that the user named: by an alias of the workspace, or by an id. */
export interface Named extends Pick<WorkspaceAccount, 'alias' | 'platform' | 'platformAccountId'> {
  readonly selector: AccountSelector | { readonly by: 'any_id'; readonly value: string };
}

/** An account with what is known of it: by the files, or by the accounts list. */
interface KnownAccount {
  readonly alias: string;
  /** The service's own id. The platform has another one (ACCOUNT-2): two different numbers, never to be mixed up. */
  readonly accountId: AccountId | null;
  /** The service's word for the platform. */
  readonly platform: string;
  readonly platformAccountId: PlatformAccountId | null;
  /** As the accounts list says it; missing where that list was not needed. */
  readonly username?: string;
}
/** Which of the two ids an endpoint takes. */
export type IdKind = 'accountId' | 'platformAccountId';
export type AccountWith<Id extends IdKind> = KnownAccount & Readonly<Record<Id, string>>;

/** An account as the endpoints of its platform know it. */
export type PlatformAccount = AccountWith<'platformAccountId'>;

/** An account cannot be used: it is on a platform that is not served, the list does not show it, or the files are unclear. */
interface AccountProblem {
  readonly alias: string;
  readonly why: 'elsewhere' | 'unseen' | 'unclear';
  readonly sentence: string;
}

/** The platform's id of an account, where it is known without the accounts list. */
function findPlatformId({ selector, platformAccountId }: Named): string | undefined {
  return platformAccountId ?? (selector.by === 'platform_account_id' ? selector.value : undefined);
}

/** The accounts of aliases, groups and ids; of no name, all. Throws `unknown-account` for anything else. */
export function namedAccounts(
  { accounts, groups }: Pick<WorkspaceSettings, 'accounts' | 'groups'>,
  given: readonly string[],
): readonly Named[] {
  if (given.length === 0) return accounts;
  const problems: string[] = [];
  const named = new Map<string, Named>();
  for (const name of given.flatMap((one) => (Object.hasOwn(groups, one) ? (groups[one] ?? []) : [one]))) {
    const known = accounts.find(({ alias }) => alias === name);
    // An id of an account of the workspace names that account, with what the file says about it.
    const stated = accounts.find(({ selector }) => selector.by === 'id' && selector.value === name);
    const isOther = accounts.some((account) => findPlatformId(account) === name);
    const isId = /^\d{1,19}$/.test(name);
    if (known !== undefined) named.set(name, known);
    else if (stated !== undefined && !isOther) named.set(name, { ...stated, alias: name });
    else if (isId) named.set(name, { alias: name, selector: { by: 'any_id', value: name } });
    else {
      const all = [...accounts.map(({ alias }) => alias), ...Object.keys(groups)].join(', ') || 'none';
      problems.push(`No account, group or id is "${name}". The workspace has: ${all}.`);
    }
  }
  if (problems.length > 0) throw unknownTarget(problems);
  return [...named.values()];
}

/** The one account of the list that is meant. */
export function findAccount(
  listed: readonly AccountReply[],
  { alias, selector, platformAccountId: stated }: Named,
  { primary, anyPlatform }: { readonly primary: string; readonly anyPlatform: boolean },
): KnownAccount | AccountProblem {
  const { by, value } = selector;
  const matches = listed.filter((account) =>
    by === 'any_id' ? account.id === value || account.platform_account_id === value : account[by] === value,
  );
  // Assumed: an account without a platform is on a served one (ACCOUNT-6). Elsewhere, one of the same name makes nothing ambiguous.
  const here = matches.filter(({ platform }) => anyPlatform || platform == null || platform === primary);
  const [first, ...others] = here.length > 0 ? here : matches;
  const wanted = `${by === 'any_id' ? 'the id' : by} "${value}"`;
  if (first === undefined) {
    const sentence = `The key sees no account with ${wanted} ("${alias}"). Give the key access to it, or correct herald.yaml. To see the accounts of the key: ${formatCommand('accounts', 'list')}`;
    return { alias, why: 'unseen', sentence };
  }
  if (others.length > 0) {
    const ids = [first, ...others].map((one) => `${one.id} (${one.username ?? 'unnamed'})`).join(', ');
    const next = by === 'any_id' ? 'Use an alias of the workspace.' : 'Write the id in herald.yaml.';
    const sentence = `${others.length + 1} accounts have ${wanted} ("${alias}"): ${ids}. ${next}`;
    return { alias, why: 'unclear', sentence };
  }
  const { id, platform, platform_account_id: platformId, username } = first;
  if (here.length === 0) return explainElsewhere(alias, `${id} ("${alias}")`, platform ?? '', primary);
  if (stated !== undefined && platformId != null && platformId !== stated) {
    const sentence = `Account ${id} ("${alias}") has the id ${platformId} on its platform, and herald.yaml says ${stated}. Correct platform_account_id or id.`;
    return { alias, why: 'unclear', sentence };
  }
  return {
    alias,
    accountId: id,
    platform: platform ?? primary,
    platformAccountId: platformId == null || platformId === '' ? null : platformId,
    ...(typeof username === 'string' ? { username } : {}),
  };
}

function explainElsewhere(alias: string, account: string, platform: string, served: string): AccountProblem {
  const sentence = `Account ${account} is on ${platform}; this works on ${served} only. With \`platform: secondary\` next to its id in herald.yaml, it is left out. Works on both platforms: ${formatCommand('revenue', 'transactions')}`;
  return { alias, why: 'elsewhere', sentence };
}

export interface TargetOptions {
  /** Without it, accounts of the secondary platform cannot be used. */
  readonly anyPlatform?: boolean;
  /** Asked about each account that cannot be used, if others can. True: the caller goes on without it. */
  readonly skip?: SkipAccount | undefined;
  /** What the files say is compared with the accounts list, because money goes there. */
  readonly isChecked?: boolean;
}
export type SkipAccount = (problem: AccountProblem) => boolean;

/**
 * Looks up one id of each account. What the files say of one is used as it is, and the service answers for it; the accounts
 * list is asked only where they do not say enough.
 */
async function lookUp<Id extends IdKind>(
  client: Client,
  { platforms: words }: WorkspaceSettings['service'],
  named: readonly Named[],
  { id, anyPlatform = false, skip, isChecked = false }: TargetOptions & { readonly id: Id },
): Promise<{ readonly found: readonly AccountWith<Id>[]; readonly refused: readonly AccountProblem[] }> {
  const served = { primary: words.primary, anyPlatform };
  let list: readonly AccountReply[] | ServiceError | null = null;
  const lookUpOne = async (one: Named): Promise<KnownAccount | AccountProblem> => {
    const { alias, platform = 'primary', selector } = one;
    const stated: KnownAccount = {
      alias,
      accountId: selector.by === 'id' ? selector.value : null,
      platform: words[platform],
      platformAccountId: findPlatformId(one) ?? null,
    };
    if (!anyPlatform && stated.platform !== words.primary)
      return explainElsewhere(alias, `"${alias}"`, stated.platform, words.primary);
    // Where both platforms are served, an id on one of them does not say which it is.
    const isUnsure = id === 'platformAccountId' && anyPlatform && one.platform === undefined;
    if (stated[id] !== null && !isUnsure && !isChecked) return stated;
    list ??= await listUnlessForbidden(client);
    if (!(list instanceof ServiceError)) return findAccount(list, one, served);
    // A key that may not see the list can use an id that it was given. The service says whether it exists.
    const given = selector.by === 'any_id' ? { ...stated, [id]: selector.value } : stated;
    if (given[id] === null) throw list;
    return given;
  };
  const found: AccountWith<Id>[] = [];
  const problems: AccountProblem[] = [];
  for (const one of named) {
    const account = await lookUpOne(one);
    if ('sentence' in account) problems.push(account);
    else if (hasId(account, id)) found.push(account);
    else {
      const sentence = `Account ${account.accountId} ("${account.alias}") has no id on its platform yet.`;
      problems.push({ alias: account.alias, why: 'unclear', sentence });
    }
  }
  return { found, refused: problems.filter((one) => found.length === 0 || skip?.(one) !== true) };
}

function hasId<Id extends IdKind>(account: KnownAccount, id: Id): account is AccountWith<Id> {
  return account[id] !== null;
}

async function listUnlessForbidden(client: Client): Promise<readonly AccountReply[] | ServiceError> {
  try {
    return await listAccounts(client);
  } catch (error) {
    if (error instanceof ServiceError && error.problem.status === 403) return error;
    throw error;
  }
}

/**
 * The account id behind each alias, for a plan. Throws `unresolved-accounts`, with the places in `herald.yaml`, when one is
 * missing, ambiguous, on another platform, or the same account as another alias.
 */
export async function resolveAccounts(
  client: Client,
  { service }: Pick<WorkspaceSettings, 'service'>,
  accounts: readonly WorkspaceAccount[],
  skip?: SkipAccount,
): Promise<readonly ResolvedAccount[]> {
  const { found, refused } = await lookUp(client, service, accounts, { id: 'accountId', skip });
  const place = (alias: string, code: DiagnosticCode, message: string): Diagnostic => {
    const account = accounts.find((one) => one.alias === alias);
    return { severity: 'error', code, message, ...account?.source };
  };
  const errors = refused.map(({ alias, sentence }) => place(alias, 'unknown-account', sentence));
  for (const [index, { alias, accountId }] of found.entries()) {
    const other = found.slice(0, index).find((one) => one.accountId === accountId);
    if (other === undefined) continue;
    const same = `"${alias}" and "${other.alias}" are the same account (${accountId}). Keep one alias.`;
    errors.push(place(alias, 'same-account', same));
  }
  if (errors.length === 0) return found.map(({ alias, accountId }) => ({ alias, accountId }));
  const message = errors.map((error) => error.message).join('\n');
  throw new HeraldError('unresolved-accounts', message, null, { details: { diagnostics: errors } });
}

/**
 * One id of each account, each account once, under its first name. On the primary platform, where everything but the account itself
 * is, unless `anyPlatform`.
 */
export async function targetAccounts<Id extends IdKind>(
  client: Client,
  { service }: WorkspaceSettings,
  named: readonly Named[],
  options: TargetOptions & { readonly id: Id },
): Promise<readonly AccountWith<Id>[]> {
  const { found, refused } = await lookUp(client, service, named, options);
  if (refused.length > 0) throw unknownTarget(refused.map(({ sentence }) => sentence));
  // Two names of one would count everything twice.
  const { id } = options;
  const keys = found.map((one) => (id === 'accountId' ? one[id] : `${one.platform}/${one[id]}`));
  return found.filter((_, index) => keys.indexOf(keys[index] ?? '') === index);
}

/**
 * Aliases with a username, label or platform id that now belongs to another account than in earlier runs, because names can
 * move between accounts. `known` has the id of each alias's last use. An alias that states the account id is safe. The id of
 * a looked-up account is null where only the platform's is known.
 */
export function findMoved(
  accounts: readonly WorkspaceAccount[],
  lookedUp: readonly { readonly alias: string; readonly accountId: AccountId | null }[],
  known: ReadonlyMap<string, string>,
) {
  return lookedUp.flatMap(({ alias, accountId: is }) => {
    const account = accounts.find((one) => one.alias === alias);
    const was = known.get(alias);
    if (account === undefined || account.selector.by === 'id' || is === null) return [];
    if (was === undefined || was === is) return [];
    const { selector, source } = account;
    const what = `"${alias}" (${selector.by} "${selector.value}") was account ${was} in earlier runs and is account ${is} now`;
    // What to write in `herald.yaml`.
    const next = `${source.file}:${source.line}: ${alias}: { id: "${was}" } for the earlier account, or ${alias}: { id: "${is}" } for the other one.`;
    return [{ alias, was, is, what, next }];
  });
}

/** Money and messages must not go to another account only because a name has moved: throws `moved-account` then. */
export function refuseMoved(...args: Parameters<typeof findMoved>): void {
  const moved = findMoved(...args);
  if (moved.length === 0) return;
  const hint = [
    `Nothing was sent. To see both: ${formatCommand('accounts', 'list')}. Then write the id of the right account in herald.yaml:`,
    ...moved.map(({ next }) => next),
  ].join('\n');
  const details = { moved: moved.map(({ alias, was, is }) => ({ account: alias, was, is })) };
  const message = `${moved.map(({ what }) => what).join('. ')}.`;
  throw new HeraldError('moved-account', message, hint, { details });
}
