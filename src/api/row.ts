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

/** What every list says of itself, whatever its style. */
interface ListTraits {
  /** The member of the reply that holds the rows. */
  readonly items: string;
  /** The member of a row that tells it from all others; `whole` where only the whole row does. */
  readonly identity: 'id' | 'user_id' | 'invoiceId' | 'whole';
  /** The smallest and the largest `limit` that one page may be asked for. */
  readonly pageLimit: { readonly least: number; readonly most: number };
}

/** How a list pages. A `none` with rows brings all it has in one page. */
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
 * What may be done again when no answer was heard (ERROR-4):
 * `read` and `idempotent` are repeated; `status` is repeated until a 2xx is heard;
 * `unsend` is read, then decided; `once` is never repeated by the request path.
 */
export type RepeatRule = 'read' | 'idempotent' | 'status' | 'unsend' | 'once';

/** One endpoint of the service: everything that client, limiter, simulator and help need to know about it. */
export interface Row {
  readonly title: string;
  readonly method: 'GET' | 'POST' | 'PATCH';
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
  /** null where the request has no body. */
  readonly body: z.ZodType | null;
  readonly success: 200 | 201 | 202 | 204;
  /** Any 2xx says that it was done: nothing in the answer's body is needed to go on. */
  readonly anySuccess?: true;
  /** A 502 may stand for content that nobody can read, which no repeat mends (BROADCAST-23). */
  readonly mayBeUnreadable?: true;
  /** null where the answer has no body, `binary` where it is a stream of bytes. */
  readonly reply: z.ZodType | 'binary' | null;
}

/** What the client does with a row beside sending it: for the code that decides about repeats. */
export type RepeatTraits = Pick<Row, 'repeat' | 'mayBeUnreadable'>;

export const NO_PAGING = { style: 'none' } as const satisfies Paging;
export const NO_QUERY = z.strictObject({});

/** The published rates that no row overrides (LIMIT-1). */
export const TOKEN_PER_SECOND = 25;
export const DEFAULT_PER_SECOND = 15;
export const GROUP_PER_SECOND = 1;
