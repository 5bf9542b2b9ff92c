import { reportOf, SHOWN } from '../apply/merge-reports.ts';
import { writes, type ApplyReport, type Change, type Outcome } from '../domain/change.ts';
import { KIND_ROWS } from '../domain/kind.ts';
import { formatAddress, type Observed } from '../domain/resource.ts';
import type { Inspection } from './source.ts';

/** A stop that was sent while the run waited, and the look that planned it. */
export interface SentStop {
  readonly change: Change;
  readonly outcome: Outcome;
  readonly look: Inspection;
}

/** The address and the object of a change or an outcome. */
export function keyOf({ address, live_id: id }: Pick<Change, 'address' | 'live_id'>): string {
  return `${formatAddress(address)} ${id ?? ''}`;
}

/** A look as if these stops had not been sent, where their objects are as they left them. */
export function withoutStops(look: Inspection, sent: readonly SentStop[]): Inspection {
  const undone = new Set<SentStop>();
  const observed = look.observed.map((object) => {
    const stop = sent.find(({ change }) => isObject(object, change));
    const before = stop?.look.observed.find((one) => isObject(one, stop.change));
    if (stop === undefined || before === undefined || !isStoppedBy(object, stop)) return object;
    undone.add(stop);
    return withStatus(object, before.live.status);
  });
  if (undone.size === 0) return look;
  const keys = new Set([...undone].map(({ change }) => keyOf(change)));
  const others = look.plan.changes.filter((change) => !keys.has(keyOf(change)));
  return {
    ...look,
    observed,
    plan: { ...look.plan, changes: [...others, ...[...undone].map(({ change }) => change)] },
  };
}

/**
 * The report of a run, with the stops that it had sent while it waited.
 *
 * | the stop  | the run, for the same object            | the report                              |
 * |-----------|-----------------------------------------|-----------------------------------------|
 * | any       | sent something                          | that                                    |
 * | unknown   | nothing, and the object is stopped now  | applied: a repeat was confirmed, or the |
 * |           |                                         | list shows a broadcast's one step       |
 * | any       | nothing                                 | the stop                                |
 */
export function withStops(report: ApplyReport, sent: readonly SentStop[], look: Inspection): ApplyReport {
  const outcomes = [...report.outcomes];
  for (const stop of sent) {
    const place = outcomes.findIndex((one) => keyOf(one) === keyOf(stop.change));
    const found = outcomes[place];
    if (found !== undefined && writes(found) && found.outcome !== 'not_attempted') continue;
    const told = toldOf(stop, look);
    const says = found !== undefined && (found.outcome === 'unchanged' || writes(found));
    outcomes.splice(says ? place : placeIn(outcomes, told), says ? 1 : 0, told);
  }
  return reportOf(outcomes);
}

const MEANWHILE = 'sent while Herald waited for unconfirmed requests';

function toldOf(stop: SentStop, { observed, knowledge }: Inspection): Outcome {
  const { outcome, change } = stop;
  const isOpen = knowledge.open.some(({ call, liveId }) => call === 'status' && liveId === change.live_id);
  const object = observed.find((one) => isObject(one, change));
  if (outcome.outcome === 'applied') return { ...outcome, message: joined(outcome.message, MEANWHILE) };
  if (outcome.outcome !== 'unknown' || isOpen || object === undefined || !isStoppedBy(object, stop))
    return outcome;
  const message = KIND_ROWS[object.kind].mayBeHalfDone ? CONFIRMED : SHOWN;
  return { ...outcome, outcome: 'applied', message };
}

const CONFIRMED = 'the first request got no answer; the service confirmed a repeat';

/** Behind the others of its address. */
function placeIn(outcomes: readonly Outcome[], { address }: Outcome): number {
  const last = outcomes.findLastIndex((one) => formatAddress(one.address) === formatAddress(address));
  return last < 0 ? outcomes.length : last + 1;
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}

function isStoppedBy({ live }: Observed, { change, outcome }: SentStop): boolean {
  if (outcome.outcome === 'failed') return false;
  const target = change.steps.some(({ kind }) => kind === 'archive') ? 'archived' : 'paused';
  return live.status === target;
}

function isObject({ account, kind, live }: Observed, { address, live_id: id }: Change): boolean {
  return account === address.account && kind === address.kind && live.id === id;
}

function withStatus<One extends Observed>(object: One, status: string | null | undefined): One {
  return { ...object, live: { ...object.live, status } };
}
