import { formatAddress, type Declared, type Observed } from '../domain/resource.ts';
import { compare } from '../plan/compare/content.ts';
import { nameKey } from '../workspace/text.ts';
import { chooseImportable } from './choose.ts';
import type { Importable } from './form.ts';
import { describeLive } from './from-live.ts';
import type { Scan } from './scan.ts';
import { leaveOut, type LeftOut } from './shape.ts';
import { explainUnsettled } from './unfinished.ts';

export interface Found {
  readonly importables: readonly Importable[];
  readonly leftOut: readonly LeftOut[];
}

/** Unmanaged live objects that a file can declare. */
export function findImportable(scan: Scan): Found {
  const { index, nowMs, subject } = scan;
  const unclaimed = index.lists.flatMap((list) => list.unclaimed);
  const taken = new Set(subject.declared.map(({ address }) => nameKey(address)));
  const { chosen, leftOut } = chooseImportable(unclaimed, taken, nowMs, index);
  const waiting = heldBack(scan);
  const described = chosen.map((object) => {
    const unsettled = explainUnsettled(object, index);
    if (unsettled !== null) return leaveOut(object, 'unfinished', unsettled);
    const renamed = waiting.find((one) => isRenameOf(one, object));
    return renamed === undefined ? describeLive(object, scan) : leaveOutRenamed(object, renamed);
  });
  return {
    importables: described.filter((one) => 'form' in one),
    leftOut: [...leftOut, ...described.filter((one) => 'code' in one)],
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
  return declared.filter(({ address }) => absent.has(formatAddress(address)));
}

/** If a renamed object were declared under its old name, its second create would not be blocked. */
function isRenameOf(declared: Declared, object: Observed): boolean {
  if (declared.address.account !== object.account || declared.kind !== object.kind) return false;
  const comparison = compare(declared, object);
  if (comparison.verdict === 'different')
    return comparison.fields.every(({ path }) => path === 'scheduled_at');
  return comparison.verdict === 'equal';
}

function leaveOutRenamed(object: Observed, { address, source }: Declared): LeftOut {
  const there = `${source.file}:${source.line}`;
  const reason = `"${address.name}" (${there}) has the same content and is not live. If it is a new name for this one, add renamed_from there.`;
  return leaveOut(object, 'renamed', reason);
}
