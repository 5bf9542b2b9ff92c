import { formatAddress } from '../domain/resource.ts';
import type { Expanded } from './expand.ts';
import type { Report } from './findings.ts';
import { nameKey } from './text.ts';

/**
 * Checks the rules between resources of all files. Names are unique per account and kind; names that look alike count
 * as equal, because people read them as one name (CONTENT-1). A former name must not be declared, and only one resource
 * is renamed from it (CONTENT-4).
 */
export function checkAcross(expanded: readonly Expanded[], report: Report): void {
  const declared = new Map(expanded.map((one) => [formatAddress(one.declared.address), one]));
  const byName = new Map<string, Expanded>();
  const byFormerName = new Map<string, Expanded>();
  for (const here of expanded) {
    const { address, renamedFrom } = here.declared;
    const twin = findEarlier(byName, nameKey(address), here);
    if (twin !== undefined) {
      const other = twin.declared.address.name;
      const what =
        address.name === other
          ? `"${address.name}" is already declared`
          : `"${address.name}" counts as the same name as "${other}", which is declared`;
      const message = `${what} at ${locate(twin)}. Names must be unique per account and kind. Rename one.`;
      report.error('duplicate-name', message, placeKey(here, 'name'));
    }
    if (renamedFrom === null) continue;
    const former = formatAddress({ ...address, name: renamedFrom });
    const still = declared.get(former);
    if (still !== undefined) {
      const message = `"${renamedFrom}" is still declared at ${locate(still)}. Remove that block, or this renamed_from.`;
      report.error('renamed-from-declared', message, placeKey(here, 'renamed_from'));
    }
    const other = findEarlier(byFormerName, former, here);
    if (other === undefined) continue;
    const message = `"${renamedFrom}" is already renamed at ${locate(other)}. Remove one of the two renamed_from.`;
    report.error('renamed-from-twice', message, placeKey(here, 'renamed_from'));
  }
}

/** The first one with this key. If there is none, this one is the first. */
function findEarlier(first: Map<string, Expanded>, key: string, here: Expanded): Expanded | undefined {
  const earlier = first.get(key);
  if (earlier === undefined) first.set(key, here);
  return earlier;
}

/** Accounts of one resource share the place, so that a clash of several accounts is reported once. */
function placeKey({ resource }: Expanded, key: 'name' | 'renamed_from') {
  return resource.source.placeOf([...resource.path, key]);
}

function locate(one: Expanded): string {
  const { file, line, column } = placeKey(one, 'name');
  return `${file}:${line}:${column}`;
}
