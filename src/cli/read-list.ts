import type { CallInput } from '../api/catalogue.ts';
import { IncompleteScanError } from '../api/errors.ts';
import { withoutSignatures } from '../api/key.ts';
import type { ListDefinition } from '../api/lists.ts';
import {
  type ListFacts,
  type ListInput,
  type ListOperation,
  type Place,
  readPages,
  readToShow,
} from '../api/pages.ts';
import { type FilterDefinition, type FilterName, FILTERS } from '../api/row.ts';
import { chooseAccount, chooseAccounts, typedOwned, warnOfMoved } from './accounts.ts';
import type { Service } from '../library/connect.ts';
import type { Context } from './context.ts';
import { DEFAULT_RANGE_DAYS, readRange, type TimeRange } from '../library/instant-range.ts';
import type { ListSource } from './print-rows.ts';
import type { ListItem } from '../render/rows.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { AccountId } from '../domain/ids.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import { type SkipAccount, type TargetOptions, unknownTarget } from '../live/accounts.ts';

export interface Owner {
  /** The account's alias; empty for the organisation. */
  readonly alias: string;
  /** The account's id on the service, if it was looked up. */
  readonly accountId: AccountId | null;
  /** How the path of the endpoint names it. */
  readonly params: Readonly<Record<string, string>>;
}

type Pages = AsyncGenerator<readonly ListItem[], void>;

interface GivenAccounts {
  readonly argument?: string | undefined;
  readonly account?: string | undefined;
  readonly accounts?: readonly string[] | undefined;
}

/** Throws for an unknown account, or one without such rows. One that the key does not see fails alone. */
export async function openOwners(
  context: Context,
  service: Service,
  definition: ListDefinition,
  given: GivenAccounts,
) {
  const unseen: ListSource[] = [];
  const skip: SkipAccount = ({ alias, why, sentence }) => {
    if (why === 'unseen') unseen.push({ account: alias, facts: {}, pages: () => failWith(sentence) });
    // An account of another platform that is named is refused.
    const isLeftOut = why === 'elsewhere' && (given.accounts ?? []).length === 0;
    if (isLeftOut) context.output.say(shown`Left out: ${visibleProse(sentence)}`);
    return why === 'unseen' || isLeftOut;
  };
  const owners = await findOwners(service, definition, given, skip);
  await warnOfMoved(context, service, owners);
  const makeSource = (owner: Owner, read: ReadOwner): ListSource => {
    const facts: ListFacts = {};
    return { account: owner.alias, facts, pages: () => read(owner, facts) };
  };
  return {
    owners,
    makeSources: (read: ReadOwner): readonly ListSource[] => [
      ...owners.map((owner) => makeSource(owner, read)),
      ...unseen,
    ],
  };
}

/** The range is by the service's clock. Throws for flags that it would refuse, before the first request. */
export async function openList(
  context: Context,
  service: Service,
  definition: ListDefinition,
  given: GivenAccounts & Selection,
) {
  const { clock } = context;
  buildQuery(definition, given, clock.now());
  readOwnRange(definition, given, clock.now());
  const opened = await openOwners(context, service, definition, given);
  const nowMs = clock.now() + service.client.skewMs();
  const creator_ids = await resolveCreators(service, given.creator_ids);
  const query = buildQuery(definition, { ...given, creator_ids }, nowMs);
  const { range } = definition;
  if (range?.required === true && given.from === undefined) {
    const what = `${range.of.charAt(0).toUpperCase()}${range.of.slice(1)}`;
    const ends = `from ${String(query[range.from])} to ${String(query[range.to])}`;
    const text = `${what} ${ends}: ${DEFAULT_RANGE_DAYS} days, because --from was not given.`;
    context.output.say(visibleProse(text));
  }
  const inRange = readOwnRange(definition, given, nowMs);
  const read = (owner: Owner, options: Omit<ReadOptions, 'query' | 'inRange'> = {}) =>
    readOwner(service.client, definition, owner, { ...options, query, inRange });
  return { ...opened, read };
}

/** Reads the rows of one owner, and fills in what the service says about their list. */
type ReadOwner = (owner: Owner, facts: ListFacts) => Pages;

/** The list of an account that the key does not see. */
async function* failWith(sentence: string): Pages {
  yield await Promise.reject<readonly ListItem[]>(unknownTarget([sentence]));
}

async function findOwners(
  service: Service,
  { argument, who, bothPlatforms }: ListDefinition,
  { argument: typed = '', account, accounts = [] }: GivenAccounts,
  skip: SkipAccount,
): Promise<readonly Owner[]> {
  if (argument !== undefined) {
    const owned = typedOwned(typed, argument, account);
    const { alias, accountId } = await chooseAccount(service, owned.account);
    return [{ alias, accountId, params: { account_id: accountId, [`${argument}_id`]: owned.id } }];
  }
  if (who === 'organisation') return [{ alias: '', accountId: null, params: {} }];
  return chooseOwners(service, who, accounts, { anyPlatform: bothPlatforms === true, skip });
}

/** The accounts that are named, with the ids that the path of an endpoint has of them. */
export async function chooseOwners(
  service: Service,
  who: 'account' | 'platform',
  given: readonly string[],
  options: TargetOptions,
): Promise<readonly Owner[]> {
  if (who === 'account') {
    const accounts = await chooseAccounts(service, given, { ...options, id: 'accountId' });
    return accounts.map(({ alias, accountId }) => ({ alias, accountId, params: { account_id: accountId } }));
  }
  const chosen = await chooseAccounts(service, given, { ...options, id: 'platformAccountId' });
  return chosen.map(({ alias, accountId, platform, platformAccountId }) => ({
    alias,
    accountId,
    params: { platform, platform_account_id: platformAccountId },
  }));
}

