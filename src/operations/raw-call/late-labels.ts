import { ensureAgesKnown } from '../../live/hear-clock.ts';
import { actsOf } from '../../ledger/acts.ts';
import type { Reduced } from '../../ledger/reduced.ts';
import { keepNoEntry, type KeepEntry } from '../../ledger/reduction.ts';
import { waitOut } from '../../requests/settle-window.ts';
import { ageFromLedger } from '../age.ts';
import type { FanPorts } from '../fan-acts.ts';
import { isAgainst } from './open-requests.ts';
import type { RawCall } from './raw-call.ts';

const LABEL = 'fans.label';

/**
 * Which earlier entries decide about the call besides the unconfirmed ones. An earlier label was maybe sent twice, and
 * only one of the two was answered (LOST-11).
 */
export function keptFor({ operation, params }: RawCall): KeepEntry {
  if (operation !== LABEL) return keepNoEntry;
  return (begin) =>
    begin.type === 'act' &&
    begin.operation === operation &&
    begin.account_id === params['account_id'] &&
    begin.details['fan_id'] === params['fan_id'];
}

/**
 * Waits before a raw label, as `herald fans label` does: a copy of another value that lands later would stay (LOST-11).
 * Its entry may have ended with the answer to a repeat. Resolves with false if it was interrupted.
 */
export async function waitOutLabels(
  ports: FanPorts,
  { lines }: Pick<Reduced, 'lines'>,
  call: RawCall,
): Promise<boolean> {
  if (call.operation !== LABEL) return true;
  const copies = actsOf(lines)
    .filter((act) => isAgainst(act, call))
    .flatMap(({ entry, unconfirmed }) => (unconfirmed === null ? [] : [{ ...unconfirmed, entry }]));
  if (copies.length === 0) return true;
  await ensureAgesKnown(ports.client);
  return waitOut(ports, Math.min(...copies.map((copy) => ageFromLedger(ports, copy, copy.entry))));
}
