import { canonical } from '../domain/digest.ts';
import type { FieldDifference } from '../domain/change.ts';
import { formatAddress, type Address, type Declared } from '../domain/resource.ts';
import { describeFile } from '../plan/fingerprint.ts';

/** One resource that two commits declare differently. */
export interface DeclaredDifference {
  readonly address: Address;
  readonly what: 'new' | 'changed' | 'removed';
  /** `old` is the base. */
  readonly fields: readonly FieldDifference[];
}

/** What differs between the base and the head, for these addresses, without asking the service. */
export function declaredDifferences(
  base: readonly Declared[],
  head: readonly Declared[],
  addresses: readonly Address[],
): readonly DeclaredDifference[] {
  const [was, is] = [byAddress(base), byAddress(head)];
  return addresses.map((address) => {
    const [old, wanted] = [was.get(formatAddress(address)), is.get(formatAddress(address))];
    const what = old === undefined ? 'new' : wanted === undefined ? 'removed' : 'changed';
    return { address, what, fields: wanted === undefined ? [] : fieldsOf(old, wanted) };
  });
}

function byAddress(declared: readonly Declared[]): ReadonlyMap<string, Declared> {
  return new Map(declared.map((resource) => [formatAddress(resource.address), resource]));
}

function fieldsOf(old: Declared | undefined, wanted: Declared): readonly FieldDifference[] {
  const [was, is] = [leavesOf(old), leavesOf(wanted)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .filter((path) => canonical(was.get(path)) !== canonical(is.get(path)))
    .map((path) => ({ path, old: was.get(path) ?? null, new: is.get(path) ?? null }));
}

/** Everything that a plan takes from a resource, by path: `messages[0].text`. */
function leavesOf(declared: Declared | undefined): ReadonlyMap<string, unknown> {
  if (declared === undefined) return new Map();
  const { renamedFrom, protect, ignore } = declared;
  const part = { ...describeFile(declared), renamed_from: renamedFrom, protect, ignore };
  return new Map(leaves(part, ''));
}

function leaves(value: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => leaves(one, `${path}[${index}]`));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, one]) => leaves(one, path === '' ? key : `${path}.${key}`));
  return value === undefined || value === null ? [] : [[path, value]];
}
