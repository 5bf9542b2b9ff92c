import type { ApplyReport, Outcome } from '../../../src/domain/change.ts';
import { accountOf } from '../declare.ts';
import { groupOf, keyOf, liveOf, sends } from '../live.ts';
import { TUNED } from '../people.ts';
import type { Ended } from '../run.ts';
import type { Chaos } from '../state.ts';

/** A value that a person has set and no file has is gone with the version that has it: the run says so before. */
export function droppedUntold(
  chaos: Chaos,
  { process, ran }: Ended,
  { outcomes }: ApplyReport,
): readonly string[] {
  const { people, simulator } = chaos;
  if (people.tunedMs.size === 0 || `${ran.stdout}${ran.stderr}`.includes(TUNED)) return [];
  const replaced = outcomes.filter(isReplaced).map(groupOfOutcome);
  return liveOf(simulator)
    .filter((one) => replaced.includes(groupOf(one)) && !sends(one))
    .filter((one) => (people.tunedMs.get(keyOf(one)) ?? Infinity) < process.startedMs)
    .filter(({ lastChange }) => process.requests.has(lastChange?.request ?? -1))
    .map((one) => `${keyOf(one)} was replaced without a word of its ${TUNED}`);
}

function isReplaced({ action, outcome }: Outcome): boolean {
  return action === 'replace' && outcome === 'applied';
}

function groupOfOutcome({ address: { account, kind, name } }: Outcome): string {
  return groupOf({ accountId: accountOf(account), kind, name });
}
