import { FAN_LIST_TO_NAME, leavesDaysOpen } from '../../domain/audience.ts';
import type { Change, StepKind } from '../../domain/change.ts';
import type { Declared, DeclaredBroadcast, PlaceOf } from '../../domain/resource.ts';
import { blockChange } from './guards.ts';

/** Steps that create; switching an archived one on comes to that where the service refuses it. */
const CREATING: readonly StepKind[] = ['create', 'reactivate'];

/**
 * What an import writes down may not be enough for a create: the service does not return the names of fan lists and ranges in
 * days, and it has broadcasts at hours that are none in UTC (BROADCAST-5).
 */
export function guardLeftOpen(wanted: Change, declared: Declared, placeOf: PlaceOf): Change {
  if (!wanted.steps.some(({ kind }) => CREATING.includes(kind))) return wanted;
  const open = leftOpenIn(declared);
  if (open === null) return wanted;
  const { file, line } = placeOf(declared.source, open.path);
  const reason = `${file}:${line} ${open.what} ${open.advice}`;
  return blockChange(wanted, `${reason} After that, Herald would ${wanted.action} it.`);
}

interface LeftOpen {
  readonly path: readonly (string | number)[];
  readonly what: string;
  readonly advice: string;
}

/** The first place that a person has to change before a create; null when there is none. */
function leftOpenIn(declared: Declared): LeftOpen | null {
  const { content } = declared;
  for (const [index, filter] of content.audience_filters.entries()) {
    const path = ['audience_filters', index, 'options'];
    if (leavesDaysOpen(filter)) return openDays(filter.kind, [...path, 'from_days']);
    for (const [place, { id, name }] of (filter.options?.lists ?? []).entries())
      if (name.startsWith(FAN_LIST_TO_NAME))
        return openName(id ?? '', name, [...path, 'lists', place, 'name']);
  }
  return declared.kind === 'broadcast' ? hourToMove(declared) : null;
}

const WHOLE_HOUR = /T\d\d:00:00(?:\.0+)?Z$/;

function hourToMove({ content, scheduledAtUtc, atOnce }: DeclaredBroadcast): LeftOpen | null {
  const times = [
    { path: ['scheduled_at'], time: atOnce === true ? null : scheduledAtUtc },
    { path: ['rules', 'end_at'], time: content.rules?.end_at ?? null },
  ];
  const moved = times.find(({ time }) => time !== null && !WHOLE_HOUR.test(time));
  if (moved === undefined) return null;
  return {
    path: moved.path,
    what: `is not a whole hour in UTC (${moved.time}), and Herald can send no other time.`,
    advice: 'Move it to a whole hour in UTC.',
  };
}

function openDays(kind: string, path: LeftOpen['path']): LeftOpen {
  return {
    path,
    what: `still has a TODO: the range in days of the filter ${kind}, if it has one. A create needs it.`,
    advice:
      'Check the filter on the service. Write from_days and to_days there, or remove the line if it has none.',
  };
}

function openName(id: string, name: string, path: LeftOpen['path']): LeftOpen {
  return {
    path,
    what: `still has a TODO: the name of fan list ${id}. A create needs it.`,
    advice: `Replace "${name}" with it.`,
  };
}
