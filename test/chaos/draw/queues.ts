import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import type { Step } from '../shape.ts';
import {
  aCut,
  apply,
  aRun,
  aSlot,
  FAN,
  files,
  machines,
  runs,
  secondOfAPerson,
  someFaults,
  someModes,
  wait,
} from './parts.ts';
import type { Drawn } from './versions.ts';

/** Fans wait in the queue of a campaign while it is replaced or archived, and a process dies in between. */
export function queues(dice: Dice): Drawn {
  if (dice.oneIn(2))
    return dice.weighted([
      [3, severalOlder],
      [1, archiveFails],
    ])(dice);
  if (dice.oneIn(3)) return archivedByHalf(dice);
  if (dice.oneIn(3)) return replacedByHalf(dice);
  const replaced = (): Step =>
    files(null, [
      aSlot('Welcome', {
        newWords: true,
        waits: true,
        clears: !dice.oneIn(4),
        replace: dice.pick(['pause_first', 'create_first', 'create_first']),
      }),
    ]);
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot('Welcome', { waits: true })]),
      runs([], aRun(apply())),
      FAN,
      ...dice
        .some(1, 2, (): Step[] => [
          replaced(),
          runs(
            someFaults(dice, ['create', 'status', 'status connection', 'status lag'], [0, 2]),
            aRun(apply(), { cut: aCut(dice) }),
          ),
          wait(dice.pick([0, 5, 80])),
        ])
        .flat(),
      runs([], aRun(apply())),
      FAN,
    ],
  };
}

/** A process dies after it has made the new version or stopped the old one, and before it does the other. */
function replacedByHalf(dice: Dice): Drawn {
  const replace = dice.pick(['pause_first', 'create_first'] as const);
  const slot = aSlot('Welcome', { waits: true, clears: true, replace });
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [slot]),
      runs([], aRun(apply())),
      FAN,
      files(null, [{ ...slot, newWords: true }]),
      runs(
        [],
        aRun(apply(), { cut: { ...aCut(dice, ['after_commit', 'before_line']), at: dice.pick([1, 2, 3]) } }),
      ),
      wait(dice.pick([0, 5, 80])),
      runs([], aRun(apply())),
    ],
  };
}

/** A process dies while the service has set a status and not yet done what belongs to it. */
function archivedByHalf(dice: Dice): Drawn {
  const partly: DrawnFault = {
    name: 'status, half done',
    fault: { kind: 'partial_commit', operation: 'campaigns.set-status', nth: 1, times: dice.pick([1, 2]) },
  };
  const stopped = aSlot('Welcome', { waits: true, target: dice.pick(['archived', 'archived', 'paused']) });
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot('Welcome', { waits: true })]),
      runs([], aRun(apply())),
      FAN,
      files(null, [stopped]),
      runs([partly], aRun(apply(), { cut: { ...aCut(dice, ['after_commit', 'before_line']), at: 1 } })),
      wait(dice.pick([0, 5, 80])),
      runs([], aRun(apply())),
    ],
  };
}

/** Two older versions have queues when a third one replaces them, and a process dies between its requests. */
function severalOlder(dice: Dice): Drawn {
  const slot = aSlot('Welcome', { waits: true });
  const replace = dice.pick(['pause_first', 'pause_first', 'create_first'] as const);
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [slot]),
      runs([], aRun(apply())),
      FAN,
      ...secondOfAPerson({ ...slot, newWords: true }),
      FAN,
      // The older one was paused before the replace, unless a person has started it again.
      ...(dice.oneIn(2)
        ? [{ kind: 'person', deed: { kind: 'change', slot: 'Welcome', verb: 'start' } } as const]
        : []),
      wait(10),
      files(null, [{ ...slot, newWords: true, clears: !dice.oneIn(4), replace }]),
      runs(
        [],
        aRun(apply(), {
          cut: { ...aCut(dice, ['after_commit', 'before_line', 'before_line']), at: dice.pick([1, 2, 3, 3]) },
        }),
      ),
      wait(dice.pick([0, 5, 80])),
      runs([], aRun(apply())),
    ],
  };
}

/** The new version is live, and the service does not let the old one be archived. */
function archiveFails(dice: Dice): Drawn {
  const replace = dice.pick(['pause_first', 'pause_first', 'create_first'] as const);
  const slot = aSlot('Welcome', { waits: true, clears: true, replace });
  const throttled: DrawnFault = {
    name: 'throttle with Retry-After',
    fault: {
      kind: 'throttle',
      operation: 'campaigns.set-status',
      retry_after_sec: 200,
      nth: replace === 'pause_first' ? 2 : 1,
      times: 99,
    },
  };
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 1),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [slot]),
      runs([], aRun(apply())),
      FAN,
      files(null, [{ ...slot, newWords: true }]),
      runs([throttled], aRun(apply())),
      wait(dice.pick([0, 5, 300])),
      runs([], aRun(apply())),
    ],
  };
}
