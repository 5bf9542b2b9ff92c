import * as z from 'zod';
import { CATALOGUE, rowOf, type Operation } from '../api/catalogue.ts';
import { requireAccess } from './access.ts';
import { invalid, type Answer } from './answers.ts';
import type { Fault } from './fault-shape.ts';
import { ofKind } from './faults.ts';
import type { Cause } from './records.ts';
import type { Seed, SeedOf } from './seed-shape.ts';
import type { AccountState } from './state.ts';
import type { ApiKey, World } from './world.ts';

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

/** Executes one operation on the world, or throws a `Refusal`. */
type Handler<Name extends Operation> = (world: World, call: Call<Name>) => Answer;

/** The operations that a file answers. */
export type Handlers = { readonly [Name in Operation]?: Handler<Name> };

/** The kinds of seeds that a file adds to an account. What a seeder returns is shown to who asked for it. */
export type Seeders = {
  readonly [Kind in Seed['kind']]?: (world: World, account: AccountState, set: SeedOf<Kind>) => object;
};

/** The catalogue row of a request, with decoded but unchecked path parameters. */
export interface Route {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

export interface Arrived {
  readonly key: ApiKey;
  readonly route: Route;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly text: string;
  readonly request: number;
  readonly faults: readonly Fault[];
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
  const params = check(world, row.params, route.params);
  requireAccess(world, key, route);
  const query = check(world, withoutDefaults(row.query), listValues(arrived.query));
  const body = row.body === null ? requireEmptyBody(arrived) : check(world, row.body, parseJson(arrived));
  const effects = findEffects(arrived.faults);
  const call = { operation, params, query, body, key, cause: { by: 'api', request }, effects };
  // The compiler cannot tell that the shapes belong to the operation.
  return call as unknown as Call;
}

/** The defaults are the client's. The service requires these parameters (READ-9). */
function withoutDefaults({ shape }: z.ZodObject): z.ZodObject {
  return z.strictObject(
    Object.fromEntries(
      Object.entries(shape).map(([member, value]) => [
        member,
        value instanceof z.ZodDefault ? value.unwrap() : value,
      ]),
    ),
  );
}

function check(world: World, shape: z.ZodType, value: unknown): unknown {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const unknown = issues.filter(({ code }) => code === 'unrecognized_keys');
  if (world.modes.unknownParameters === 'ignore' && unknown.length > 0)
    return check(world, shape, dropMembers(value, unknown));
  const found = issues.map(({ path, message: text }) => ({ path: path.join('.'), message: text }));
  const summary = found.map((one) => (one.path === '' ? one.message : `${one.path}: ${one.message}`));
  throw invalid(summary.join('; '), found);
}

/** A copy of the value without the members that its shape does not know. */
function dropMembers(value: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const copy = structuredClone(value);
  for (const issue of issues) {
    let holder: unknown = copy;
    for (const member of issue.path) holder = Reflect.get(Object(holder), member);
    if (issue.code === 'unrecognized_keys')
      for (const member of issue.keys) Reflect.deleteProperty(Object(holder), member);
  }
  return copy;
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

/** Assumed: an unexpected body is refused (ERROR-13). */
function requireEmptyBody({ text }: Arrived): null {
  if (text !== '') throw invalid('this request takes no body', '');
  return null;
}
