import { isDeclaredAs, isRunning } from '../declare.ts';
import { groupOf, sends, type Live, liveOf } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Chaos } from '../state.ts';
import { FRESH_MS } from './facts.ts';

/** An apply that calls all well leaves at most one live copy of each name that it was about. */
export function stillTwice(chaos: Chaos, { process, ran }: Ended): string[] {
  const { terms, run, startedMs } = process;
  if (run.command.kind !== 'apply' || ran.code !== 0) return [];
  const live = liveOf(chaos.simulator);
  return terms.declared.flatMap((wanted) => {
    if (!terms.covers(wanted.alias, wanted.kind, wanted.name)) return [];
    const group = live.filter((one) => isDeclaredAs(wanted, one) && sends(one));
    // What came to be after its list was read is for the next run.
    const shown = group.filter(({ shownSinceMs }) => shownSinceMs < startedMs - FRESH_MS);
    if (shown.length < 2 || isExcused(process.disturbed, groupOf(wanted), shown)) return [];
    const words = shown.map(({ id, status }) => `${id} ${status ?? 'null'}`).join(', ');
    return [`exit 0, and ${groupOf(wanted)} is live ${shown.length} times: ${words}`];
  });
}

function isExcused(disturbed: ReadonlySet<string>, group: string, shown: readonly Live[]): boolean {
  if (disturbed.has(group)) return true;
  // What has begun to go out cannot be two by Herald's doing any more.
  return shown.some(({ status }) => !isRunning(status));
}
