import type { ApplyReport, Change, ChangeKind, Step } from '../domain/change.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress, type Declared, type Kind } from '../domain/resource.ts';
import { isStopped } from '../domain/status.ts';
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
 */
export function stopsOfOthers(
  after: Pick<Inspection, 'plan' | 'observed' | 'knowledge' | 'verdicts'>,
  report: ApplyReport,
  declared: readonly Declared[],
): readonly Change[] {
  const { plan, observed } = after;
  const stops = new Set(stopsMeanwhile(after, declared).filter(({ action }) => action === 'retire'));
  const stopped = new Set(observed.filter(({ live }) => isStopped(live)).map(({ live }) => live.id));
  const own = new Map(
    [...groupBy(report.outcomes.filter(isDone), ({ address }) => formatAddress(address))].map(
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
    if (change.action === 'retire') return [change];
    if (change.action === 'pause') return kept.has(address) ? [change] : [];
    return change.action === 'replace' ? othersOf(change, ids, stopped) : [];
  });
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
