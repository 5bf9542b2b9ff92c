import { Dice } from './dice.ts';
import { atOnce } from './draw/at-once.ts';
import { byHand } from './draw/by-hand.ts';
import { chats } from './draw/chats.ts';
import { closings } from './draw/closings.ts';
import { damaged } from './draw/damaged.ts';
import { hour } from './draw/hour.ts';
import { keeping } from './draw/keeping.ts';
import { ledgers } from './draw/ledgers.ts';
import { lost } from './draw/lost.ts';
import { meanwhile } from './draw/meanwhile.ts';
import { money } from './draw/money.ts';
import { opposites } from './draw/opposites.ts';
import { pulls } from './draw/pulls.ts';
import { queues } from './draw/queues.ts';
import { renames } from './draw/renames.ts';
import { reworded } from './draw/reworded.ts';
import { peoplesStops } from './draw/peoples-stops.ts';
import { savedPlans } from './draw/saved-plans.ts';
import { strangers } from './draw/strangers.ts';
import { unfinished } from './draw/unfinished.ts';
import { usernames } from './draw/usernames.ts';
import { versions, type Drawn } from './draw/versions.ts';
import type { Scenario } from './shape.ts';

export type { Scenario } from './shape.ts';

/** What scenarios are about, and how often. */
const THEMES: readonly (readonly [weight: number, theme: Theme])[] = [
  [17, { name: 'versions', draw: versions }],
  [5, { name: 'stops of people', draw: peoplesStops }],
  [17, { name: 'a lost create', draw: lost }],
  [12, { name: 'the hour of a broadcast', draw: hour }],
  [12, { name: 'people next to a run', draw: meanwhile }],
  [9, { name: 'payouts', draw: money }],
  [9, { name: 'chats and fans', draw: chats }],
  [13, { name: 'changes by hand', draw: byHand }],
  [12, { name: 'clocks and ledgers', draw: ledgers }],
  [3, { name: 'usernames', draw: usernames }],
  [5, { name: 'looking and keeping', draw: keeping }],
  [5, { name: 'objects of others', draw: strangers }],
  [6, { name: 'queues', draw: queues }],
  [8, { name: 'texts that change', draw: reworded }],
  [7, { name: 'saved plans', draw: savedPlans }],
  [4, { name: 'stopped and started again', draw: opposites }],
  [4, { name: 'a damaged ledger', draw: damaged }],
  [6, { name: 'unfinished requests', draw: unfinished }],
  [6, { name: 'names that change', draw: renames }],
  [9, { name: 'closed requests', draw: closings }],
];

/** Of so many seeds in turn, three have a theme of their own: what the other ones draw does not depend on these. */
const SEEDS = 13;
const PULLS: Theme = { name: 'pulls', draw: pulls };
const BY_REMAINDER: Readonly<Record<number, Theme>> = {
  3: PULLS,
  5: { name: 'sent at once', draw: atOnce },
  9: PULLS,
};

interface Theme {
  readonly name: string;
  readonly draw: (dice: Dice) => Drawn;
}

/** The scenario of a seed: the same seed gives the same scenario. */
export function scenarioOf(seed: number): Scenario {
  const dice = new Dice(seed);
  const { name, draw } = BY_REMAINDER[seed % SEEDS] ?? dice.weighted(THEMES);
  return { theme: name, worldSeed: dice.int(1, 1_000_000), storesTexts: seed % 8 !== 3, ...draw(dice) };
}
