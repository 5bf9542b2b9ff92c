import { groupBy } from '../domain/group-by.ts';
import { formatAddress } from '../domain/resource.ts';
import type { Expanded } from './expand.ts';
import type { Report } from './findings.ts';
import { foldName } from './text.ts';

/** Checks the rules between resources of all files: names and former names are unique per account and kind. */
export function checkAcross(expanded: readonly Expanded[], report: Report): void {
  const clashes = [...findEqualNames(expanded), ...findUnclearRenames(expanded)];
  // A pair of resources is reported once, with all its accounts.
  const pairs = groupBy(clashes, ({ code, here, there }) => {
    const [one, other] = [here.resource.place, there.resource.place];
    return JSON.stringify([code, one.file, one.line, one.column, other.file, other.line, other.column]);
  });
  for (const [first, ...more] of pairs.values()) {
    if (first === undefined) continue;
    const { code, here, there, what } = first;
    const accounts = [first, ...more].map((clash) => clash.here.declared.address.account).join(', ');
    const { file, line, column } = there.resource.source.placeOf([...there.resource.path, 'name']);
    const message = `${what} for ${accounts}, at ${file}:${line}:${column}. ${ADVICE[code]}`;
    const key = code === 'duplicate-name' ? 'name' : 'renamed_from';
    const place = here.resource.source.placeOf([...here.resource.path, key]);
    report.error(code, message, place);
  }
}

const ADVICE = {
  'duplicate-name': 'Names must be unique per account and kind. Rename one.',
  'renamed-from-declared': 'Remove that block, or this renamed_from.',
  'renamed-from-twice': 'Remove one of the two renamed_from.',
} as const;

interface Clash {
  readonly code: keyof typeof ADVICE;
  readonly here: Expanded;
  readonly there: Expanded;
  /** The beginning of the message. */
  readonly what: string;
}

/** Names that look alike count as equal, because people read them as one name (CONTENT-1). */
function findEqualNames(expanded: readonly Expanded[]): readonly Clash[] {
  const seen = new Map<string, Expanded>();
  return expanded.flatMap((here): Clash[] => {
    const { account, kind, name } = here.declared.address;
    const key = `${account}/${kind}/${foldName(name)}`;
    const there = seen.get(key);
    if (there === undefined) {
      seen.set(key, here);
      return [];
    }
    const other = there.declared.address.name;
    const what =
      name === other
        ? `"${name}" is declared twice`
        : `"${name}" counts as the same name as "${other}", which is declared`;
    return [{ code: 'duplicate-name', here, there, what }];
  });
}

/** A former name must not be declared, and only one resource is renamed from it (CONTENT-4). */
function findUnclearRenames(expanded: readonly Expanded[]): readonly Clash[] {
  const renamed = expanded.filter(({ declared }) => declared.renamedFrom !== null);
  if (renamed.length === 0) return [];
  const declaredNames = new Map(expanded.map((one) => [formatAddress(one.declared.address), one]));
  const takenFrom = new Map<string, Expanded>();
  return renamed.flatMap((here): Clash[] => {
    const { address, renamedFrom } = here.declared;
    const old = formatAddress({ ...address, name: renamedFrom ?? '' });
    const [still, other] = [declaredNames.get(old), takenFrom.get(old)];
    if (other === undefined) takenFrom.set(old, here);
    const what = `"${renamedFrom}" is still declared`;
    const twice = `"${renamedFrom}" is already renamed`;
    return [
      ...(still === undefined || still.resource === here.resource
        ? []
        : [{ code: 'renamed-from-declared' as const, here, there: still, what }]),
      ...(other === undefined
        ? []
        : [{ code: 'renamed-from-twice' as const, here, there: other, what: twice }]),
    ];
  });
}
