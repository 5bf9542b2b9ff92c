import { KIND_CALLS } from '../api/kind-calls.ts';
import type { AccountId, LiveId } from '../domain/ids.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import type { Client } from '../api/client.ts';
import { ServiceError } from '../api/errors.ts';
import type { Exchange } from '../api/exchange.ts';
import { IncompleteScanError } from '../api/pages/incomplete.ts';
import type { BeforeSend } from '../api/request.ts';
import type { BroadcastReply, CampaignReply } from '../domain/replies.ts';
import type { Kind, ResolvedAccount } from '../domain/resource.ts';
import { scanScope } from './read.ts';

/** A campaign or broadcast as a read shows it. */
export type Live = CampaignReply | BroadcastReply;

/** One object of an account. */
export interface ObjectId {
  readonly accountId: AccountId;
  readonly kind: Kind;
  readonly liveId: LiveId;
}

/** Reads one object by its id. */
export function readById(
  client: Client,
  { accountId, kind, liveId }: ObjectId,
  beforeSend?: BeforeSend,
): Promise<Exchange<Live>> {
  const params = { account_id: accountId, campaign_id: liveId };
  return client.call(KIND_CALLS[kind].get, { params }, beforeSend);
}

/** An object as it is now, or why it could not be read. */
export type Read =
  | { readonly kind: 'read'; readonly live: Live }
  | { readonly kind: 'unread'; readonly why: Exclude<Exchange<Live>, { readonly kind: 'done' }> };

/**
 * The same, from the list if the single read fails. For a broadcast with unreadable content, the service always answers
 * 502, but the list still shows its status and schedule.
 */
export async function readByIdOrList(
  client: Client,
  account: ResolvedAccount,
  kind: Kind,
  liveId: LiveId,
): Promise<Read> {
  const single = await readById(client, { accountId: account.accountId, kind, liveId });
  if (single.kind === 'done') return { kind: 'read', live: single.reply };
  const unread: Read = { kind: 'unread', why: single };
  if (!KIND_ROWS[kind].listShowsUnreadable) return unread;
  try {
    const list = await scanScope(client, { account, kind });
    const entry = list.find(({ live }) => live.id === liveId);
    return entry === undefined ? unread : { kind: 'read', live: entry.live };
  } catch (error) {
    if (error instanceof ServiceError || error instanceof IncompleteScanError) return unread;
    throw error;
  }
}
