import type { Command, Run, Scenario, Step } from './scenario.ts';

/** Simpler scenarios than this one, each with one thing less, the largest steps first. */
export function simpler(scenario: Scenario): readonly Scenario[] {
  const { steps, clocksSec, serviceClockSec, crowded } = scenario;
  return [
    ...without(steps).map((fewer) => ({ ...scenario, steps: fewer })),
    ...(crowded ? [{ ...scenario, crowded: false }] : []),
    ...(clocksSec.some((sec) => sec !== 0) ? [{ ...scenario, clocksSec: clocksSec.map(() => 0) }] : []),
    ...(serviceClockSec === 0 ? [] : [{ ...scenario, serviceClockSec: 0 }]),
    ...steps.flatMap((step, place) =>
      simplerSteps(step).map((one) => ({ ...scenario, steps: steps.with(place, one) })),
    ),
  ];
}

function simplerSteps(step: Step): readonly Step[] {
  if (step.kind === 'edit') return without(step.edits).map((edits) => ({ ...step, edits }));
  if (step.kind !== 'run') return [];
  const { runs, faults } = step;
  return [
    ...without(runs).map((fewer) => ({ ...step, runs: fewer })),
    ...without(faults).map((fewer) => ({ ...step, faults: fewer })),
    ...runs.flatMap((run, place) =>
      simplerRuns(run).map((one) => ({ ...step, runs: runs.with(place, one) })),
    ),
  ];
}

function simplerRuns(run: Run): readonly Run[] {
  return [
    ...(run.cut === null ? [] : [{ ...run, cut: null }]),
    ...without(run.meanwhile).map((meanwhile) => ({ ...run, meanwhile })),
    ...(run.afterSec === 0 ? [] : [{ ...run, afterSec: 0 }]),
    ...(run.operator === 0 ? [] : [{ ...run, operator: 0 }]),
    ...simplerCommands(run.command).map((command) => ({ ...run, command })),
  ];
}

function simplerCommands(command: Command): readonly Command[] {
  if (command.kind === 'apply')
    return [
      ...without(command.allow).map((allow) => ({ ...command, allow })),
      ...(command.target === null ? [] : [{ ...command, target: null }]),
    ];
  if (command.kind !== 'saved') return [];
  return [
    { kind: 'apply', allow: command.allow, target: null },
    ...without(command.between).map((between) => ({ ...command, between })),
    ...without(command.allow).map((allow) => ({ ...command, allow })),
  ];
}

/** The list without one of its members, for each of them. */
function without<One>(all: readonly One[]): readonly (readonly One[])[] {
  return all.map((_, place) => all.toSpliced(place, 1));
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
