import * as z from 'zod';
import { KINDS } from '../domain/resource.ts';

/** PostgreSQL keeps no text with a NUL. */
const text = z.string().refine((value) => !value.includes('\0'), 'has a NUL');
/** A higher number could not be followed by the next ones. */
const number = z
  .int()
  .min(0)
  .max(2 ** 50);
const json = text.refine((value) => parseJson(value) !== undefined, 'is not JSON');

/** What each type of column may have: a text or a number in the database, with `?` also null. */
export const CELLS = {
  text,
  'text?': text.nullable(),
  number,
  'number?': number.nullable(),
  flag: z.union([z.literal(0), z.literal(1)]),
  json,
  'json?': json.nullable(),
  kind: z.enum(KINDS),
  any_kind: z.enum([...KINDS, 'message', 'label', 'follow', 'payout', 'upload']),
  'outcome?': z.enum(['done', 'refused', 'not_sent', 'absent', 'adopted', 'closed']).nullable(),
  'status_by?': z.enum(['apply', 'hand']).nullable(),
} as const;

export type ColumnType = keyof typeof CELLS;
export type Cells = { readonly [Type in ColumnType]: z.infer<(typeof CELLS)[Type]> };

/** Undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
