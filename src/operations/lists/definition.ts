import type { ListOperation } from '../../api/pages/read-pages.ts';
import type { ListColumn } from '../../domain/list-column.ts';

/** What a list command is made of: the command line, the query, the columns and the help all read it. */
export interface ListDefinition {
  /** The catalogue's row; balances are a single answer of each account, shown as a row. */
  readonly operation: ListOperation | 'payouts.balances';
  /** For help, one line. */
  readonly summary: string;
  /** What the rows are, in the plural: for progress and messages. */
  readonly rows: string;
  /** Whose rows: of accounts by the service's id or by the platform's, or of the whole organisation. */
  readonly who: 'account' | 'platform' | 'organisation';
  /** Accounts of the secondary platform have these rows as well (transactions only: ACCOUNT-5). */
  readonly bothPlatforms?: true;
  /** Exactly one account at a time: what the argument names belongs to it. */
  readonly argument?: ListArgument;
  readonly range?: ListRange;
  readonly filters: readonly FilterName[];
  /** Shown when nobody says otherwise. */
  readonly columns: readonly ListColumn[];
  /** Known as well, for `--columns` and `--sort`. */
  readonly more: readonly ListColumn[];
  /** The member that every item fills when the service could read it: where it is empty, figures are none. */
  readonly filledWhenReadable?: string;
  /** Where items of a list are bare values: the member that they get. */
  readonly bareItem?: string;
  /** Addresses that work as a key: what follows their path is not shown. */
  readonly secretUrls?: readonly string[];
  /** One of them is shown by its id with `--id`, found in the list because nothing reads a single one. */
  readonly one?: 'upload';
  readonly examples: readonly string[];
}

interface ListArgument {
  /** As help shows it. */
  readonly name: string;
  /** The path parameter that it fills. */
  readonly param: string;
}

export interface ListRange {
  /** The query's keys. */
  readonly from: string;
  readonly to: string;
  /** What lies in the range, for help and messages, e.g. `links created`. */
  readonly of: string;
  /** Without it the service refuses: the last 30 days then, when nobody says otherwise. */
  readonly required: boolean;
}

/** How the text of a filter's flag becomes a value of the query. */
export interface FilterDefinition {
  /** As commander takes it. */
  readonly flag: string;
  readonly description: string;
  readonly query: string;
  /** `switch` is sent as true or false whether it is given or not: what is missing is not shown (ACCOUNT-4). */
  readonly takes: 'text' | 'texts' | 'switch';
  /** The most values of one request. */
  readonly most?: number;
  /** Whether more values than that may be asked for in several requests, because each row stands for one. */
  readonly inChunks?: true;
}

/** Every filter, by the name under which commander gives its value. */
export const FILTERS = {
  linkId: {
    flag: '--link-id <id>',
    description: 'only users of this link',
    query: 'link_id',
    takes: 'text',
  },
  creator: {
    flag: '--creator <id>',
    description: 'only figures of this creator account (repeatable, at most 100)',
    query: 'creator_ids',
    takes: 'texts',
    // Averages of two answers cannot be put together (READ-8).
    most: 100,
  },
  user: {
    flag: '--user <id>',
    description: 'only this team member (repeatable)',
    query: 'user_ids',
    takes: 'texts',
    most: 100,
    inChunks: true,
  },
  group: {
    flag: '--group <id>',
    description: "only accounts of this group of the service's",
    query: 'account_group_id',
    takes: 'text',
  },
  role: {
    flag: '--role <id>',
    description: 'only members with this role',
    query: 'role_id',
    takes: 'text',
  },
  expiredAccounts: {
    flag: '--expired',
    description: 'accounts whose subscription has lapsed as well',
    query: 'withExpiredSubscriptions',
    takes: 'switch',
  },
  expiredUploads: {
    flag: '--expired',
    description: 'uploads whose presigned addresses lapsed before they were finished as well',
    query: 'expired',
    takes: 'switch',
  },
  archived: {
    flag: '--archived',
    description: 'archived ones as well',
    query: 'include_archived',
    takes: 'switch',
  },
  order: {
    flag: '--order <order>',
    description: 'asc is the order that the service names',
    query: 'order',
    takes: 'text',
  },
  type: {
    flag: '--type <type>',
    description: 'only media of this type; all is the default',
    query: 'type',
    takes: 'text',
  },
} as const satisfies Readonly<Record<string, FilterDefinition>>;

export type FilterName = keyof typeof FILTERS;

/** The name under which commander gives a flag's value: `--link-id <id>` is `linkId`. */
export function flagKey({ flag }: FilterDefinition): string {
  const [name = ''] = flag.replace(/^--/, '').split(' ');
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
