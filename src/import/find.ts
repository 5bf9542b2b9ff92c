import type { Plan } from '../domain/change.ts';
import { objectKey, type Knowledge } from '../domain/knowledge.ts';
import { isReplacedIn } from './replaced.ts';
import { formatAddress, type Declared, type Observed } from '../domain/resource.ts';
import { chooseImportable, nameKey } from './choose.ts';
import type { Importable } from './form.ts';
import { leaveOut, type LeftOut } from './left-out.ts';
import { writeResource } from './write-resource.ts';
import { compare } from '../plan/compare/compare.ts';
import { buildScopes } from '../plan/scope.ts';
import type { Scan } from './scan.ts';
import { unfinishedStatus } from './unfinished.ts';

export interface Found {
  readonly importables: readonly Importable[];
  readonly leftOut: readonly LeftOut[];
}

/** Unmanaged live objects that a file can declare. */
export function findImportable(scan: Scan, before: Plan, knowledge: Knowledge): Found {
  const { accounts, observed, declared, nowMs, knownWords, unreadable } = scan;
  const unclaimed = buildScopes({ declared, observed, accounts, knowledge, nowMs }).flatMap(
    (scope) => scope.unclaimed,
  );
  const taken = new Set(declared.map(({ address: { account, kind, name } }) => nameKey(account, kind, name)));
  const { chosen, leftOut } = chooseImportable(unclaimed, taken, nowMs, isReplacedIn(knowledge));
  const waiting = heldBack(declared, before);
  const importables: Importable[] = [];
  const more: LeftOut[] = [];
  for (const object of chosen) {
    const unfinished = unfinishedStatus(object, knowledge, unreadable);
    if (unfinished !== null) {
      more.push(leaveOut(object, 'unfinished', unfinished));
      continue;
    }
    const renamed = waiting.find((one) => isRenameOf(one, object));
    const known = knowledge.objects.get(objectKey(object.accountId, object.kind, object.live.id));
    const written =
      renamed === undefined
        ? writeResource(object, nowMs, knownWords, known?.isProtected === true)
        : { leftOut: rename(object, renamed) };
    if ('importable' in written) importables.push(written.importable);
    else more.push(written.leftOut);
  }
  return { importables, leftOut: [...leftOut, ...more] };
}

/**
 * Declared resources without a live object. Their creates may be blocked only by an unmanaged object with the same
 * content.
 */
function heldBack(declared: readonly Declared[], { changes }: Plan): readonly Declared[] {
  const absent = new Set(
    changes
      .filter(({ action, live_id: id }) => action === 'blocked' && id === null)
      .map(({ address }) => formatAddress(address)),
  );
  return absent.size === 0 ? [] : declared.filter(({ address }) => absent.has(formatAddress(address)));
}

/** If a renamed object were declared under its old name, its second create would not be blocked. */
function isRenameOf(declared: Declared, object: Observed): boolean {
  if (declared.address.account !== object.account || declared.kind !== object.kind) return false;
  const comparison = compare(declared, object, null);
  if (comparison.verdict === 'different')
    return comparison.fields.every(({ path }) => path === 'scheduled_at');
  return comparison.verdict === 'equal';
}

function rename(object: Observed, { address, source }: Declared): LeftOut {
  const there = `${source.file}:${source.line}`;
  const reason = `"${address.name}" (${there}) has the same content and is not live. If it is a new name for this one, add renamed_from there.`;
  return leaveOut(object, 'renamed', reason);
}
