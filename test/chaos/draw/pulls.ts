import type { Operation } from '../../../src/api/catalogue.ts';
import type { Dice } from '../dice.ts';
import type { DrawnFault } from '../fault-kinds.ts';
import { throttled } from '../fault-rows.ts';
import type { Command, PersonAt, SlotName, Step } from '../shape.ts';
import { apply, aRun, aSlot, files, machines, runs, someFaults, someModes, wait } from './parts.ts';
import type { Drawn } from './versions.ts';

/** Two people ask for the same, and a git pull brings the request of one to the other, before that one has sent its own. */
export function pulls(dice: Dice): Drawn {
  if (dice.oneIn(2)) return ofTwoVersions(dice);
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser']);
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 2),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot('Second')]),
      ...(dice.oneIn(2) ? [runs([], aRun(apply())), JOINED] : []),
      files(null, [aSlot(slot), aSlot('Second')]),
      ...dice.some(2, 3, () => (dice.oneIn(3) ? answeredBefore(dice) : aMoment(dice, slot))).flat(),
      ...(dice.oneIn(2) ? [JOINED] : []),
      runs([], aRun(apply())),
    ],
  };
}

const JOINED: Step = { kind: 'ledgers joined' };

function aMoment(dice: Dice, slot: SlotName): Step[] {
  const looks = !dice.oneIn(3);
  const asked = looks ? aSend(dice, slot) : aRequest(dice, slot);
  return [
    (looks ? whileItLooks : whileItWaits)(dice, asked),
    wait(dice.pick([0, 30, 80])),
    ...(dice.oneIn(2) ? [JOINED] : []),
    ...(dice.oneIn(2) ? [runs([], aRun(asked.command, { operator: dice.pick([0, 1]) })), wait(80)] : []),
  ];
}

interface Asked {
  readonly command: Command;
  readonly operation: Operation;
}

function aRequest(dice: Dice, slot: SlotName): Asked {
  return dice.weighted<Asked>([
    [3, { command: { kind: 'payout', cents: 5000, sure: [] }, operation: 'payouts.request' }],
    [1, { command: { kind: 'api payout', cents: 5000 }, operation: 'payouts.request' }],
    [3, { command: { kind: 'chat', words: 1, sure: [] }, operation: 'chat.send' }],
    [1, { command: { kind: 'follow', fan: 1 }, operation: 'fans.follow' }],
    [5, aSend(dice, slot)],
  ]);
}

/** What goes by a plan. */
function aSend(dice: Dice, slot: SlotName): Asked {
  return dice.weighted<Asked>([
    [1, { command: { kind: 'send at once', words: 1 }, operation: 'broadcasts.create' }],
    [2, { command: apply(), operation: slot === 'Teaser' ? 'broadcasts.create' : 'campaigns.create' }],
  ]);
}

/** The service asks the first one to wait, or its process is frozen; the other one asks for the same meanwhile. */
function whileItWaits(dice: Dice, { command, operation }: Asked): Step {
  const isFrozen = dice.oneIn(2);
  const cut = { at: 1, how: 'freeze', sec: dice.pick([40, 90, 240]) } as const;
  const pull: PersonAt = {
    before: 'write',
    nth: 1,
    afterSec: dice.pick([8, 12, 18, 30]),
    deed: { kind: 'pull' },
  };
  return runs(
    [
      ...(isFrozen ? [] : [throttled(operation, dice.pick([20, 60, 90]))]),
      ...unconfirmed(dice, operation, isFrozen ? 1 : 2),
    ],
    aRun(command, { people: [pull], cut: isFrozen ? cut : null }),
    theOther(dice, command, dice.pick([1, 2, 4])),
  );
}

/** The other one has asked for it before, and the pull comes while the first one reads its lists. */
function whileItLooks(dice: Dice, { command, operation }: Asked): Step {
  const pull: PersonAt = { before: 'request', nth: dice.pick([1, 2, 2]), deed: { kind: 'pull' } };
  return runs(
    [
      ...unconfirmed(dice, operation, 1),
      ...heldUp(dice, operation),
      ...(dice.oneIn(4) ? someFaults(dice, ['list', 'way', 'lag'], [1, 1]) : []),
    ],
    theOther(dice, command, 0),
    aRun(command, { people: [pull], afterSec: dice.pick([2, 4, 8, 20]) }),
  );
}