export type FilterValue = string | readonly string[] | boolean | undefined;

type Selection = TimeRange & Readonly<Partial<Record<FilterName, FilterValue>>>;

type Query = Readonly<Record<string, FilterValue>>;

/** The query, without pages. Throws for values that the service would refuse. */
function buildQuery({ range, filters }: ListDefinition, given: Selection, nowMs: number): Query {
  const query: Record<string, FilterValue> = {};
  if (range !== undefined) {
    const { from, to } = readRange(given, nowMs, { isRequired: range.required });
    if (from !== undefined) query[range.from] = from;
    if (to !== undefined) query[range.to] = to;
  }
  for (const name of filters) query[name] = readFilter(FILTERS[name], given[name]);
  return query;
}

/** The rows of a range that the service does not take. Null where it does, and without `--from` and `--to`. Throws `bad-flag`. */
function readOwnRange({ ownRange }: ListDefinition, given: Selection, nowMs: number) {
  if (ownRange === undefined) return null;
  // A broadcast may be scheduled long after now.
  const { from, to } = readRange(given, nowMs, { lastMs: Number.POSITIVE_INFINITY });
  if (from === undefined && to === undefined) return null;
  const [fromMs, toMs] = [Date.parse(from ?? '0000-01-01'), Date.parse(to ?? '9999-12-31')];
  const readMs = (item: ListItem) => {
    const value = ownRange.members.map((member) => item[member]).find((one) => typeof one === 'string');
    return Date.parse(typeof value === 'string' ? value : '');
  };
  return {
    // A row without a time may be inside.
    isInside: (item: ListItem) => !(readMs(item) < fromMs || readMs(item) > toMs),
    isBefore: (item: ListItem) => readMs(item) < fromMs,
    // Another order than that of the service may begin with the oldest.
    endsList: ownRange.newestFirst === true && given.order === undefined,
  };
}

function readFilter({ takes, flag }: FilterDefinition, given: FilterValue): FilterValue {
  if (takes === 'switch') return given === true;
  if (given === undefined || typeof given === 'boolean') return undefined;
  const [name = ''] = flag.split(' ');
  const values = [...new Set([given].flat())];
  // An empty value would be left out of the query, and select everything.
  if (values.includes('')) throw new HeraldError('bad-flag', `${name} is empty.`);
  if (takes === undefined) return values[0];
  return values.length === 0 ? undefined : values;
}

/** Creators may be aliases and groups of the workspace, and several in one value. */
async function resolveCreators(service: Service, creator: FilterValue): Promise<FilterValue> {
  if (creator === undefined || typeof creator === 'boolean') return creator;
  const given = [creator].flat().flatMap((value) => value.split(',').map((one) => one.trim()));
  const isId = (one: string) => /^\d*$/.test(one);
  const names = given.filter((one) => !isId(one));
  const accounts =
    names.length === 0 ? [] : await chooseAccounts(service, names, { id: 'accountId', anyPlatform: true });
  return [...given.filter(isId), ...accounts.map(({ accountId }) => accountId)];
}

interface ReadOptions {
  readonly query: Query;
  readonly inRange?: ReturnType<typeof readOwnRange>;
  readonly limit?: number | undefined;
  readonly start?: Place;
  /** Filled in with what replies say about the list. */
  readonly facts?: ListFacts;
}

/** The rows of one owner, page by page, as items to show. A list of which rows may be missing fails after its rows. */
export async function* readOwner(
  client: Service['client'],
  definition: ListDefinition,
  { alias, params }: Owner,
  { query, inRange = null, limit, start = {}, facts = {} }: ReadOptions,
): Pages {
  const { operation } = definition;
  const show = (page: readonly unknown[]) => page.map((item) => nameOwner(definition, alias, item));
  if (operation === 'payouts.balances') {
    yield show([await readToShow(client, operation, { params } as CallInput<typeof operation>)]);
    return;
  }
  let doubt: string | null = null;
  // Untyped, because the operations differ. The row's own shape checks the input before it is sent.
  const input = { params, query } as ListInput<ListOperation>;
  const pages = readPages<ListOperation>(client, operation, input, {
    // Rows that are left out here do not count.
    ...(limit === undefined || inRange !== null ? {} : { limit }),
    start,
    toShow: true,
    onEnd: (end) => {
      Object.assign(facts, end.facts);
      ({ doubt } = end);
    },
  });
  for await (const page of pages) {
    const items = show(page);
    yield inRange === null ? items : items.filter(inRange.isInside);
    // What follows is older still.
    if (inRange?.endsList === true && items.some(inRange.isBefore)) return;
  }
  if (doubt !== null) throw new IncompleteScanError(doubt);
}

/** The service's members after the account. Presigned URLs are cut, because they work as a key. */
function nameOwner(definition: ListDefinition, account: string, item: unknown): ListItem {
  const { columns, hasSecretUrls } = definition;
  const owner = account === '' ? {} : { account };
  // A bare value is that of the only column.
  const members = typeof item === 'object' ? (item as ListItem) : { [columns[0]?.path ?? '']: item };
  // First for the order, last so that a member of the same name cannot replace it.
  const all = { ...owner, ...members, ...owner };
  return hasSecretUrls === true ? withoutSignatures(all) : all;
}
