import * as z from 'zod';
import { CATALOGUE, METHODS, OPERATIONS, type Method, type Operation } from './catalogue.ts';
import { DEFAULT_PER_SECOND, NO_PAGING, type Row } from './row.ts';

/** A method and a path, as typed. */
export interface RawPath {
  readonly method: Method;
  readonly path: string;
}

/** Reads a method and a path. A string says what is wrong. */
export function parseRawPath(method: string, path: string): RawPath | string {
  const known = METHODS.find((one) => one === method.toUpperCase());
  if (known === undefined) return `Unknown method "${method}". Use one of: ${METHODS.join(', ')}.`;
  if (!/^\/[!-~]*$/.test(path)) return 'The path must begin with "/" and have no spaces: /api/v0/accounts.';
  if (/[?#]/.test(path)) return 'The path must not have a query. Use --param name=value for each parameter.';
  if (path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part)))
    return 'The path must not have "." or ".." as a part.';
  return { method: known, path };
}

/** The operation of the catalogue with this method and path, and the parameters in the path; null if it has none. */
export function catalogued({
  method,
  path,
}: RawPath): { readonly operation: Operation; readonly params: Readonly<Record<string, string>> } | null {
  for (const operation of OPERATIONS) {
    const row: Row = CATALOGUE[operation];
    if (row.method !== method) continue;
    const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const found = new RegExp(`^${row.path.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(path);
    if (found === null) continue;
    const params = names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')] as const);
    return { operation, params: Object.fromEntries(params) };
  }
  return null;
}

/** A row for a call that the catalogue does not have. Its rate is the default one, and a write is never repeated. */
export function rawRow({ method, path }: RawPath, hasBody: boolean): Row {
  return {
    title: `${method} ${path}`,
    method,
    path: path.replace(/[{}]/g, encodeURIComponent),
    permission: 'accounts.view',
    perSecond: DEFAULT_PER_SECOND,
    paging: NO_PAGING,
    repeat: method === 'GET' ? 'read' : 'once',
    params: z.looseObject({}),
    query: z.looseObject({}),
    body: hasBody ? z.unknown() : null,
    success: 200,
    anySuccess: true,
    reply: z.unknown(),
  };
}
