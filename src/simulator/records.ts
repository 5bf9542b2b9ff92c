import * as z from 'zod';

/** The cause of a change: an API request, a person outside the API, or the service's own timers. */
const causeShape = z.strictObject({
  by: z.enum(['api', 'control', 'service']),
  request: z.int().nullable(),
});
export interface Cause extends z.infer<typeof causeShape> {}

export const BY_SERVICE: Cause = { by: 'service', request: null };
export const BY_CONTROL: Cause = { by: 'control', request: null };

export const requestRecordShape = z.strictObject({
  request: z.int(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  operation: z.string().nullable(),
  /** null while it is not answered, and if it never is. */
  status: z.int().nullable(),
  fault: z.string().nullable(),
});
export interface RequestRecord extends z.infer<typeof requestRecordShape> {}

const kind = z.enum(['campaign', 'broadcast']);

/** One change of live state. */
export const commitRecordShape = z.strictObject({
  at: z.string(),
  cause: causeShape,
  account_id: z.string(),
  kind,
  id: z.string(),
  name: z.string().nullable(),
  change: z.enum(['create', 'status', 'unsend', 'edit']),
  status: z.string().nullable(),
});
export interface CommitRecord extends z.infer<typeof commitRecordShape> {}

/** One message, or sequence, that went out to one fan. */
export const dispatchRecordShape = z.strictObject({
  at: z.string(),
  account_id: z.string(),
  fan_id: z.string(),
  kind,
  id: z.string(),
  /** Fingerprint of the messages. Two objects with the same words have the same content. */
  content: z.string(),
  text: z.string().nullable(),
  taken_back: z.boolean(),
});
export interface DispatchRecord extends z.infer<typeof dispatchRecordShape> {}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

const object = { account_id: z.string(), id: z.string() };

/** Events that happen by themselves at a virtual time. A timer without a reason does nothing. */
const timerShape = z.discriminatedUnion('kind', [
  /** Something may happen to a campaign or a broadcast. */
  z.strictObject({ kind: z.literal('messaging'), of: kind, ...object }),
  /** An exported upload reaches its next state. */
  z.strictObject({ kind: z.literal('upload_move'), ...object }),
  /** The message guard stops a queued chat message; `id` is its `send_id`. */
  z.strictObject({ kind: z.literal('chat_blocked'), ...object, chat_id: z.string(), key: z.string() }),
  /** A request with a lost answer that is executed later. */
  z.strictObject({ kind: z.literal('late_commit'), call: z.record(z.string(), z.unknown()) }),
]);
export type Timer = z.infer<typeof timerShape>;
export type TimerOf<Kind extends Timer['kind']> = Extract<Timer, { kind: Kind }>;

export const dueTimerShape = z.strictObject({ dueMs: z.number(), timer: timerShape });

export function dropUndefined<Value extends object>(
  value: Value,
): { [Member in keyof Value]: Exclude<Value[Member], undefined> } {
  const given = Object.entries(value).filter(([, member]) => member !== undefined);
  // The compiler does not follow the members through the entries.
  return Object.fromEntries(given) as { [Member in keyof Value]: Exclude<Value[Member], undefined> };
}
