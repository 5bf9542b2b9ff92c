import { OPERATIONS, rowOf, type Operation } from './catalogue.ts';
import { READ, type Row } from './row.ts';
import * as z from 'zod';

/** The operation of the catalogue with this method and path, and the parameters in the path; null if it has none. */
export function findRow(
  method: string,
  path: string,
): { readonly operation: Operation; readonly params: Readonly<Record<string, string>> } | null {
  for (const operation of OPERATIONS) {
    const row: Row = rowOf(operation);
    const pattern = new RegExp(`^${row.path.replace(/\{(\w+)\}/g, '(?<$1>[^/%]+)')}$`);
    const found = row.method === method ? pattern.exec(path) : null;
    if (found !== null) return { operation, params: { ...found.groups } };
  }
  return null;
}

/** A row for a read that the catalogue does not have. Its rate is the default one. */
export function readRow(path: string): Row {
  return {
    ...READ,
    title: `GET ${path}`,
    method: 'GET',
    path: path.replace(/[{}]/g, encodeURIComponent),
    permission: 'accounts.view',
    params: z.looseObject({}),
    query: z.looseObject({}),
    body: null,
    anySuccess: true,
    reply: z.unknown(),
  };
}

/** The members of an object that its shape does not know: the service may have added them since. */
export function findUnknownKeys(shape: z.ZodType, value: unknown): readonly string[] {
  const issues = shape.safeParse(value).error?.issues ?? [];
  return issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
}
