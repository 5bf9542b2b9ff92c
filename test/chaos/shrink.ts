import { isDeepStrictEqual } from 'node:util';
import type { Scenario } from './scenario.ts';

/** What parts of a scenario are when nothing special happens. */
const CALM: Readonly<Record<string, unknown>> = {
  clocksSec: [0, 0],
  serviceClockSec: 0,
  crowded: false,
  operator: 0,
  afterSec: 0,
  cut: null,
  between: null,
  target: null,
};

/** Simpler scenarios than this one, each with one part made calm or one member of a list less. */
export function simpler(scenario: Scenario): readonly Scenario[] {
  return simplerParts(scenario) as readonly Scenario[];
}

function simplerParts(part: unknown): readonly unknown[] {
  if (Array.isArray(part))
    return [
      ...part.map((_, place) => part.toSpliced(place, 1)),
      ...part.flatMap((member, place) => simplerParts(member).map((one) => part.with(place, one))),
    ];
  if (part === null || typeof part !== 'object') return [];
  return Object.entries(part).flatMap(([key, value]) => {
    const calm = isDeepStrictEqual(value, CALM[key]) ? [] : [CALM[key]];
    return (key in CALM ? calm : simplerParts(value)).map((one) => ({ ...part, [key]: one }));
  });
}

const MOST_PLAYS = 400;

/** The smallest scenario in reach that still fails, dropping one thing at a time. */
export async function shrink(
  scenario: Scenario,
  stillFails: (simpler: Scenario) => Promise<boolean>,
): Promise<Scenario> {
  let smallest = scenario;
  let plays = 0;
  for (let found = true; found && plays < MOST_PLAYS;) {
    found = false;
    for (const one of simpler(smallest)) {
      plays += 1;
      if (plays > MOST_PLAYS) break;
      if (!(await stillFails(one))) continue;
      smallest = one;
      found = true;
      break;
    }
  }
  return smallest;
}
