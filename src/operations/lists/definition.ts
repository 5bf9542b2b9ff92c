import type { ListOperation } from '../../api/pages/read-pages.ts';
import type { ListColumn } from '../../domain/list-column.ts';

/** Definition of a list command. The command line, the query, the columns and the help use it. */
export interface ListDefinition {
  /** The operation in the catalogue. Balances are one answer per account, shown as a row. */
  readonly operation: ListOperation | 'payouts.balances';
  /** For help, one line. */
  readonly summary: string;
  /** Name of the rows in the plural, for progress and messages. */
  readonly rows: string;
  /** The owner of the rows: an account by the service's id, by the platform's id, or the whole organisation. */
  readonly who: 'account' | 'platform' | 'organisation';
  /** Accounts of the secondary platform have these rows as well (transactions only: ACCOUNT-5). */
  readonly bothPlatforms?: true;
  /** Set if the command takes exactly one account, which the argument belongs to. */
  readonly argument?: ListArgument;
  readonly range?: ListRange;
  readonly filters: readonly FilterName[];
  /** Shown by default. */
  readonly columns: readonly ListColumn[];
  /** More columns for `--columns`. */
  readonly more: readonly ListColumn[];
  /** Sums below a table: of these money columns, by account and by the value of another column. */
  readonly totals?: ListTotals;
  /** A member that is filled in every readable item. If it is empty, figures are shown as missing. */
  readonly filledWhenReadable?: string;
  /** For lists of bare values: the member that holds the value. */
  readonly bareItem?: string;
  /** Presigned URLs. Only their path is shown. */
  readonly secretUrls?: readonly string[];
  /** Set if `--id` shows one item. It is searched for in the list, because no endpoint reads a single one. */
  readonly one?: 'upload';
  readonly examples: readonly string[];
}

export interface ListTotals {
  readonly sums: readonly string[];
  readonly by: string;
}

interface ListArgument {
  /** As help shows it. */
  readonly name: string;
  /** Its path parameter. */
  readonly param: string;
  /** Set if it can be typed with its account: `alice/chat/9001`. */
  readonly addressWord?: 'chat';
}

export interface ListRange {
  /** The query's keys. */
  readonly from: string;
  readonly to: string;
  /** Name of the rows in the range, for help and messages, such as `links created`. */
  readonly of: string;
  /** True if the service requires a range. The default is the last 30 days. */
  readonly required: boolean;
}

/** Turns a filter flag into a value of the query. */
export interface FilterDefinition {
  /** As commander takes it. */
  readonly flag: string;
  readonly description: string;
  readonly query: string;
  /** `switch` is always sent, as true or false, because the service's default is not known (ACCOUNT-4). */
  readonly takes: 'text' | 'texts' | 'switch';
  /** Values that completion offers. The service may take others. */
  readonly words?: readonly string[];
  /** Largest number of values in one request. */
  readonly most?: number;
  /** Set if more values may be split over several requests, because each row belongs to one value. */
  readonly inChunks?: true;
}

/** All filters, by commander's name for the value. */
export const FILTERS = {
  linkId: {
    flag: '--link-id <id>',
    description: 'only users of this link',
    query: 'link_id',
    takes: 'text',
  },
  creator: {
    flag: '--creator <account>',
    description:
      'only figures of these accounts: aliases, groups or ids (repeatable, or with commas; at most 100)',
    query: 'creator_ids',
    takes: 'texts',
    // Averages of two answers cannot be combined (READ-8).
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
    description: 'only accounts of this group on the service',
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
    description: 'also accounts with an expired subscription',
    query: 'withExpiredSubscriptions',
    takes: 'switch',
  },
  expiredUploads: {
    flag: '--expired',
    description: 'also uploads that expired before they were finished',
    query: 'expired',
    takes: 'switch',
  },
  archived: {
    flag: '--archived',
    description: 'also archived ones',
    query: 'include_archived',
    takes: 'switch',
  },
  order: {
    flag: '--order <order>',
    description: 'order of the service: asc or desc',
    query: 'order',
    takes: 'text',
    words: ['asc', 'desc'],
  },
  type: {
    flag: '--type <type>',
    description: 'only media of this type (default: all)',
    query: 'type',
    takes: 'text',
  },
} as const satisfies Readonly<Record<string, FilterDefinition>>;

export type FilterName = keyof typeof FILTERS;

/** Commander's name for the value of a flag: `linkId` for `--link-id <id>`. */
export function flagKey({ flag }: FilterDefinition): string {
  const [name = ''] = flag.replace(/^--/, '').split(' ');
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The account is a column of each list that can have several. */
export const ACCOUNT_COLUMN: ListColumn = { path: 'account' };

/** The columns that `--columns` takes. */
export function knownColumns({
  who,
  columns,
  more,
}: Pick<ListDefinition, 'who' | 'columns' | 'more'>): readonly ListColumn[] {
  return [...(who === 'organisation' ? [] : [ACCOUNT_COLUMN]), ...columns, ...more];
}
