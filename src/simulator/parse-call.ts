import type { z } from 'zod';
import { rowOf, type Operation } from '../api/catalogue.ts';
import { requireAccount } from './access.ts';
import type { FaultEffects, Call } from './call.ts';
import type { Modes } from './modes.ts';
import { invalid, Refusal } from './refusal.ts';
import type { Route } from './routing.ts';
import type { ApiKey } from './state.ts';
import { REQUEST_SHAPES } from './shapes/requests.ts';
import type { World } from './world.ts';

/** A received request before it is parsed. */
export interface Arrived {
  readonly key: ApiKey;
  readonly route: Route;
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly text: string;
  readonly request: number;
}

/** Checks path, account, query and body, in this order. */
export function parseCall(world: World, arrived: Arrived, effects: FaultEffects): Call<Operation> {
  const { key, route, request } = arrived;
  const shape = REQUEST_SHAPES[route.operation];
  const params = check(world.modes, rowOf(route.operation).params, route.params);
  requireAccount(world, key, route);
  const query = check(world.modes, shape.query, queryValues(arrived.query));
  const body =
    shape.body === null
      ? requireEmptyBody(world.modes, arrived)
      : check(world.modes, shape.body, jsonOf(world.modes, arrived));
  const call = { params, query, body, key, cause: { by: 'api', request }, effects };
  // The compiler cannot tell that the shape belongs to the operation.
  return call as unknown as Call<Operation>;
}

function check(modes: Modes, shape: z.ZodType, value: unknown): unknown {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }));
  const summary = issues
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    .join('; ');
  throw new Refusal(modes.validationStatus, summary, { code: 'VALIDATION_ERROR', details: { issues } });
}

/** A key that is given once has one value; several times, a list. `key[]` means `key` (READ-10). */
function queryValues(query: URLSearchParams): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (const name of new Set(query.keys())) {
    const all = query.getAll(name);
    const [only, second] = all;
    values[name.replace(/\[\]$/, '')] = only !== undefined && second === undefined ? only : all;
  }
  return values;
}

/** JSON bodies need the content type for JSON (ERROR-13). */
function jsonOf(modes: Modes, { contentType, text }: Arrived): unknown {
  if (!/^application\/json\b/i.test(contentType))
    throw invalid(modes, 'the body must be application/json', 'content-type');
  try {
    return JSON.parse(text);
  } catch {
    throw invalid(modes, 'the body is not valid JSON', '');
  }
}

/** Assumed: an unexpected body is refused (ERROR-13). */
function requireEmptyBody(modes: Modes, { text }: Arrived): null {
  if (text !== '') throw invalid(modes, 'this request takes no body', '');
  return null;
}
