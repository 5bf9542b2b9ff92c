import type { Observed } from '../domain/resource.ts';
import { foldName } from '../workspace/text.ts';
import { leaveOut, type LeftOut } from './left-out.ts';
import { importabilityOf, type Importability } from './importability.ts';

export interface Choice {
  /** At most one per account, kind and name. */
  readonly chosen: readonly Observed[];
  readonly leftOut: readonly LeftOut[];
}

/** Key of a used name: `account/kind/name`, with the name folded. */
export function nameKey(account: string, kind: string, name: string): string {
  return `${account}/${kind}/${foldName(name)}`;
}

/**
 * Of the live objects that no file declares, the ones that can be declared. `taken` are the names of what is
 * declared already, as `nameKey` writes them. Names that a person takes for the same are one group. `isReplaced` tells
 * the versions that Herald itself stopped for another one.
 *
 * | running in the group | paused | imported                       |
 * |----------------------|--------|--------------------------------|
 * | one                  | any    | the running one                |
 * | none                 | one    | the paused one                 |
 * | none                 | one, and replaced ones | the one that was not replaced |
 * | several              | any    | none: they cannot be told apart |
 * | none                 | several | none: they cannot be told apart |
 */
export function chooseImportable(
  unclaimed: readonly Observed[],
  taken: ReadonlySet<string>,
  nowMs: number,
  isReplaced: (object: Observed) => boolean,
): Choice {
  const leftOut: LeftOut[] = [];
  const groups = new Map<string, Candidate[]>();
  for (const object of unclaimed) {
    const importability = importabilityOf(object, nowMs);
    if (importability.kind === 'no') {
      leftOut.push(leaveOut(object, importability.code, importability.reason));
      continue;
    }
    const key = nameKey(object.account, object.kind, object.live.name ?? '');
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push({ object, importability: importability.kind });
  }
  const chosen: Observed[] = [];
  for (const [key, group] of groups) {
    const one = taken.has(key) ? null : pickOne(group, isReplaced);
    if (one !== null) chosen.push(one);
    for (const { object } of group) {
      if (object !== one) leftOut.push(describe(object, one, group, taken.has(key)));
    }
  }
  return { chosen, leftOut };
}

interface Candidate {
  readonly object: Observed;
  readonly importability: Exclude<Importability['kind'], 'no'>;
}

function pickOne(group: readonly Candidate[], isReplaced: (object: Observed) => boolean): Observed | null {
  const running = group.filter(({ importability }) => importability === 'runs');
  const current = group.filter(({ object }) => !isReplaced(object));
  const [only, second] = [running, current, group].find(({ length }) => length > 0) ?? [];
  return second === undefined ? (only?.object ?? null) : null;
}

function describe(
  object: Observed,
  chosen: Observed | null,
  group: readonly Candidate[],
  isTaken: boolean,
): LeftOut {
  if (isTaken)
    return leaveOut(object, 'name-collision', 'A file declares a very similar name for this account.');
  if (chosen !== null)
    return leaveOut(
      object,
      'superseded',
      `It is an older version: it is paused, and ${chosen.live.id} has the same name.`,
    );
  const others = group.filter((one) => one.object !== object).map((one) => one.object.live.id);
  const reason = `${others.join(', ')} with the same name can be declared too. Archive or pause all but one.`;
  return leaveOut(object, 'name-collision', reason);
}
