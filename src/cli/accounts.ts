import { formatCommand } from '../domain/command-line.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { AccountId } from '../domain/ids.ts';
import { type Kind, KIND_ROWS, KINDS, type Observed, type ResolvedAccount } from '../domain/resource.ts';
import { servicePlace } from '../domain/service-identity.ts';
import type { AccountSelector, WorkspaceSettings } from '../domain/workspace.ts';
import { page, quoted, shown, type Visible, visible, visibleProse } from '../domain/visible.ts';
import { connect, type Service } from '../library/connect.ts';
import {
  type AccountWith,
  findMoved,
  type IdKind,
  namedAccounts,
  refuseMoved,
  targetAccounts,
  type TargetOptions,
} from '../live/accounts.ts';
import { drawService } from '../render/plan-text.ts';
import type { State } from '../state/state.ts';
import type { Context } from './context.ts';
import { warningLine } from './findings.ts';
import { loadSettings, requireValid } from '../workspace/load.ts';
import { didYouMean } from '../workspace/suggest.ts';

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
  const identity = service.identify();
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
  const aliases = await service.withReadingRun(({ state }) => readAliases(state));
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

/**
 * The accounts that `--account` names, or all accounts of the workspace, with the id that the endpoint takes. With `isAct`, something
 * is sent on each of them: without names, that is the only account of the workspace.
 */
export async function chooseAccounts<Id extends IdKind>(
  service: Service,
  typed: readonly string[],
  options: TargetOptions & { readonly id: Id; readonly isAct?: true },
): Promise<readonly AccountWith<Id>[]> {
  const { client, workspace } = service;
  const isOnly = options.isAct === true && typed.length === 0;
  const given = isOnly ? [chooseName(service, undefined)] : typed;
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

/** One live object, as a person types it: by its id, or by its address. */
type TypedObject =
  { readonly by: 'id'; readonly id: string } | { readonly by: 'name'; readonly name: string };

/** A typed object, and the account to look on. Undefined leaves the account to the workspace. */
export class TypedTarget {
  readonly object: TypedObject;
  readonly account: string | undefined;
  readonly #kind: Kind;
  readonly #command: string;

  /** Reads `77` or `alice/campaign/Welcome`. `command` is that of the user: `campaigns pause`. */
  constructor(kind: Kind, command: string, typed: string, account: string | undefined) {
    [this.#kind, this.#command] = [kind, command];
    const [, owner = '', word = '', name = ''] = /^([^/]+)\/([^/]+)\/(.+)$/su.exec(typed) ?? [];
    const isId = /^\d{1,19}$/.test(typed);
    this.object = isId ? { by: 'id', id: typed } : { by: 'name', name: name.normalize('NFC') };
    if (!isId && word !== kind) throw this.#refuse(typed, word);
    this.account = isId ? account : checkOwner(owner, account);
  }

  #refuse(typed: string, word: string): HeraldError {
    const kind = this.#kind;
    const other = KINDS.find((one) => one === word);
    if (other !== undefined)
      return new HeraldError(
        'bad-id',
        `${visible(typed)} is a ${other}, and ${formatCommand(...this.#command.split(' '))} takes a ${kind}. Nothing was sent.`,
      );
    return new HeraldError(
      'bad-id',
      `${quoted(typed)} is not the id or the address of a ${kind}. Nothing was sent.`,
      `Use an id of up to 19 digits, or an address such as alice/${kind}/Welcome. To see them: ${formatCommand(KIND_ROWS[kind].plural, 'list')}`,
    );
  }

  /** The error for a list in which the name cannot be looked up. */
  explainUnread({ message }: Error, { alias }: ResolvedAccount, isPartly = false): HeraldError {
    const sent = isPartly ? 'Only what is on record was stopped' : 'Nothing was sent';
    return new HeraldError(
      'incomplete-list',
      `The name cannot be looked up: ${message}. ${sent}.`,
      `Use the id, which needs no list: ${formatCommand(...this.#command.split(' '), 'ID', '--account', alias)}`,
    );
  }

  /** `alice/campaign/Welcome` or `campaign 77 on account alice`. */
  format(alias: string): Visible {
    const [kind, object] = [this.#kind, this.object];
    return visible(
      object.by === 'id' ? `${kind} ${object.id} on account ${alias}` : `${alias}/${kind}/${object.name}`,
    );
  }

  /** The error for one that does not exist, with the name that is near it. */
  explainMissing(alias: string, all: readonly Observed[]): HeraldError {
    const names = all.map(({ live }) => live.name ?? '');
    const near = didYouMean(this.object.by === 'id' ? '' : this.object.name, names);
    return new HeraldError(
      'no-match',
      `${this.format(alias)} does not exist. Nothing was sent.${near}`,
      `To see what there is: ${formatCommand(KIND_ROWS[this.#kind].plural, 'list')}`,
    );
  }
}

/** Reads `101001` or `alice/fan/101001`: the id, and the account that it belongs to. */
export function typedOwned(
  typed: string,
  word: 'fan' | 'chat' | 'folder',
  account: string | undefined,
): { readonly id: string; readonly account: string | undefined } {
  const [owner = '', kind, id = '', ...rest] = typed.split('/');
  const isAddress = kind === word && owner !== '' && id !== '' && rest.length === 0;
  return isAddress ? { id, account: checkOwner(owner, account) } : { id: typed, account };
}

function checkOwner(owner: string, account: string | undefined): string {
  if (account === undefined || account === owner) return owner;
  throw new HeraldError(
    'bad-flag',
    `The address is on ${visible(owner)}, and --account is ${visible(account)}. Nothing was sent.`,
    'Remove --account, or correct one of them.',
  );
}
