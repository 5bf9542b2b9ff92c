import type { Outcome } from '../../../src/domain/change.ts';
import { isDeclaredAs, isRunning, type Declared } from '../declare.ts';
import { groupOf, sends, type Live, liveOf } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Chaos, Process } from '../state.ts';
import { FRESH_MS } from './facts.ts';
import { isRenamedFrom } from './carried-out-rename.ts';

/**
 * An apply that calls all well leaves at most one live copy of each name that it was about: of those that were there
 * before it began, and of those that its last list showed after it has changed something there.
 */
export function stillTwice(chaos: Chaos, { process, ran, report }: Ended): string[] {
  const { task, run, startedMs } = process;
  if (run.command.kind !== 'apply' || ran.code !== 0) return [];
  const live = liveOf(chaos.simulator);
  return task.declared.flatMap((wanted) => {
    if (!task.covers(wanted.alias, wanted.kind, wanted.name)) return [];
    const group = live.filter(
      (one) =>
        isDeclaredAs(wanted, one) &&
        sends(one) &&
        (one.name === wanted.name || isRenamedFrom(chaos, process.actor, wanted, one.name, live)),
    );
    const hasChanged = report?.outcomes.some((outcome) => isChangeOf(outcome, wanted)) === true;
    // What came to be after its list was read is for the next run.
    const listedMs = hasChanged ? lastListMs(chaos, process, wanted) : startedMs - FRESH_MS;
    const shown = group.filter(({ shownSinceMs }) => shownSinceMs < listedMs);
    const isDisturbed = !hasChanged && process.disturbed.has(groupOf(wanted));
    if (shown.length < 2 || isDisturbed || hasBegun(shown)) return [];
    const words = shown.map(({ id, status }) => `${id} ${status ?? 'null'}`).join(', ');
    return [`exit 0, and ${groupOf(wanted)} is live ${shown.length} times: ${words}`];
  });
}

function isChangeOf({ address, outcome }: Outcome, { alias, kind, name }: Declared): boolean {
  return (
    (outcome === 'applied' || outcome === 'adopted') &&
    address.account === alias &&
    address.kind === kind &&
    address.name === name
  );
}

/** When a process has read the list of an account last, whole and in order; well before its start if it has not. */
export function lastListMs(
  { simulator: { world } }: Chaos,
  { requests, startedMs }: Process,
  { accountId, kind }: Pick<Declared, 'accountId' | 'kind'>,
): number {
  const operation = `${kind}s.list`;
  const pages = world.requests.filter(
    (one) => requests.has(one.request) && one.operation === operation && one.path.includes(`/${accountId}/`),
  );
  // What comes to be after the first page was read need not be on the others.
  const last = pages.slice(pages.findLastIndex(({ path }) => path.includes('offset=0')));
  const isWhole = last.every(({ status, fault }) => status === 200 && fault === null);
  const [first] = last;
  return isWhole && first !== undefined ? Date.parse(first.at) : startedMs - FRESH_MS;
}

/** What has begun to go out cannot be two by Herald's doing any more. */
function hasBegun(shown: readonly Live[]): boolean {
  return shown.some(({ status }) => !isRunning(status));
}
