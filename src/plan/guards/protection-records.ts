import type { Change, ChangeKind } from '../../domain/change.ts';
import type { Diagnostic } from '../../domain/diagnostic.ts';
import type { Knowledge } from '../../domain/knowledge.ts';
import { knownLists } from '../../domain/objects-on-record.ts';
import { formatAddress, type Address, type Declared, type Observed } from '../../domain/resource.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { AccountId, LiveId } from '../../domain/ids.ts';
import { indexByName, knownOf } from '../match.ts';

/** What an apply writes down about one live object, so that its protection outlives its lines in the files. */
export interface ProtectionRecord {
  readonly address: Address;
  readonly accountId: AccountId;
  readonly liveId: LiveId;
  readonly protect: boolean;
}

export interface ProtectionInput {
  readonly declared: readonly Declared[];
  readonly observed: readonly Observed[];
  readonly knowledge: Knowledge;
  /** Those of the plan; addresses without any are left as they are. */
  readonly changes: readonly Change[];
}

/** Changes that leave live objects as they are, so that the same apply may lift the protection. */
const HARMLESS: readonly ChangeKind[] = ['keep', 'done', 'missed', 'create', 'activate', 'resume'];
/** Changes after which the object stays. A blocked one is included, because it changes nothing. */
const STAYING: readonly ChangeKind[] = ['keep', 'done', 'activate', 'resume', 'blocked'];

/**
 * Which live objects begin and end to be protected. Protection is lifted only where the files declare the object
 * without `protect` and nothing else is to happen to it: in a step of its own.
 */
export function protectionRecords(input: ProtectionInput): readonly ProtectionRecord[] {
  if (!knownLists(input.knowledge.objects).mayHaveProtected && !input.declared.some(({ protect }) => protect))
    return [];
  const changesOf = groupBy(input.changes, ({ address }) => formatAddress(address));
  const observedIn = groupBy(input.observed, ({ account, kind }) => `${account}/${kind}`);
  const declaredIn = groupBy(input.declared, ({ address }) => `${address.account}/${address.kind}`);
  return [...declaredIn].flatMap(([key, declared]) => {
    const index = indexByName(observedIn.get(key) ?? [], input.knowledge, declared);
    return declared.flatMap((resource) => {
      const changes = changesOf.get(formatAddress(resource.address)) ?? [];
      return changes.length === 0
        ? []
        : recordsOf(resource, changes, index.groupOf(resource), input.knowledge);
    });
  });
}

/** In every plan with an apply that would lift it. */
export function protectionNotes(records: readonly ProtectionRecord[]): readonly Diagnostic[] {
  return records
    .filter(({ protect }) => !protect)
    .map(({ liveId, address }) => ({
      severity: 'info',
      code: 'protection-lifted',
      message: `The file no longer protects ${liveId}. The next apply lifts its protection.`,
      address: formatAddress(address),
    }));
}

function recordsOf(
  { address, protect }: Declared,
  changes: readonly Change[],
  group: readonly Observed[],
  knowledge: Knowledge,
): readonly ProtectionRecord[] {
  const record = ({ accountId, live }: Observed): ProtectionRecord => ({
    address,
    accountId,
    liveId: live.id,
    protect,
  });
  const isKnown = (object: Observed) => knownOf(object, knowledge)?.isProtected === true;
  if (!protect) return isLeftAlone(changes) ? group.filter(isKnown).map(record) : [];
  const staying = new Set(
    changes.filter(({ action }) => STAYING.includes(action)).map((change) => change.live_id),
  );
  return group.filter((object) => staying.has(object.live.id) && !isKnown(object)).map(record);
}

/**
 * Whether the kept object stays unchanged. Blocked duplicates and older versions are ignored here. Otherwise lifting the
 * protection and stopping them would wait for each other.
 */
function isLeftAlone(changes: readonly Change[]): boolean {
  const stays = changes.some(
    ({ action, live_id: id }) => (action === 'keep' || action === 'done') && id !== null,
  );
  return changes.every(({ action }) => HARMLESS.includes(action) || (stays && action === 'blocked'));
}
