import { EXIT } from '../domain/exit-codes.ts';
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

/** An account cannot be used: it is on a platform that is not served, the list does not show it, or the files are unclear. */
export interface Problem {
  readonly why: 'elsewhere' | 'unseen' | 'unclear';
  readonly sentence: string;
}

export function isProblem(found: object): found is Problem {
  return 'sentence' in found;
}

/** The platform's id of an account, where it is known without the accounts list. */
export function findPlatformId({ selector, platformAccountId }: Named): string | undefined {
  return platformAccountId ?? (selector.by === 'platform_account_id' ? selector.value : undefined);
}

/**
 * The accounts that `--account` names: aliases, groups and ids; all of the workspace when none is named.
 * Throws `unknown-account` when something is neither.
 */
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

/** The one account of the list that is meant. `platforms` are those that are served, null for all. */
export function findAccount(
  listed: readonly AccountReply[],
  { alias, selector, platformAccountId: stated }: Named,
  platforms: readonly string[] | null,
): AccountReply | Problem {
  const { by, value } = selector;
  const matches = listed.filter((account) =>
    by === 'any_id' ? account.id === value || account.platform_account_id === value : account[by] === value,
  );
  // Assumed: an account without a platform is on a served one (ACCOUNT-6).
  const isServed = ({ platform }: AccountReply) =>
    platform == null || platforms?.includes(platform) !== false;
  const served = matches.filter(isServed);
  // Elsewhere, an account of the same name makes nothing ambiguous.
  const [first, ...others] = served.length > 0 ? served : matches;
  const wanted = `${by === 'any_id' ? 'the id' : by} "${value}"`;
  if (first === undefined) {
    const sentence = `The key sees no account with ${wanted} ("${alias}"). Give the key access to it, or correct herald.yaml. To see the accounts of the key: ${formatCommand('accounts', 'list')}`;
    return { why: 'unseen', sentence };
  }
  const { id, platform, platform_account_id: platformId } = first;
  if (others.length > 0) {
    const ids = [first, ...others].map((one) => `${one.id} (${one.username ?? 'unnamed'})`).join(', ');
    const next = by === 'any_id' ? 'Use an alias of the workspace.' : 'Write the id in herald.yaml.';
    return {
      why: 'unclear',
      sentence: `${others.length + 1} accounts have ${wanted} ("${alias}"): ${ids}. ${next}`,
    };
  }
  if (platforms !== null && served.length === 0)
    return explainElsewhere(`${id} ("${alias}")`, platform ?? 'an unnamed platform', platforms);
  if (stated === undefined || platformId == null || platformId === stated) return first;
  return {
    why: 'unclear',
    sentence: `Account ${id} ("${alias}") has the id ${platformId} on its platform, and herald.yaml says ${stated}. Correct platform_account_id or id.`,
  };
}

function explainElsewhere(account: string, platform: string, served: readonly string[]): Problem {
  const sentence = `Account ${account} is on ${platform}; this works on ${served.join(' and ')} only. Works on both platforms: ${formatCommand('revenue', 'transactions')}`;
  return { why: 'elsewhere', sentence };
}

/** How a named account becomes one that requests can name. */
interface Lookup<Account> {
  /** The platforms that are served; null for all. */
  readonly platforms: readonly string[] | null;
  /** By what the files say of it. Null if only the accounts list knows. */
  readonly stated: (named: Named) => Account | null;
  /** By the id as it was given, for a key that may not read the list: the service says whether it exists. */
  readonly unchecked: (named: Named) => Account | null;
  readonly listed: (named: Named, live: AccountReply) => Account | Problem;
}

/** Looks up the service's own ids. */
function lookUpIds(platforms: readonly string[] | null): Lookup<ResolvedAccount> {
  const idBy =
    (wanted: Named['selector']['by']) =>
    ({ alias, selector: { by, value } }: Named) =>
      by === wanted ? { alias, accountId: value } : null;
  return {
    platforms,
    stated: idBy('id'),
    unchecked: idBy('any_id'),
    listed: ({ alias }, { id }) => ({ alias, accountId: id }),
  };
}

/** Looks up the platform's ids. Where several platforms are served, only the list, or the file, knows which one it is. */
function lookUpPlatformIds(
  words: WorkspaceSettings['service']['platforms'],
  platforms: readonly string[],
): Lookup<PlatformAccount> {
  const withId = ({ alias, selector, platform = 'primary' }: Named, id: string | undefined) => {
    const accountId = selector.by === 'id' ? selector.value : null;
    return id === undefined ? null : { alias, accountId, platform: words[platform], platformAccountId: id };
  };
  return {
    platforms,
    stated: (named) =>
      platforms.length === 1 || named.platform !== undefined ? withId(named, findPlatformId(named)) : null,
    unchecked: (named) =>
      withId(named, named.selector.by === 'any_id' ? named.selector.value : findPlatformId(named)),
    listed: ({ alias }, { id, platform, platform_account_id: platformAccountId, username }) => {
      if (typeof platformAccountId !== 'string' || platformAccountId === '')
        return { why: 'unclear', sentence: `Account ${id} ("${alias}") has no id on its platform yet.` };
      const account = { alias, accountId: id, platform: platform ?? words.primary, platformAccountId };
      return typeof username === 'string' ? { ...account, username } : account;
    },
  };
}

