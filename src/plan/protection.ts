import type { Change, ChangeKind } from '../domain/change.ts';
import type { Diagnostic } from '../domain/diagnostic.ts';
import { groupBy } from '../domain/group-by.ts';
import { formatAddress, type Address, type Declared } from '../domain/resource.ts';
import type { ObjectKey } from '../state/shapes.ts';
import { indexFacts, type GroupFacts, type Index, type Version } from './decide/group.ts';

/** What an apply records about one live object, so that its protection outlives its lines in the files. */
interface Protection {
  readonly address: Address;
  readonly object: ObjectKey;
  readonly protect: boolean;
}

/** Changes that leave live objects as they are, so that the same apply may lift the protection. */
const HARMLESS: readonly ChangeKind[] = ['keep', 'done', 'missed', 'create', 'activate', 'resume'];
/** Changes after which the object stays. A blocked one is included, because it changes nothing. */
const STAYING: readonly ChangeKind[] = ['keep', 'done', 'activate', 'resume', 'blocked'];

/**
 * Which live objects begin and end to be protected. Protection is lifted only where the files declare the object without
 * `protect` and nothing else is to happen to it: in a step of its own.
 */
export function listProtections(
  facts: GroupFacts,
  changes: readonly Change[],
  { lists }: Index = indexFacts(facts),
): readonly Protection[] {
  const changesOf = groupBy(changes, ({ address }) => formatAddress(address));
  return lists.flatMap((list) => {
    const isProtected = list.rows.some(({ protect }) => protect === 1);
    return list.declared
      .filter(({ protect }) => protect || isProtected)
      .flatMap((declared) =>
        findProtections(
          declared,
          list.groupOf(declared).versions,
          changesOf.get(formatAddress(declared.address)) ?? [],
        ),
      );
  });
}

function findProtections(
  { address, kind, protect }: Declared,
  versions: readonly Version[],
  changes: readonly Change[],
): readonly Protection[] {
  const staying = new Set(
    changes.filter(({ action }) => STAYING.includes(action)).map(({ live_id: id }) => id),
  );
  const isAnyKept = changes.some(
    ({ action, live_id: id }) => (action === 'keep' || action === 'done') && id !== null,
  );
  // Blocked duplicates and older versions do not count. Otherwise each of the two would wait for the other.
  const isLeftAlone = changes.every(
    ({ action }) => HARMLESS.includes(action) || (isAnyKept && action === 'blocked'),
  );
  const concerned = versions.filter(({ id, known }) =>
    protect
      ? known?.protect !== 1 && staying.has(id)
      : known?.protect === 1 && changes.length > 0 && isLeftAlone,
  );
  return concerned.map(({ id, observed }) => ({
    address,
    object: { account_id: observed.accountId, kind, live_id: id },
    protect,
  }));
}

/** In every plan with an apply that would lift a protection. */
export function noteLifted(protections: readonly Protection[]): readonly Diagnostic[] {
  return protections
    .filter(({ protect }) => !protect)
    .map(({ object, address }) => ({
      severity: 'info',
      code: 'protection-lifted',
      message: `The file no longer protects ${object.live_id}. The next apply lifts its protection.`,
      address: formatAddress(address),
    }));
}
