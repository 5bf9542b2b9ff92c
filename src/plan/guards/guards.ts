import { formatCommand } from '../../domain/command-line.ts';
import { KIND_ROWS } from '../../domain/kind.ts';
import type { Change, StepKind } from '../../domain/change.ts';
import { creatingCommand, isSentAtOnce } from '../../domain/creating-command.ts';
import { canonical } from '../../domain/digest.ts';
import { objectKey, type OpenCreate, type OpenEntry, type OpenStatus } from '../../domain/knowledge.ts';
import { contentDigest as digestOf } from '../../domain/media.ts';
import { formatAddress, type Declared, type Observed } from '../../domain/resource.ts';
import { worldFileOf, type ServiceIdentity } from '../../domain/service-identity.ts';
import { isDeclaredToSend, startsSending } from '../../domain/status.ts';
import { classifyBroadcast, type BroadcastMember } from '../broadcast/column.ts';
import { classifyCampaign, type CampaignMember } from '../campaign/column.ts';
import { blocked } from '../decision.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Member } from '../member.ts';

/** Steps that start sending. They must not happen while an unseen copy may send. */
const STARTING: readonly StepKind[] = ['create', 'activate', 'reactivate', 'resume'];

/** The ones that start an existing object. */
const SWITCHING_ON: readonly StepKind[] = ['activate', 'reactivate', 'resume', 'prove_dead'];

/** Whether a member may still send. An unmanaged copy that may send blocks a create. */
export function mayStillSend(member: Member): boolean {
  if (member.observed.kind === 'campaign') {
    const state = classifyCampaign(member as CampaignMember);
    return state === 'active' || state === 'paused';
  }
  const state = classifyBroadcast(member as BroadcastMember);
  return state === 'scheduled' || state === 'paused_pending';
}

/** The same content, if need be at another time: a rename that also moves the schedule is still one send. */
export function isTwin({ comparison }: Member): boolean {
  if (comparison.verdict === 'different')
    return comparison.fields.every(({ path }) => path === 'scheduled_at');
  return comparison.verdict === 'equal';
}

/**
 * If the same content is live under another, unmanaged name, a create looks like a rename: every fan would get it twice.
 * So they would by any other start. Ownership does not matter here, because safety must not depend on the ledger. An object
 * that still shows the declared name counts under the later one that the ledger has.
 */
export function guardRename(wanted: Change, declared: Declared, twin: Member | null): Change {
  if (twin === null || !starts(wanted)) return wanted;
  const { name: shown } = twin.observed.live;
  const name = canonical((shown === wanted.address.name ? twin.known?.name : shown) ?? '(no name)');
  const what = isTwin(twin)
    ? `The same content is live as ${name} (${twin.id})`
    : `Herald created the unmanaged ${name} (${twin.id}) from the same content, and someone changed it since`;
  const { kind, account } = wanted.address;
  const stop = formatCommand(KIND_ROWS[kind].plural, 'pause', twin.id, '--account', account);
  const twice = `${what}, so fans would get it twice.`;
  // A draft is never a new version of what the files have.
  if (isSentAtOnce(declared))
    return blockChange(wanted, `${twice} Stop that one first: ${stop}. Or change the words of this one.`);
  const otherwise = wanted.action === 'create' ? '' : ` If not, stop it: ${stop}`;
  return blockChange(wanted, `${twice} If you renamed it, add renamed_from: ${name}.${otherwise}`);
}

/** Unconfirmed requests that may still succeed, indexed so that a lookup does not visit all of them. */
export interface OpenIndex {
  /**
   * A request that may still create or start a copy of the declared resource; null if there is none. `others` are those
   * that count as such, under whatever name (`open-starts.ts`, `successors.ts`).
   */
  unresolvedFor(declared: Declared, wanted: Change, others: readonly OpenEntry[]): OpenEntry | null;
  /** The latest unconfirmed start of the object; null if there is none. */
  startOf(object: Observed): OpenStatus | null;
  /** Unconfirmed creates that replace the object with this key, the latest one first. */
  replacing(key: string): readonly OpenCreate[];
  /** A recall of the object that the change would start; null if there is none. */
  recallOf(wanted: Change): OpenEntry | null;
}

