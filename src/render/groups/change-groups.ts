import type { Change, Step } from '../../domain/change.ts';
import { compareText } from '../../domain/diagnostic.ts';
import { canonical } from '../../domain/digest.ts';
import { groupBy } from '../../domain/group-by.ts';
import { compareAddresses } from '../../domain/resource.ts';
import { mergeFields, type MergedFields } from './merge.ts';
import { ownWords, withQueued, type OwnWords } from './own-words.ts';

/** Changes that a reader approves together, because they do the same. */
export interface ChangeGroup {
  /** What all of them share. Of several, its sentences name no id and no account, and its steps no object. */
  readonly shared: Change;
  /** Sorted by account, kind and name. */
  readonly changes: readonly [Change, ...Change[]];
  readonly slots: readonly GroupSlot[];
  readonly varying: readonly GroupVarying[];
  /** The ids that the sentences name, by change. Empty if they name none. */
  readonly ids: readonly (readonly string[])[];
}

/** A value with the accounts that have it. */
export interface ByAccount<Value> {
  readonly value: Value;
  readonly accounts: readonly string[];
}

/** Words that differ by account, where the shared fields show `{{number}}`. */
export interface GroupSlot {
  readonly number: number;
  readonly values: readonly ByAccount<string>[];
}

/** A short value that differs by account, and is not in the shared fields. */
export interface GroupVarying {
  readonly path: string;
  readonly values: readonly ByAccount<{ readonly old: unknown; readonly new: unknown }>[];
}

/** One change with its words that do not depend on the account. */
interface Member {
  readonly change: Change;
  readonly words: OwnWords;
}

/** Changes with the same content, and the parts that must be equal to be listed with others. */
interface Variant {
  readonly members: readonly [Member, ...Member[]];
}

/** Variants of one change are compared with this many groups; the next one begins its own. */
const CANDIDATES_MAX = 16;

/**
 * Groups changes with equal action, fields and reasons. Changes of one name are also grouped if their fields differ
 * by account in a few words or short values. `expand` keeps each change on its own.
 */
export function groupChanges(
  changes: readonly Change[],
  { expand = false }: { readonly expand?: boolean } = {},
): readonly ChangeGroup[] {
  const sorted = changes.toSorted((left, right) => compareAddresses(left.address, right.address));
  if (expand) return sorted.map((change) => groupOf([[memberOf(change)]], null));
  const variants = [...groupBy(sorted.map(memberOf), contentKey).values()].map(asVariant);
  return [...groupBy(variants, formKey).values()].flatMap(mergeVariants).toSorted(compareGroups);
}

/** Accounts of a group, each once, sorted. */
export function accountsOf({ changes }: ChangeGroup): readonly string[] {
  return accountsIn(changes);
}

/** Accounts of changes, each once, sorted. */
export function accountsIn(changes: readonly Change[]): readonly string[] {
  return [...new Set(changes.map(({ address }) => address.account))].toSorted(compareText);
}

/** Names of a group, each once, sorted. */
export function namesOf({ changes }: ChangeGroup): readonly string[] {
  return [...new Set(changes.map(({ address }) => address.name))].toSorted(compareText);
}

function memberOf(change: Change): Member {
  return { change, words: ownWords(change) };
}

function asVariant(members: readonly Member[]): Variant {
  const [first, ...others] = members;
  if (first === undefined) throw new Error('a group has a member');
  return { members: [first, ...others] };
}

/** Everything that a reader approves. Names differ only where the content is what matters. */
function contentKey({ change, words }: Member): string {
  const name = change.fields.length === 0 ? change.address.name : null;
  return canonical([formOf(change, words), name, change.fields, change.dropped]);
}

/** What has to be equal in all variants of one entry. */
function formKey({ members }: Variant): string {
  const [{ change, words }, ...others] = members;
  const names = new Set([change, ...others.map((other) => other.change)].map(({ address }) => address.name));
  const fields = change.fields.map((field) => [field.path, field.old === null, field.new === null]);
  return canonical([formOf(change, words), [...names].toSorted(compareText), fields, change.dropped]);
}

