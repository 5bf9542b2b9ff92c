import * as z from 'zod';

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

/**
 * Whether a request with a lost answer may be repeated (ERROR-4). `read` and `idempotent` are repeated; `status`
 * is repeated until a 2xx; before a repeat of `unsend` the state is read; `once` is never repeated by the request
 * path.
 */
export type RepeatRule = 'read' | 'idempotent' | 'status' | 'unsend' | 'once';

/** One endpoint of the service: all data about it for client, limiter, simulator and help. */
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
  /** null if the answer has no body, `binary` for a stream of bytes. */
  readonly reply: z.ZodType | 'binary' | null;
}

/** The traits of a row that decide about repeats. */
export type RepeatTraits = Pick<Row, 'repeat' | 'mayBeUnreadable'>;

export const NO_PAGING = { style: 'none' } as const satisfies Paging;
export const NO_QUERY = z.strictObject({});

/** The published rates for all rows (LIMIT-1). */
export const TOKEN_PER_SECOND = 25;
export const DEFAULT_PER_SECOND = 15;
export const GROUP_PER_SECOND = 1;
