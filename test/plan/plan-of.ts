import { NOTHING_KNOWN } from '../../src/domain/knowledge.ts';
import type { Change, Plan } from '../../src/domain/change.ts';
import type { Declared, Observed } from '../../src/domain/resource.ts';
import { buildPlan, type PlanInput } from '../../src/plan/build.ts';
import { ALL_READABLE } from '../../src/plan/guards/unreadable.ts';
import { EVERYTHING } from '../../src/plan/targets.ts';
import { A_SERVICE } from '../helpers/plan-builders.ts';
import { aPolicy } from '../helpers/policy-builders.ts';
import { ACCOUNT_IDS } from '../helpers/resource-builders.ts';

/** Noon on the first of June 2026: six hours before `aBroadcast()` goes out. */
export const NOON = Date.UTC(2026, 5, 1, 12);
export const HOUR = 3_600_000;

/** Everything a plan depends on, with defaults; deeply frozen, so that a mutation throws. */
export function anInput(
  declared: readonly Declared[],
  observed: readonly Observed[],
  parts: Partial<PlanInput> = {},
): PlanInput {
  return {
    service: A_SERVICE,
    declared: deepFreeze(declared),
    observed: deepFreeze(observed),
    accounts: Object.entries(ACCOUNT_IDS).map(([alias, accountId]) => ({ alias, accountId })),
    knowledge: NOTHING_KNOWN,
    unreadable: ALL_READABLE,
    allow: new Set(),
    policy: aPolicy(),
    ownershipPrefix: null,
    unmatched: [],
    placeOf: (resource) => resource,
    nowMs: NOON,
    settleMs: 75_000,
    warnBeforeMs: 24 * HOUR,
    rates: { token: 15, endpoint: {} },
    targeting: EVERYTHING,
    ...parts,
  };
}

export function planOf(...args: Parameters<typeof anInput>): Plan {
  return buildPlan(anInput(...args));
}

/** A change as one line: `replace 1: pause 1, create, read_back` or `blocked 1 needs adopt`. */
export function lineOf({ action, live_id, steps, needs }: Change): string {
  const subject = live_id === null ? action : `${action} ${live_id}`;
  const words = steps.map((step) => (step.live_id === null ? step.kind : `${step.kind} ${step.live_id}`));
  const doing = words.length === 0 ? '' : `: ${words.join(', ')}`;
  return `${subject}${doing}${needs.length === 0 ? '' : ` needs ${needs.join(' ')}`}`;
}

/** The plan's changes as lines, in the plan's order. */
export function linesOf(...args: Parameters<typeof anInput>): readonly string[] {
  return planOf(...args).changes.map(lineOf);
}

export function codesOf({ diagnostics }: Plan): readonly string[] {
  return diagnostics.map(({ code }) => code);
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}
