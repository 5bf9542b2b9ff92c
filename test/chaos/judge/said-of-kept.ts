import type { ApplyReport, Outcome } from '../../../src/domain/change.ts';
import { accountOf, isDeclaredAs, isRunning, OWN_WORDS, type Declared } from '../declare.ts';
import { keyOf, liveOf, sends, type Live } from '../live.ts';
import type { Ended } from '../run.ts';
import type { Chaos, Process } from '../state.ts';
import { hasRightClock, isUndisturbed, isUnhindered } from './calm.ts';
import { FRESH_MS } from './facts.ts';

/**
 * Outcomes by which a run leaves something as it is, against what all lists have shown for long enough:
 *
 * | outcome                       | is false if                                          |
 * |-------------------------------|------------------------------------------------------|
 * | `done` of a broadcast         | the object still waits, and its time is not near     |
 * | `keep`, declared archived     | the object is only paused, or runs                   |
 * | `missed`                      | what an answered create of its ledger made is there  |
 * | `keep` of a stop by hand      | the object runs                                      |
 * | `keep` of a start by hand     | the object is stopped                                |
 */
export function saidOfKept(chaos: Chaos, { process, interrupted }: Ended, report: ApplyReport): string[] {
  if (interrupted || !isUndisturbed(chaos, process)) return [];
  if (!isUnhindered(chaos, process) || !hasRightClock(chaos, process.actor)) return [];
  // A change by hand goes by one read after its start.
  const listedMs = process.task.wish === null ? process.startedMs - FRESH_MS : process.startedMs;
  const shown = liveOf(chaos.simulator).filter((one) => one.shownSinceMs < listedMs);
  return report.outcomes.flatMap((outcome) => {
    const { address, action, live_id: id } = outcome;
    const problem =
      process.task.wish === null
        ? problemOf(chaos, process, outcome, shown)
        : problemOfByHand(process, outcome, shown);
    const words = `"${action} ${outcome.outcome}" of ${address.account}/${address.kind}/${address.name} ${id ?? ''}`;
    return problem === null ? [] : [`${words}: ${problem}`];
  });
}

function problemOf(
  chaos: Chaos,
  { task, actor }: Process,
  outcome: Outcome,
  shown: readonly Live[],
): string | null {
  const { account, kind, name } = outcome.address;
  const wanted = task.declared.find((one) => one.alias === account && one.kind === kind && one.name === name);
  if (wanted === undefined) return null;
  const object = objectOf(outcome, shown);
  switch (outcome.action) {
    case 'done':
      // Near its time and after it, what waits is left as it is, and done.
      return isRunning(wanted.target) &&
        (wanted.hourMs ?? 0) - chaos.clock.now() > NEAR_MS &&
        object?.status === 'scheduled'
        ? `it is ${object.status ?? 'null'} and has reached ${object.reached} fans`
        : null;
    case 'keep':
      return wanted.target === 'archived' && outcome.outcome === 'unchanged' && object?.status === 'paused'
        ? 'it is declared archived, and only paused'
        : null;
    case 'missed': {
      const there = shown.find((one) => isSentBy(chaos, { wanted, one, actor }));
      return there === undefined ? null : `${keyOf(there)} is ${there.status ?? 'null'}`;
    }
    default:
      return null;
  }
}

const NEAR_MS = 3_600_000;

/** Made by an answered request of the same ledger, with words of Herald's own, and on its way or sent. */
function isSentBy(
  { processes }: Chaos,
  { wanted, one, actor }: { readonly wanted: Declared; readonly one: Live; readonly actor: Process['actor'] },
): boolean {
  if (!isDeclaredAs(wanted, one) || !sends(one) || one.content.text.endsWith(OWN_WORDS)) return false;
  return processes.some(
    (process) =>
      process.actor === actor &&
      process.writes.some(({ request, answer }) => request === one.madeBy && answer === 'done'),
  );
}

function problemOfByHand(
  { task: { wish } }: Process,
  outcome: Outcome,
  shown: readonly Live[],
): string | null {
  if (wish?.kind !== 'status' || outcome.action !== 'keep') return null;
  const object = objectOf(outcome, shown);
  if (object === undefined || keyOf(object) !== wish.key) return null;
  const isStart = wish.status === 'active' || wish.status === 'queued';
  const isSo = isStart ? sends(object) || object.reached > 0 : !isRunning(object.status);
  return isSo ? null : `${wish.status} was asked for, and it is ${object.status ?? 'null'}`;
}

function objectOf({ address, live_id: id }: Outcome, shown: readonly Live[]): Live | undefined {
  return shown.find(
    (one) => one.id === id && one.kind === address.kind && one.accountId === accountOf(address.account),
  );
}
