import { CATALOGUE, METHODS, OPERATIONS, rowOf, type Method, type Operation } from './catalogue.ts';
import { READ, type Row } from './row.ts';
import * as z from 'zod';

/** A method and a path, as typed. */
export interface RawPath {
  readonly method: Method;
  readonly path: string;
}

/**
 * Reads a method and a path. A string says what is wrong. A service may take a path in another spelling for the same
 * call, and Herald would not know it: a create or a payout would go out without the rules for it.
 */
export function parseRawPath(method: string, path: string): RawPath | string {
  const known = METHODS.find((one) => one === method.toUpperCase());
  if (known === undefined) return `Unknown method "${method}". Use one of: ${METHODS.join(', ')}.`;
  if (!/^\/[!-~]*$/.test(path)) return 'The path must begin with "/" and have no spaces: /api/v0/accounts.';
  if (/[?#]/.test(path)) return 'The path must not have a query. Use --param name=value for each parameter.';
  if (path.split('/').some((part) => /^(?:\.|%2e){1,2}$/i.test(part)))
    return 'The path must not have "." or ".." as a part.';
  if (!isEncodedRight(path))
    return 'In the path, "%" must begin an encoded character, which must not be "/" or "\\".';
  const usual = usualSpelling(known, path);
  if (usual !== path) return `The path must be spelled as usual: ${usual}.`;
  return { method: known, path };
}

function isEncodedRight(path: string): boolean {
  try {
    return !/%(?:2f|5c)/i.test(path) && decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

/**
 * Without letters that need no encoding, slashes that are doubled, at the end or the wrong way round, and with the
 * capitals of the catalogue.
 */
function usualSpelling(method: Method, path: string): string {
  const decoded = path.replace(/%[0-9a-f]{2}/gi, (text) => {
    const letter = String.fromCodePoint(Number.parseInt(text.slice(1), 16));
    return /[\w.~-]/.test(letter) ? letter : text;
  });
  const plain = decoded.replace(/[/\\]+/g, '/').replace(/(?<=.)\/$/, '');
  const rows: readonly Row[] = OPERATIONS.map(rowOf).filter((row) => row.method === method);
  if (rows.some((row) => valuesIn(row.path, plain) !== null)) return plain;
  for (const row of rows) {
    const values = valuesIn(row.path, plain, 'i')?.values();
    if (values !== undefined) return row.path.replace(PARAM, () => values.next().value ?? '');
  }
  return plain;
}

const PARAM = /\{(\w+)\}/g;

/** The values of the parameters in a path; null if it is another one. */
function valuesIn(template: string, path: string, flags = ''): readonly string[] | null {
  return new RegExp(`^${template.replace(PARAM, '([^/]+)')}$`, flags).exec(path)?.slice(1) ?? null;
}

/** The operation of the catalogue with this method and path, and the parameters in the path; null if it has none. */
export function catalogued({
  method,
  path,
}: RawPath): { readonly operation: Operation; readonly params: Readonly<Record<string, string>> } | null {
  for (const operation of OPERATIONS) {
    const row: Row = CATALOGUE[operation];
    if (row.method !== method) continue;
    const names = [...row.path.matchAll(PARAM)].map(([, name = '']) => name);
    const values = valuesIn(row.path, path);
    if (values === null) continue;
    const params = names.map((name, index) => [name, decodeURIComponent(values[index] ?? '')] as const);
    return { operation, params: Object.fromEntries(params) };
  }
  return null;
}

/** A row for a call that the catalogue does not have. Its rate is the default one, and a write is never repeated. */
export function rawRow({ method, path }: RawPath, hasBody: boolean): Row {
  return {
    ...READ,
    title: `${method} ${path}`,
    method,
    path: path.replace(/[{}]/g, encodeURIComponent),
    permission: 'accounts.view',
    repeat: method === 'GET' ? 'read' : 'once',
    params: z.looseObject({}),
    query: z.looseObject({}),
    body: hasBody ? z.unknown() : null,
    anySuccess: true,
    reply: z.unknown(),
  };
}

/** The members of an object that its shape does not know: the service may have added them since. */
export function findUnknownKeys(shape: z.ZodType, value: unknown): readonly string[] {
  const issues = shape.safeParse(value).error?.issues ?? [];
  return issues.flatMap((issue) => (issue.code === 'unrecognized_keys' ? issue.keys : []));
}
