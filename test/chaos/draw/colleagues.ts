import type { Dice } from '../dice.ts';
import type { Run, SlotName, SlotVersion, Step } from '../shape.ts';
import {
  apply,
  aRun,
  aSlot,
  FAN,
  files,
  machines,
  maybeCut,
  runs,
  someFaults,
  someModes,
  wait,
} from './parts.ts';
import type { Drawn } from './versions.ts';

/** Two people of whom one has an older version of the files, or one in which a resource is paused or missing. */
export function colleagues(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Welcome', 'Teaser']);
  const other = aSlot(dice.pick(['Second', 'Reminder']));
  const replace = dice.pick(['pause_first', 'pause_first', 'create_first'] as const);
  const first = [aSlot(slot, { replace }), other];
  const joins = dice.pick(['never', 'always', 'at times'] as const);
  const joined = (): Step[] =>
    joins === 'always' || (joins === 'at times' && dice.oneIn(2)) ? [{ kind: 'ledgers joined' }] : [];
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 2),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, first),
      ...(dice.oneIn(4) ? [] : [runs([], aRun(apply(), { operator: dice.pick([0, 1]) })), ...joined()]),
      ...otherFiles(dice, first),
      ...dice.some(2, 4, () => [aTurn(dice), ...joined(), wait(dice.pick([0, 5, 10, 80]))]).flat(),
      FAN,
    ],
  };
}

/** One person or the other has another version of the files from now on. */
export function otherFiles(dice: Dice, slots: readonly SlotVersion[]): Step[] {
  const [one = aSlot('Welcome'), ...rest] = slots;
  const operator = dice.pick([0, 1]);
  return dice.weighted<Step[]>([
    // The other one still has the older text.
    [4, [files(operator, [{ ...one, newWords: true }, ...rest])]],
    [3, [files(operator, [{ ...one, target: stopOf(dice, one.slot) }, ...rest])]],
    [2, [files(operator, rest.length === 0 ? [aSlot('Second')] : rest)]],
    [1, [files(0, [{ ...one, newWords: true }, ...rest]), files(1, [{ ...one, target: 'paused' }, ...rest])]],
  ]);
}

/** One of them applies, or both about the same time. */
function aTurn(dice: Dice): Step {
  const operator = dice.pick([0, 1]);
  const first = anApply(dice, operator, { cut: dice.oneIn(4) ? maybeCut(dice) : null });
  const second = anApply(dice, 1 - operator, { afterSec: dice.pick([0, 0, 1, 3, 10]) });
  return runs(
    dice.oneIn(2) ? someFaults(dice, ['create', 'status', 'lag', 'status lag', 'way', 'date'], [1, 2]) : [],
    first,
    ...(dice.oneIn(2) ? [second] : []),
  );
}

function anApply(dice: Dice, operator: number, more: Partial<Run>): Run {
  const command = apply({
    prune: dice.oneIn(4),
    saved: dice.oneIn(6),
    allow: dice.oneIn(6) ? ['resume'] : [],
  });
  return aRun(command, { operator, ...more });
}

/** A broadcast cannot be declared archived. */
function stopOf(dice: Dice, slot: SlotName): SlotVersion['target'] {
  return slot === 'Teaser' || slot === 'Reminder' ? 'paused' : dice.pick(['paused', 'paused', 'archived']);
}
