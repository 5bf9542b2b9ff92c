import * as z from 'zod';
import type { CellKind, ListColumn } from '../domain/list-column.ts';

/** Key permissions (ACCOUNT-8). The platform word is part of the literal. */
export const PERMISSIONS = [
  'accounts.view',
  'dashboard.view',
  'team_metrics.view',
  'traffic_metrics.view',
  'onlyfans.messages',
  'onlyfans.collections',
  'onlyfans.statements',
  'auto_messages.view',
  'auto_messages.edit',
  'priority_mass_messages.view',
  'priority_mass_messages.edit',
  'media_uploader.manage',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The data of every list, in any style. */
interface ListTraits {
  /** The member of the answer that contains the rows. */
  readonly items: string;
  /** The member that identifies a row; `whole` if only the whole row does. */
  readonly identity: 'id' | 'user_id' | 'invoiceId' | 'whole';
  /** The smallest and the largest `limit` of one page. */
  readonly pageLimit: { readonly least: number; readonly most: number };
}

/** The paging style of a list. A `none` with rows has one page. */
export type Paging =
  | { readonly style: 'none' }
  | ({ readonly style: 'none' } & ListTraits)
  | ({ readonly style: 'cursor'; readonly next: string } & ListTraits)
  /** `mayCap`: the service may give less than the page that was asked for, although there is more. */
  | ({ readonly style: 'offset'; readonly mayCap?: true } & ListTraits)
  | ({ readonly style: 'offset_total' } & ListTraits)
  | ({ readonly style: 'has_more' } & ListTraits)
  | ({ readonly style: 'marker' } & ListTraits)
  | ({ readonly style: 'message_id' } & ListTraits);

/** The paging of a row that lists something. */
export type ListPaging = Extract<Paging, { readonly items: string }>;

/**
 * Whether a request with a lost answer may be repeated (ERROR-4). `read` and `idempotent` are repeated; `status`
 * is repeated until a 2xx; before a repeat of `unsend` the state is read; `once` is never repeated by the request
 * path.
 */
export type RepeatRule = 'read' | 'idempotent' | 'status' | 'unsend' | 'once';

/** One endpoint of the service: all data about it for client, limiter, list commands, simulator and help. */
export interface Row {
  readonly title: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Template below the base address, `{name}` for path parameters. */
  readonly path: string;
  readonly permission: Permission;
  /** Published requests per second of this endpoint for one token. */
  readonly perSecond: number;
  /** Rows of a group share one request per second for each platform account as well. */
  readonly group?: 'payouts';
  readonly paging: Paging;
  readonly repeat: RepeatRule;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** null if the request has no body. */
  readonly body: z.ZodType | null;
  readonly success: 200 | 201 | 202 | 204;
  /** Any 2xx confirms the request. The body is not needed. */
  readonly anySuccess?: true;
  /** A 502 may mean unreadable content. Then a repeat does not help (BROADCAST-23). */
  readonly mayBeUnreadable?: true;
  /**
   * null if the answer has no body, `binary` for bytes. It names the members that Herald reads; others are
   * shown as they came.
   */
  readonly reply: z.ZodType | 'binary' | null;
  /** The command that lists it. */
  readonly list?: List;
}

/** How people read a list: the command, its flags and its columns. The owner of its rows stands in the path. */
export interface List {
  /** The two words of its command. */
  readonly words: `${string} ${string}`;
  /** Name of the rows in the plural, for progress and messages. */
  readonly rows: string;
  /** Accounts of the secondary platform have these rows as well (transactions only: ACCOUNT-5). */
  readonly bothPlatforms?: true;
  /** Set if the command takes exactly one account, which the argument belongs to. */
  readonly argument?: ListArgument;
  readonly range?: ListRange;
  readonly filters?: readonly FilterName[];
  /** Shown by default. */
  readonly columns: readonly ListColumn[];
  /** More columns for `--columns`. */
  readonly more?: readonly ListColumn[];
  /** A member that is filled in every readable item. If it is empty, figures are shown as missing. */
  readonly filledWhenReadable?: string;
  /** For lists of bare values: the member that holds the value. */
  readonly bareItem?: string;
  /** Set if items hold presigned URLs, which are shown without their queries. */
  readonly hasSecretUrls?: true;
  /** Set if `--id` shows one item. It is searched for in the list, because no endpoint reads a single one. */
  readonly one?: 'upload';
  readonly examples: readonly string[];
}

interface ListArgument {
  /** As help shows it. */
  readonly name: string;
  /** Its path parameter. */
  readonly param: string;
  /** Set if it can be typed with its account: `alice/chat/9001`. */
  readonly addressWord?: 'chat';
}

/** `of` names the rows in the range, for help and messages, such as `links created`. */
export type ListRange = { readonly of: string } & (
  | {
      /** The query's keys. */
      readonly from: string;
      readonly to: string;
      /** True if the service requires a range. The default is the last 30 days. */
      readonly required: boolean;
    }
  /** The service takes no range. Herald compares the first of these members that a row has. */
  | {
      readonly members: readonly string[];
      /** Set if no row is newer than one before it, so that the list ends at the first one that is too old. */
      readonly newestFirst?: true;
    }
);

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
}

/** All filters of lists. */
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

function makeColumn(as: CellKind) {
  return (path: string, header = path, more: Partial<ListColumn> = {}): ListColumn => ({
    path,
    header,
    as,
    ...more,
  });
}

/** A column of each kind of value. The second argument is its heading; the path without it. */
export const COLUMN = {
  text: makeColumn('text'),
  /** Ids and other words that must not be cut. */
  whole: makeColumn('whole'),
  number: makeColumn('number'),
  /** Where the endpoint names no currency, the heading has none. */
  money: makeColumn('money'),
  instant: makeColumn('instant'),
  flag: makeColumn('flag'),
} as const;

const NO_PAGING = { style: 'none' } as const satisfies Paging;
const NO_QUERY = z.strictObject({});

/** The published rates for all rows (LIMIT-1). */
export const TOKEN_PER_SECOND = 25;
export const DEFAULT_PER_SECOND = 15;
export const GROUP_PER_SECOND = 1;

/** What most reads have. A row states what differs. */
export const READ = {
  method: 'GET',
  perSecond: DEFAULT_PER_SECOND,
  paging: NO_PAGING,
  repeat: 'read',
  query: NO_QUERY,
  body: null,
  success: 200,
} as const satisfies Partial<Row>;

/** What most writes have. Each states its repeat rule. */
export const WRITE = {
  method: 'POST',
  perSecond: DEFAULT_PER_SECOND,
  paging: NO_PAGING,
  query: NO_QUERY,
  body: null,
  success: 200,
} as const satisfies Partial<Row>;
