import * as z from 'zod';
import { isOperation, type Operation } from '../api/catalogue.ts';
import { chatMessageSeedShape, chatSeedShape } from './chat/state.ts';
import { payoutRequestSeedShape, payoutsSeedShape } from './payouts/state.ts';
import { connectionFaultMembers } from './connection-faults.ts';
import { dataSettingsShape } from './reads/data.ts';
import { accountFields, broadcastSeedShape, campaignSeedShape } from './seed-shape.ts';
import { STORAGE_FAULT } from './vault/faults.ts';
import { VAULT_SEEDS } from './vault/seed-shape.ts';
import { WEBHOOK_FAULT } from './webhooks/faults.ts';

/** Ways to lose or damage an answer (docs/service/faults.md). */
export const BREAKAGES = ['timeout', 'reset', '500', '502', 'truncated', 'unreadable'] as const;
export type Breakage = (typeof BREAKAGES)[number];

const editTargetShape = z.strictObject({
  account_id: z.string(),
  id: z.string().optional(),
  name: z.string().optional(),
});

/** A change of live state outside the API, as by a person on the service's own screens. */
export const editShape = z.discriminatedUnion('kind', [
  editTargetShape.extend({ kind: z.literal('campaign'), set: campaignSeedShape }),
  editTargetShape.extend({ kind: z.literal('broadcast'), set: broadcastSeedShape }),
  z.strictObject({ account_id: z.string(), kind: z.literal('account'), set: accountFields }),
]);
export type Edit = z.infer<typeof editShape>;

/** A payout request by a person, and an account's balances. They have no name, so they cannot be edited. */
const payoutSeeds = [
  z.strictObject({
    account_id: z.string(),
    kind: z.literal('payout_request'),
    set: payoutRequestSeedShape.default({}),
  }),
  z.strictObject({ account_id: z.string(), kind: z.literal('payouts'), set: payoutsSeedShape }),
] as const;

/** A chat of some size, and a message from a person or the fan. */
const chatSeeds = [
  z.strictObject({ account_id: z.string(), kind: z.literal('chat'), set: chatSeedShape }),
  z.strictObject({ account_id: z.string(), kind: z.literal('chat_message'), set: chatMessageSeedShape }),
] as const;

/** An object that existed before, or that appears without the API. */
export const seedShape = z.discriminatedUnion('kind', [
  z.strictObject({ account_id: z.string(), kind: z.literal('campaign'), set: campaignSeedShape.default({}) }),
  z.strictObject({
    account_id: z.string(),
    kind: z.literal('broadcast'),
    set: broadcastSeedShape.default({}),
  }),
  ...payoutSeeds,
  ...chatSeeds,
  ...VAULT_SEEDS,
]);
export type Seed = z.infer<typeof seedShape>;
export type SeedInput = z.input<typeof seedShape>;

const selection = {
  /** Absent: calls of every operation. */
  operation: z
    .custom<Operation>((value) => typeof value === 'string' && isOperation(value), 'not an operation')
    .optional(),
  method: z.enum(['GET', 'POST', 'PATCH']).optional(),
  account_id: z.string().optional(),
  /** The first matching call with the fault, from 1. Absent: every matching call. */
  nth: z.int().min(1).optional(),
  /** The number of calls with the fault. Default: one with `nth`, else all. */
  times: z.int().min(1).optional(),
  /** Absent: always. Drawn from the world's seed. */
  probability: z.number().min(0).max(1).optional(),
};

/** One fault of the service or the connection, and the calls that have it. */
export const faultShape = z.discriminatedUnion('kind', [
  z.strictObject({
    ...selection,
    kind: z.literal('broken_answer'),
    when: z.enum(['before_commit', 'after_commit']),
    how: z.enum(BREAKAGES),
  }),
  /** The answer is lost, and the request is executed `after_sec` virtual seconds later. */
  z.strictObject({
    ...selection,
    kind: z.literal('late_commit'),
    after_sec: z.number().min(0),
    how: z.enum(BREAKAGES).default('timeout'),
  }),
  /** Half of a status change: the campaign has its new status, its queue stays, and the answer is a 502. */
  z.strictObject({ ...selection, kind: z.literal('partial_commit') }),
  /** Executed at once, answered after `delay_ms`. */
  z.strictObject({ ...selection, kind: z.literal('slow'), delay_ms: z.number().min(0) }),
  z.strictObject({
    ...selection,
    kind: z.literal('throttle'),
    retry_after_sec: z.number().min(0).optional(),
  }),
  /** Refused with this status, and not executed. */
  z.strictObject({ ...selection, kind: z.literal('refusal'), status: z.int().min(400).max(499) }),
  z.strictObject({ ...selection, kind: z.literal('connection_refused') }),
  /** The connection fails at a given moment. */
  z.strictObject({ ...selection, ...connectionFaultMembers }),
  /** The server's clock is wrong: its `Date` is off by this, regardless of the mode. */
  z.strictObject({ ...selection, kind: z.literal('wrong_date'), skew_sec: z.number() }),
  /** An empty page, although `has_more` or the cursor says that rows follow. */
  z.strictObject({ ...selection, kind: z.literal('empty_page') }),
  /** The page before this one again, or the requested cursor as the next one. */
  z.strictObject({ ...selection, kind: z.literal('repeated_page') }),
  z.strictObject({ ...selection, kind: z.literal('missing_has_more') }),
  /** `has_more` is present, but is not a boolean. */
  z.strictObject({ ...selection, kind: z.literal('odd_has_more'), value: z.unknown() }),
  /** A call with a cursor is refused; a call without one is answered. */
  z.strictObject({ ...selection, kind: z.literal('expired_cursor') }),
  /** Changes live state just before the call, so that items shift between two pages. */
  z.strictObject({
    ...selection,
    kind: z.literal('change_before'),
    edit: editShape.optional(),
    seed: seedShape.optional(),
    data: dataSettingsShape.optional(),
  }),
  /** Lists do not show the new object for a while. With `reads`, neither does the single read. */
  z.strictObject({
    ...selection,
    kind: z.literal('list_lag'),
    lag_sec: z.number().min(0),
    reads: z.boolean().default(false),
  }),
  /** Lists show the old status for a while. With `reads`, so does the single read. */
  z.strictObject({
    ...selection,
    kind: z.literal('status_lag'),
    lag_sec: z.number().min(0),
    reads: z.boolean().default(false),
  }),
  /** The service rewrites the text of the new object some seconds later; with 0 seconds, at once. */
  z.strictObject({
    ...selection,
    kind: z.literal('late_rewrite'),
    after_sec: z.number().min(0),
    from: z.string().min(1),
    to: z.string(),
  }),
  /** A 2xx with replaced or added members. */
  z.strictObject({ ...selection, kind: z.literal('odd_reply'), set: z.record(z.string(), z.unknown()) }),
  /** A put to the object store fails. Operation and method have no effect here. */
  z.strictObject({ ...selection, ...STORAGE_FAULT }),
  /** A delivery of an event fails. Operation and method have no effect here. */
  z.strictObject({ ...selection, ...WEBHOOK_FAULT }),
]);

export type Fault = z.output<typeof faultShape>;
/** A fault as input, without its defaults. */
export type FaultInput = z.input<typeof faultShape>;
export type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>;

/** A fault of the world, and how often it matched and applied. */
export const armedFaultShape = z.strictObject({ fault: faultShape, seen: z.int(), struck: z.int() });
export interface ArmedFault extends z.infer<typeof armedFaultShape> {}
