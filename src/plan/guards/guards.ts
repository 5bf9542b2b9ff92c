import { KIND_ROWS } from '../../domain/kind.ts';
import type { Change, StepKind } from '../../domain/change.ts';
import { canonical } from '../../domain/digest.ts';
import type { OpenEntry } from '../../domain/knowledge.ts';
import { contentDigest as digestOf } from '../../domain/media.ts';
import { formatAddress, type Declared } from '../../domain/resource.ts';
import { isDeclaredToSend, startsSending } from '../../domain/status.ts';
import { broadcastStanding, type BroadcastMember } from '../broadcast/column.ts';
import { standingOf, type CampaignMember } from '../campaign/column.ts';
import { blocked } from '../decision.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Member } from '../member.ts';

/** Steps after which something sends that did not before: what must not happen beside an unseen twin. */
const STARTING: readonly StepKind[] = ['create', 'activate', 'reactivate', 'resume'];

/** Those of them that are about what is there. */
const SWITCHING_ON: readonly StepKind[] = ['activate', 'reactivate', 'resume', 'prove_dead'];

/** Whether a member may still send: what an undeclared twin must not do beside a new create. */
export function mayStillSend(member: Member): boolean {
  if (member.observed.kind === 'campaign') {
    const standing = standingOf(member as CampaignMember);
    return standing === 'active' || standing === 'paused';
  }
  const standing = broadcastStanding(member as BroadcastMember);
  return standing === 'scheduled' || standing === 'paused_pending';
}

/** The same content, if need be at another time: a rename that also moves the schedule is still one send. */
export function isTwin({ comparison }: Member): boolean {
  if (comparison.verdict === 'different')
    return comparison.fields.every(({ path }) => path === 'scheduled_at');
  return comparison.verdict === 'equal';
}

/**
 * A create whose content is live under another, undeclared name looks like a rename: creating it would
 * send to every fan twice. Ownership does not matter here, because safety must not depend on the ledger.
 */
export function guardRename(wanted: Change, twin: Member | null): Change {
  if (twin === null || wanted.action !== 'create') return wanted;
  const name = canonical(twin.observed.live.name ?? '(no name)');
  const what = isTwin(twin)
    ? `The same content is live as ${twin.id} under the name ${name}, which no file declares`
    : `Herald made ${twin.id}, live as ${name} and in no file, from this very content, and somebody changed it since`;
  return held(wanted, `${what}: fans would get it twice. If this is a rename, add renamed_from: ${name}.`);
}

/** Open entries whose request may still be carried out, found without walking them all for each resource. */
export interface OpenIndex {
  /** What may still appear or be switched on beside the declared resource; null when nothing may. */
  unsettledFor(declared: Declared, wanted: Change): OpenEntry | null;
  /** An unsend of what the change would switch on; null when there is none. */
  unsendOf(wanted: Change): OpenEntry | null;
}

export function indexOpen(open: readonly OpenEntry[], nowMs: number, settleMs: number): OpenIndex {
  const unsettled = open.filter(
    (entry) =>
      (entry.call === 'create' || (entry.call === 'status' && startsSending(entry.target))) &&
      (nowMs < entry.sentAtMs + settleMs || maybeMadeBy(entry) !== null),
  );
  const latestFirst = unsettled.toSorted((left, right) => right.sentAtMs - left.sentAtMs);
  const byName = groupBy(latestFirst, ({ address }) => formatAddress(address));
  const creates = latestFirst.filter((entry) => entry.call === 'create');
  const byContent = groupBy(creates, ({ address, contentDigest }) => contentKey(address, contentDigest));
  const unsends = open.filter(
    ({ call, address, sentAtMs }) =>
      call === 'unsend' && (!KIND_ROWS[address.kind].showsRecall || nowMs < sentAtMs + settleMs),
  );
  return {
    unsendOf: ({ address: { account, kind }, steps }) =>
      unsends.find(
        ({ address, liveId }) =>
          address.account === account &&
          address.kind === kind &&
          steps.some((step) => SWITCHING_ON.includes(step.kind) && step.live_id === liveId),
      ) ?? null,
    unsettledFor: ({ address, renamedFrom, content }, wanted) => {
      if (unsettled.length === 0) return null;
      const former = renamedFrom === null ? [] : [formatAddress({ ...address, name: renamedFrom })];
      const near = [
        ...[formatAddress(address), ...former].flatMap((key) => byName.get(key) ?? []),
        ...(byContent.get(contentKey(address, digestOf(content))) ?? []),
      ];
      const makesNew = wanted.steps.some(({ kind }) => kind === 'create');
      const inTheWay = (entry: OpenEntry) => {
        const maybeMade = maybeMadeBy(entry);
        return maybeMade === null
          ? entry.call === 'create' || makesNew || entry.liveId !== wanted.live_id
          : !wanted.steps.some((step) => step.live_id === maybeMade);
      };
      return near.find(inTheWay) ?? null;
    },
  };
}

/** What a lost create may have made; null for every other request. */
function maybeMadeBy(entry: OpenEntry): string | null {
  return entry.call === 'create' ? entry.maybeMade : null;
}

