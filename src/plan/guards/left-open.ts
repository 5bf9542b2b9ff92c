import { FAN_LIST_TO_NAME, leavesDaysOpen } from '../../domain/audience.ts';
import type { Change, StepKind } from '../../domain/change.ts';
import type { Declared, PlaceOf } from '../../domain/resource.ts';
import { blockChange } from './guards.ts';

/** Steps that create; switching an archived one on comes to that where the service refuses it. */
const CREATING: readonly StepKind[] = ['create', 'reactivate'];

/**
 * A create names its fan lists and says its ranges, and an import cannot know them: with what was left open it
 * would reach other fans than the live one does.
 */
export function guardLeftOpen(wanted: Change, declared: Declared, placeOf: PlaceOf): Change {
  if (!wanted.steps.some(({ kind }) => CREATING.includes(kind))) return wanted;
  const open = leftOpenIn(declared);
  if (open === null) return wanted;
  const { file, line } = placeOf(declared.source, open.path);
  const reason = `${file}:${line} still has a TODO: ${open.what}. A create needs it. ${open.advice}`;
  return blockChange(wanted, `${reason} After that, Herald would ${wanted.action} it.`);
}

interface LeftOpen {
  readonly path: readonly (string | number)[];
  readonly what: string;
  readonly advice: string;
}

/** The first place of its audience that an import left to a person; null when there is none. */
function leftOpenIn({ content }: Declared): LeftOpen | null {
  for (const [index, filter] of content.audience_filters.entries()) {
    const path = ['audience_filters', index, 'options'];
    if (leavesDaysOpen(filter)) return openDays(filter.kind, [...path, 'from_days']);
    for (const [place, { id, name }] of (filter.options?.lists ?? []).entries())
      if (name.startsWith(FAN_LIST_TO_NAME))
        return openName(id ?? '', name, [...path, 'lists', place, 'name']);
  }
  return null;
}

function openDays(kind: string, path: LeftOpen['path']): LeftOpen {
  return {
    path,
    what: `the range in days of the filter ${kind}, if it has one`,
    advice:
      'Check the filter on the service. Write from_days and to_days there, or remove the line if it has none.',
  };
}

function openName(id: string, name: string, path: LeftOpen['path']): LeftOpen {
  return {
    path,
    what: `the name of fan list ${id}`,
    advice: `Replace "${name}" with it.`,
  };
}