function formOf(change: Change, { reasons, undo }: OwnWords): unknown {
  const { address, action, cause = null, needs, reversible, steps } = change;
  return [address.kind, action, cause, needs, reversible, reasons, undo, steps.map(withoutLiveId)];
}

/** A step of an existing object gets an empty id, because each change has its own object. */
function withoutLiveId(step: Step): Step {
  return step.live_id === null ? step : { ...step, live_id: '' };
}

/** Puts each variant to the first group that it fits. */
function mergeVariants(variants: readonly Variant[]): readonly ChangeGroup[] {
  const clusters: Variant[][] = [];
  for (const variant of variants) {
    const cluster = clusters
      .slice(0, CANDIDATES_MAX)
      .find(([seed]) => seed !== undefined && fieldsOf([seed, variant]) !== null);
    if (cluster === undefined) clusters.push([variant]);
    else cluster.push(variant);
  }
  return clusters.flatMap((cluster) => {
    const merged = cluster.length === 1 ? null : fieldsOf(cluster);
    if (merged === null) return cluster.map(({ members }) => groupOf([members], null));
    return [
      groupOf(
        cluster.map(({ members }) => members),
        merged,
      ),
    ];
  });
}

function fieldsOf(variants: readonly Variant[]): MergedFields | null {
  return mergeFields(variants.map(({ members: [{ change }] }) => change.fields));
}

function groupOf(variants: readonly (readonly Member[])[], merged: MergedFields | null): ChangeGroup {
  const members = variants
    .flat()
    .toSorted((left, right) => compareAddresses(left.change.address, right.change.address));
  const [first, ...others] = members;
  if (first === undefined) throw new Error('a group has a member');
  const accounts = variants.map((variant) => variant.map(({ change }) => change.address.account));
  const reasons = [
    ...withQueued(
      first.words.reasons,
      members.map(({ change }) => change),
    ),
  ];
  const { fields, slots, varying } = merged ?? { fields: first.change.fields, slots: [], varying: [] };
  return {
    shared: others.length === 0 ? first.change : { ...sharedOf(first), reasons, fields: [...fields] },
    changes: [first.change, ...others.map(({ change }) => change)],
    slots: slots.map(({ number, words }) => ({ number, values: byAccount(words, accounts) })),
    varying: varying.map(({ path, values }) => ({ path, values: byAccount(values, accounts) })),
    ids: others.length === 0 || first.words.ids.length === 0 ? [] : members.map(({ words }) => words.ids),
  };
}

function sharedOf({ change, words }: Member): Change {
  return {
    ...change,
    live_id: null,
    undo: words.undo,
    steps: change.steps.map(withoutLiveId),
  };
}

/** Values of the variants, each once, with its accounts. */
function byAccount<Value>(
  values: readonly Value[],
  accounts: readonly (readonly string[])[],
): readonly ByAccount<Value>[] {
  const rows = values.map((value, index) => ({ value, accounts: accounts[index] ?? [] }));
  return [...groupBy(rows, ({ value }) => canonical(value)).values()].flatMap((equal) => {
    const [first] = equal;
    const own = equal.flatMap((row) => row.accounts);
    return first === undefined
      ? []
      : [{ value: first.value, accounts: [...new Set(own)].toSorted(compareText) }];
  });
}

/** Those of several accounts first, by kind and name; then the others by account, kind and name. */
function compareGroups(left: ChangeGroup, right: ChangeGroup): number {
  const [a, b] = [left.changes[0].address, right.changes[0].address];
  const [isSingle, isOtherSingle] = [left, right].map((group) => accountsOf(group).length === 1);
  if (isSingle !== isOtherSingle) return isSingle === true ? 1 : -1;
  if (isSingle === true) return compareAddresses(a, b);
  return compareText(a.kind, b.kind) || compareText(a.name, b.name) || compareText(a.account, b.account);
}
