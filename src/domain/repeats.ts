/** How long a payout of the same amount counts as the same one. The service has no such rule. */
export const SIMILAR_PAYOUT_MS = 86_400_000;
/** How long the same text to one chat counts as the same message (LOST-10, FAULT-9). */
export const SIMILAR_MS = 5 * 60_000;
