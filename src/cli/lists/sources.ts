import { IncompleteScanError, ServiceError } from '../../api/errors.ts';
import type { Exchange } from '../../api/exchange.ts';
import {
  type ListFacts,
  type ListInput,
  type ListOperation,
  type Place as PagePlace,
  readPages,
} from '../../api/pages.ts';
import type { ListSource } from '../../api/read-sources.ts';
import type { AccountId } from '../../domain/ids.ts';
import type { ServiceSettings } from '../../domain/workspace.ts';
import { typedOwned } from '../addresses.ts';
import { chooseAccount, chooseAccounts, choosePlatformAccounts, type Service } from '../accounts.ts';
import { otherPlatformBehind, type TargetOptions } from '../../live/accounts.ts';
import { maskSecretUrls, type ListDefinition } from '../../api/lists.ts';
import type { ListItem } from './list-columns.ts';
import type { LookUp } from './looked-up.ts';
import type { Query } from './query.ts';
import { HeraldError } from '../../domain/herald-error.ts';

type Params = Readonly<Record<string, string>>;

/** One source of rows. */
export interface Place {
  /** The account's alias. Null for rows of the organisation. */
  readonly account: string | null;
  /** The account's id on the service, if it was looked up. */
  readonly accountId: AccountId | null;
  readonly params: Params;
}

/** The sources that the command line names. Throws for an unknown account, or one without such rows. */
export async function choosePlaces(
  service: Service,
  definition: ListDefinition,
  given: readonly string[],
  argument: string | undefined,
  told: TargetOptions,
): Promise<readonly Place[]> {
  if (definition.argument !== undefined) {
    const { param, addressWord = null } = definition.argument;
    const owned = typedOwned(argument ?? '', addressWord, onlyOne(given));
    const { alias, accountId } = await chooseAccount(service, owned.account);
    const params = { account_id: accountId, [param]: owned.id };
    return [{ account: alias, accountId, params }];
  }
  switch (definition.who) {
    case 'organisation':
      return [{ account: null, accountId: null, params: {} }];
    case 'account': {
      const accounts = await chooseAccounts(service, given, told);
      return accounts.map(({ alias, accountId }) => ({
        account: alias,
        accountId,
        params: { account_id: accountId },
      }));
    }
    case 'platform': {
      const { primary, secondary } = service.settings.service.platforms;
      const platforms = definition.bothPlatforms === true ? [primary, secondary] : [primary];
      const accounts = await choosePlatformAccounts(service, given, platforms, told);
      return accounts.map(({ alias, accountId, platform, platformAccountId }) => ({
        account: alias,
        accountId,
        params: { platform, platform_account_id: platformAccountId },
      }));
    }
  }
}

/** The account of a command that works on one at a time. */
export function onlyOne(given: readonly string[]): string | undefined {
  const [first, ...others] = given;
  if (others.length > 0)
    throw new HeraldError(
      'bad-flag',
      `--account was given ${given.length} times, and this command takes one account.`,
    );
  return first;
}

interface ReadOptions {
  readonly limit: number | undefined;
  readonly start: PagePlace;
  /** Told of what replies say about the list of one account. */
  readonly onFacts: (account: string | null, facts: ListFacts) => void;
  readonly lookUp?: LookUp | null;
  readonly onWarning: (sentence: string) => void;
  /** Told of accounts that are left out. Without it, they are refused. */
  readonly onLeftOut?: ((sentence: string) => void) | undefined;
}

/** The service's words for its platforms. */
interface PlatformWords {
  readonly service: Pick<ServiceSettings, 'platforms'>;
}

/** The rows of each place, page by page, as items to show. */
export function sourcesOf(
  { client, settings }: Pick<Service, 'client'> & { readonly settings: PlatformWords },
  definition: ListDefinition,
  places: readonly Place[],
  queries: readonly Query[],
  options: ReadOptions,
): readonly ListSource<ListItem>[] {
  const { limit, start, lookUp: given = null, onWarning, onLeftOut, onFacts } = options;
  const lookUp: LookUp = given ?? ((items) => Promise.resolve(items));
  const pageOptions = {
    onWarning,
    start,
    asAnswered: true as const,
    ...(limit === undefined ? {} : { limit }),
  };
  const pagesOf = (
    account: string | null,
    params: Params,
    query: Query,
  ): AsyncGenerator<readonly unknown[], void> => {
    const { operation } = definition;
    if (operation === 'payouts.balances') return onePage(client.callLoosely(operation, { params }));
    return certainPages((onDoubt) =>
      readPages<ListOperation>(client, operation, inputOf(params, query), {
        ...pageOptions,
        onDoubt,
        onFacts: (facts) => onFacts(account, facts),
      }),
    );
  };
  const { primary } = settings.service.platforms;
  return places.map(({ account, accountId, params }) => ({
    account: account ?? '',
    pages: async function* () {
      try {
        for (const query of queries)
          for await (const page of pagesOf(account, params, query))
            yield await lookUp(page.map((item) => shownItem(definition, account, item)));
      } catch (error) {
        if (account === null || accountId === null) throw error;
        const elsewhere = await otherPlatformBehind(client, error, { alias: account, accountId }, primary);
        if (elsewhere === null || onLeftOut === undefined) throw elsewhere ?? error;
        onLeftOut(elsewhere.message);
      }
    },
  }));
}

/** A list of which rows may be missing is not complete: after its rows, it fails. */
async function* certainPages<Item>(
  read: (onDoubt: (sentence: string) => void) => AsyncGenerator<readonly Item[], void>,
): AsyncGenerator<readonly Item[], void> {
  const doubts: string[] = [];
  yield* read((sentence) => doubts.push(sentence));
  const [first] = doubts;
  if (first !== undefined) throw new IncompleteScanError(first);
}

async function* onePage(answer: Promise<Exchange<unknown>>): AsyncGenerator<readonly unknown[], void> {
  const result = await answer;
  if (result.kind !== 'done') throw new ServiceError(result.problem);
  yield [result.reply];
}

/** Untyped, because the operations differ. The operation's own shape checks the input before it is sent. */
function inputOf(params: Params, query: Query): ListInput<ListOperation> {
  return { params, query } as ListInput<ListOperation>;
}

/** The service's members after the account. Presigned URLs are cut, because they work as a key. */
function shownItem(definition: ListDefinition, account: string | null, item: unknown): ListItem {
  const { bareItem } = definition;
  const owner = account === null ? {} : { account };
  const members = bareItem === undefined ? (item as ListItem) : { [bareItem]: item };
  // First for the order, last so that a member of the same name cannot replace it.
  const shown = { ...owner, ...members, ...owner };
  return maskSecretUrls(definition, shown);
}
