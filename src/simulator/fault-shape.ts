import * as z from 'zod';
import { isOperation, type Operation } from '../api/catalogue.ts';
import { chatMessageSeedShape, chatSeedShape } from './chat/state.ts';
import { payoutRequestSeedShape, payoutsSeedShape } from './payouts/state.ts';
import { connectionFaultMembers } from './connection-faults.ts';
import { dataSettingsShape } from './reads/data.ts';
import { broadcastSeedShape, campaignSeedShape } from './seed-shape.ts';
import { STORAGE_FAULT } from './vault/faults.ts';
import { VAULT_SEEDS } from './vault/seed-shape.ts';

/** How an answer gets lost or spoilt on its way (docs/service/faults.md). */
export const BREAKAGES = ['timeout', 'reset', '500', '502', 'truncated', 'unreadable'] as const;
export type Breakage = (typeof BREAKAGES)[number];

const editTargetShape = z.strictObject({
  account_id: z.string(),
  id: z.string().optional(),
  name: z.string().optional(),
});

/** A change of live state from outside the API, as a person at the service's own screens would make it. */
export const editShape = z.discriminatedUnion('kind', [
  editTargetShape.extend({ kind: z.literal('campaign'), set: campaignSeedShape }),
  editTargetShape.extend({ kind: z.literal('broadcast'), set: broadcastSeedShape }),
]);
export type Edit = z.infer<typeof editShape>;

/** A payout request that a person makes, and an account's balances: they have no name to be edited by. */
const payoutSeeds = [
  z.strictObject({
    account_id: z.string(),
    kind: z.literal('payout_request'),
    set: payoutRequestSeedShape.default({}),
  }),
  z.strictObject({ account_id: z.string(), kind: z.literal('payouts'), set: payoutsSeedShape }),
] as const;

/** A chat of some size, and a message that a person or the fan writes. */
const chatSeeds = [
  z.strictObject({ account_id: z.string(), kind: z.literal('chat'), set: chatSeedShape }),
  z.strictObject({ account_id: z.string(), kind: z.literal('chat_message'), set: chatMessageSeedShape }),
] as const;

/** An object that was there before, or appears without the API. */
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
  /** The first matching call that it strikes, from 1. Absent: every matching call. */
  nth: z.int().min(1).optional(),
  /** How many calls it strikes. Default: one where `nth` is given, else all. */
  times: z.int().min(1).optional(),
  /** Absent: always. Drawn from the world's own seed. */
  probability: z.number().min(0).max(1).optional(),
};

/** One way for the service or the line to misbehave, and the calls that it strikes. */
export const faultShape = z.discriminatedUnion('kind', [
  z.strictObject({
    ...selection,
    kind: z.literal('broken_answer'),
    when: z.enum(['before_commit', 'after_commit']),
    how: z.enum(BREAKAGES),
  }),
  /** The answer is lost, and the request commits `after_sec` virtual seconds later. */
  z.strictObject({
    ...selection,
    kind: z.literal('late_commit'),
    after_sec: z.number().min(0),
    how: z.enum(BREAKAGES).default('timeout'),
  }),
  /** Half of a status change: the campaign shows its new status, its queue stays, the answer is a 502. */
  z.strictObject({ ...selection, kind: z.literal('partial_commit') }),
  /** Committed at once, answered after `delay_ms`. */
  z.strictObject({ ...selection, kind: z.literal('slow'), delay_ms: z.number().min(0) }),
  z.strictObject({
    ...selection,
    kind: z.literal('throttle'),
    retry_after_sec: z.number().min(0).optional(),
  }),
  z.strictObject({ ...selection, kind: z.literal('connection_refused') }),
  /** The connection fails at one moment of the exchange. */
  z.strictObject({ ...selection, ...connectionFaultMembers }),
  /** Answered by a server with a clock of its own: its `Date` is off by this, whatever the mode says. */
  z.strictObject({ ...selection, kind: z.literal('wrong_date'), skew_sec: z.number() }),
  /** No items, although `has_more` is true or a cursor says that there are some. */
  z.strictObject({ ...selection, kind: z.literal('empty_page') }),
  /** The page before this one once more, or the cursor that was asked for as the next one. */
  z.strictObject({ ...selection, kind: z.literal('repeated_page') }),
  z.strictObject({ ...selection, kind: z.literal('missing_has_more') }),
  /** `has_more` is there, and is no boolean. */
  z.strictObject({ ...selection, kind: z.literal('odd_has_more'), value: z.unknown() }),
  /** The cursor that the call hands in is refused; a call without one is answered. */
  z.strictObject({ ...selection, kind: z.literal('expired_cursor') }),
  /** Changes live state just before the call, so that items shift between two pages. */
  z.strictObject({
    ...selection,
    kind: z.literal('change_before'),
    edit: editShape.optional(),
    seed: seedShape.optional(),
    data: dataSettingsShape.optional(),
  }),
  /** What this call creates is missing from lists for a while; with `reads` the single read does not find it either. */
  z.strictObject({
    ...selection,
    kind: z.literal('list_lag'),
    lag_sec: z.number().min(0),
    reads: z.boolean().default(false),
  }),
  /** Lists show the status of before this call for a while; with `reads` the single read does so, too. */
  z.strictObject({
    ...selection,
    kind: z.literal('status_lag'),
    lag_sec: z.number().min(0),
    reads: z.boolean().default(false),
  }),
  /** The service rewrites the text of what this call creates, some seconds later; with none, at once. */
  z.strictObject({
    ...selection,
    kind: z.literal('late_rewrite'),
    after_sec: z.number().min(0),
    from: z.string().min(1),
    to: z.string(),
  }),
  /** A 2xx with members replaced or added. */
  z.strictObject({ ...selection, kind: z.literal('odd_reply'), set: z.record(z.string(), z.unknown()) }),
  /** A put to the object store goes wrong; operation and method mean nothing here. */
  z.strictObject({ ...selection, ...STORAGE_FAULT }),
]);

export type Fault = z.output<typeof faultShape>;
/** A fault as it is written down, without its defaults. */
export type FaultInput = z.input<typeof faultShape>;
export type FaultOf<Kind extends Fault['kind']> = Extract<Fault, { kind: Kind }>;

/** A fault of the world with how often it matched and struck. */
export const armedFaultShape = z.strictObject({ fault: faultShape, seen: z.int(), struck: z.int() });
export interface ArmedFault extends z.infer<typeof armedFaultShape> {}
