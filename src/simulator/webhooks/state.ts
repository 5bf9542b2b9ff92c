import * as z from 'zod';

/** How an event looks on the wire. Assumed: the document shows no envelope (EVENT-1). */
const ENVELOPES = ['flat', 'nested', 'typed', 'cloud'] as const;
export type Envelope = (typeof ENVELOPES)[number];

/** How a signature is written. Assumed: the document shows no scheme (EVENT-1). */
const SIGNATURE_FORMATS = ['hex', 'base64', 'prefixed', 'timestamped'] as const;

const signatureShape = z.strictObject({
  header: z.string().min(1).default('x-svc-signature'),
  secret: z.string().min(1),
  format: z.enum(SIGNATURE_FORMATS).default('hex'),
});
export interface Signature extends z.infer<typeof signatureShape> {}

/** What a person enters for an address. Without accounts or events, all of the organisation (EVENT-4). */
export const entryInputShape = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  accounts: z.array(z.string()).nullable().optional(),
  /** Kinds. One of them covers its subtypes. */
  events: z.array(z.string().min(1)).nullable().optional(),
  organisation_id: z.string().optional(),
  envelope: z.enum(ENVELOPES).optional(),
  signature: signatureShape.nullable().optional(),
});
export type EntryInput = z.input<typeof entryInputShape>;
export type EntryOutput = z.output<typeof entryInputShape>;

/** A change of an entry. What it does not name stays. */
export const entryEditShape = entryInputShape.partial();
export type EntryEdit = z.input<typeof entryEditShape>;
export type EntryEditOutput = z.output<typeof entryEditShape>;

const entryShape = z.strictObject({
  id: z.string(),
  url: z.string(),
  accounts: z.array(z.string()).nullable(),
  events: z.array(z.string()).nullable(),
  organisation_id: z.string(),
  envelope: z.enum(ENVELOPES),
  signature: signatureShape.nullable(),
  /** Deliveries without an answer, one after the other. */
  failures: z.int(),
});
export interface Entry extends z.infer<typeof entryShape> {}

/** One event for one entry, on its way. */
const outgoingShape = z.strictObject({
  event: z.string(),
  entry: z.string(),
  kind: z.string(),
  dueMs: z.number(),
  order: z.int(),
  /** Those of one group are sent at the same time. */
  group: z.int(),
  /** True until the next event of the entry overtakes it. */
  overtaken: z.boolean(),
  body: z.string(),
});
export interface Outgoing extends z.infer<typeof outgoingShape> {}

/** One thing that happened and that the service has a kind for. */
const happenedShape = z.strictObject({
  event: z.string(),
  at: z.string(),
  kind: z.string(),
  account_id: z.string(),
});

const deliveryShape = z.strictObject({
  at: z.string(),
  event: z.string(),
  kind: z.string(),
  entry: z.string(),
  url: z.string(),
  /** null without an answer. */
  status: z.int().nullable(),
});

const dropShape = z.strictObject({
  at: z.string(),
  event: z.string(),
  kind: z.string(),
  entry: z.string(),
  why: z.enum(['pause', 'fault']),
});

const pauseShape = z.strictObject({ organisation_id: z.string(), from: z.string(), untilMs: z.number() });

/** The entries of all organisations, and everything about their deliveries. */
export const webhooksShape = z.strictObject({
  nextEntry: z.int(),
  nextEvent: z.int(),
  nextOrder: z.int(),
  entries: z.array(entryShape),
  outgoing: z.array(outgoingShape),
  happened: z.array(happenedShape),
  deliveries: z.array(deliveryShape),
  drops: z.array(dropShape),
  pauses: z.array(pauseShape),
});
export interface Webhooks extends z.infer<typeof webhooksShape> {}

export function newWebhooks(): Webhooks {
  return {
    nextEntry: 1,
    nextEvent: 1,
    nextOrder: 1,
    entries: [],
    outgoing: [],
    happened: [],
    deliveries: [],
    drops: [],
    pauses: [],
  };
}
