import { invalidFiles } from '../library/errors.ts';
import type { Context } from './context.ts';
import { formatCommand } from '../domain/command-line.ts';
import type { AccountId } from '../domain/ids.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import { loadSettings, type LoadedSettings } from '../workspace/load.ts';
import {
  findOtherPlatform,
  namedAccounts,
  type PlatformAccount,
  refuseMoved,
  targetAccounts,
  type TargetOptions,
  targetPlatformAccounts,
} from '../live/accounts.ts';
import { servicePlace } from '../domain/service-identity.ts';
import { page, visible } from '../domain/visible.ts';
import { drawService } from '../render/service-line.ts';
import { connect, type Connected } from '../library/connect.ts';
import { nameService, type LeaseWait } from '../library/state-access.ts';
import type { State } from '../state/state.ts';
import { connectPorts } from './engine-ports.ts';
import { leaseWait } from './lease-wait.ts';
import { HeraldError } from '../domain/herald-error.ts';

/** The workspace's settings and its connection, for commands that do not plan. */
export interface Service extends Connected {
  readonly settings: WorkspaceSettings;
}

export async function openService(context: Context): Promise<Service> {
  return connected(context, await loadSettings(context.files, { env: context.env }));
}

/** The same for reads. Without a herald.yaml, HERALD_BASE_URL names the service, and accounts are named by id. */
export async function openServiceToRead(context: Context): Promise<Service> {
  const loaded = await loadSettings(context.files, { env: context.env, mayLackFile: true });
  return connected(context, loaded);
}

async function connected(context: Context, loaded: LoadedSettings): Promise<Service> {
  if (loaded.kind === 'invalid') throw invalidFiles(loaded.diagnostics);
  const { settings } = loaded;
  return { settings, ...(await connect(connectPorts(context), settings.service)) };
}

/**
 * Prints, before a change, which service gets it and which setting chose that service. Returns the place for the
 * question.
 */
export function sayService(context: Context, { settings, client }: Service): string {
  const { identity: known } = settings.service;
  const identity = { ...known, simulator: known.simulator || client.serverInfo().isSimulator };
  context.output.say(page(drawService(identity, context.output)));
  return visible(servicePlace(identity));
}

/**
 * Runs a recorded command with the lease. An interrupt waits for the current request. Rejects with `locked` while
 * another run has the lease. The service must have answered before: that tells which part of the state is meant.
 */
export async function withLease<Result>(
  context: Context,
  { client }: Pick<Service, 'client'>,
  work: (state: State) => Promise<Result>,
  wait: LeaseWait = leaseWait(context),
): Promise<Result> {
  const state = await context.state.take(() => nameService(client), wait);
  try {
    return await context.protect(() => work(state));
  } finally {
    await state.close();
  }
}

/** Throws if the alias named another account in earlier runs: money and messages must not follow a name that moved. */
export async function refuseMovedAlias(
  { settings }: Pick<Service, 'settings'>,
  account: { readonly alias: string; readonly accountId: AccountId | null },
  state: Pick<State, 'known'>,
): Promise<void> {
  const { aliases } = await state.known([]);
  const before = new Map(aliases.map(({ alias, account_id: id }) => [alias, id]));
  refuseMoved(settings.accounts, [account], before);
}

/** The accounts that `--account` names, or all accounts of the workspace. */
export async function chooseAccounts(
  { settings, client }: Service,
  given: readonly string[],
  options: TargetOptions & { readonly anyPlatform?: boolean } = {},
): Promise<readonly ResolvedAccount[]> {
  requireSome(settings, given);
  return targetAccounts(client, settings, namedAccounts(settings, given), leftOutIfUnnamed(given, options));
}

/** Without `--account`, accounts of other platforms are left out, with a warning. An account that is named is refused. */
function leftOutIfUnnamed<Options extends TargetOptions>(
  given: readonly string[],
  options: Options,
): Options {
  return given.length === 0 ? options : { ...options, onLeftOut: undefined };
}

/** The same for endpoints that take the platform's own id. `platforms` are the ones that they serve. */
export async function choosePlatformAccounts(
  { settings, client }: Service,
  given: readonly string[],
  platforms: readonly string[],
  options: TargetOptions = {},
): Promise<readonly PlatformAccount[]> {
  requireSome(settings, given);
  const named = namedAccounts(settings, given);
  return targetPlatformAccounts(client, settings, named, platforms, leftOutIfUnnamed(given, options));
}

/**
 * The one account of a command. If the workspace has several, `--account` must name it. Refuses one of another platform
 * before the call, except with `unchecked`: a stop asks nothing that it does not need.
 */
export async function chooseAccount(
  service: Service,
  given: string | undefined,
  options: { readonly anyPlatform?: true; readonly unchecked?: true } = {},
): Promise<ResolvedAccount> {
  const name = onlyName(service, given);
  const [account] = await chooseAccounts(service, [name], options);
  if (account === undefined) throw noAccount(service);
  if (options.anyPlatform !== true && options.unchecked !== true)
    await requirePrimary(service, name, account);
  return account;
}

/** The same for endpoints of the primary platform that take the platform's own id. */
export async function choosePlatformAccount(
  service: Service,
  given: string | undefined,
): Promise<PlatformAccount> {
  const { primary } = service.settings.service.platforms;
  const name = onlyName(service, given);
  const [account] = await choosePlatformAccounts(service, [name], [primary]);
  if (account === undefined) throw noAccount(service);
  const { alias, accountId } = account;
  if (accountId !== null) await requirePrimary(service, name, { alias, accountId });
  return account;
}

/** An id in `herald.yaml` does not tell the platform, so the service is asked. */
async function requirePrimary(
  { client, settings }: Service,
  name: string,
  account: ResolvedAccount,
): Promise<void> {
  const [named] = namedAccounts(settings, [name]);
  if (named?.selector.by !== 'id' || named.platform !== undefined) return;
  const elsewhere = await findOtherPlatform(client, account, settings.service.platforms.primary);
  if (elsewhere !== null) throw elsewhere;
}

function onlyName(service: Service, given: string | undefined): string {
  const { accounts, groups } = service.settings;
  const [only, ...others] = accounts;
  const name = given ?? (others.length === 0 ? only?.alias : undefined);
  if (name === undefined) throw noAccount(service);
  const members = Object.hasOwn(groups, name) ? groups[name] : undefined;
  if (members !== undefined)
    throw new HeraldError(
      'bad-flag',
      `"${name}" is a group of ${members.length} accounts, and this command takes one account.`,
      `Use --account with one of: ${members.join(', ')}.`,
    );
  return name;
}

/** Without a workspace, no account is meant unless it is named. */
function requireSome(settings: WorkspaceSettings, given: readonly string[]): void {
  if (settings.accounts.length === 0 && given.length === 0) throw noAccount({ settings });
}

function noAccount({ settings }: Pick<Service, 'settings'>): HeraldError {
  const aliases = settings.accounts.map(({ alias }) => alias);
  return new HeraldError(
    'no-account',
    'No account given.',
    aliases.length === 0
      ? `Use --account ID. To see the ids: ${formatCommand('accounts', 'list')}`
      : `Use --account with one of: ${aliases.join(', ')}.`,
  );
}
