import { rowOf } from '../api/catalogue.ts';
import { IncompleteScanError, ServiceError } from '../api/errors.ts';
import { withoutSignatures } from '../api/key.ts';
import type { ListDefinition } from '../api/lists.ts';
import { type ListFacts, type ListInput, type ListOperation, type Place, readPages } from '../api/pages.ts';
import type { ListSource } from '../api/read-sources.ts';
import { type FilterDefinition, type FilterName, FILTERS } from '../api/row.ts';
import { chooseAccount, chooseAccounts, choosePlatformAccounts, warnOfMoved } from './accounts.ts';
import type { Service } from '../library/connect.ts';
import { typedOwned } from './addresses.ts';
import type { Context } from './context.ts';
import { type WrittenRange, fullRange, givenRange } from './instant-range.ts';
import type { ListItem } from './print-rows.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { AccountId } from '../domain/ids.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import { type TargetOptions, unknownTarget } from '../live/accounts.ts';

/** The accounts of a list, and a list that fails for each account that the key does not see. */
export async function openOwners(
  context: Context,
  service: Service,
  definition: ListDefinition,
  given: GivenAccounts,
  warn: (sentence: string) => void = () => undefined,
) {
  const leaveOut = (_alias: string, sentence: string) =>
    context.output.say(shown`Left out: ${visibleProse(sentence)}`);
  // An account that is named is refused.
  const onLeftOut = (given.accounts ?? []).length === 0 ? leaveOut : undefined;
  const unseen: ListSource<ListItem>[] = [];
  const owners = await chooseOwners(service, definition, given, {
    onLeftOut,
    onUnseen: (account, sentence) => void unseen.push(makeFailedSource(account, sentence)),
    onSame: warn,
  });
  const chosen = owners.map(({ account, accountId }) => ({ alias: account ?? '', accountId }));
  await warnOfMoved(context, service, chosen);
  return { owners, unseen };
}

/** The list of an account that the key does not see. */
function makeFailedSource(account: string, sentence: string): ListSource<ListItem> {
  return {
    account,
    pages: async function* () {
      yield await Promise.reject<readonly ListItem[]>(unknownTarget([sentence]));
    },
  };
}

/** What the flag of a filter reads as. */
export type FilterValue = string | readonly string[] | boolean | undefined;

/** The flags that select rows of a list. */
type Selection = WrittenRange & Readonly<Partial<Record<FilterName, FilterValue>>>;

type Query = Readonly<Record<string, string | boolean | readonly string[]>>;

/**
 * The queries, without pages: usually one, several if there are more values than one request takes. Throws for values
 * that the service would refuse.
 */
export function buildQueries(
  { range, filters }: ListDefinition,
  given: Selection,
  nowMs: number,
): readonly Query[] {
  const first: Record<string, string> = {};
  if (range !== undefined && 'members' in range) givenRange(given, nowMs, Number.POSITIVE_INFINITY);
  if (range !== undefined && 'from' in range) {
    const { from, to } = range.required ? fullRange(given, nowMs) : givenRange(given, nowMs);
    if (from !== undefined) first[range.from] = from;
    if (to !== undefined) first[range.to] = to;
  }
  return filters
    .map((name) => splitFilter(FILTERS[name], given[name]))
    .reduce<readonly Query[]>(
      (queries, parts) => queries.flatMap((query) => parts.map((part) => ({ ...query, ...part }))),
      [first],
    );
}

/** The members of the query for one filter: one part, or one for each chunk of values. */
function splitFilter(filter: FilterDefinition, given: FilterValue): readonly Query[] {
  const { query, takes, most, inChunks = false } = filter;
  if (takes === 'switch') return [{ [query]: given === true }];
  if (given === undefined || typeof given === 'boolean') return [{}];
  const [flag = ''] = filter.flag.split(' ');
  // Remove repeated values, or their rows would appear once in each chunk.
  const values = [...new Set([given].flat())];
  if (values.length === 0) return [{}];
  // An empty value would be left out of the query, and select everything.
  if (values.includes('')) throw new HeraldError('bad-flag', `${flag} is empty.`);
  if (takes === 'text') return values.map((value) => ({ [query]: value }));
  const size = most ?? values.length;
  if (values.length > size && !inChunks)
    throw new HeraldError(
      'bad-flag',
      `${flag} was given ${values.length} times, and the service takes at most ${size}. Figures of several requests cannot be combined.`,
    );
  const chunks = Array.from({ length: Math.ceil(values.length / size) });
  return chunks.map((_, at) => ({ [query]: values.slice(at * size, (at + 1) * size) }));
}

