import type { Outcome } from '../../../src/domain/change.ts';
import type { Live } from '../live.ts';
import type { Chaos, Process } from '../state.ts';

/**
 * A colleague with another version of the files made it while a create of the same name got no answer. Nothing tells it from
 * what that create made and the service rewrote: the report says what differs, and that the next apply replaces it.
 */
export function isMadeByColleague(
  { chaos, process }: { readonly chaos: Chaos; readonly process: Process },
  { outcome, message }: Outcome,
  { madeBy }: Live,
): boolean {
  if (madeBy === null || outcome !== 'adopted' || !/already needs "replace" again/.test(message))
    return false;
  const maker = chaos.processes.find(({ requests }) => requests.has(madeBy));
  return maker !== undefined && maker.actor !== process.actor;
}
