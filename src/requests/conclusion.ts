import type { Exchange } from '../api/exchange.ts';
import type { Conclusion } from '../ledger/ledger.ts';

/** An end for the ledger, of which no more is known than what came of it. */
export function conclusion(
  outcome: Conclusion['outcome'],
  message: string,
  liveId: string | null = null,
): Conclusion {
  return { outcome, live_id: liveId, created_by: null, list_ids: null, message, sent_at_ms: null };
}

/**
 * How the ledger closes an entry by the end of its request. A 429 counts as refused: the service did not act.
 * `unknown` leaves the entry open.
 */
export const LEDGER_OUTCOME = {
  done: 'done',
  refused: 'refused',
  throttled: 'refused',
  not_sent: 'not_sent',
  unknown: 'unknown',
} as const satisfies Record<Exchange<unknown>['kind'], Conclusion['outcome']>;