/** What became of one name. */
interface LookedUp<Account> {
  readonly alias: string;
  readonly found: Account | Problem;
}

/**
 * Looks up each account. What the files say of one is used as it is, and the service answers for it; the accounts list is asked
 * only where they do not say enough.
 */
async function lookUp<Account extends object>(
  client: Client,
  { platforms: words }: WorkspaceSettings['service'],
  named: readonly Named[],
  { platforms, stated, unchecked, listed }: Lookup<Account>,
): Promise<readonly LookedUp<Account>[]> {
  let list: readonly AccountReply[] | ServiceError | null = null;
  const found: LookedUp<Account>[] = [];
  for (const one of named) {
    const { alias, platform } = one;
    const word = platform === undefined ? null : words[platform];
    const known =
      word !== null && platforms !== null && !platforms.includes(word)
        ? explainElsewhere(`"${alias}"`, word, platforms)
        : stated(one);
    if (known !== null) {
      found.push({ alias, found: known });
      continue;
    }
    list ??= await listUnlessForbidden(client);
    if (list instanceof ServiceError) {
      const account = unchecked(one);
      if (account === null) throw list;
      found.push({ alias, found: account });
    } else {
      const live = findAccount(list, one, platforms);
      found.push({ alias, found: isProblem(live) ? live : listed(one, live) });
    }
  }
  return found;
}

/** A key that may not see the accounts list can use ids that it was given. */
async function listUnlessForbidden(client: Client): Promise<readonly AccountReply[] | ServiceError> {
  try {
    return await listAccounts(client);
  } catch (error) {
    if (error instanceof ServiceError && error.problem.status === 403) return error;
    throw error;
  }
}

/** Which accounts a caller can go on without, as long as it can use others. */
export interface TargetOptions {
  /** Called with accounts of another platform. Without it, they are refused. */
  readonly onLeftOut?: ((alias: string, sentence: string) => void) | undefined;
  /** Called with accounts that the key does not see. Without it, they are refused. */
  readonly onUnseen?: ((alias: string, sentence: string) => void) | undefined;
  /** Called with two names of one account. It is read once. */
  readonly onSame?: ((sentence: string) => void) | undefined;
}

/** All that were found, and what is refused. The other ones are told. */
function collect<Account extends object>(
  looked: readonly LookedUp<Account>[],
  { onLeftOut, onUnseen }: TargetOptions,
): { readonly found: readonly Account[]; readonly refused: readonly (Problem & { alias: string })[] } {
  const found = looked.flatMap((one) => (isProblem(one.found) ? [] : [one.found]));
  const problems = looked.flatMap(({ alias, found: one }) => (isProblem(one) ? [{ alias, ...one }] : []));
  const tell = { elsewhere: onLeftOut, unseen: onUnseen, unclear: undefined };
  const wrong = problems.filter(({ why }) => tell[why] === undefined);
  // If no account can be used, wrong names are reported before accounts that the key does not see.
  const refused = wrong.length === 0 && found.length === 0 ? problems : wrong;
  for (const { alias, why, sentence } of refused.length > 0 ? [] : problems) tell[why]?.(alias, sentence);
  return { found, refused };
}

/**
 * The account id behind each alias, for a plan. Throws `unresolved-accounts`, with the places in `herald.yaml`, when one is
 * missing, ambiguous, on another platform, or the same account as another alias.
 */
export async function resolveAccounts(
  client: Client,
  { service }: Pick<WorkspaceSettings, 'service'>,
  accounts: readonly WorkspaceAccount[],
  options: Pick<TargetOptions, 'onLeftOut' | 'onUnseen'> = {},
): Promise<readonly ResolvedAccount[]> {
  const looked = await lookUp(client, service, accounts, lookUpIds([service.platforms.primary]));
  const { found, refused } = collect(looked, options);
  const errors = refused.map(({ alias, sentence }) =>
    placeProblem(accounts, alias, 'unknown-account', sentence),
  );
  const resolved = new Map<string, ResolvedAccount>();
  for (const account of found) {
    const other = resolved.get(account.accountId);
    resolved.set(account.accountId, other ?? account);
    const same = `"${account.alias}" and "${other?.alias ?? ''}" are the same account (${account.accountId}). Keep one alias.`;
    if (other !== undefined) errors.push(placeProblem(accounts, account.alias, 'same-account', same));
  }
  if (errors.length === 0) return found;
  const message = errors.map((error) => error.message).join('\n');
  throw new HeraldError('unresolved-accounts', message, null, { details: { diagnostics: errors } });
}

