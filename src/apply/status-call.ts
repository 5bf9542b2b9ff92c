import type { Client, Send } from '../api/client.ts';
import { KIND_CALLS } from '../api/kind-calls.ts';
import type { TargetStatus } from '../domain/status.ts';
import type { ObjectId } from '../live/read-object.ts';

/** What the answer says: a broadcast's new status, nothing of a campaign. */
export type StatusReply = { readonly status?: string | null | undefined } | null;

/**
 * The call that sets the status of an object; it is repeated until it is heard. Throws `InvalidCallError` for a status
 * that the kind does not have.
 */
export function statusCall(
  client: Client,
  { accountId, kind, liveId, target }: ObjectId & { readonly target: TargetStatus },
): Send<StatusReply> {
  const params = { account_id: accountId, campaign_id: liveId };
  return client.prepare(KIND_CALLS[kind].setStatus, { params, body: { status: target } });
}
