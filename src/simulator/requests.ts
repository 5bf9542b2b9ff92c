import * as z from 'zod';
import { CATALOGUE, rowOf, type Operation } from '../api/catalogue.ts';
import { requireAccess, type Route } from './access.ts';
import { invalid, invalidFor, type Answer } from './answers.ts';
import type { FaultEffects } from './faults.ts';
import type { Modes } from './modes.ts';
import type { Cause } from './records.ts';
import {
  bigId,
  broadcastRules,
  campaignRules,
  dollars,
  message,
  sentFilter,
  wallClock,
  words,
} from './shapes.ts';
import type { ApiKey, World } from './world.ts';

/** The largest payout request, in USD (PAYOUT-2). */
const PAYOUT_MAXIMUM_USD = 1_000_000;
/** At most 5 GiB (VAULT-4). */
const UPLOAD_MAXIMUM_BYTES = 5_368_709_120;

const file = {
  name: z.string().regex(/^[\w. \-()]{1,255}$/),
  size: z.int().min(1).max(UPLOAD_MAXIMUM_BYTES),
  content_type: z
    .string()
    .max(255)
    .regex(/^(?:image|video|audio)\/[a-zA-Z0-9.+-]+$/),
  duration: z.number().min(0).optional(),
};
const key = words.max(1024);
const name = (most: number) => z.string().min(1).max(most).regex(/\S/).nullable().optional();
/** What a message goes to, and what it says. */
const content = { audience_filters: z.array(sentFilter).optional(), messages: z.array(message).optional() };

/**
 * The bodies that the simulator takes. They are written from the service's document, apart from those of the client's
 * catalogue, so that each shows the mistakes of the other (test/simulator/request-shapes.test.ts).
 */
export const BODIES = {
  'campaigns.create': z.strictObject({
    // An enum. Its other words are not documented (CAMPAIGN-3).
    trigger: words,
    action: z.enum(['send_message', 'start_mimic']),
    name: name(512),
    rules: campaignRules.optional(),
    ...content,
  }),
  'campaigns.set-status': z.strictObject({ status: z.enum(['active', 'paused', 'archived']) }),
  'broadcasts.create': z
    .strictObject({
      name: name(100),
      scheduled_at: wallClock.optional(),
      scheduled_at_timezone_mode: words.optional(),
      rules: broadcastRules
        .extend({ end_at: wallClock.nullable().optional(), end_at_timezone_mode: words.optional() })
        .optional(),
      ...content,
    })
    .refine(
      ({ scheduled_at: at, scheduled_at_timezone_mode: mode }) => (at === undefined) === (mode === undefined),
      {
        message: 'scheduled_at and scheduled_at_timezone_mode are required together',
        path: ['scheduled_at'],
      },
    ),
  'broadcasts.set-status': z.strictObject({ status: z.enum(['paused', 'queued']) }),
  'fans.label': z
    .strictObject({ custom_name: z.string().optional(), note: z.string().optional() })
    .refine(({ custom_name, note }) => custom_name !== undefined || note !== undefined, {
      message: 'custom_name or note must be present',
    }),
  'chat.send': z.strictObject({
    text: z.string().nullable().optional(),
    price: dollars.optional(),
    locked_text: z.boolean().optional(),
    media: z.array(z.strictObject({ id: words, type: words, is_paid: z.boolean().optional() })).optional(),
  }),
  'payouts.request': z.strictObject({
    withdrawal_amount: dollars.refine(
      (amount) => amount > 0 && amount <= PAYOUT_MAXIMUM_USD,
      `must be above 0 and at most ${PAYOUT_MAXIMUM_USD}`,
    ),
  }),
  'vault.verify-fan': z.strictObject({ fan_link: z.url({ protocol: /^https?$/ }).max(2048) }),
  'vault.upload-start': z.strictObject(file),
  'vault.upload-finish': z.strictObject({
    key,
    upload_id: words.max(256),
    parts: z.array(z.strictObject({ part: z.int(), e_tag: words })).min(1),
  }),
  'vault.upload-export': z.strictObject({
    ...file,
    key,
    e_tag: words.max(256),
    get_url: z.url().max(2048),
    export_type: z.enum(['post', 'message']),
    export_fan_id: words.optional(),
    rf_guest: z.array(bigId).optional(),
    rf_partner: z.array(bigId).optional(),
    rf_tag: z.array(bigId).optional(),
  }),
} as const satisfies { readonly [Name in Operation]?: z.ZodType };

type Row<Name extends Operation> = (typeof CATALOGUE)[Name];
type Bodies = typeof BODIES;

/** An admitted request, parsed. Plain JSON, so that it can be executed later. */
export interface Call<Name extends Operation = Operation> {
  readonly operation: Name;
  readonly params: z.output<Row<Name>['params']>;
  readonly query: z.output<Row<Name>['query']>;
  readonly body: Name extends keyof Bodies ? z.output<Bodies[Name]> : null;
  readonly key: ApiKey;
  readonly cause: Cause;
  readonly effects: FaultEffects;
}

/** Executes one operation on the world, or throws a `Refusal`. */
export type Handler<Name extends Operation> = (world: World, call: Call<Name>) => Answer;

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
export function parseCall(world: World, arrived: Arrived, effects: FaultEffects): Call {
  const { key, route, request } = arrived;
  const { operation } = route;
  const { modes } = world;
  const row = rowOf(operation);
  const params = check(modes, row.params, route.params);
  requireAccess(world, key, route);
  const query = check(modes, withoutDefaults(row.query), listValues(arrived.query));
  const shape = Object.hasOwn(BODIES, operation) ? BODIES[operation as keyof Bodies] : null;
  const body =
    shape === null ? requireEmptyBody(modes, arrived) : check(modes, shape, parseJson(modes, arrived));
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

function check(modes: Modes, shape: z.ZodType, value: unknown): unknown {
  const parsed = shape.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const unknown = issues.filter(({ code }) => code === 'unrecognized_keys');
  if (modes.unknownParameters === 'ignore' && unknown.length > 0)
    return check(modes, shape, dropMembers(value, unknown));
  const found = issues.map(({ path, message: text }) => ({ path: path.join('.'), message: text }));
  const summary = found.map((one) => (one.path === '' ? one.message : `${one.path}: ${one.message}`));
  throw invalidFor(modes, summary.join('; '), found);
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

/** A key that is given once has one value; several times or with commas, a list. `key[]` means `key` (READ-10). */
function listValues(query: URLSearchParams): Record<string, string | string[]> {
  const values: Record<string, string | string[]> = {};
  for (const given of new Set(query.keys())) {
    const all = query.getAll(given);
    const [only = '', second] = all;
    const listed =
      second === undefined && given.endsWith('_ids') && only.includes(',') ? only.split(',') : all;
    values[given.replace(/\[\]$/, '')] = listed.length === 1 ? only : listed;
  }
  return values;
}

/** JSON bodies need the content type for JSON (ERROR-13). */
function parseJson(modes: Modes, { contentType, text }: Arrived): unknown {
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
