import { readFileSync } from 'node:fs';
import type { Change, Plan } from '../../src/domain/change.ts';
import type { Declared, Observed } from '../../src/domain/resource.ts';
import { digestDeclared, digestHidden } from '../../src/plan/compare/content.ts';
import { indexFacts, type Group } from '../../src/plan/decide/group.ts';
import { EVERYTHING, type PlanFacts } from '../../src/plan/facts.ts';
import { buildPlan } from '../../src/plan/plan.ts';
import type { Known, ObjectRow, OpenRequest } from '../../src/state/shapes.ts';
import { A_SERVICE } from '../helpers/plan-builders.ts';
import { aPolicy } from '../helpers/policy-builders.ts';
import { ACCOUNT_IDS } from '../helpers/resource-builders.ts';
import { NOON } from '../helpers/flow-clock.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

type Parts = Partial<Omit<PlanFacts, 'known'>> & { readonly known?: Partial<Known> };

/** Everything a plan depends on, with defaults; deeply frozen, so that a mutation throws. */
export function factsOf(
  declared: readonly Declared[],
  observed: readonly Observed[],
  { known, ...parts }: Parts = {},
): PlanFacts {
  return {
    service: A_SERVICE,
    declared: deepFreeze(declared),
    observed: deepFreeze(observed),
    accounts: Object.entries(ACCOUNT_IDS).map(([alias, accountId]) => ({ alias, accountId })),
    known: { objects: [], media: [], aliases: [], seq: 100, isCut: false, ...known },
    open: [],
    time: { earliestMs: NOON, latestMs: NOON },
    settleMs: 75_000,
    allow: new Set(),
    policy: aPolicy(),
    ownershipPrefix: null,
    unmatched: [],
    placeOf: (resource) => resource,
    rates: { token: 15, endpoint: {} },
    targeting: EVERYTHING,
    ...parts,
  };
}

export function planOf(...args: Parameters<typeof factsOf>): Plan {
  return buildPlan(factsOf(...args));
}

/** A change as one line: `replace 1: pause 1, create, read_back` or `blocked 1 needs adopt`. */
export function lineOf({ action, live_id: id, steps, needs }: Change): string {
  const subject = id === null ? action : `${action} ${id}`;
  const words = steps.map((step) => (step.live_id === null ? step.kind : `${step.kind} ${step.live_id}`));
  const doing = words.length === 0 ? '' : `: ${words.join(', ')}`;
  return `${subject}${doing}${needs.length === 0 ? '' : ` needs ${needs.join(' ')}`}`;
}

/** The plan's changes as lines, in the plan's order. */
export function linesOf(...args: Parameters<typeof factsOf>): readonly string[] {
  return planOf(...args).changes.map(lineOf);
}

export function reasonsOf(...args: Parameters<typeof factsOf>): string {
  return planOf(...args)
    .changes.flatMap(({ reasons }) => reasons)
    .join(' ');
}

export function codesOf(...args: Parameters<typeof factsOf>): readonly string[] {
  return planOf(...args).diagnostics.map(({ code }) => code);
}

/** What the state knows of a live object: Herald created it, and has not stopped it. */
export function aRow({ kind, accountId, live }: Observed, parts: Partial<ObjectRow> = {}): ObjectRow {
  return {
    account_id: accountId,
    kind,
    live_id: live.id,
    name: live.name ?? '',
    ours: 1,
    protect: 0,
    declared_digest: null,
    hidden_digest: null,
    shown: null,
    status_set: kind === 'campaign' ? 'active' : 'scheduled',
    status_by: 'apply',
    status_why: 'declared',
    status_seq: 1,
    replaced_by: null,
    replaced_for: null,
    recalled: 0,
    first_seq: Number(live.id) || 1,
    ...parts,
  };
}

/** What the state has of an object that Herald has stopped. */
export function stoppedRow(object: Observed, parts: Partial<ObjectRow> = {}): ObjectRow {
  return aRow(object, { status_set: object.live.status ?? null, ...parts });
}

/** What a create of `declared` records. */
export function createdFrom(declared: Declared): Pick<ObjectRow, 'declared_digest' | 'hidden_digest'> {
  return { declared_digest: digestDeclared(declared), hidden_digest: digestHidden(declared) };
}

/** What the rows of a table look at, for the first declared resource. */
export function groupOf(...args: Parameters<typeof factsOf>): Group {
  const group = indexFacts(factsOf(...args)).lists[0]?.groups[0];
  if (group === undefined) throw new Error('nothing is declared');
  return group;
}

/** A create of `declared` without an answer; with an id, a change of its status. */
export function anOpenRequest(declared: Declared, parts: Partial<OpenRequest> = {}): OpenRequest {
  const { account, kind, name } = declared.address;
  const call = parts.live_id == null ? 'create' : 'set-status';
  return {
    seq: 50,
    entry: 'run1-50',
    run: 'run1',
    who: null,
    command: 'apply',
    operation: `${kind}s.${call}`,
    account,
    account_id: ACCOUNT_IDS[account] ?? '',
    kind,
    name,
    live_id: null,
    target: null,
    purpose: 'declared',
    content: digestDeclared(declared),
    asked: '{}',
    sent_at: NOON - 10_000,
    unheard_copy: 1,
    outcome: null,
    ended_at: null,
    answer: null,
    because: null,
    known_ms: 10_000,
    ...parts,
  };
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFreeze);
  }
  return value;
}

/** The first column of a table of docs/reference/decision-tables.md. */
export function documentedRows(heading: 'Campaigns' | 'Broadcasts'): readonly string[] {
  const text = readFileSync('docs/reference/decision-tables.md', 'utf8');
  const section = text.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? '';
  const rows = [...section.matchAll(/^\| ([^|]+?) +\|/gm)].map(([, first]) => first ?? '');
  return rows.filter((first) => first !== 'live' && !first.startsWith('---'));
}