/** The same content under another name may be a rename of what is still on its way. */
function contentKey({ account, kind }: OpenEntry['address'], content: string | null): string {
  return `${account}/${kind} ${content ?? 'unknown'}`;
}

/**
 * A request whose answer was lost may still be carried out: until that is settled, nothing new is created
 * and nothing else switched on beside it (ERROR-6, CAMPAIGN-10). Repeating the same switch is no harm.
 */
export function guardOpen(wanted: Change, declared: Declared, open: OpenIndex, settleMs: number): Change {
  if (!starts(wanted)) return wanted;
  const unsend = open.unsendOf(wanted);
  if (unsend !== null) return held(wanted, unsendLost(unsend));
  const entry = open.unsettledFor(declared, wanted);
  if (entry === null) return wanted;
  const maybeMade = maybeMadeBy(entry);
  if (maybeMade !== null) return held(wanted, mayBeOurs(entry, maybeMade));
  const until = new Date(entry.sentAtMs + settleMs).toISOString();
  const what =
    entry.call === 'create'
      ? 'an earlier create was lost and it may still appear'
      : `switching ${entry.liveId ?? 'another version'} on was lost and it may still happen`;
  return held(wanted, `The answer to ${what} until ${until}. Run herald again after that.`);
}

/** Past its window, too: it is there, and fans could get both. */
function mayBeOurs({ address: { account, kind, name } }: OpenEntry, id: string): string {
  return `The answer to an earlier create of this was lost, and it may have made ${id} (${canonical(name)}), which shows another text: the service or a person has changed it, or it is another person's. Look at it in the service. If it is this one, add renamed_from: ${canonical(name)}. If it is not wanted: herald ${KIND_ROWS[kind].plural} pause ${id} --account ${account}`;
}

/**
 * However long ago: no list tells whether a broadcast was taken back, and a person decides (LOST-7). A campaign
 * shows it, once the request cannot be carried out any more.
 */
function unsendLost({ entry, liveId, notedAtMs }: OpenEntry): string {
  const sent = new Date(notedAtMs).toISOString();
  return `The answer to an unsend of ${liveId ?? ''}, sent at ${sent}, was lost: it may have been carried out. Look at it in the service. If it was not taken back and is to go on: herald ledger close ${entry} --because "…"`;
}

/** Objects that the ledger knows and the list does not show; nothing is ever deleted, so the list is wrong. */
export interface Missing {
  /** Known objects of the account and kind when its list is empty; 0 when the list is not. */
  readonly all: number;
  /** Ids known under the declared resource's names. */
  readonly ids: readonly string[];
  /** Those of them that the ledger does not know to be stopped. */
  readonly running: readonly string[];
}

/**
 * A wrong account or key, or a list that lags behind: what is not shown may send all the same, beside what is started
 * and although "it has stopped" would be the answer to whoever wants it stopped.
 */
export function guardMissing(wanted: Change, declared: Declared, { all, ids, running }: Missing): Change {
  const isStop = saysStopped(wanted, declared);
  if (!starts(wanted) && !isStop) return wanted;
  if (all > 0 && (!isStop || running.length > 0)) {
    const what = `${all} known ${declared.kind}${all === 1 ? '' : 's'}`;
    return held(
      wanted,
      `The list is empty, but the ledger knows ${what} on this account, and nothing is ever deleted. Run herald again in a minute. If it stays so, check the account id and the key. If they are right, remove the ledger file.`,
    );
  }
  if (isStop) return running.length === 0 ? wanted : held(wanted, unseen(running));
  if (ids.length === 0) return wanted;
  return held(
    wanted,
    `The ledger knows ${ids.join(', ')} under this name, but the list does not show it, and nothing is ever deleted: fans could get both. Run herald again in a minute. If it stays so, choose another name or remove the ledger file.`,
  );
}

/**
 * What is still to be stopped beside a stop of what is shown; none where the stop itself is held back for it. Without
 * it, "paused" would be said of a name of which something runs on.
 */
export function stopsUnseen(
  declared: Declared,
  changes: readonly Change[],
  { running }: Missing,
): readonly Change[] {
  if (isDeclaredToSend(declared) || running.length === 0) return [];
  if (changes.some((wanted) => saysStopped(wanted, declared))) return [];
  return [blocked(declared, unseen(running))];
}

/** The answer to a declared stop when all of the name that is shown has stopped, or nothing is shown. */
function saysStopped({ action }: Change, declared: Declared): boolean {
  return (action === 'keep' || action === 'done') && !isDeclaredToSend(declared);
}

function unseen(running: readonly string[]): string {
  return `The ledger knows ${running.join(', ')} under this name, but the list does not show it, and nothing is ever deleted: what is not shown cannot be stopped. Run herald again in a minute. If it stays so, look at it in the service; if it is not there either, remove the ledger file.`;
}

function starts({ steps }: Change): boolean {
  return steps.some(({ kind }) => STARTING.includes(kind));
}

/** The same change, not carried out, and why. */
export function held(wanted: Change, reason: string): Change {
  return {
    ...wanted,
    action: 'blocked',
    reasons: [reason],
    steps: [],
    needs: [],
    reversible: true,
    undo: '',
  };
}
