/** The members of an entry that tell what became of a payout request. */
interface Told {
  readonly state?: string | null | undefined;
  readonly rejectReason?: string | null | undefined;
}

/**
 * What an entry of an answer or of the list says of its request. The document shows neither all states nor the reason
 * of an accepted request (PAYOUT-4), so an entry with an accepted state and a reason says nothing certain.
 *
 * | state                 | no reason | a placeholder, such as `none` | another reason |
 * |-----------------------|-----------|-------------------------------|----------------|
 * | `new`, `approved`     | accepted  | contradictory                 | contradictory  |
 * | a word for a rejection| rejected  | rejected                      | rejected       |
 * | another, or none      | unclear   | unclear                       | rejected       |
 */
export function standingOf({
  state,
  rejectReason,
}: Told): 'accepted' | 'rejected' | 'contradictory' | 'unclear' {
  const [word, reason] = [(state ?? '').trim(), (rejectReason ?? '').trim()];
  if (REJECTING.test(word)) return 'rejected';
  if (ACCEPTED.test(word) && reason !== '') return 'contradictory';
  if (state === 'new' || state === 'approved') return 'accepted';
  return PLACEHOLDER.test(reason) ? 'unclear' : 'rejected';
}

/** Assumed: the words of a rejected request are not shown (PAYOUT-4). */
const REJECTING = /^(reject|declin|denied|cancel)/i;
const ACCEPTED = /^(new|approved)$/i;
/** Text in the place of a reason. It does not give one. */
const PLACEHOLDER = /^(none|null|nil|undefined|false|no|n\/?a|[-–—._0]*)$/i;

/** By a word for it, or by a reason with a state that is not an accepted one. */
export function isRejected(told: Told): boolean {
  return standingOf(told) === 'rejected';
}

/** An accepted state and a reason for a rejection. */
export function isContradictory(told: Told): boolean {
  return standingOf(told) === 'contradictory';
}

/** Why one was rejected, as far as the service says. */
export function rejectionReason({ state, rejectReason }: Told): string {
  return (rejectReason ?? '').trim() || `state "${state ?? ''}", no reason given`;
}

/** `the state "new" and the rejection reason "none"` */
export function toldWords(told: Told): string {
  const state = told.state == null ? 'no state' : `the state "${told.state}"`;
  const reason = (told.rejectReason ?? '').trim();
  return reason === '' ? state : `${state} and the rejection reason "${reason}"`;
}
