import * as z from 'zod';
import { CHANGE_KINDS } from '../domain/change-kinds.ts';
import { addressShape, writes, type Change, type FieldDifference, type Plan } from '../domain/change.ts';
import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import { compareAddresses, formatAddress } from '../domain/resource.ts';

const sideShape = z.strictObject({
  action: z.enum(CHANGE_KINDS),
  live_id: z.string().nullable(),
  fingerprint: z.string(),
});

/** Where and when a plan was made. */
const madeShape = z.strictObject({
  file: z.string().nullable(),
  fingerprint: z.string().nullable(),
  planned_at: z.string().nullable(),
  commit: z.string().nullable(),
  who: z.string().nullable(),
});

/** `herald/plan-diff/1`: the JSON output of `plan diff`. */
export const planDiffShape = z.strictObject({
  schema: z.literal('herald/plan-diff/1'),
  before: madeShape,
  after: madeShape,
  /** How many changes both plans have. */
  same: z.int(),
  differences: z.array(
    z.strictObject({
      address: addressShape,
      /** Null if only the other plan changes it. */
      before: sideShape.nullable(),
      after: sideShape.nullable(),
      /** What differs between the two changes: `old` is the first plan's value. */
      fields: z.array(z.strictObject({ path: z.string(), old: z.unknown(), new: z.unknown() })),
    }),
  ),
});
export interface PlanDiff extends Readonly<z.infer<typeof planDiffShape>> {}
export type PlanDifference = PlanDiff['differences'][number];

/** Two plans, with the files that they are from. */
export interface ComparedPlans {
  readonly before: Plan;
  readonly after: Plan;
  readonly files?: { readonly before: string; readonly after: string };
}

/** Compares two plans by the fingerprints of their changes. Both have to have fingerprints. */
export function diffPlans({ before, after, files }: ComparedPlans): PlanDiff {
  const [was, is] = [reviewedIn(before), reviewedIn(after)];
  const theirs = new Set(is.map(fingerprintOf));
  const shared = new Set(was.map(fingerprintOf).filter((one) => theirs.has(one)));
  const byAddress = (changes: readonly Change[]) =>
    groupBy(
      changes.filter((change) => !shared.has(fingerprintOf(change))),
      ({ address }) => formatAddress(address),
    );
  const [left, right] = [byAddress(was), byAddress(is)];
  const differences = [...new Set([...left.keys(), ...right.keys()])].flatMap((key) =>
    paired(left.get(key) ?? [], right.get(key) ?? []).map(([old, now]) =>
      differenceOf({ plan: before, change: old }, { plan: after, change: now }),
    ),
  );
  return {
    schema: 'herald/plan-diff/1',
    before: madeOf(before, files?.before ?? null),
    after: madeOf(after, files?.after ?? null),
    same: shared.size,
    differences: differences.toSorted((one, other) => compareAddresses(one.address, other.address)),
  };
}

/** What differs between reviewed changes and those of a fresh plan that were not carried out instead of them. */
export function differencesOfHeld(reviewed: Plan, fresh: Plan): readonly PlanDifference[] {
  const held = new Set(
    fresh.changes.flatMap(({ address, unreviewed }) =>
      unreviewed === undefined ? [] : formatAddress(address),
    ),
  );
  return diffPlans({ before: reviewed, after: fresh }).differences.filter(
    ({ address, before, after }) => before !== null && after !== null && held.has(formatAddress(address)),
  );
}

/** Whether every change of a plan that writes has a fingerprint. Plans of earlier versions have none. */
export function hasFingerprints({ changes }: Plan): boolean {
  return changes.every((change) => !writes(change) || change.fingerprint !== undefined);
}

/** A change that was not reviewed or not approved counts as what it would be if it were. */
function reviewedIn({ changes }: Plan): readonly Change[] {
  return changes
    .map((change) => ({ ...change, ...(change.unreviewed ?? change.unapproved) }))
    .filter(({ fingerprint }) => fingerprint !== undefined);
}

