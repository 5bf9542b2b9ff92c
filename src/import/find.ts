import { formatAddress, type Declared, type Observed } from '../domain/resource.ts';
import type { Index } from '../plan/decide/group.ts';
import { chooseImportable, nameKey } from './choose.ts';
import type { Importable } from './form.ts';
import { leaveOut, type LeftOut } from './left-out.ts';
import { writeResource } from './write-resource.ts';
import { compare } from '../plan/compare/content.ts';
import type { Scan } from './scan.ts';
import { explainUnsettled } from './unfinished.ts';

export interface Found {
  readonly importables: readonly Importable[];
  readonly leftOut: readonly LeftOut[];
}

/** Unmanaged live objects that a file can declare. */
export function findImportable(scan: Scan): Found {
  const { index, nowMs } = scan;
  const { declared, workspace } = scan.subject;
  const unclaimed = index.lists.flatMap((list) => list.unclaimed);
  const taken = new Set(declared.map(({ address: { account, kind, name } }) => nameKey(account, kind, name)));
  const { chosen, leftOut } = chooseImportable(unclaimed, taken, nowMs, isReplacedIn(index));
  const waiting = heldBack(scan);
  const importables: Importable[] = [];
  const more: LeftOut[] = [];
  for (const object of chosen) {
    const unsettled = explainUnsettled(object, index);
    if (unsettled !== null) {
      more.push(leaveOut(object, 'unfinished', unsettled));
      continue;
    }
    const renamed = waiting.find((one) => isRenameOf(one, object));
    const written =
      renamed === undefined
        ? writeResource(object, nowMs, workspace.service.knownWords, index.rowOf(object)?.protect === 1)
        : { leftOut: rename(object, renamed) };
    if ('importable' in written) importables.push(written.importable);
    else more.push(written.leftOut);
  }
  return { importables, leftOut: [...leftOut, ...more] };
}

/** Whether Herald itself stopped an object for another one of its name, or as a duplicate. */
export function isReplacedIn({ rowOf }: Index): (object: Observed) => boolean {
  return (object) => {
    const row = rowOf(object);
    return row?.replaced_by != null || (row?.status_by === 'apply' && row.status_why === 'duplicate');
  };
}

/**
 * Declared resources without a live object. Their creates may be blocked only by an unmanaged object with the same
 * content.
 */
function heldBack({ subject: { declared }, plan }: Scan): readonly Declared[] {
  const absent = new Set(
    plan.changes
      .filter(({ action, live_id: id }) => action === 'blocked' && id === null)
      .map(({ address }) => formatAddress(address)),
  );
  return absent.size === 0 ? [] : declared.filter(({ address }) => absent.has(formatAddress(address)));
}

/** If a renamed object were declared under its old name, its second create would not be blocked. */
function isRenameOf(declared: Declared, object: Observed): boolean {
  if (declared.address.account !== object.account || declared.kind !== object.kind) return false;
  const comparison = compare(declared, object);
  if (comparison.verdict === 'different')
    return comparison.fields.every(({ path }) => path === 'scheduled_at');
  return comparison.verdict === 'equal';
}

function rename(object: Observed, { address, source }: Declared): LeftOut {
  const there = `${source.file}:${source.line}`;
  const reason = `"${address.name}" (${there}) has the same content and is not live. If it is a new name for this one, add renamed_from there.`;
  return leaveOut(object, 'renamed', reason);
}
