import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { AccountId } from '../domain/ids.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { servicePlace } from '../domain/service-identity.ts';
import type { AccountSelector, WorkspaceSettings } from '../domain/workspace.ts';
import { page, shown, visible, visibleProse } from '../domain/visible.ts';
import { identifyService, type Service, connect } from '../library/connect.ts';
import { withReadingRun } from '../library/with-run.ts';
import {
  findMoved,
  namedAccounts,
  refuseMoved,
  targetAccounts,
  type AccountWith,
  type IdKind,
  type TargetOptions,
} from '../live/accounts.ts';
import { drawService } from '../render/plan-text.ts';
import type { State } from '../state/state.ts';
import type { Context } from './context.ts';
import { warningLine } from './findings.ts';
import { requireValid, loadSettings } from '../workspace/load.ts';

/**
 * The service of the workspace, for a command that does not plan. `mayLackFile` is for one that only reads: without a
 * `herald.yaml`, HERALD_BASE_URL names the service, and accounts are named by id.
 */
export async function openService(context: Context, { mayLackFile = false } = {}): Promise<Service> {
  const { files, env } = context;
  const { settings } = requireValid(await loadSettings(files, { env, mayLackFile }));
  return connect(context, settings);
}

/** Prints, before a change, which service gets it and why that one. Returns the place for the question. */
export function sayService(context: Context, service: Service): string {
  const identity = identifyService(service);
  context.output.say(page(drawService(identity, context.output)));
  return visible(servicePlace(identity));
}

/** An account that was chosen. The id is null if only the platform's is known. */
export interface Chosen {
  readonly alias: string;
  readonly accountId: AccountId | null;
}

/** Throws if an alias named another account in earlier runs: money and messages must not follow a name that moved. */
export async function refuseMovedAliases(
  { workspace }: Pick<Service, 'workspace'>,
  chosen: readonly Chosen[],
  state: Pick<State, 'known'>,
): Promise<void> {
  refuseMoved(workspace.accounts, chosen, await readAliases(state));
}

/** Warns if an alias named another account in earlier runs. Reads use the account of today. */
export async function warnOfMoved(
  { output }: Context,
  service: Service,
  chosen: readonly Chosen[],
): Promise<void> {
  const { accounts } = service.workspace;
  // An account with an id in the files cannot move, and needs no state.
  const isMovable = ({ alias }: Chosen) =>
    accounts.some((account) => account.alias === alias && account.selector.by !== 'id');
  if (!chosen.some(isMovable)) return;
  const aliases = await withReadingRun(service, ({ state }) => readAliases(state));
  for (const { what, is } of findMoved(accounts, chosen, aliases))
    output.fail(
      warningLine('account-moved', shown`${visibleProse(what)}. The output is about account ${is}.`),
    );
}

/** The account of each alias in earlier runs. */
export async function readAliases(state: Pick<State, 'known'>): Promise<ReadonlyMap<string, string>> {
  const { aliases } = await state.known([]);
  return new Map(aliases.map(({ alias, account_id: id }) => [alias, id]));
}

/** The accounts that `--account` names, or all accounts of the workspace, with the id that the endpoint takes. */
export async function chooseAccounts<Id extends IdKind>(
  service: Service,
  given: readonly string[],
  options: TargetOptions & { readonly id: Id },
): Promise<readonly AccountWith<Id>[]> {
  const { client, workspace } = service;
  // Without a workspace, no account is meant unless it is named.
  if (workspace.accounts.length === 0 && given.length === 0) throw noAccount(service);
  return targetAccounts(client, workspace, namedAccounts(workspace, given), options);
}

/** The one account of a command. If the workspace has several, `--account` must name it. */
export async function chooseAccount(
  service: Service,
  given: string | undefined,
  { anyPlatform = false } = {},
): Promise<ResolvedAccount> {
  const options = { id: 'accountId', anyPlatform } as const;
  const [account] = await chooseAccounts(service, [chooseName(service, given)], options);
  if (account === undefined) throw noAccount(service);
  return account;
}

/** The accounts of something that is sent on each of them: those that `--account` names, or the only one of the workspace. */
export async function chooseActAccounts(
  service: Service,
  given: readonly string[],
): Promise<readonly ResolvedAccount[]> {
  const names = given.length === 0 ? [chooseName(service, undefined)] : given;
  return chooseAccounts(service, names, { id: 'accountId' });
}

/** The name of one account: a group has several. */
export function chooseName({ workspace }: Service, given: string | undefined): string {
  const { accounts, groups } = workspace;
  const name = given ?? (accounts.length === 1 ? accounts[0]?.alias : undefined);
  if (name === undefined) throw noAccount({ workspace });
  const members = Object.hasOwn(groups, name) ? groups[name] : undefined;
  if (members === undefined) return name;
  throw new HeraldError(
    'bad-flag',
    `"${name}" is a group of ${members.length} accounts, and this command takes one account.`,
    `Use --account with one of: ${members.join(', ')}.`,
  );
}

/** The alias that `herald.yaml` has for an account, by what else is known of it. The id of its platform counts only without its own. */
export function findAlias(
  { accounts }: Pick<WorkspaceSettings, 'accounts'>,
  known: Readonly<Partial<Record<AccountSelector['by'], unknown>>>,
): string | undefined {
  const isIt = (by: AccountSelector['by'], value: string | undefined) =>
    value !== undefined && String(known[by]) === value;
  return accounts.find(
    ({ selector: { by, value }, platformAccountId }) =>
      isIt(by, value) || (known.id == null && isIt('platform_account_id', platformAccountId)),
  )?.alias;
}

function noAccount({ workspace }: Pick<Service, 'workspace'>): HeraldError {
  const aliases = workspace.accounts.map(({ alias }) => alias);
  return new HeraldError(
    'no-account',
    'No account given.',
    aliases.length === 0
      ? `Use --account ID. To see the ids: ${formatCommand('accounts', 'list')}`
      : `Use --account with one of: ${aliases.join(', ')}.`,
  );
}
