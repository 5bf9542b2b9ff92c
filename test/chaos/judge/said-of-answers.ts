import type { ApplyReport, Outcome } from '../../../src/domain/change.ts';
import { accountOf, isDeclaredAs, isRunning, OWN_WORDS } from '../declare.ts';
import { keyOf, liveOf, type Live } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Chaos, Process, SentWrite } from '../state.ts';
import { hasRightClock, isStatusOnRecord, isUndisturbed, isUnhindered } from './calm.ts';
import { isRenamed } from './carried-out-rename.ts';
import { FRESH_MS } from './facts.ts';

/** Outcomes of an apply that leave something open which the answers of the service do not. */
export function saidOfAnswers(chaos: Chaos, { process, interrupted }: Ended, report: ApplyReport): string[] {
  if (process.task.wish !== null || !isUndisturbed(chaos, process)) return [];
  const live = liveOf(chaos.simulator);
  return report.outcomes.flatMap((outcome) => {
    const { address, action, live_id: id } = outcome;
    const problem =
      undoneUntold(chaos, process, outcome, live) ??
      (interrupted ? null : unsureWithoutReason(chaos, process, outcome, live)) ??
      runsAllTheSame(chaos, process, outcome, live);
    const words = `"${action} ${outcome.outcome}" of ${address.account}/${address.kind}/${address.name} ${id ?? ''}`;
    return problem === null ? [] : [`${words}: ${problem}`];
  });
}

/** What each action sets, and what the object then shows. */
const SETS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  pause: { paused: ['paused'] },
  archive: { archived: ['archived'] },
  activate: { active: ['active'] },
  resume: { queued: ['scheduled'] },
  retire: { paused: ['paused'], archived: ['archived'] },
  recall: { unsend: ['recalled', 'recalling'] },
};

const NOT_DONE: readonly string[] = ['unknown', 'failed', 'not_attempted'];

/** A status change that was answered with success, and holds, has happened. */
function undoneUntold(
  { processes }: Chaos,
  process: Process,
  { action, outcome, address, live_id: id }: Outcome,
  live: readonly Live[],
): string | null {
  const sets = SETS[action];
  if (sets === undefined || !NOT_DONE.includes(outcome)) return null;
  const object = live.find((one) => one.id === id && one.kind === address.kind);
  if (object === undefined || object.lastChange === null) return null;
  const isOfIt = ({ write }: SentWrite) =>
    write.kind === 'status' && write.of === object.kind && write.id === object.id;
  const last = process.writes.findLast(isOfIt);
  if (last?.answer !== 'done' || last.write.kind !== 'status') return null;
  if (sets[last.write.status]?.includes(object.status ?? '') !== true) return null;
  // Another change of it without an answer may still be carried out.
  const isOpen = processes
    .flatMap(({ writes }) => writes)
    .some((sent) => isOfIt(sent) && isUnanswered(sent) && sent.sentMs > last.sentMs - LATE_MS);
  return isOpen ? null : `its request ${last.request} was answered, and it is ${object.status}`;
}

const LATE_MS = 130_000;

function isUnanswered({ answer }: SentWrite): boolean {
  return answer === 'unconfirmed' || answer === 'none yet';
}

/** Every request of the run was answered without a fault, or refused, and so was each earlier one about the same. */
function unsureWithoutReason(
  chaos: Chaos,
  process: Process,
  { outcome, address: { account, kind, name } }: Outcome,
  live: readonly Live[],
): string | null {
  if (outcome !== 'unknown' || !isUnhindered(chaos, process, 'or refused')) return null;
  const wanted = process.task.declared.find(
    (one) => one.alias === account && one.kind === kind && one.name === name,
  );
  const names = [name, ...(wanted?.formerNames ?? [])];
  const ids = new Set(live.filter((one) => one.kind === kind && names.includes(one.name)).map(keyOf));
  const isOfIt = ({ write }: SentWrite) => {
    if (write.kind === 'create') return write.of === kind && names.includes(write.name);
    return (
      write.kind === 'status' && ids.has(keyOf({ accountId: write.accountId, kind: write.of, id: write.id }))
    );
  };
  const own = process.writes.filter(isOfIt);
  const isOpen = chaos.processes.some(
    ({ dead, writes }) => dead || writes.some((sent) => isOfIt(sent) && isUnanswered(sent)),
  );
  return own.length === 0 || isOpen ? null : 'each of its requests was answered';
}

const KEPT: readonly string[] = ['keep', 'done'];

/** Lists have shown for long enough that it runs, and the files have it stopped. */
function runsAllTheSame(
  chaos: Chaos,
  process: Process,
  { outcome, action, address: { account, kind, name } }: Outcome,
  live: readonly Live[],
): string | null {
  if (outcome !== 'unchanged' || !KEPT.includes(action) || !isUnhindered(chaos, process)) return null;
  const wanted = process.task.declared.find(
    (one) => one.alias === account && one.kind === kind && one.name === name,
  );
  if (wanted === undefined || isRunning(wanted.target) || chaos.actors.length > 1) return null;
  const sinceMs = process.startedMs - FRESH_MS;
  // By its own record, lists that do not show it yet are read again.
  const isKnown = (one: Live) =>
    one.listedSinceMs < sinceMs &&
    hasRightClock(chaos, process.actor) &&
    isStatusOnRecord(chaos, process, one);
  const running = live.find(
    (one) =>
      isDeclaredAs(wanted, one) &&
      // Without its line, a rename that no run has carried out leaves what has the old name unmanaged.
      (one.name === name || isRenamed(chaos, process.actor, wanted, live)) &&
      one.accountId === accountOf(account) &&
      isRunning(one.status) &&
      (one.shownSinceMs < sinceMs || isKnown(one)) &&
      !one.content.text.endsWith(OWN_WORDS),
  );
  return running === undefined ? null : `it is declared ${wanted.target}, and ${running.id} runs`;
}
