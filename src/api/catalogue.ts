import type { Kind } from '../domain/resource.ts';
import type { Row } from './row.ts';
import { ACCOUNT_ROWS } from './rows/accounts.ts';
import { CHAT_ROWS, PAYOUT_ROWS } from './rows/chat.ts';
import { BROADCAST_ROWS, CAMPAIGN_ROWS } from './rows/messaging.ts';
import { TEAM_ROWS } from './rows/team.ts';
import { VAULT_ROWS } from './rows/vault.ts';
import type { z } from 'zod';

/** Every endpoint of the service, one row each, by the name that `herald api` takes. */
export const CATALOGUE = {
  ...ACCOUNT_ROWS,
  ...TEAM_ROWS,
  ...CHAT_ROWS,
  ...PAYOUT_ROWS,
  ...VAULT_ROWS,
  ...CAMPAIGN_ROWS,
  ...BROADCAST_ROWS,
} as const satisfies Record<string, Row>;

export type Operation = keyof typeof CATALOGUE;

export type Permission = (typeof CATALOGUE)[Operation]['permission'];

export const PERMISSIONS: readonly Permission[] = [
  ...new Set(Object.values(CATALOGUE).map(({ permission }) => permission)),
];

/** A call of the catalogue, or one beyond it, such as `GET /api/v0/new-thing`. */
export type CallName = Operation | `GET /${string}`;

export const OPERATIONS = Object.keys(CATALOGUE).sort() as readonly Operation[];

export interface CallInput<Name extends Operation> {
  readonly params: z.input<(typeof CATALOGUE)[Name]['params']>;
  readonly query?: z.input<(typeof CATALOGUE)[Name]['query']>;
  readonly body?: (typeof CATALOGUE)[Name]['body'] extends z.ZodType
    ? z.input<(typeof CATALOGUE)[Name]['body']>
    : never;
}

/** The answer of an operation: parsed, `null` for an empty one, bytes for a binary one. */
export type Reply<Name extends Operation> = (typeof CATALOGUE)[Name]['reply'] extends z.ZodType
  ? z.output<(typeof CATALOGUE)[Name]['reply']>
  : (typeof CATALOGUE)[Name]['reply'] extends 'binary'
    ? Uint8Array
    : null;

/** Whether a text is the name of an operation. */
export function isOperation(text: string): text is Operation {
  return Object.hasOwn(CATALOGUE, text);
}

/** The row with its common type, for code that treats all rows alike. */
export function rowOf(operation: Operation): Row {
  return CATALOGUE[operation];
}

function listCalls<const Plural extends 'campaigns' | 'broadcasts'>(plural: Plural) {
  return {
    list: `${plural}.list`,
    get: `${plural}.get`,
    create: `${plural}.create`,
    setStatus: `${plural}.set-status`,
    unsend: `${plural}.unsend`,
  } as const;
}

export const KIND_CALLS = {
  campaign: listCalls('campaigns'),
  broadcast: listCalls('broadcasts'),
} satisfies Record<Kind, Record<string, Operation>>;