function fingerprintOf({ fingerprint = '' }: Change): string {
  return fingerprint;
}

function madeOf({ fingerprint, planned_at: at, commit, who }: Plan, file: string | null): PlanDiff['before'] {
  return {
    file,
    fingerprint: fingerprint ?? null,
    planned_at: at ?? null,
    commit: commit?.id ?? null,
    who: who ?? null,
  };
}

/** In the order of their ids, because most addresses have one change. */
function paired(
  left: readonly Change[],
  right: readonly Change[],
): readonly (readonly [Change | undefined, Change | undefined])[] {
  const pairs = Array.from({ length: Math.max(left.length, right.length) }, (_, index) => index);
  return pairs.map((index) => [left[index], right[index]]);
}

interface Side {
  readonly plan: Plan;
  readonly change: Change | undefined;
}

function differenceOf(before: Side, after: Side): PlanDifference {
  const address = (before.change ?? after.change)?.address;
  if (address === undefined) throw new Error('a difference has a change');
  const isBoth = before.change !== undefined && after.change !== undefined;
  // A blocked change has lost its steps.
  const withSteps = !isWithheld(before) && !isWithheld(after);
  return {
    address,
    before: sideOf(before),
    after: sideOf(after),
    fields: isBoth ? [...fieldsBetween(formOf(before, withSteps), formOf(after, withSteps))] : [],
  };
}

function isWithheld({ change }: Side): boolean {
  return (change?.unreviewed ?? change?.unapproved) !== undefined;
}

function sideOf({ change }: Side): PlanDifference['before'] {
  if (change === undefined) return null;
  return { action: change.action, live_id: change.live_id, fingerprint: fingerprintOf(change) };
}

function fieldsBetween(was: Form, is: Form): readonly FieldDifference[] {
  const paths = [...new Set([...was.keys(), ...is.keys()])];
  return paths.flatMap((path) => {
    const [old, now] = [was.get(path) ?? null, is.get(path) ?? null];
    return canonical(old) === canonical(now) ? [] : [{ path, old, new: now }];
  });
}

/** Values by path. */
type Form = ReadonlyMap<string, unknown>;

/** What a reviewer sees of a change. Media count by the beginning of their SHA-256, as plans show them. */
function formOf({ plan, change }: Side, withSteps: boolean): Form {
  const form = new Map<string, unknown>();
  if (change === undefined) return form;
  const { action, steps, needs, fields, address, content: index } = change;
  form.set('change', action);
  if (needs.length > 0) form.set('needs', needs.toSorted().join(', '));
  const stops = (withSteps ? steps : []).flatMap(({ kind, live_id: id }) =>
    id === null ? [] : [`${kind} ${id}`],
  );
  form.set('live objects', [change.live_id ?? '', ...stops].filter((part) => part !== '').join(', '));
  const content = index === undefined ? undefined : plan.contents?.[index];
  if (content !== undefined) {
    const { kind: _kind, name: _name, file: _file, line: _line, timezone: _zone, ...declared } = content;
    flatten('', declared, form);
    for (const [name, value] of Object.entries(plan.variables?.[address.account] ?? {}))
      if (JSON.stringify(declared).includes(name)) form.set(`vars.${name}`, value);
  }
  for (const { path, old, new: wanted } of fields) {
    if (old !== null) form.set(`live ${path}`, old);
    if (path.endsWith('.attachments')) form.set(`${path} (media)`, wanted);
  }
  return form;
}

function flatten(path: string, value: unknown, form: Map<string, unknown>): void {
  if (typeof value !== 'object' || value === null) {
    form.set(path, value);
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => flatten(`${path}[${index}]`, item, form));
  } else {
    for (const [key, member] of Object.entries(value))
      flatten(path === '' ? key : `${path}.${key}`, member, form);
  }
}
