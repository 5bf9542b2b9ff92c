import { METHODS, OPERATIONS, rowOf, type Method, type Operation } from './catalogue.ts';
import { READ, type Row } from './row.ts';
import * as z from 'zod';

/** A method and a path, as typed. */
export interface RawPath {
  readonly method: Method;
  readonly path: string;
}

/**
 * Reads a method and a path. A string says what is wrong. A service may take a path in another spelling for the same
 * call, and Herald would not know it: a create or a payout would go out without the rules for it. So there is one spelling.
 */
export function parseRawPath(method: string, path: string): RawPath | string {
  const known = METHODS.find((one) => one === method.toUpperCase());
  if (known === undefined) return `Unknown method "${method}". Use one of: ${METHODS.join(', ')}.`;
  if (/[?#]/.test(path)) return 'The path must not have a query. Use --param name=value for each parameter.';
  if (!path.startsWith('/') || !path.slice(1).split('/').every(isUsual))
    return 'The path must be spelled as usual, such as /api/v0/accounts: parts between single slashes, none of them empty, "." or "..", and only characters encoded that need it.';
  const raw = { method: known, path };
  const meant = findRow(raw, 'i');
  if (meant !== null && findRow(raw) === null)
    return `The path must be spelled as usual: ${rowOf(meant.operation).path}.`;
  return raw;
}

/** Whether a part of a path has the one spelling of what it stands for: nothing is encoded that could be taken for the plain character. */
function isUsual(part: string): boolean {
  if (!/^[!-[\]-~]+$/.test(part) || /^\.{1,2}$/.test(part)) return false;
  const codes = part.match(/%[0-9a-f]{2}/gi) ?? [];
  const encoded = codes.map((code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));
  return !encoded.some((character) => /[\w.~/\\-]/.test(character)) && isDecodable(part);
}

function isDecodable(part: string): boolean {
  try {
    return decodeURIComponent(part) !== '';
  } catch {
    return false;
  }
}

/** The operation of the catalogue with this method and path, and the parameters in the path; null if it has none. */
export function findRow(
  { method, path }: RawPath,
  flags = '',
): { readonly operation: Operation; readonly params: Readonly<Record<string, string>> } | null {
  for (const operation of OPERATIONS) {
    const row: Row = rowOf(operation);
    const pattern = new RegExp(`^${row.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`, flags);
    const found = row.method === method ? pattern.exec(path) : null;
    if (found === null) continue;
    const params = Object.entries(found.groups ?? {});
    return {
      operation,
      params: Object.fromEntries(params.map(([name, value]) => [name, decodeURIComponent(value)])),
    };
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
