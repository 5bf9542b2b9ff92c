import * as z from 'zod';

/** How an event looks on the wire. Assumed: the document shows no envelope (EVENT-1). */
const envelope = z.enum(['flat', 'nested', 'typed', 'cloud']);
export type Envelope = z.infer<typeof envelope>;

/** How a signature is written. Assumed: the document shows no scheme (EVENT-1). */
const signatureShape = z.strictObject({
  header: z.string().min(1).default('x-svc-signature'),
  secret: z.string().min(1),
  format: z.enum(['hex', 'base64', 'prefixed', 'timestamped']).default('hex'),
});
export interface Signature extends z.infer<typeof signatureShape> {}

const entry = {
  url: z.url({ protocol: /^https?$/ }),
  /** null: all of the organisation (EVENT-4). */
  accounts: z.array(z.string()).nullable(),
  /** Kinds. One of them covers its subtypes. null: all (EVENT-4). */
  events: z.array(z.string().min(1)).nullable(),
  organisation_id: z.string(),
  envelope,
  signature: signatureShape.nullable(),
};

/** A change of an entry. What it does not name stays. */
export const entryEditShape = z.strictObject(entry).partial();
export type EntryEdit = z.input<typeof entryEditShape>;
/** What a person enters for an address. */
export const entryInputShape = entryEditShape.required({ url: true });
export type EntryInput = z.input<typeof entryInputShape>;

const entryShape = z.strictObject({
  id: z.string(),
  ...entry,
  /** Deliveries without an answer, one after the other. */
  failures: z.int(),
});
export interface Entry extends z.infer<typeof entryShape> {}

const event = { event: z.string(), kind: z.string(), entry: z.string() };
const at = z.string();

/** One event for one entry, on its way. */
const outgoingShape = z.strictObject({
  ...event,
  dueMs: z.number(),
  order: z.int(),
  /** Those of one group are sent at the same time. */
  group: z.int(),
  /** True until the next event of the entry overtakes it. */
  overtaken: z.boolean(),
  body: z.string(),
});
export interface Outgoing extends z.infer<typeof outgoingShape> {}

/** The entries of all organisations, and everything about their deliveries. */
export const webhooksShape = z.strictObject({
  nextEntry: z.int().default(1),
  nextEvent: z.int().default(1),
  nextOrder: z.int().default(1),
  entries: z.array(entryShape).default([]),
  outgoing: z.array(outgoingShape).default([]),
  /** Everything that happened and that the service has a kind for. */
  happened: z
    .array(z.strictObject({ at, event: z.string(), kind: z.string(), account_id: z.string() }))
    .default([]),
  /** The status is null without an answer. */
  deliveries: z
    .array(z.strictObject({ at, ...event, url: z.string(), status: z.int().nullable() }))
    .default([]),
  drops: z.array(z.strictObject({ at, ...event, why: z.enum(['pause', 'fault']) })).default([]),
  pauses: z
    .array(z.strictObject({ organisation_id: z.string(), from: z.string(), untilMs: z.number() }))
    .default([]),
});
