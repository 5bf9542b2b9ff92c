import * as z from 'zod';
import type { Cells } from './columns.ts';

export interface ListPaging {
  /** `none` is a list of one page. */
  readonly style: 'none' | 'cursor' | 'offset' | 'offset_total' | 'has_more' | 'marker' | 'message_id';
  /** The member of the answer that contains the rows. */
  readonly items: string;
  /** The member that identifies a row, where pages may repeat rows. Default: `id`. */
  readonly identity?: 'id' | 'user_id' | 'invoiceId';
  /** The smallest `limit` of one page. Default: 1. */
  readonly least?: number;
  /** The largest one, which is asked for. */
  readonly most: number;
  /** The member with the next cursor. Default: `cursor`. */
  readonly next?: string;
  /** The service may give less than the page that was asked for, although there is more. */
  readonly mayCap?: true;
}

export type Paging = { readonly style: 'none' } | ListPaging;

/**
 * Whether a request with a lost answer may be repeated (ERROR-4). `read` and `idempotent` are repeated; `status`
 * is repeated until a 2xx; before a repeat of `unsend` the state is read; `once` is never repeated by the request
 * path.
 */
export type RepeatRule = 'read' | 'idempotent' | 'status' | 'unsend' | 'once';

/** One endpoint of the service: all data about it for client, limiter, list commands, simulator and help. */
export interface Row {
  readonly title: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Template below the base address, `{name}` for path parameters. */
  readonly path: string;
  /** Key permission (ACCOUNT-8). The platform word is part of the literal. */
  readonly permission: `${string}.${string}`;
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
  /** For who shows the body as it came. A long list holds it next to what was read from it. */
  readonly keepsText?: true;
  /** A 502 may mean unreadable content. Then a repeat does not help (BROADCAST-23). */
  readonly mayBeUnreadable?: true;
  /** null: no body; `binary`: bytes. It names the members that Herald reads; others are shown as they are. */
  readonly reply: z.ZodType | 'binary' | null;
  /** The command that lists it. */
  readonly list?: List;
}

/** The flags and columns of its command, named as the operation. The path names the owner of the rows. */
export interface List {
  /** Accounts of the secondary platform have these rows as well (transactions only: ACCOUNT-5). */
  readonly bothPlatforms?: true;
  /** Of what its argument is the id. It belongs to one account, and may be typed with it: `alice/chat/9001`. */
  readonly argument?: 'chat' | 'folder';
  readonly range?: ListRange;
  readonly ownRange?: Pick<ListRange, 'of'> & {
    /** The members with a time. The first one that a row has is compared. */
    readonly members: readonly string[];
    /** Set if no row is newer than one before it, so that the list ends at the first one that is too old. */
    readonly newestFirst?: true;
  };
  /** The paths of the columns that are shown by default. Their names say how they look (`columns.ts`). */
  readonly columns: string;
  /** More columns for `--columns`. */
  readonly more?: string;
  /** What the name of a column does not say. */
  readonly cells?: Cells;
  /** Set if items hold presigned URLs, which are shown without their queries. */
  readonly hasSecretUrls?: true;
  readonly examples: readonly string[];
}

/** A range that the service takes. */
export interface ListRange {
  /** Names the rows in the range, for help and messages, such as `links created`. */
  readonly of: string;
  /** The query's keys. */
  readonly from: string;
  readonly to: string;
  /** True if the service requires a range. The default is the last 30 days. */
  readonly required: boolean;
}

/** The flag of a parameter that selects rows of a list. */
export interface FilterDefinition {
  /** As commander takes it. */
  readonly flag: string;
  readonly about: string;
  /** One text by default. `switch` is always sent, because the service's default is not known (ACCOUNT-4). */
  readonly takes?: 'texts' | 'switch';
  /** Values that completion offers. The service may take others. */
  readonly words?: readonly string[];
}

/** The parameters of queries that are flags of the list commands. */
export const FILTERS = {
  link_id: { flag: '--link-id <id>', about: 'only users of this link' },
  creator_ids: {
    flag: '--creator <account>',
    about: 'only figures of these accounts: aliases, groups or ids (repeatable, or with commas; at most 100)',
    takes: 'texts',
  },
  user_ids: { flag: '--user <id>', about: 'only this team member (repeatable)', takes: 'texts' },
  account_group_id: { flag: '--group <id>', about: 'only accounts of this group on the service' },
  role_id: { flag: '--role <id>', about: 'only members with this role' },
  withExpiredSubscriptions: {
    flag: '--expired',
    about: 'also accounts with an expired subscription',
    takes: 'switch',
  },
  expired: {
    flag: '--expired',
    about: 'also uploads that expired before they were finished',
    takes: 'switch',
  },
  include_archived: { flag: '--archived', about: 'also archived ones', takes: 'switch' },
  order: { flag: '--order <order>', about: 'order of the service: asc or desc', words: ['asc', 'desc'] },
  type: { flag: '--type <type>', about: 'only media of this type (default: all)' },
} as const satisfies Readonly<Record<string, FilterDefinition>>;

export type FilterName = keyof typeof FILTERS;

/** The published rates for all rows (LIMIT-1). */
export const TOKEN_PER_SECOND = 25;
const DEFAULT_PER_SECOND = 15;
export const GROUP_PER_SECOND = 1;

const COMMON = {
  perSecond: DEFAULT_PER_SECOND,
  paging: { style: 'none' },
  query: z.strictObject({}),
  body: null,
  success: 200,
} as const satisfies Partial<Row>;

/** What most reads have. A row states what differs. */
export const READ = { ...COMMON, method: 'GET', repeat: 'read' } as const satisfies Partial<Row>;

/** What most writes have. Each states its repeat rule. */
export const WRITE = { ...COMMON, method: 'POST' } as const satisfies Partial<Row>;
