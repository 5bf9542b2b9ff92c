import { writes, type Change, type FieldDifference, type Plan } from '../domain/change.ts';
import { canonical } from '../domain/digest.ts';
import { groupBy } from '../domain/group-by.ts';
import { compareAddresses, formatAddress } from '../domain/resource.ts';

/** A reviewed change, and the one of a fresh plan at its address that is not the same. */
export interface NotAsReviewed {
  readonly reviewed: Change;
  readonly fresh: Change;
  /** `old` is the reviewed value. */
  readonly fields: readonly FieldDifference[];
}

/** What differs between reviewed changes and those of a fresh plan that were not carried out instead of them. */
export function listDifferences(reviewed: Plan, fresh: Plan): readonly NotAsReviewed[] {
  const held = new Set(
    fresh.changes.flatMap(({ address, unreviewed }) =>
      unreviewed === undefined ? [] : formatAddress(address),
    ),
  );
  const [was, is] = [listReviewed(reviewed), listReviewed(fresh)];
  const [old, now] = [byAddress(without(was, is)), byAddress(without(is, was))];
  return [...now]
    .filter(([address]) => held.has(address))
    .flatMap(([address, changes]) =>
      changes.flatMap((change, index) => {
        // In the order of their ids, because most addresses have one change.
        const before = old.get(address)?.[index];
        if (before === undefined) return [];
        // A blocked change has lost its steps.
        const withSteps = !isWithheld(before) && !isWithheld(change);
        const [left, right] = [
          describeForm(reviewed, before, withSteps),
          describeForm(fresh, change, withSteps),
        ];
        return [{ reviewed: before, fresh: change, fields: fieldsBetween(left, right) }];
      }),
    )
    .toSorted((one, other) => compareAddresses(one.fresh.address, other.fresh.address));
}

/** Changes with a fingerprint that no other has. */
function without(changes: readonly Change[], others: readonly Change[]): readonly Change[] {
  const known = new Set(others.map(({ fingerprint }) => fingerprint));
  return changes.filter(({ fingerprint }) => !known.has(fingerprint));
}

function byAddress(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  return groupBy(changes, ({ address }) => formatAddress(address));
}

/** Whether every change of a plan that writes has a fingerprint. Plans of earlier versions have none. */
export function hasFingerprints({ changes }: Plan): boolean {
  return changes.every((change) => !writes(change) || change.fingerprint !== undefined);
}

/** A change that was not reviewed or not approved counts as what it would be if it were. */
function listReviewed({ changes }: Plan): readonly Change[] {
  return changes
    .map((change) => ({ ...change, ...(change.unreviewed ?? change.unapproved) }))
    .filter(({ fingerprint }) => fingerprint !== undefined);
}

function isWithheld({ unreviewed, unapproved }: Change): boolean {
  return (unreviewed ?? unapproved) !== undefined;
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
function describeForm(plan: Plan, change: Change, withSteps: boolean): Form {
  const form = new Map<string, unknown>();
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
