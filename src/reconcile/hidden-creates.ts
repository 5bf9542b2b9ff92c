import { liveKey } from '../apply/merge-reports.ts';
import type { ApplyReport, Change, ChangeKind, Outcome, OutcomeKind } from '../domain/change.ts';
import { formatCommand } from '../domain/command-line.ts';
import { isSentAtOnce } from '../domain/creating-command.ts';
import type { LiveId } from '../domain/ids.ts';
import { formatAddress, type Declared, type Observed } from '../domain/resource.ts';
import { isStopped } from '../domain/status.ts';
import { addressesIn } from './left-live.ts';
import type { Inspection } from './source.ts';

const DONE: readonly OutcomeKind[] = ['applied', 'adopted'];
const CREATES: readonly ChangeKind[] = ['create', 'replace'];

/** What a run has created, and the list that was read after it does not show yet. Nothing has changed by that. */
export interface HiddenCreates {
  readonly outcomes: readonly Outcome[];
  /** Whether a plan blocks the change only because of them. */
  readonly block: (change: Change) => boolean;
}

/**
 * | the blocked change at the address of a hidden create | is blocked by it                                   |
 * |-------------------------------------------------------|----------------------------------------------------|
 * | has no object                                         | yes: it would create the same again                |
 * | has a stopped one that was there before               | yes: it would start or replace that one again      |
 * | is of a draft                                         | yes: it was sent, and `hiddenWords` names the other |
 * | any other                                             | no                                                 |
 */
export function hiddenCreates(
  { outcomes }: ApplyReport,
  { before, after }: { readonly before: Inspection; readonly after: Inspection },
  declared: readonly Declared[],
): HiddenCreates {
  const shown = new Set(after.observed.map(({ kind, live }) => liveKey(kind, live.id)));
  const hidden = outcomes.filter(
    ({ action, outcome, address, live_id: id }) =>
      CREATES.includes(action) && DONE.includes(outcome) && !shown.has(liveKey(address.kind, id ?? '')),
  );
  const addresses = addressesIn(hidden);
  const drafts = addressesOfDrafts(declared);
  const known = new Set(before.observed.map(({ kind, live }) => liveKey(kind, live.id)));
  const stopped = new Set(
    after.observed.filter(({ live }) => isStopped(live)).map(({ kind, live }) => liveKey(kind, live.id)),
  );
  const block = ({ action, address, live_id: id, needs }: Change) => {
    const key = formatAddress(address);
    if (action !== 'blocked' || !addresses.has(key)) return false;
    if (id === null || drafts.has(key)) return true;
    const object = liveKey(address.kind, id);
    return needs.length === 0 && known.has(object) && stopped.has(object);
  };
  return { outcomes: hidden, block };
}

export function addressesOfDrafts(declared: readonly Declared[]): ReadonlySet<string> {
  return new Set(declared.filter(isSentAtOnce).map(({ address }) => formatAddress(address)));
}

/**
 * What runs under the name of a created object that the list does not show yet. Someone else has made it meanwhile, and no plan
 * can compare the two before both are shown.
 */
export function shownInstead({ address }: Outcome, after: Inspection, before: Inspection): readonly LiveId[] {
  const isOf = ({ account, kind, live }: Observed) =>
    account === address.account && kind === address.kind && live.name === address.name;
  const known = new Set(before.observed.filter(isOf).map(({ live }) => live.id));
  return after.observed
    .filter((one) => isOf(one) && !known.has(one.live.id) && !isStopped(one.live))
    .map(({ live }) => live.id);
}

export function hiddenWords(
  { address: { account } }: Outcome,
  others: readonly LiveId[],
  isDraft: boolean,
): string {
  if (others.length === 0) return 'The list does not show it yet.';
  const stops = others.map((id) => formatCommand('broadcasts', 'pause', id, '--account', account));
  const next = isDraft
    ? `To stop ${others.length === 1 ? 'that one' : 'those'}: ${stops.join(' or ')}`
    : `Run "${formatCommand('plan')}".`;
  return `The list does not show it yet, but shows ${others.join(', ')} under the same name. Fans could get both. ${next}`;
}
