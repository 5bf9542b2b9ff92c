import * as z from 'zod';
import { digest } from '../domain/digest.ts';
import { causeShape, type Cause } from './cause.ts';
import type { LiveMessage } from './state.ts';

/** One request, and how it was answered. */
export const requestRecordShape = z.strictObject({
  request: z.int(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  operation: z.string().nullable(),
  /** null while it is not answered, and if it never is. */
  status: z.int().nullable(),
  fault: z.string().nullable(),
  auth_header_seen: z.boolean(),
  /** The key with all but its first characters masked. */
  token: z.string().nullable(),
});
export interface RequestRecord extends z.infer<typeof requestRecordShape> {}

/** One change of live state. */
export const commitRecordShape = z.strictObject({
  at: z.string(),
  cause: causeShape,
  account_id: z.string(),
  kind: z.enum(['campaign', 'broadcast']),
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
  kind: z.enum(['campaign', 'broadcast']),
  id: z.string(),
  /** Fingerprint of the messages. Two objects with the same words have the same content. */
  content: z.string(),
  text: z.string().nullable(),
  taken_back: z.boolean(),
});
export interface DispatchRecord extends z.infer<typeof dispatchRecordShape> {}

interface Recording {
  nowMs: number;
  commits: CommitRecord[];
  dispatches: DispatchRecord[];
}

interface Recorded {
  readonly id: string;
  readonly account_id: string;
  readonly name: string | null;
  readonly status: string | null;
  readonly messages: readonly LiveMessage[];
}

export function recordCommit(
  world: Recording,
  cause: Cause,
  kind: CommitRecord['kind'],
  change: CommitRecord['change'],
  live: Recorded,
): void {
  const { account_id, id, name, status } = live;
  world.commits.push({ at: isoTime(world.nowMs), cause, account_id, kind, id, name, change, status });
}

/** The log of dispatches shows double sends: rows with the same fan and content. */
export function recordDispatch(
  world: Recording,
  kind: DispatchRecord['kind'],
  live: Recorded,
  fanId: string,
): void {
  world.dispatches.push({
    at: isoTime(world.nowMs),
    account_id: live.account_id,
    fan_id: fanId,
    kind,
    id: live.id,
    content: digest(live.messages),
    text: live.messages[0]?.text ?? null,
    taken_back: false,
  });
}

/** Recalls the messages of an object since `sinceMs`. Returns their number. */
export function recallDispatches(
  world: Recording,
  kind: DispatchRecord['kind'],
  id: string,
  sinceMs: number,
): number {
  let taken = 0;
  for (const dispatch of world.dispatches) {
    if (dispatch.id !== id || dispatch.kind !== kind || dispatch.taken_back) continue;
    if (Date.parse(dispatch.at) < sinceMs) continue;
    dispatch.taken_back = true;
    taken += 1;
  }
  return taken;
}

export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
