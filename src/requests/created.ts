import { listIdsOf } from '../domain/audience.ts';
import type { BroadcastReply, CampaignReply } from '../domain/replies.ts';
import type { Conclusion } from '../ledger/ledger.ts';

/** What the ledger keeps of the answer to a create. */
export function rememberCreated({
  id,
  created_by: creator,
  audience_filters: filters,
}: CampaignReply | BroadcastReply): Partial<Conclusion> {
  return {
    live_id: id,
    created_by: creator?.type != null && creator.id != null ? `${creator.type}:${creator.id}` : null,
    list_ids: [...listIdsOf(filters)],
  };
}
