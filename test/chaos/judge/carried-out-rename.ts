import { isDeclaredAs, sameContent, type Declared } from '../declare.ts';
import type { Live } from '../live.ts';
import type { Actor, Chaos } from '../state.ts';

/**
 * Whether the file says the rename, or a run under files that said it has carried it out. If the line is removed before
 * that, the new name is a new resource, and the old one is only left.
 */
export function isRenamed(
  { processes }: Chaos,
  actor: Actor,
  { accountId, kind, name, slot }: Declared,
  live: readonly Live[],
): boolean {
  if (slot.rename !== 'no') return true;
  return processes.some(({ actor: other, task, dead, run, writes, requests }) => {
    const saying = task.declared.find(
      (one) =>
        one.accountId === accountId &&
        one.kind === kind &&
        one.name === name &&
        (one.slot.rename === 'said' || one.slot.rename === 'corrected'),
    );
    if (other !== actor || saying === undefined) return false;
    // Without other words, the object keeps its name on the service, and only the ledger has the new one.
    const isKept =
      !dead &&
      run.cut === null &&
      writes.every(({ answer }) => answer === 'done') &&
      live.some(
        (one) => one.name !== name && isDeclaredAs(saying, one) && sameContent(one.content, saying.content),
      );
    const hasMade = live.some((one) => one.name === name && one.madeBy !== null && requests.has(one.madeBy));
    return isKept || hasMade;
  });
}

/** The same for one of its former names: each rename on the way from there has to be said, or carried out. */
export function isRenamedFrom(
  chaos: Chaos,
  actor: Actor,
  wanted: Declared,
  from: string,
  live: readonly Live[],
): boolean {
  if (!isRenamed(chaos, actor, wanted, live)) return false;
  const between = wanted.formerNames.slice(wanted.formerNames.indexOf(from) + 1);
  return between.every((name) => {
    const before = chaos.processes
      .filter((process) => process.actor === actor)
      .flatMap(({ task }) => task.declared)
      .findLast((one) => one.accountId === wanted.accountId && one.kind === wanted.kind && one.name === name);
    return before === undefined || isRenamed(chaos, actor, before, live);
  });
}