/** The owner of some rows: an account, or the organisation. */
export interface Owner {
  /** The account's alias. Null for the organisation. */
  readonly account: string | null;
  /** The account's id on the service, if it was looked up. */
  readonly accountId: AccountId | null;
  /** How the path of the endpoint names it. */
  readonly params: Readonly<Record<string, string>>;
}

/** Which accounts a command line names. */
interface GivenAccounts {
  readonly argument?: string | undefined;
  readonly account?: string | undefined;
  readonly accounts?: readonly string[] | undefined;
}

/** The owners that the command line names. Throws for an unknown account, or one without such rows. */
async function chooseOwners(
  service: Service,
  { argument, who, bothPlatforms }: ListDefinition,
  given: GivenAccounts,
  options: TargetOptions,
): Promise<readonly Owner[]> {
  const { accounts = [] } = given;
  if (argument !== undefined) {
    const owned = typedOwned(given.argument ?? '', argument.addressWord ?? null, given.account);
    const { alias, accountId } = await chooseAccount(service, owned.account);
    return [{ account: alias, accountId, params: { account_id: accountId, [argument.param]: owned.id } }];
  }
  switch (who) {
    case 'organisation':
      return [{ account: null, accountId: null, params: {} }];
    case 'account':
      return (await chooseAccounts(service, accounts, options)).map(({ alias, accountId }) => ({
        account: alias,
        accountId,
        params: { account_id: accountId },
      }));
    case 'platform': {
      const { primary, secondary } = service.settings.service.platforms;
      const platforms = bothPlatforms === true ? [primary, secondary] : [primary];
      const chosen = await choosePlatformAccounts(service, accounts, platforms, options);
      return chosen.map(({ alias, accountId, platform, platformAccountId }) => ({
        account: alias,
        accountId,
        params: { platform, platform_account_id: platformAccountId },
      }));
    }
  }
}

export interface ReadOptions {
  readonly queries: readonly Query[];
  readonly limit: number | undefined;
  /** The position of the first page. */
  readonly start: Place;
  /** Told of what replies say about the list of one account. */
  readonly onFacts: (account: string | null, facts: ListFacts) => void;
}

/** The rows of one owner, page by page, as items to show. */
export async function* readOwner(
  { client }: Pick<Service, 'client'>,
  definition: ListDefinition,
  owner: Owner,
  options: ReadOptions,
): AsyncGenerator<readonly ListItem[], void> {
  for (const query of options.queries)
    for await (const page of readAnswers(client, definition, owner, { ...options, query }))
      yield page.map((item) => nameOwner(definition, owner.account, item));
}

/** The pages as the service answers them. A list of which rows may be missing fails after its rows. */
async function* readAnswers(
  client: Service['client'],
  { operation }: ListDefinition,
  { account, params }: Owner,
  { query, limit, start, onFacts }: ReadOptions & { readonly query: Query },
): AsyncGenerator<readonly unknown[], void> {
  if (operation === 'payouts.balances') {
    const answer = await client.prepareRow(operation, rowOf(operation), { params })();
    if (answer.kind !== 'done') throw new ServiceError(answer.problem);
    yield [answer.reply];
    return;
  }
  const doubts: string[] = [];
  // Untyped, because the operations differ. The row's own shape checks the input before it is sent.
  yield* readPages<ListOperation>(client, operation, { params, query } as ListInput<ListOperation>, {
    ...(limit === undefined ? {} : { limit }),
    start,
    asAnswered: true,
    onDoubt: (sentence) => void doubts.push(sentence),
    onFacts: (facts) => onFacts(account, facts),
  });
  const [first] = doubts;
  if (first !== undefined) throw new IncompleteScanError(first);
}

/** The service's members after the account. Presigned URLs are cut, because they work as a key. */
function nameOwner(definition: ListDefinition, account: string | null, item: unknown): ListItem {
  const { bareItem, hasSecretUrls } = definition;
  const owner = account === null ? {} : { account };
  const members = bareItem === undefined ? (item as ListItem) : { [bareItem]: item };
  // First for the order, last so that a member of the same name cannot replace it.
  const all = { ...owner, ...members, ...owner };
  return hasSecretUrls === true ? withoutSignatures(all) : all;
}
