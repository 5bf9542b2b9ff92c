import { formatAddress } from '../domain/resource.ts';
import type { Expanded } from './expand.ts';
import type { Report } from './findings.ts';
import { nameKey } from './text.ts';

/** Checks the rules between resources of all files: names and former names are unique per account and kind. */
export function checkAcross(expanded: readonly Expanded[], report: Report): void {
  checkEqualNames(expanded, report);
  checkRenames(expanded, report);
}

/** Names that look alike count as equal, because people read them as one name (CONTENT-1). */
function checkEqualNames(expanded: readonly Expanded[], report: Report): void {
  const seen = new Map<string, Expanded>();
  for (const here of expanded) {
    const { name } = here.declared.address;
    const key = nameKey(here.declared.address);
    const there = seen.get(key);
    if (there === undefined) {
      seen.set(key, here);
      continue;
    }
    const other = there.declared.address.name;
    const what =
      name === other
        ? `"${name}" is already declared`
        : `"${name}" counts as the same name as "${other}", which is declared`;
    const message = `${what} at ${locate(there)}. Names must be unique per account and kind. Rename one.`;
    report.error('duplicate-name', message, placeKey(here, 'name'));
  }
}

/** A former name must not be declared, and only one resource is renamed from it (CONTENT-4). */
function checkRenames(expanded: readonly Expanded[], report: Report): void {
  const renamed = expanded.filter(({ declared }) => declared.renamedFrom !== null);
  if (renamed.length === 0) return;
  const declaredNames = new Map(expanded.map((one) => [formatAddress(one.declared.address), one]));
  const takenFrom = new Map<string, Expanded>();
  for (const here of renamed) {
    const { address, renamedFrom } = here.declared;
    const old = formatAddress({ ...address, name: renamedFrom ?? '' });
    const [still, other] = [declaredNames.get(old), takenFrom.get(old)];
    if (still !== undefined && still.resource !== here.resource) {
      const message = `"${renamedFrom}" is still declared at ${locate(still)}. Remove that block, or this renamed_from.`;
      report.error('renamed-from-declared', message, placeKey(here, 'renamed_from'));
    }
    if (other === undefined) {
      takenFrom.set(old, here);
      continue;
    }
    const message = `"${renamedFrom}" is already renamed at ${locate(other)}. Remove one of the two renamed_from.`;
    report.error('renamed-from-twice', message, placeKey(here, 'renamed_from'));
  }
}

/** Accounts of one resource share the place, so that a clash of several accounts is reported once. */
function placeKey({ resource }: Expanded, key: 'name' | 'renamed_from') {
  return resource.source.placeOf([...resource.path, key]);
}

function locate(one: Expanded): string {
  const { file, line, column } = placeKey(one, 'name');
  return `${file}:${line}:${column}`;
}
