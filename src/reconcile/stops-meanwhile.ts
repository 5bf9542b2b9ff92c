import type { Change, ChangeKind, Step } from '../domain/change.ts';
import { formatAddress, type Declared } from '../domain/resource.ts';
import type { Inspection } from './source.ts';

const STOPS: readonly ChangeKind[] = ['retire', 'pause', 'archive'];

const STOP_STEPS: readonly Step['kind'][] = ['pause', 'archive', 'read_back'];

/** What a look says about stops. */
interface Looked extends Pick<Inspection, 'verdicts'> {
  readonly plan: Pick<Inspection['plan'], 'changes'>;
  readonly knowledge: Pick<Inspection['knowledge'], 'open'>;
}

/**
 * The stops of a plan that do not wait for unconfirmed requests: a broadcast may go out before the end of the wait.
 *
 * | the change                                                   | while a run waits |
 * |--------------------------------------------------------------|-------------------|
 * | retires a duplicate, or pauses another version               | is sent           |
 * | pauses or archives what the file wants paused or archived    | is sent           |
 * | any of these, and a status change or a recall of its address | waits: it may     |
 * | is not confirmed                                             | decide otherwise  |
 * | recalls, removes what no file has, replaces, starts, creates | waits             |
 */
export function stopsMeanwhile(
  { plan, knowledge, verdicts }: Looked,
  declared: readonly Declared[],
): readonly Change[] {
  const addresses = new Set(declared.map(({ address }) => formatAddress(address)));
  const unsettled = new Set(
    [...knowledge.open, ...verdicts.flatMap(({ repeat, entry }) => (repeat ? [entry] : []))]
      .filter(({ call }) => call !== 'create')
      .map(({ address }) => formatAddress(address)),
  );
  return plan.changes.filter(({ action, address, steps }) => {
    const key = formatAddress(address);
    if (!STOPS.includes(action) || !addresses.has(key) || unsettled.has(key)) return false;
    return steps.length > 0 && steps.every(({ kind }) => STOP_STEPS.includes(kind));
  });
}
