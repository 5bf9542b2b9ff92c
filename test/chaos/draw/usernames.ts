import type { Dice } from '../dice.ts';
import type { Step } from '../shape.ts';
import {
  apply,
  aRun,
  files,
  machines,
  maybeCut,
  runs,
  someFaults,
  someModes,
  someSlots,
  wait,
} from './parts.ts';
import type { Drawn } from './versions.ts';

const MOVED: Step = { kind: 'person', deed: { kind: 'username' } };

/** A workspace that names its account by a username, which becomes that of another account. */
export function usernames(dice: Dice): Drawn {
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1).map((one) => ({ ...one, byUsername: true })),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, someSlots(dice, { protects: false })),
      runs(
        someFaults(dice, ['create', 'lag', 'accounts', 'accounts'], [0, 2]),
        aRun(apply(), { cut: maybeCut(dice) }),
      ),
      ...(dice.oneIn(2) ? [MOVED] : []),
      wait(dice.pick([0, 80])),
      ...(dice.oneIn(2) ? [files(null, someSlots(dice, { protects: false }))] : []),
      runs(
        someFaults(dice, ['accounts'], [0, 1]),
        aRun(apply({ prune: dice.oneIn(2), saved: dice.oneIn(3) }), {
          people: dice.oneIn(3)
            ? [{ before: 'request', nth: dice.int(1, 8), deed: { kind: 'username' } }]
            : [],
        }),
      ),
    ],
  };
}
