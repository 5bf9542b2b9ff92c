import { isDeclaredAs, isRunning, sameContent, sameText, type Declared } from '../declare.ts';
import { keyOf, liveOf, sends, type Live } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Chaos, Process } from '../state.ts';
import { hasRightClock, hasWholeLedger, isStatusOnRecord, isUndisturbed, isUnhindered } from './calm.ts';
import { isRenamed } from './carried-out-rename.ts';
import { isLeft } from './left.ts';

/** Commands of which the exit code says whether live is as the files have it. */
const TELLS_CHANGES: readonly string[] = ['drift', 'plan --detailed-exitcode'];
const NOTHING_TO_DO = 0;

/**
 * "Nothing to do" of a plan or drift that nothing hindered, although something declared is not live, is live with other
 * words, is live twice, or runs and is declared stopped.
 */
export function saidOfLooks(chaos: Chaos, { process, ran, interrupted }: Ended): string[] {
  const { command } = process.run;
  if (ran.code !== NOTHING_TO_DO || command.kind !== 'look' || !TELLS_CHANGES.includes(command.at)) return [];
  if (interrupted || !isUndisturbed(chaos, process) || !isUnhindered(chaos, process)) return [];
  if (!hasWholeLedger(chaos, process.actor) || !hasRightClock(chaos, process.actor)) return [];
  const live = liveOf(chaos.simulator);
  if (hasJustChanged(chaos, process, live)) return [];
  return process.actor.declared.flatMap((wanted) => {
    const problem = problemOf(chaos, process, wanted, live);
    const words = `${wanted.alias}/${wanted.kind}/${wanted.name}`;
    return problem === null ? [] : [`${command.at}, exit 0, and ${words} ${problem}`];
  });
}

/** What its lists may not have shown yet, or no more, and what its ledger does not tell either. */
function hasJustChanged(chaos: Chaos, process: Process, live: readonly Live[]): boolean {
  const { startedMs } = process;
  const isHidden = (one: Live) =>
    one.listedSinceMs > startedMs || (one.shownSinceMs > startedMs && !isStatusOnRecord(chaos, process, one));
  return live.some(isHidden) || chaos.simulator.world.commits.some(({ at }) => Date.parse(at) > startedMs);
}

function problemOf(chaos: Chaos, { actor }: Process, wanted: Declared, live: readonly Live[]): string | null {
  const { actors, clock } = chaos;
  const { name, target, hourMs } = wanted;
  // Near its hour, and after it, nothing is done about a broadcast any more.
  if (hourMs !== null && hourMs - clock.now() < NEAR_MS) return null;
  const running = live.filter((one) => isDeclaredAs(wanted, one) && sends(one));
  if (!isRunning(target)) {
    // Without its line, a rename that no run has carried out leaves what has the old name unmanaged.
    const own = isRenamed(chaos, actor, wanted, live) ? running : running.filter((one) => one.name === name);
    return own.length === 0 ? null : `is declared ${target}, and ${idsOf(own)} runs`;
  }
  const isSame = (one: Live) =>
    sameContent(one.content, wanted.content) ||
    (actors.length > 1 && sameText(one.content.text, wanted.content.text)) ||
    isLeft(live, one, wanted);
  const same = running.filter(isSame);
  if (same.length === 0) return 'is not live as it is declared';
  return same.length === 1 ? null : `is live ${same.length} times: ${idsOf(same)}`;
}

const NEAR_MS = 3_600_000;

function idsOf(objects: readonly Live[]): string {
  return objects.map(keyOf).join(', ');
}
