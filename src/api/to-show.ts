import * as z from 'zod';
import { rowOf, type CallInput, type Operation, type Reply } from './catalogue.ts';
import type { Client } from './client.ts';
import { ServiceError } from './errors.ts';
import type { Row } from './row.ts';

/** Reads one answer for people, as it came. Throws `ServiceError`. */
export async function readToShow<Name extends Operation>(
  client: Client,
  operation: Name,
  input: CallInput<Name>,
): Promise<Reply<Name>> {
  const result = await client.prepareRow(operation, rowToShow(rowOf(operation)), input)();
  if (result.kind !== 'done') throw new ServiceError(result.problem);
  return result.reply as Reply<Name>;
}

/**
 * The row for a reply that people look at and that decides nothing. It only has to be an object; in a list, with rows. Values of
 * another type than documented are shown as they came, and ids always as text.
 */
export function rowToShow(row: Row): Row {
  const { paging, reply } = row;
  if (!(reply instanceof z.ZodObject)) return row;
  if (!('items' in paging)) return { ...row, reply: z.looseObject({}).transform(idsToText) };
  const shown = reply.extend({ [paging.items]: z.array(z.unknown()) });
  return { ...row, reply: shown.transform(idsToText) };
}

/** Members that hold ids, which may have more digits than a number of another program holds. */
const ID_NAME = /(?:^|_)ids?$|Id$|^from_user$/;

function idsToText(value: unknown, name: unknown = ''): unknown {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  if (isNumber && typeof name === 'string' && ID_NAME.test(name)) return String(value);
  if (Array.isArray(value)) return value.map((item) => idsToText(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, idsToText(member, key)]));
}
