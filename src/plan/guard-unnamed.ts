import { FAN_LIST_TO_NAME } from '../domain/audience.ts';
import type { Change } from '../domain/change.ts';
import type { Declared } from '../domain/resource.ts';
import { held } from './guards.ts';

/**
 * A create names its fan lists, and an import cannot know how they are called: with the name that was left open it
 * would reach another list than the one that is meant, or none.
 */
export function guardUnnamed(wanted: Change, { content }: Declared): Change {
  if (!wanted.steps.some(({ kind }) => kind === 'create')) return wanted;
  const lists = content.audience_filters.flatMap(({ options }) => options?.lists ?? []);
  const open = lists.find(({ name }) => name.startsWith(FAN_LIST_TO_NAME));
  if (open === undefined) return wanted;
  const reason = `The name of fan list ${open.id ?? ''} is still to be written, and a create is sent with it. Write it where the file says "${open.name}".`;
  return held(wanted, reason);
}
