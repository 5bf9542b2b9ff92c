import * as z from 'zod';
import { CATALOGUE, OPERATIONS, rowOf, type Operation } from '../api/catalogue.ts';
import { GROUP_PER_SECOND, TOKEN_PER_SECOND } from '../api/row.ts';
import type { Clock } from '../domain/ports.ts';
import { SERVICE_DEFAULTS } from '../domain/workspace.ts';
import { invalid, notFound, Refusal, type Answer } from './answers.ts';
import { type Fault, matchFaults, ofKind } from './fault-shape.ts';
import type { Cause, RequestRecord } from './records.ts';
import type { Seed, SeedOf } from './seed-shape.ts';
import { PRIMARY_PLATFORM, SECONDARY_PLATFORM, type AccountState } from './state.ts';
import { findAccount, type ApiKey, type World } from './world.ts';

type Row<Name extends Operation> = (typeof CATALOGUE)[Name];

/** An admitted request, parsed. Plain JSON, so that it can be executed later. */
export interface Call<Name extends Operation = Operation> {
  readonly operation: Name;
  readonly params: z.output<Row<Name>['params']>;
  readonly query: z.output<Row<Name>['query']>;
  readonly body: Row<Name>['body'] extends z.ZodType ? z.output<Row<Name>['body']> : null;
  readonly key: ApiKey;
  readonly cause: Cause;
  readonly effects: FaultEffects;
}

/** The operations that a file answers. Each throws a `Refusal` for what the service refuses. */
export type Handlers = { readonly [Name in Operation]?: (world: World, call: Call<Name>) => Answer };

/** The kinds of seeds that a file adds to an account. What a seeder returns is shown to who asked for it. */
export type Seeders = {
  readonly [Kind in Seed['kind']]?: (world: World, account: AccountState, set: SeedOf<Kind>) => object;
};