export function indexOpen(open: readonly OpenEntry[], nowMs: number, settleMs: number): OpenIndex {
  const unresolved = open.filter(
    (entry) =>
      (entry.call === 'create' || (entry.call === 'status' && startsSending(entry.target))) &&
      (nowMs < entry.sentAtMs + settleMs || maybeMadeBy(entry) !== null),
  );
  const latestFirst = unresolved.toSorted((left, right) => right.sentAtMs - left.sentAtMs);
  const byName = groupBy(latestFirst, ({ address }) => formatAddress(address));
  const creates = latestFirst.filter((entry) => entry.call === 'create');
  const byContent = groupBy(creates, ({ address, contentDigest }) => contentKey(address, contentDigest));
  const replacing = groupBy(
    creates.flatMap((entry) =>
      entry.supersedes.map((id) => ({ entry, key: objectKey(entry.accountId, entry.address.kind, id) })),
    ),
    ({ key }) => key,
  );
  const starts = latestFirst.filter((entry) => entry.call === 'status');
  const byObject = groupBy(starts, ({ accountId, address, liveId }) =>
    objectKey(accountId, address.kind, liveId ?? ''),
  );
  const recalls = open.filter(
    ({ call, address, sentAtMs }) =>
      call === 'unsend' && (!KIND_ROWS[address.kind].showsRecall || nowMs < sentAtMs + settleMs),
  );
  return {
    recallOf: ({ address: { account, kind }, steps }) =>
      recalls.find(
        ({ address, liveId }) =>
          address.account === account &&
          address.kind === kind &&
          steps.some((step) => SWITCHING_ON.includes(step.kind) && step.live_id === liveId),
      ) ?? null,
    replacing: (key) => (replacing.get(key) ?? []).map(({ entry }) => entry),
    startOf: ({ accountId, kind, live }) => byObject.get(objectKey(accountId, kind, live.id))?.[0] ?? null,
    unresolvedFor: ({ address, renamedFrom, content }, wanted, others) => {
      if (unresolved.length === 0) return null;
      const former = renamedFrom === null ? [] : [formatAddress({ ...address, name: renamedFrom })];
      const near = [
        ...[formatAddress(address), ...former].flatMap((key) => byName.get(key) ?? []),
        ...(byContent.get(contentKey(address, digestOf(content))) ?? []),
        ...others,
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

/** The same content under another name may be a rename of a create that is still under way. */
function contentKey({ account, kind }: OpenEntry['address'], content: string | null): string {
  return `${account}/${kind} ${content ?? 'unknown'}`;
}

/** What the guard looks up. */
export interface OpenRequests {
  readonly open: OpenIndex;
  /** Unconfirmed requests that may put a copy of the declared resource next to it, under whatever name. */
  readonly nearTo: (declared: Declared) => readonly OpenEntry[];
  readonly settleMs: number;
}

/**
 * An unconfirmed request may still succeed. Until it is resolved, nothing new is created and nothing else is started
 * (ERROR-6, CAMPAIGN-10). Repeating the same start is harmless.
 */
export function guardOpen(
  wanted: Change,
  declared: Declared,
  { open, nearTo, settleMs }: OpenRequests,
): Change {
  if (!starts(wanted)) return wanted;
  const recall = open.recallOf(wanted);
  if (recall !== null) return blockChange(wanted, recallLost(recall));
  const entry = open.unresolvedFor(declared, wanted, nearTo(declared));
  if (entry === null) return wanted;
  const maybeMade = maybeMadeBy(entry);
  if (maybeMade !== null) return blockChange(wanted, mayBeOurs(entry, maybeMade, isSentAtOnce(declared)));
  const until = new Date(entry.sentAtMs + settleMs).toISOString();
  return blockChange(
    wanted,
    `${openWords(entry, declared)} got no answer and may still succeed until ${until}. Run ${creatingCommand(declared)} after that.`,
  );
}

/** `An earlier activation of 5003 ("Old name")`. The name only if it is not the declared one. */
function openWords(entry: OpenEntry, { address }: Declared): string {
  const name = entry.address.name === address.name ? null : canonical(entry.address.name);
  if (entry.call === 'create') return name === null ? 'An earlier create' : `An earlier create of ${name}`;
  return `An earlier activation of ${entry.liveId ?? 'another version'}${name === null ? '' : ` (${name})`}`;
}

/** Also after its window: the object exists, and fans could get both. */
function mayBeOurs(open: OpenEntry, id: string, isDraft: boolean): string {
  const { account, kind, name } = open.address;
  const made = `An earlier create got no answer and may have created ${id} (${canonical(name)}).`;
  const close = formatCommand('ledger', 'close', open.entry, '--because', '…');
  if (open.call === 'create' && open.wanted === null)
    return `${made} The ledger does not have the content that was sent, so Herald cannot tell. Check ${id} on the service, then run ${close}`;
  const what = `${made} Its text is not the one that was sent: the service or a person changed it, someone else created it, or it cannot be read. Check it on the service.`;
  return isDraft
    ? `${what} If it is this one, it was sent. If it is not: ${close}`
    : `${what} If it is this one, add renamed_from: ${canonical(name)}. If you do not need it: ${formatCommand(KIND_ROWS[kind].plural, 'pause', id, '--account', account)}`;
}

/**
 * At any age: no list shows whether a broadcast was recalled, so a person decides (LOST-7). A campaign shows it, once
 * the request can no longer succeed.
 */
function recallLost({ entry, liveId, notedAtMs }: OpenEntry): string {
  const sent = new Date(notedAtMs).toISOString();
  return `A recall of ${liveId ?? ''}, sent at ${sent}, got no answer. Check on the service whether it was recalled. If it was not, and should be sent: ${formatCommand('ledger', 'close', entry, '--because', '…')}`;
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
 * The account or key may be wrong, or the list may lag. An object that the list does not show may still send. So nothing
 * is started, and nothing is reported as stopped.
 */
export function guardMissing(
  wanted: Change,
  declared: Declared,
  missing: Missing,
  service: ServiceIdentity,
): Change {
  const { all, ids, running } = missing;
  if (isSentAtOnce(declared) && wanted.action !== 'done' && ids.length > 0)
    return blockChange(wanted, sentUnseen(ids, wanted.live_id));
  const isStop = saysStopped(wanted, declared);
  if (!starts(wanted) && !isStop) return wanted;
  if (all > 0 && (!isStop || running.length > 0)) {
    const what = `${all} known ${declared.kind}${all === 1 ? '' : 's'}`;
    return blockChange(
      wanted,
      `The service lists nothing, but the ledger knows ${what} on this account, and the service never deletes. Check the account id, the key and the service's address: ${formatCommand('doctor')}. Keep the ledger.${newWorld(service)}`,
    );
  }
  if (isStop) return running.length === 0 ? wanted : blockChange(wanted, unseen(running));
  if (ids.length === 0) return wanted;
  return blockChange(
    wanted,
    `The ledger knows ${ids.join(', ')} under this name, but the service does not list it, so fans could get both. Run the command again in a minute. If that does not help, check the account and the key: ${formatCommand('doctor')}. Or choose another name.`,
  );
}

/** Another name would send it again. */
function sentUnseen(ids: readonly string[], shownInstead: string | null): string {
  const other = shownInstead === null ? '' : ` The list shows ${shownInstead} under the same name.`;
  return `The ledger knows ${ids.join(', ')} under this name, but the service does not list it, so fans could get it twice.${other} Run the command again in a minute. If that does not help, check the account and the key: ${formatCommand('doctor')}`;
}

/** A simulator forgets what its world did not keep. The real service never does. */
function newWorld({ simulator, origin }: ServiceIdentity): string {
  if (!simulator) return '';
  const asNew = 'The simulator may have begun a new world.';
  if (worldFileOf(origin) !== null)
    return ` ${asNew} Give it another file in service.simulator, and it counts as another service.`;
  return ` ${asNew} It counts as another service on another port. To keep its world: ${formatCommand('simulate', '--world', 'FILE', '--port', 'N')}.`;
}

/**
 * Blocks for objects that must stop and that this list does not show. None if the stop itself is blocked for them.
 * Otherwise the plan would say `paused` while one still sends.
 */
export function stopsUnseen(
  declared: Declared,
  changes: readonly Change[],
  missing: Missing,
): readonly Change[] {
  if (isDeclaredToSend(declared)) return [];
  const { running } = missing;
  if (running.length === 0) return [];
  if (changes.some((wanted) => saysStopped(wanted, declared))) return [];
  return [blocked(declared, unseen(running))];
}

/** The answer to a declared stop when all of the name that is shown has stopped, or nothing is shown. */
function saysStopped({ action }: Change, declared: Declared): boolean {
  return (action === 'keep' || action === 'done') && !isDeclaredToSend(declared);
}

function unseen(running: readonly string[]): string {
  return `The ledger knows ${running.join(', ')} under this name, but the service does not list it, so Herald cannot stop it. Run the command again in a minute. If that does not help, check it on the service, and check the account and the key: ${formatCommand('doctor')}`;
}

/** Whether a change may make something send. */
export function starts({ steps }: Change): boolean {
  return steps.some(({ kind }) => STARTING.includes(kind));
}

/** The same change, not carried out, and why. */
export function blockChange(wanted: Change, reason: string): Change {
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
