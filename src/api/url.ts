import type { z } from 'zod';
import type { PlatformAccountId } from '../domain/ids.ts';
import type { ListStyle } from '../domain/workspace.ts';
import { InvalidCallError } from './errors.ts';
import { printJson } from './json.ts';
import type { Bucket } from './limiter.ts';
import type { Row } from './row.ts';
import type { CallName } from './catalogue.ts';

/** A call that passed the catalogue's bounds and is ready to be sent. */
export interface BuiltCall {
  readonly operation: CallName;
  readonly row: Row;
  readonly url: string;
  /** JSON text; null where the row has no body. */
  readonly body: string | null;
  /** Where its rate is counted. */
  readonly endpoint: Bucket;
  /** The platform account of payout rows, which share a bucket for each. */
  readonly platformAccountId: PlatformAccountId | null;
}

export interface LooseInput {
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
  /** Query values from the service, unchanged. Our limits do not apply to them. */
  readonly handedBack?: Readonly<Record<string, string>>;
}

/** Checks a call against its row. Throws `InvalidCallError` with every broken bound; nothing is sent then. */
export function buildCall(
  baseUrl: string,
  operation: CallName,
  row: Row,
  input: LooseInput,
  listStyle: ListStyle = 'repeat',
): BuiltCall {
  const issues: string[] = [];
  const params = checkPart(row.params, input.params ?? {}, '', issues) as Record<string, string> | null;
  const query = checkPart(row.query, input.query ?? {}, '', issues) as Record<string, unknown> | null;
  const body = row.body === null ? null : checkPart(row.body, input.body, 'body', issues);
  if (row.body === null && input.body !== undefined && input.body !== null)
    issues.push('body: this call takes no body');
  if (issues.length > 0 || params === null || query === null) throw new InvalidCallError(operation, issues);
  const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return {
    operation,
    row,
    url: `${baseUrl.replace(/\/+$/, '')}${path}${formatQuery({ ...query, ...input.handedBack }, listStyle)}`,
    body: row.body === null ? null : printJson(body),
    endpoint: { key: `endpoint:${operation}`, perSecond: row.perSecond },
    platformAccountId: params['platform_account_id'] ?? null,
  };
}

function checkPart(shape: z.ZodType, value: unknown, place: string, issues: string[]): unknown {
  const result = shape.safeParse(value);
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const path = [place, ...issue.path.map(String)].filter((part) => part !== '').join('.');
    issues.push(path === '' ? issue.message : `${path}: ${issue.message}`);
  }
  return null;
}

/** Assumed: the style of list parameters is not shown (READ-10), so `service.list_style` can change it. */
function formatQuery(query: Readonly<Record<string, unknown>>, style: ListStyle): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === '') continue;
    const isList = Array.isArray(value);
    const items = isList ? value : [value];
    if (isList && style === 'comma') search.append(key, items.map(String).join(','));
    else
      for (const item of items)
        search.append(isList && style === 'brackets' ? `${key}[]` : key, String(item));
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
