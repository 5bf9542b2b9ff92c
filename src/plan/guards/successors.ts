import { formatCommand } from '../../domain/command-line.ts';
import { canonical } from '../../domain/digest.ts';
import type { Change } from '../../domain/change.ts';
import { compareIds } from '../../domain/ids.ts';
import { KIND_ROWS } from '../../domain/kind.ts';
import { objectKey, type Knowledge, type OpenEntry } from '../../domain/knowledge.ts';
import { passedEnd } from '../../domain/passed-end.ts';
import type { Declared, Observed } from '../../domain/resource.ts';
import { isDeclaredToSend, STATUS_TRAITS } from '../../domain/status.ts';
import { knownOf } from '../match.ts';
import type { Scope } from '../scope.ts';
import { withSuccessors } from '../successors.ts';
import { blockChange, starts, type OpenIndex } from './guards.ts';

/**
 * Unconfirmed creates that replace a version of what a file declares, and unconfirmed starts of what replaced it. Their
 * name may be in no file any more, if the rename was corrected or reverted meanwhile.
 */
export function openSuccessorsIn(
  { index, unclaimed }: Pick<Scope, 'index' | 'unclaimed'>,
  open: Pick<OpenIndex, 'replacing' | 'startOf'>,
  knowledge: Knowledge,
): (declared: Declared) => readonly OpenEntry[] {
  const started = unclaimed.flatMap((object) => {
    const start = open.startOf(object);
    return start === null ? [] : [{ key: keyOf(object), start }];
  });
  return (declared) => {
    const keys = withSuccessors(index.groupOf(declared), knowledge);
    const starts = started.filter(({ key }) => keys.has(key)).map(({ start }) => start);
    return [...[...keys].flatMap(open.replacing), ...starts];
  };
}

/**
 * A version of what a file declares, and the unmanaged one that replaced it, maybe after others, and that runs. `old` is
 * null if nothing has a name of the file, and `by` is what else runs unmanaged.
 */
export interface Replacement {
  readonly old: Observed | null;
  readonly by: Observed;
}

/**
 * The ledger knows what a create replaced under the name of that create. A version counts as replaced while it still has
 * a name there that the file does not have:
 *
 * | the version, or the name                                         | counts |
 * |------------------------------------------------------------------|--------|
 * | was replaced under another name, and what replaced it runs       | yes    |
 * | the same, and a file declares what replaced it                   | no     |
 * | was started or kept under the declared name since                | no     |
 * | has a version that was made under the declared name since        | no     |
 *
 * A rename of a name that was never live says nothing about what Herald left running under other names: the rename before
 * may never have been carried out, or the name is misspelled. The newest of those counts.
 */
export function replacementsIn(
  { index, unclaimed }: Pick<Scope, 'index' | 'unclaimed'>,
  knowledge: Knowledge,
  nowMs: number,
): (declared: Declared) => Replacement | null {
  const running = new Map(
    unclaimed.filter((object) => runsAt(object, nowMs)).map((object) => [keyOf(object), object]),
  );
  return (declared) => {
    if (running.size === 0) return null;
    const names = [declared.address.name, declared.renamedFrom];
    const group = index.groupOf(declared);
    if (group.length === 0 && declared.renamedFrom !== null) {
      const by = [...running.values()].findLast((object) => knownOf(object, knowledge)?.ours === true);
      return by === undefined ? null : { old: null, by };
    }
    const own = group.filter((object) => {
      const known = knownOf(object, knowledge);
      return known !== null && names.includes(known.name);
    });
    for (const old of group.filter((object) => !own.includes(object)))
      for (const key of withSuccessors([old], knowledge)) {
        const by = running.get(key);
        if (by !== undefined && own.every(({ live }) => compareIds(live.id, by.live.id) < 0))
          return { old, by };
      }
    return null;
  };
}

/**
 * Nothing starts next to what replaced it, and nothing that runs next to it is called unchanged: fans would get both.
 * A person decides which one is wanted, and whether what runs under another name is an earlier version at all.
 */
export function guardReplaced(wanted: Change, declared: Declared, replacement: Replacement | null): Change {
  if (replacement === null) return wanted;
  const { old, by } = replacement;
  const isNextToIt =
    old !== null &&
    wanted.action === 'keep' &&
    wanted.live_id === old.live.id &&
    isDeclaredToSend(declared) &&
    runs(old);
  if (!starts(wanted) && !isNextToIt) return wanted;
  const name = canonical(by.live.name ?? '(no name)');
  const stop = formatCommand(KIND_ROWS[by.kind].plural, 'pause', by.live.id, '--account', by.account);
  const { renamedFrom } = declared;
  if (old === null)
    return blockChange(
      wanted,
      `renamed_from ${canonical(renamedFrom ?? '')} names nothing on the service, and ${by.live.id} (${name}), which Herald created or adopted, still runs and is unmanaged, so fans could get both. If that is the earlier version, change renamed_from to ${name}. If not, remove renamed_from. To stop it: ${stop}`,
    );
  const goOn = renamedFrom === null ? `add renamed_from: ${name}` : `change renamed_from to ${name}`;
  return blockChange(
    wanted,
    `${old.live.id} was replaced by ${by.live.id} (${name}), which still runs and is unmanaged, so fans ${isNextToIt ? '' : 'would '}get both. To go on with that one, ${goOn}. To stop it: ${stop}`,
  );
}

/** What a blocked create may be a new name of, so a prune leaves it running; null if it is of none. */
export function leftBy(wanted: readonly Change[], replacement: Replacement | null): Observed | null {
  return replacement?.old === null && wanted.some(starts) ? replacement.by : null;
}

function runsAt(object: Observed, nowMs: number): boolean {
  return runs(object) && passedEnd(object.live.rules, nowMs) === null;
}

function runs({ kind, live }: Observed): boolean {
  return STATUS_TRAITS[KIND_ROWS[kind].statusOf(live)].runs;
}

function keyOf({ accountId, kind, live }: Observed): string {
  return objectKey(accountId, kind, live.id);
}