/** The catalogue row of a request, with decoded but unchecked path parameters. */
interface Route {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

export interface Engine {
  readonly world: World;
  readonly clock: Clock;
  /** The arrivals of the last second, by window. In real time; not saved with the world. */
  readonly windows: Map<string, number[]>;
  /** Advances virtual time to the clock. */
  readonly catchUp: () => void;
}

/** In this order: token, permission, rates. The permission comes before the rest of a request (ACCOUNT-8). */
export function admit({ world, clock, windows }: Engine, request: Request, record: RequestRecord) {
  const url = new URL(request.url);
  const route = findRoute(request.method, url.pathname);
  record.operation = route?.operation ?? null;
  const token = request.headers.get(SERVICE_DEFAULTS.authHeader);
  const key = world.keys.find((known) => known.key === token);
  // Assumed: a missing or unknown token is a 401 (ACCOUNT-7).
  if (key === undefined || key.revoked) throw new Refusal(401, 'Invalid API key', { code: 'UNAUTHORIZED' });
  if (route === undefined) throw notFound(`${request.method} ${url.pathname}`);
  const { operation, params } = route;
  const required = CATALOGUE[operation].permission;
  // The details name the missing permission (ACCOUNT-8).
  if (key.permissions !== 'all' && !key.permissions.includes(required))
    throw new Refusal(403, 'The API key lacks a permission', {
      code: 'API_KEY_PERMISSION_DENIED',
      details: { required_permission: required },
    });
  admitToRates(world, windows, key, route, clock.monotonicMs());
  const account_id = findAccount(world, params)?.live.id;
  const faults = matchFaults(world, 'call', { operation, account_id });
  if (faults.length > 0)
    record.fault = faults.map((one) => ('how' in one ? `${one.kind} ${one.how}` : one.kind)).join(' ');
  const throttle = ofKind(faults, 'throttle');
  if (throttle !== undefined) throw tooMany(world, throttle.retry_after_sec);
  const contentType = request.headers.get('content-type') ?? '';
  return { key, route, query: url.searchParams, contentType, request: record.request, faults };
}

/** A request that was admitted, with its body. */
export type Arrived = Readonly<ReturnType<typeof admit>> & { readonly text: string };

/** `/a/{b}/c` becomes a regular expression with a named group for each parameter. */
const ROUTES = OPERATIONS.map((operation) => {
  const { method, path } = rowOf(operation);
  return { operation, method, pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`) };
});

function findRoute(method: string, path: string): Route | undefined {
  for (const route of ROUTES) {
    const match = route.method === method ? route.pattern.exec(path) : null;
    if (match === null) continue;
    const params = Object.entries(match.groups ?? {}).map(([name, text]) => [name, decodeSegment(text)]);
    return { operation: route.operation, params: Object.fromEntries(params) };
  }
  return undefined;
}

/** A segment with an invalid percent-encoding stays as it is. The shape of the parameter refuses it. */
function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Operations that take accounts of the other platform too (ACCOUNT-5). */
const BOTH_PLATFORMS: readonly Operation[] = ['accounts.get', 'revenue.transactions'];

/** Checks that the key covers the account in the path, and that the operation supports the account's platform. */
function requireAccess(world: World, key: ApiKey, { operation, params }: Route): void {
  const { account_id, platform, platform_account_id } = params;
  if (platform !== undefined) requirePlatform(operation, platform);
  if (account_id === undefined && platform_account_id === undefined) return;
  const account = findAccount(world, params);
  if (account === undefined && key.accounts === null) throw notFound('Account');
  if (account === undefined || !covers(key, account))
    throw new Refusal(world.modes.scopeStatus, 'The API key has no access to this account');
  requirePlatform(operation, account.live.platform);
}

/** A key covers chosen accounts, or a platform (later accounts too), or all (ACCOUNT-9). */
export function covers(key: ApiKey, { live }: AccountState): boolean {
  if (key.accounts !== null) return key.accounts.includes(live.id);
  return key.platform === null || key.platform === live.platform;
}

/** Assumed: 400, as for all invalid input (ERROR-12). */
function requirePlatform(operation: Operation, platform: string): void {
  if (platform === PRIMARY_PLATFORM) return;
  if (platform === SECONDARY_PLATFORM && BOTH_PLATFORMS.includes(operation)) return;
  const { title } = rowOf(operation);
  throw new Refusal(400, `${title}: not available for this platform`);
}

const WINDOW_MS = 1000;

/**
 * Admits a request if all of its windows have space (LIMIT-1 to LIMIT-4): 25/s for a token, the row's rate for a
 * token and endpoint, 1/s for a platform account of the payout group. Windows slide: no second has more. Assumed:
 * requests refused for their rate are not counted.
 */
function admitToRates(
  world: World,
  windows: Engine['windows'],
  key: ApiKey,
  { operation, params }: Route,
  arrivalMs: number,
): void {
  if (world.modes.rates === 'none') return;
  const { perSecond, group } = rowOf(operation);
  const limits: [string, number][] = [
    [`token ${key.id}`, TOKEN_PER_SECOND],
    [`token ${key.id} ${operation}`, perSecond],
  ];
  if (group !== undefined) limits.push([`${group} ${params['platform_account_id']}`, GROUP_PER_SECOND]);
  for (const [name, limit] of limits) {
    const arrivals = (windows.get(name) ?? []).filter((arrival) => arrivalMs - arrival < WINDOW_MS);
    windows.set(name, arrivals);
    if (arrivals.length >= limit) throw tooMany(world);
  }
  for (const [name] of limits) windows.get(name)?.push(arrivalMs);
}

/** Assumed: the answer does not tell when to retry, unless a fault adds it (ERROR-3). */
function tooMany(world: World, afterSec?: number): Refusal {
  world.throttled += 1;
  const headers = afterSec === undefined ? {} : { 'retry-after': String(afterSec) };
  return new Refusal(429, 'Rate limit exceeded', { headers });
}

function findEffects(faults: readonly Fault[]) {
  const lag = ofKind(faults, 'lag');
  return {
    partly: ofKind(faults, 'partial_commit') !== undefined,
    /** The time until a new object, or a new status, appears in its list. */
    lagMs: (lag?.lag_sec ?? 0) * 1000,
    /** The single read lags too. */
    readsLag: lag?.reads ?? false,
    repeatPage: ofKind(faults, 'repeated_page') !== undefined,
  };
}
export type FaultEffects = Readonly<ReturnType<typeof findEffects>>;

/** Checks path, account, query and body, in this order. */
export function parseCall(world: World, arrived: Arrived): Call {
  const { key, route, request } = arrived;
  const { operation } = route;
  const row = rowOf(operation);
  const params = check(row.params, route.params);
  requireAccess(world, key, route);
  const query = check(row.query, listValues(arrived.query));
  // Assumed: an unexpected body is refused (ERROR-13).
  if (row.body === null && arrived.text !== '') throw invalid('this request takes no body', '');
  const body = row.body === null ? null : check(row.body, parseJson(arrived));
  const effects = findEffects(arrived.faults);
  const call = { operation, params, query, body, key, cause: { by: 'api', request }, effects };
  // The compiler cannot tell that the shapes belong to the operation.
  return call as unknown as Call;
}

/** Assumed: a parameter or a member that the document does not name is refused, too (ERROR-12). */
function check(shape: z.ZodType, value: unknown): unknown {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const found = parsed.error.issues.map(({ path, message: text }) => ({
    path: path.join('.'),
    message: text,
  }));
  const summary = found.map((one) => (one.path === '' ? one.message : `${one.path}: ${one.message}`));
  throw invalid(summary.join('; '), found);
}

/** A key that is given once has one value; several times, a list (READ-10). */
function listValues(query: URLSearchParams): Record<string, string | string[]> {
  const values = [...new Set(query.keys())].map((name) => {
    const [only = '', ...others] = query.getAll(name);
    return [name, others.length === 0 ? only : [only, ...others]] as const;
  });
  return Object.fromEntries(values);
}

/** JSON bodies need the content type for JSON (ERROR-13). */
function parseJson({ contentType, text }: Arrived): unknown {
  if (!/^application\/json\b/i.test(contentType))
    throw invalid('the body must be application/json', 'content-type');
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('the body is not valid JSON', '');
  }
}
