import type { Conclusion } from '../ledger/ledger.ts';

/** An end for the ledger, of which no more is known than what came of it. */
export function conclusion(
  outcome: Conclusion['outcome'],
  message: string,
  liveId: string | null = null,
): Conclusion {
  return { outcome, live_id: liveId, created_by: null, list_ids: null, message, sent_at_ms: null };
}
