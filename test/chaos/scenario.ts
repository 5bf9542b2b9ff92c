import { Dice } from './dice.ts';
import { hour } from './draw/hour.ts';
import { lost } from './draw/lost.ts';
import { meanwhile } from './draw/meanwhile.ts';
import { versions, type Drawn } from './draw/versions.ts';
import type { Scenario } from './shape.ts';

export type { Scenario } from './shape.ts';

/** What scenarios are about, and how often. */
const THEMES: readonly (readonly [weight: number, theme: Theme])[] = [
  [24, { name: 'versions', draw: versions }],
  [14, { name: 'a lost create', draw: lost }],
  [8, { name: 'the hour of a broadcast', draw: hour }],
  [10, { name: 'people next to a run', draw: meanwhile }],
];

interface Theme {
  readonly name: string;
  readonly draw: (dice: Dice) => Drawn;
}

/** The scenario of a seed: the same seed gives the same scenario. */
export function scenarioOf(seed: number): Scenario {
  const dice = new Dice(seed);
  const { name, draw } = dice.weighted(THEMES);
  return { theme: name, worldSeed: dice.int(1, 1_000_000), ...draw(dice) };
}