/** The first one waits for one of its lists: what it sends leaves some seconds after the pull. */
function heldUp(dice: Dice, operation: Operation): DrawnFault[] {
  const list: Operation = operation === 'campaigns.create' ? 'campaigns.list' : 'broadcasts.list';
  const { name, fault } = throttled(list, dice.pick([2, 5]));
  return [{ name, fault: { ...fault, nth: dice.pick([2, 3, 3, 4]) } }];
}

function theOther(dice: Dice, command: Command, afterSec: number) {
  const cut = dice.oneIn(2) ? ({ at: 1, how: 'after_commit', sec: 2 } as const) : null;
  return aRun(command, { operator: 1, afterSec, cut });
}

/** No one hears what became of the request of the other one, at least not from its answer. */
function unconfirmed(dice: Dice, operation: Operation, nth: number): DrawnFault[] {
  return dice.weighted<DrawnFault[]>([
    [1, []],
    [
      2,
      [
        {
          name: 'lost next to a pull',
          fault: { kind: 'broken_answer', how: 'reset', when: 'after_commit', operation, nth, times: 1 },
        },
      ],
    ],
    [
      4,
      [
        {
          name: 'late next to a pull',
          fault: { kind: 'late_commit', how: 'reset', after_sec: dice.int(25, 60), operation, nth, times: 1 },
        },
      ],
    ],
  ]);
}

/** The other one has got its money, or sent its words, some time before: the list or the chat of now may not tell. */
function answeredBefore(dice: Dice): Step[] {
  const [operation, command] = dice.pick<readonly [Operation, Command]>([
    ['payouts.request', { kind: 'payout', cents: 8000, sure: [] }],
    ['payouts.request', { kind: 'api payout', cents: 8000 }],
    ['chat.send', { kind: 'chat', words: 3, sure: [] }],
    ['chat.send', { kind: 'api chat', words: 3 }],
  ]);
  const pull: PersonAt = { before: 'write', nth: 1, afterSec: dice.pick([5, 15]), deed: { kind: 'pull' } };
  return [
    runs([], aRun(command, { operator: 1 })),
    wait(dice.pick([70, 100, 180])),
    runs([throttled(operation, dice.pick([20, 45, 60]))], aRun(command, { people: [pull] })),
    wait(dice.pick([0, 80])),
  ];
}

/** One starts the older version again while the other one makes the next one, starts it by hand, or recalls it. */
function ofTwoVersions(dice: Dice): Drawn {
  const slot = dice.pick<SlotName>(['Welcome', 'Teaser', 'Teaser']);
  const kind = slot === 'Teaser' ? 'broadcasts' : 'campaigns';
  const [isNew, others] = dice.pick<readonly [boolean, Command]>([
    [false, apply()],
    [true, { kind: 'by hand', slot, verb: 'start' }],
    [true, { kind: 'by hand', slot, verb: 'start' }],
    [false, { kind: 'by hand', slot, verb: 'recall' }],
    [true, { kind: 'by hand', slot, verb: 'recall' }],
  ]);
  const operation: Operation = isNew ? `${kind}.create` : `${kind}.set-status`;
  const theirs: Operation =
    others.kind === 'apply'
      ? `${kind}.create`
      : others.kind === 'by hand' && others.verb === 'start'
        ? `${kind}.set-status`
        : `${kind}.unsend`;
  const pull: PersonAt = {
    before: 'write',
    nth: 1,
    afterSec: dice.pick([8, 12, 18]),
    deed: { kind: 'pull' },
  };
  const isFrozen = dice.oneIn(3);
  const cut = { at: 1, how: 'freeze', sec: dice.pick([40, 90]) } as const;
  return {
    modes: someModes(dice),
    accounts: 1,
    operators: machines(dice, 2),
    startMin: 0,
    crowded: false,
    steps: [
      files(null, [aSlot(slot)]),
      runs([], aRun(apply())),
      files(null, [aSlot(slot, { target: 'paused' })]),
      runs([], aRun(apply())),
      JOINED,
      wait(80),
      ...(others.kind === 'apply' ? [files(1, [aSlot(slot, { newWords: true })])] : []),
      files(0, [aSlot(slot, isNew ? { newWords: true } : { oldWords: others.kind === 'apply' })]),
      runs(
        [
          ...(isFrozen ? [] : [throttled(operation, dice.pick([20, 20, 45]))]),
          ...unconfirmed(dice, theirs, !isFrozen && theirs === operation ? 2 : 1),
        ],
        aRun(apply(), { people: [pull], cut: isFrozen ? cut : null }),
        theOther(dice, others, dice.pick([1, 2, 4])),
      ),
      wait(dice.pick([30, 80])),
      JOINED,
      runs([], aRun(apply())),
    ],
  };
}
