import type { ApplyReport, Change, ChangeKind, Step } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import type { LiveId } from '../domain/ids.ts';
import { formatAddress, type Declared, type Kind } from '../domain/resource.ts';
import { isStopped } from '../domain/status.ts';
import { addressesIn, outcomesWithLive } from './left-live.ts';
import type { Inspection } from './source.ts';
import { stopsMeanwhile } from './stops-meanwhile.ts';

/**
 * What the final scan stops next to the objects of this run: fans would get both. It creates nothing.
 *
 * | the new plan                                                 | the final scan                           |
 * |--------------------------------------------------------------|------------------------------------------|
 * | retires a duplicate, at any address                          | does it                                  |
 * |                                                              |                                          |
 * | at an address where this run changed something               |                                          |
 * | pauses another version next to the one that it keeps        | does it                                  |
 * | replaces the object of this run, and others with it          | stops the others; the next run replaces  |
 *
 * Where a step after its create failed, only what is new is stopped: the report says of the old version why it is as it is.
 */
export function stopsOfOthers(
  after: Pick<Inspection, 'plan' | 'observed' | 'knowledge' | 'verdicts'>,
  before: Pick<Inspection, 'observed'>,
  report: ApplyReport,
  declared: readonly Declared[],
): readonly Change[] {
  const { plan, observed } = after;
  const live = outcomesWithLive(report, before);
  const isNew = ({ address, live_id: id }: Change) => !isIn(before, address.kind, id);
  const unfinished = addressesIn(live.filter((outcome) => !isDone(outcome)));
  const stops = new Set(stopsMeanwhile(after, declared).filter(({ action }) => action === 'retire'));
  const stopped = new Set(observed.filter(({ live }) => isStopped(live)).map(({ live }) => live.id));
  const own = new Map(
    [...groupBy(live, ({ address }) => formatAddress(address))].map(
      ([address, outcomes]) => [address, new Set(outcomes.map(({ live_id: id }) => id))] as const,
    ),
  );
  const kept = new Set(
    plan.changes.filter(({ action }) => action === 'keep').map(({ address }) => formatAddress(address)),
  );
  return plan.changes.flatMap((change): readonly Change[] => {
    const address = formatAddress(change.address);
    if (stops.has(change)) return [change];
    const ids = own.get(address);
    if (ids === undefined) return [];
    const found = stopsAt(change, kept.has(address), () => othersOf(change, ids, stopped));
    return unfinished.has(address) ? found.filter(isNew) : found;
  });
}

function stopsAt(change: Change, isKept: boolean, others: () => readonly Change[]): readonly Change[] {
  if (change.action === 'retire') return [change];
  if (change.action === 'pause') return isKept ? [change] : [];
  return change.action === 'replace' ? others() : [];
}

function isIn({ observed }: Pick<Inspection, 'observed'>, of: Kind, id: LiveId | null): boolean {
  return observed.some(({ kind, live }) => kind === of && live.id === id);
}

function isDone({ outcome }: ApplyReport['outcomes'][number]): boolean {
  return outcome === 'applied' || outcome === 'adopted';
}

/** How a version is stopped next to another one. */
const STOP_OTHER = { campaign: 'pause', broadcast: 'retire' } as const satisfies Record<Kind, ChangeKind>;

/** The stops of a replace, without that of the object that this run has made, and of what is stopped already. */
function othersOf(
  change: Change,
  own: ReadonlySet<string | null>,
  stopped: ReadonlySet<string | null>,
): readonly Change[] {
  const stops = change.steps.filter(isStop);
  if (!stops.some(({ live_id: id }) => own.has(id))) return [];
  return stops
    .filter(({ live_id: id }) => !own.has(id) && !stopped.has(id))
    .map((stop): Change => ({
      ...change,
      action: STOP_OTHER[change.address.kind],
      live_id: stop.live_id,
      reasons: [`Another version next to ${[...own].join(', ')}: every fan would get both.`],
      fields: [],
      dropped: [],
      steps: [stop],
    }));
}

function isStop({ kind }: Step): boolean {
  return kind === 'pause' || kind === 'archive';
}
