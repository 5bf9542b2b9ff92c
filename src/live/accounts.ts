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

/** The error for accounts of `herald.yaml` that were not found, or are ambiguous: one diagnostic each. */
function unresolvedAccounts(diagnostics: readonly Diagnostic[]): HeraldError {
  const message = diagnostics.map((diagnostic) => diagnostic.message).join('\n');
  return new HeraldError('unresolved-accounts', message, null, { details: { diagnostics } });
}

/** The error for what `--account` said and Herald could not understand; one sentence each. */
export function unknownTarget(problems: readonly string[]): HeraldError {
  return new HeraldError('unknown-account', problems.join(' '), null, { details: { problems } });
}

/** An account that was given by its id, and is on a platform that is not served (ACCOUNT-5). */
export class OtherPlatformError extends HeraldError {
  readonly alias: string;
  constructor(alias: string, sentence: string) {
    super('unknown-account', sentence, null, { details: { problems: [sentence] } });
    this.alias = alias;
  }
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

/** What is found with. */
interface Search {
  readonly service: WorkspaceSettings['service'];
  /** Null where no list was needed, or the key may not see it. */
  readonly listed: readonly AccountReply[] | null;
  /** Null for all. */
  readonly platforms: readonly string[] | null;
}

/** No request is needed for an account of which `herald.yaml` says that its platform is not served. */
function findStatedElsewhere({ alias, platform }: Named, { service, platforms }: Search): Problem | null {
  if (platform === undefined || platforms === null) return null;
  const word = service.platforms[platform];
  return platforms.includes(word) ? null : explainElsewhere(`"${alias}"`, word, platforms);
}

function findAccountId(account: Named, search: Search): ResolvedAccount | Problem {
  const { alias, selector } = account;
  const { listed, platforms } = search;
  const elsewhere = findStatedElsewhere(account, search);
  if (elsewhere !== null) return elsewhere;
  if (listed === null) return { alias, accountId: selector.value };
  const live = findAccount(listed, account, platforms);
  if (!isProblem(live)) return { alias, accountId: live.id };
  // An id that the list does not show may be out of the key's scope. The service then says so.
  return selector.by === 'id' && live.why !== 'elsewhere' ? { alias, accountId: selector.value } : live;
}

/**
 * Finds the account id behind each alias, for a plan. The accounts list is asked only when some alias is not an id. Throws
 * `unresolved-accounts` when one is missing, ambiguous, on another platform, or the same account as another alias.
 * `mayMiss` is asked whether the caller can go on without an alias that the list does not show, or that is elsewhere.
 */
export async function resolveAccounts(
  client: Client,
  { service }: Pick<WorkspaceSettings, 'service'>,
  accounts: readonly WorkspaceAccount[],
  mayMiss: (alias: string, problem: Problem) => boolean = () => false,
): Promise<readonly ResolvedAccount[]> {
  const listed = accounts.every(({ selector }) => selector.by === 'id') ? null : await listAccounts(client);
  const search = { service, listed, platforms: [service.platforms.primary] };
  const resolved = new Map<string, ResolvedAccount>();
  const [errors, missed]: [Diagnostic[], Diagnostic[]] = [[], []];
  for (const account of accounts) {
    const found = findAccountId(account, search);
    if (isProblem(found)) {
      const error = placeProblem(account, 'unknown-account', found.sentence);
      if (found.why === 'unclear' || !mayMiss(account.alias, found)) errors.push(error);
      else if (found.why === 'unseen') missed.push(error);
      continue;
    }
    const other = resolved.get(found.accountId);
    if (other === undefined) resolved.set(found.accountId, found);
    else {
      const same = `"${account.alias}" and "${other.alias}" are the same account (${found.accountId}). Keep one alias.`;
      errors.push(placeProblem(account, 'same-account', same));
    }
  }
  if (resolved.size === 0) errors.push(...missed);
  if (errors.length > 0) throw unresolvedAccounts(errors);
  return [...resolved.values()];
}

function placeProblem(account: WorkspaceAccount, code: DiagnosticCode, message: string): Diagnostic {
  return { severity: 'error', code, message, ...account.source };
}

/** The error for an account that the service refused for its platform, at its place in `herald.yaml`. */
export function placeElsewhere(
  error: OtherPlatformError,
  accounts: readonly WorkspaceAccount[],
): HeraldError {
  const account = accounts.find(({ alias }) => alias === error.alias);
  if (account === undefined) return error;
  return unresolvedAccounts([placeProblem(account, 'unknown-account', error.message)]);
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
  const { service } = settings;
  const isUsable = ({ selector: { by } }: Named) => by === 'id' || by === 'any_id';
  const listed = named.every(({ selector }) => selector.by === 'id')
    ? null
    : await listOrNothing(client, named, isUsable);
  const platforms = options.anyPlatform === true ? null : [service.platforms.primary];
  const found = collect(named, options, (one) => findAccountId(one, { service, listed, platforms }));
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
  const search = { service: settings.service, platforms };
  const isKnown = (account: Named) =>
    findStatedElsewhere(account, { ...search, listed: null }) !== null ||
    (findPlatformId(account) !== undefined && (platforms.length === 1 || account.platform !== undefined));
  const isUsable = (account: Named) =>
    findPlatformId(account) !== undefined || account.selector.by === 'any_id';
  const listed = named.every(isKnown) ? null : await listOrNothing(client, named, isUsable);
  const found = collect(named, options, (account) => findOnPlatform(account, { ...search, listed }));
  const keyOf = ({ platform, platformAccountId }: PlatformAccount) => `${platform}/${platformAccountId}`;
  return eachOnce(settings, found, keyOf, options.onSame);
}

function findOnPlatform(account: Named, search: Search): PlatformAccount | Problem {
  const { alias, selector } = account;
  const { service, listed, platforms } = search;
  const elsewhere = findStatedElsewhere(account, search);
  if (elsewhere !== null) return elsewhere;
  if (listed === null)
    return {
      alias,
      accountId: selector.by === 'id' ? selector.value : null,
      platform: service.platforms[account.platform ?? 'primary'],
      platformAccountId: findPlatformId(account) ?? selector.value,
    };
  const live = findAccount(listed, account, platforms);
  if (isProblem(live)) return live;
  const { id: accountId, platform, platform_account_id: platformAccountId } = live;
  if (typeof platformAccountId !== 'string' || platformAccountId === '')
    return { why: 'unclear', sentence: `Account ${accountId} ("${alias}") has no id on its platform yet.` };
  const username = typeof live.username === 'string' ? { username: live.username } : {};
  return {
    alias,
    accountId,
    platform: platform ?? service.platforms.primary,
    platformAccountId,
    ...username,
  };
}

/** A key that may not see the accounts list can use ids that it was given: the service says whether they exist. */
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

/** All that were found. Throws for those that were not, and if none is left that can be used. */
function collect<Account extends object>(
  named: readonly Named[],
  { onLeftOut, onUnseen }: TargetOptions,
  find: (account: Named) => Account | Problem,
): readonly Account[] {
  const results = named.map(({ alias, ...rest }) => ({ alias, found: find({ alias, ...rest }) }));
  const found = results.flatMap((one) => (isProblem(one.found) ? [] : [one.found]));
  const problems = results.flatMap(({ alias, found: one }) => (isProblem(one) ? [{ alias, ...one }] : []));
  const isLeftOut = ({ why }: Problem) =>
    why !== 'unclear' && (why === 'elsewhere' ? onLeftOut : onUnseen) !== undefined;
  const refused = problems.filter((one) => found.length === 0 || !isLeftOut(one));
  // If no account can be used, report wrong names before accounts that the key does not see.
  const wrong = refused.filter((one) => !isLeftOut(one));
  const told = wrong.length > 0 ? wrong : refused;
  if (told.length > 0) throw unknownTarget(told.map(({ sentence }) => sentence));
  for (const { alias, why, sentence } of problems)
    if (why === 'elsewhere') onLeftOut?.(sentence);
    else onUnseen?.(alias, sentence);
  return found;
}

/**
 * Each account once: two names of one would count everything twice. An alias of the workspace wins over an id, and otherwise
 * the first name.
 */
function eachOnce<One extends { readonly alias: string }>(
  { accounts }: WorkspaceSettings,
  found: readonly One[],
  keyOf: (account: One) => string,
  onSame: ((sentence: string) => void) | undefined,
): readonly One[] {
  const isAlias = ({ alias }: One) => accounts.some((account) => account.alias === alias);
  const kept = new Map<string, One>();
  for (const account of found) {
    const key = keyOf(account);
    const other = kept.get(key) ?? account;
    const [stays, goes] = !isAlias(other) && isAlias(account) ? [account, other] : [other, account];
    kept.set(key, stays);
    if (goes !== stays && isAlias(goes))
      onSame?.(
        `"${goes.alias}" and "${stays.alias}" are the same account (${key}). It is read once, as ${stays.alias}. Keep one alias in herald.yaml.`,
      );
  }
  return [...kept.values()];
}

/** Statuses of a key or a rate. They say nothing about the platform. */
const NOT_ABOUT_PLATFORM: readonly (number | null)[] = [401, 403, 408, 425, 429];

/**
 * Why a read of an account was refused, if its platform is the reason: an account that is given by its id is looked up
 * only then. Null for any other reason.
 */
export async function otherPlatformBehind(
  client: Client,
  error: unknown,
  account: ResolvedAccount,
  primary: string,
): Promise<OtherPlatformError | null> {
  if (!(error instanceof ServiceError)) return null;
  const { status } = error.problem;
  if (status === null || status < 400 || status >= 500 || NOT_ABOUT_PLATFORM.includes(status)) return null;
  return findOtherPlatform(client, account, primary);
}

/** The error for an account that is not on the primary platform. Null also if its platform cannot be read. */
export async function findOtherPlatform(
  client: Client,
  { alias, accountId }: ResolvedAccount,
  primary: string,
): Promise<OtherPlatformError | null> {
  const read = await client.call('accounts.get', { params: { account_id: accountId } });
  const platform = read.kind === 'done' ? read.reply.account.platform : null;
  if (typeof platform !== 'string' || platform === primary) return null;
  return new OtherPlatformError(
    alias,
    explainElsewhere(`${accountId} ("${alias}")`, platform, [primary]).sentence,
  );
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