function placeProblem(
  accounts: readonly WorkspaceAccount[],
  alias: string,
  code: DiagnosticCode,
  message: string,
): Diagnostic {
  return { severity: 'error', code, message, ...accounts.find((account) => account.alias === alias)?.source };
}

/**
 * The service's own id of each account, each account once. On the primary platform, where everything but the account itself is,
 * unless `anyPlatform`.
 */
export async function targetAccounts(
  client: Client,
  settings: WorkspaceSettings,
  named: readonly Named[],
  options: TargetOptions & { readonly anyPlatform?: boolean } = {},
): Promise<readonly ResolvedAccount[]> {
  const { service } = settings;
  const platforms = options.anyPlatform === true ? null : [service.platforms.primary];
  const looked = await lookUp(client, service, named, lookUpIds(platforms));
  return eachOnce(settings, looked, ({ accountId }) => accountId, options);
}

/** The platform's id of each account, each account once. `platforms` are the ones that are served. */
export async function targetPlatformAccounts(
  client: Client,
  settings: WorkspaceSettings,
  named: readonly Named[],
  platforms: readonly string[],
  options: TargetOptions = {},
): Promise<readonly PlatformAccount[]> {
  const { service } = settings;
  const looked = await lookUp(client, service, named, lookUpPlatformIds(service.platforms, platforms));
  return eachOnce(settings, looked, (one) => `${one.platform}/${one.platformAccountId}`, options);
}

/**
 * Each account once: two names of one would count everything twice. An alias of the workspace wins over an id, and otherwise
 * the first name.
 */
function eachOnce<One extends { readonly alias: string }>(
  { accounts }: WorkspaceSettings,
  looked: readonly LookedUp<One>[],
  keyOf: (account: One) => string,
  options: TargetOptions,
): readonly One[] {
  const { found, refused } = collect(looked, options);
  if (refused.length > 0) throw unknownTarget(refused.map(({ sentence }) => sentence));
  const isAlias = ({ alias }: One) => accounts.some((account) => account.alias === alias);
  const kept = new Map<string, One>();
  for (const account of found) {
    const key = keyOf(account);
    const other = kept.get(key) ?? account;
    const [stays, goes] = !isAlias(other) && isAlias(account) ? [account, other] : [other, account];
    kept.set(key, stays);
    if (goes !== stays && isAlias(goes))
      options.onSame?.(
        `"${goes.alias}" and "${stays.alias}" are the same account (${key}). It is read once, as ${stays.alias}. Keep one alias in herald.yaml.`,
      );
  }
  return [...kept.values()];
}

/** An alias that means another account than in earlier runs. */
interface MovedAccount {
  readonly account: WorkspaceAccount;
  readonly was: string;
  readonly is: string;
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
): readonly MovedAccount[] {
  return lookedUp.flatMap(({ alias, accountId: is }) => {
    const account = accounts.find((one) => one.alias === alias);
    const was = known.get(alias);
    if (account === undefined || account.selector.by === 'id' || is === null) return [];
    return was === undefined || was === is ? [] : [{ account, was, is }];
  });
}

/** `"alice" (username "creator_0") was account 101 in earlier runs and is account 102 now` */
export function describeMoved({ account: { alias, selector }, was, is }: MovedAccount): string {
  return `"${alias}" (${selector.by} "${selector.value}") was account ${was} in earlier runs and is account ${is} now`;
}

/** The lines to write in `herald.yaml`. */
export function explainMoved({ account: { alias, source }, was, is }: MovedAccount): string {
  return `${source.file}:${source.line}: ${alias}: { id: "${was}" } for the earlier account, or ${alias}: { id: "${is}" } for the other one.`;
}

/** Money and messages must not go to another account only because a name has moved: throws `moved-account` then. */
export function refuseMoved(...args: Parameters<typeof findMoved>): void {
  const moved = findMoved(...args);
  if (moved.length === 0) return;
  const hint = [
    `Nothing was sent. To see both: ${formatCommand('accounts', 'list')}. Then write the id of the right account in herald.yaml:`,
    ...moved.map(explainMoved),
  ].join('\n');
  const details = { moved: moved.map(({ account, was, is }) => ({ account: account.alias, was, is })) };
  const message = `${moved.map(describeMoved).join('. ')}.`;
  throw new HeraldError('moved-account', message, hint, { exit: EXIT.blocked, details });
}
