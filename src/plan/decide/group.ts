import { ARCHIVED_AFTER_MS } from '../../domain/content.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { canonical } from '../../domain/digest.ts';
import { groupBy } from '../../domain/group-by.ts';
import { compareIds } from '../../domain/ids.ts';
import { nameForm, plainText } from '../../domain/text.ts';
import { formatInstant, passedEnd } from '../../domain/time.ts';
import {
  KIND_ROWS,
  KINDS,
  type Declared,
  type Kind,
  type Observed,
  formatApply,
  type ResolvedAccount,
} from '../../domain/resource.ts';
import {
  BROADCAST_STATUSES,
  CAMPAIGN_STATUSES,
  isArchived,
  isStopped,
  readKindStatus,
  readTargetStatus,
  type BroadcastStatus,
  type CampaignStatus,
} from '../../domain/status.ts';
import { isStart, isUnconfirmed, type ObjectRow, type OpenRequest } from '../../state/shapes.ts';
import {
  compare,
  parseShown,
  UNKNOWABLE,
  type Comparison,
  type Shown,
  matchCreated,
  parseAsked,
} from '../compare/content.ts';
import type { MediaDigests } from '../compare/fields.ts';
import { indexRows, readName, type PlanFacts } from '../facts.ts';

/** The facts that groups are made from: all of a plan, or the few of a command by hand. */
export type GroupFacts = Pick<
  PlanFacts,
  'declared' | 'accounts' | 'observed' | 'known' | 'open' | 'past' | 'time' | 'settleMs' | 'allow'
>;

/** One live object of a name: how it compares with the file, and what the state knows of it. */
export interface Version {
  readonly id: string;
  readonly observed: Observed;
  /** Of a broadcast that has not left; null otherwise. */
  readonly hour: string | null;
  readonly state: State;
  readonly known: ObjectRow | null;
  readonly shown: Shown;
  readonly comparison: Comparison;
  /** On record as ours, or a new copy of what Herald created. */
  readonly ours: boolean;
  /**
   * Who stopped it; null if it is not stopped. Whatever an apply did not stop, a person did: its status is not the one that
   * Herald confirmed last, or a command by hand set it.
   */
  readonly stoppedBy: 'herald' | 'person' | null;
}

/** All live objects of one name, archived ones included; with `renamed_from`, of two names. Lowest id first. */
export interface Group<Resource extends Declared = Declared> {
  readonly declared: Resource;
  readonly versions: readonly Version[];
  /** What the state knows under these names. */
  readonly rows: readonly ObjectRow[];
  /** Of these, what the list does not show. */
  readonly missing: readonly ObjectRow[];
  /** Requests about the names or their objects that may still take effect. */
  readonly open: readonly OpenRequest[];
  readonly facts: GroupFacts;
}

export interface List {
  readonly account: ResolvedAccount;
  readonly kind: Kind;
  readonly live: readonly Observed[];
  readonly groups: readonly Group[];
  /** What the state knows, and the list does not show. */
  readonly missing: readonly ObjectRow[];
  readonly open: readonly OpenRequest[];
  /** Objects that no file declares, lowest id first. */
  readonly unclaimed: readonly Observed[];
  readonly versionOf: (declared: Declared | null, observed: Observed) => Version;
}

/** Everything that was read and is known, found without walking through it for each resource. */
export interface Index {
  readonly facts: GroupFacts;
  readonly lists: readonly List[];
  readonly rowOf: (observed: Observed) => ObjectRow | null;
  readonly stateOf: (observed: Observed) => State;
  /** Whether it was made by one of those who made what Herald has created. */
  readonly isByUs: (observed: Observed) => boolean;
}

/** One list for each account and kind that something is declared for or live on. */
export function indexFacts(facts: GroupFacts): Index {
  const rowOf = indexRows(facts.known.objects);
  const made = facts.observed.filter((object) => rowOf(object)?.declared_digest != null);
  const creators = new Set(made.flatMap((object) => readCreator(object) ?? []));
  const isByUs = (object: Observed) => creators.has(readCreator(object) ?? '');
  const stateOf = (object: Observed) => readState(object, rowOf(object), facts.time.earliestMs);
  const index = { facts, rowOf, stateOf, isByUs };
  const media = groupBy(facts.known.media, (one) => `${one.account_id}/${one.media_id}`);
  const sorted = facts.observed.toSorted((left, right) => compareIds(left.live.id, right.live.id));
  const live = groupBy(sorted, ({ account, kind }) => `${account}/${kind}`);
  const declared = groupBy(facts.declared, ({ address, kind }) => `${address.account}/${kind}`);
  const known = groupBy(facts.known.objects, ({ account_id: id, kind }) => `${id}/${kind}`);
  const open = groupBy(facts.open, ({ account_id: id, kind }) => `${id}/${kind}`);
  const lists = facts.accounts.flatMap((account) =>
    KINDS.flatMap((kind) => {
      const [byAlias, byId] = [`${account.alias}/${kind}`, `${account.accountId}/${kind}`];
      const own = { declared: declared.get(byAlias) ?? [], rows: known.get(byId) ?? [] };
      const list = { account, kind, live: live.get(byAlias) ?? [], open: open.get(byId) ?? [] };
      return list.live.length + own.declared.length === 0 ? [] : [makeList(list, own, index, media)];
    }),
  );
  return { ...index, lists };
}

function makeList(
  list: Pick<List, 'account' | 'kind' | 'live' | 'open'>,
  { declared, rows }: Pick<GroupFacts, 'declared'> & Pick<Group, 'rows'>,
  index: Omit<Index, 'lists'>,
  media: MediaDigests,
): List {
  const { live, open } = list;
  const { rowOf, stateOf, facts } = index;
  const objectsOf = findByName(live, declared, rowOf);
  const versionOf = (resource: Declared | null, observed: Observed): Version => {
    const known = rowOf(observed);
    const shown = parseShown(known?.shown);
    const onRecord = { shown, hidden: known?.hidden_digest ?? null, media };
    const comparison = resource === null ? UNKNOWABLE : compare(resource, observed, onRecord);
    const isCopy = () =>
      resource !== null &&
      comparison.verdict === 'equal' &&
      isOwnCopy(observed, listNames(resource), objectsOf(resource), open, index);
    return {
      id: observed.live.id,
      observed,
      hour: observed.kind === 'broadcast' ? (observed.live.scheduled_at ?? null) : null,
      state: stateOf(observed),
      known,
      shown,
      comparison,
      ours: known?.ours === 1 || isCopy(),
      stoppedBy: findStopper(observed, known, facts),
    };
  };
  const liveIds = new Set(live.map((object) => object.live.id));
  const isMissing = ({ live_id: id }: ObjectRow) => !liveIds.has(id);
  const rowsByName = groupBy(rows, ({ name }) => nameForm(name));
  const makeGroup = (resource: Declared): Group => {
    const names = listNames(resource);
    const versions = objectsOf(resource).map((object) => versionOf(resource, object));
    const ids = new Set(versions.map(({ id }) => id));
    const own = names.flatMap((name) => rowsByName.get(name) ?? []);
    return {
      declared: resource,
      versions,
      rows: own,
      missing: own.filter(isMissing),
      open: open.filter((one) => names.includes(nameForm(one.name)) || ids.has(one.live_id ?? '')),
      facts,
    };
  };
  const groups = declared.map(makeGroup);
  const claimed = new Set(groups.flatMap(({ versions }) => versions.map(({ observed }) => observed)));
  return {
    ...list,
    groups,
    missing: rows.filter(isMissing),
    unclaimed: live.filter((object) => !claimed.has(object)),
    versionOf,
  };
}

/** The names of a resource, in the form in which names are compared. */
function listNames({ address, renamedFrom }: Declared): readonly string[] {
  return (renamedFrom === null ? [address.name] : [address.name, renamedFrom]).map(nameForm);
}

/**
 * Finds the objects of a resource by name. The name that the state has of one counts as long as a file declares it or is
 * renamed from it.
 */
function findByName(
  live: readonly Observed[],
  declared: readonly Declared[],
  rowOf: Index['rowOf'],
): (declared: Declared) => readonly Observed[] {
  const wanted = new Set(declared.flatMap(listNames));
  const nameOf = (object: Observed) => {
    const known = nameForm(readName(object, rowOf(object)));
    return wanted.has(known) ? known : nameForm(object.live.name ?? '');
  };
  const byName = groupBy(live, nameOf);
  return (resource) => {
    const objects = listNames(resource).flatMap((name) => byName.get(name) ?? []);
    const isStranger = (object: Observed) => isNamedByItsText(object) && rowOf(object)?.ours !== 1;
    return [...new Set(objects)]
      .filter((object) => couldReadAsItsText(resource) || !isStranger(object))
      .toSorted((left, right) => compareIds(left.live.id, right.live.id));
  };
}

/** A nameless broadcast of one message reads with its text as its name (BROADCAST-24): that name does not identify it. */
export function isNamedByItsText({ kind, live }: Observed): boolean {
  const messages = live.messages ?? [];
  if (!KIND_ROWS[kind].readsAsItsText || messages.length !== 1) return false;
  return nameForm(messages[0]?.text ?? '') === nameForm(live.name ?? '');
}

/** Without the state, a declared broadcast with one text equal to its name looks like one without a name. */
function couldReadAsItsText({ kind, address, content }: Declared): boolean {
  if (!KIND_ROWS[kind].readsAsItsText || content.messages.length > 1) return false;
  return plainText(content.messages[0]?.text) === plainText(address.name);
}

/** `type:id` of the one who made it; null where the service does not say. */
function readCreator({ live: { created_by: creator } }: Observed): string | null {
  return creator?.type != null && creator.id != null ? `${creator.type}:${creator.id}` : null;
}

/**
 * Ownership. What is not on record as ours needs `--allow adopt` before the first write, unless it is a copy of what Herald
 * created: new since the list that was read before the create, equal to the file, and by the same creator. `objects` have the
 * names of the resource.
 */
function isOwnCopy(
  copy: Observed,
  names: readonly string[],
  objects: readonly Observed[],
  open: readonly OpenRequest[],
  { rowOf, isByUs }: Pick<Index, 'rowOf' | 'isByUs'>,
): boolean {
  if (!isByUs(copy)) return false;
  const isNew = open.some((request) => {
    const asked = request.live_id === null ? parseAsked(request.asked) : null;
    return asked !== null && names.includes(nameForm(request.name)) && !asked.baseline.includes(copy.live.id);
  });
  // The list was read before the create, so what is younger than a version of ours was not in it.
  const isYounger = objects.some(
    (object) =>
      rowOf(object)?.declared_digest != null &&
      Date.parse(copy.live.created_at ?? '') > Date.parse(object.live.created_at ?? ''),
  );
  return isNew || isYounger;
}

/**
 * Orders by age, the newest last: by the time at which the service created it, then by id. The state tells nothing of the age: it may
 * have learned of an older version later.
 */
function compareAge({ observed: left }: Version, { observed: right }: Version): number {
  const byTime = Date.parse(left.live.created_at ?? '') - Date.parse(right.live.created_at ?? '');
  return (Number.isNaN(byTime) ? 0 : byTime) || compareIds(left.live.id, right.live.id);
}

/** The newest of these; null for none. A duplicate that Herald stopped tells nothing. */
export function findNewest(versions: readonly Version[]): Version | null {
  return (
    versions
      .filter((version) => !isStoppedDuplicate(version))
      .toSorted(compareAge)
      .at(-1) ?? null
  );
}

function isStoppedDuplicate({ known, observed }: Version): boolean {
  return known?.status_by === 'apply' && known.status_why === 'duplicate' && isStopped(observed.live);
}

/** Whether a person's stop holds it back. `--allow resume` decides as if Herald had stopped it. */
export function isStoppedByPerson({ facts }: Pick<Group, 'facts'>, { stoppedBy }: Version): boolean {
  return stoppedBy === 'person' && !facts.allow.has('resume');
}

/** Who stopped it, as far as is known; null for what is not stopped. */
export function findStopper(
  observed: Observed,
  known: ObjectRow | null,
  { known: { isCut }, past, time }: GroupFacts,
): Version['stoppedBy'] {
  const { kind, live } = observed;
  if (!isStopped(live)) return null;
  if (known?.status_by !== 'apply' || isCut || isPausedForErrors(observed)) return 'person';
  if (known.status_set === live.status) return 'herald';
  if (known.status_set !== 'paused' || !isArchived(live)) return 'person';
  // The service archives what was paused for too long. A broadcast cannot be archived in any other way (BROADCAST-19).
  const pausedAtMs = past?.statusTimes.get(known.status_seq) ?? Infinity;
  const isWeekOver = time.earliestMs - pausedAtMs >= ARCHIVED_AFTER_MS;
  return kind === 'broadcast' || isWeekOver ? 'herald' : 'person';
}

/** The service paused it after too many failed sends. So if it was paused before, a person has resumed it since. */
function isPausedForErrors({ kind, live }: Observed): boolean {
  return kind === 'broadcast' && live.pause_reason === 'send_errors';
}

/** `Paused outside Herald: 5003.` */
export function explainStop({ id, known, observed }: Version, { facts }: Pick<Group, 'facts'>): string {
  if (known?.status_why === 'by_hand' && known.status_set === observed.live.status)
    return `Stopped by hand with Herald: ${id}.`;
  const verb = isArchived(observed.live) ? 'Archived' : 'Paused';
  if (known?.status_why === 'lost_start')
    return `${verb}: its start got no answer and does not show, or a person has stopped it since: ${id}.`;
  if (isPausedForErrors(observed)) return `${verb} by the service after too many send errors: ${id}.`;
  const maybe =
    facts.known.isCut || known?.status_why === 'lost_state'
      ? ', or by a run that the state does not have'
      : '';
  return `${verb} outside Herald${maybe}: ${id}.`;
}

/** Whether the service refused for good to recall it (`target` is null), or to resume it. */
export function isRefused(
  { observed: { accountId, kind, live } }: Version,
  target: 'queued' | null,
  { past }: GroupFacts,
): boolean {
  return (past?.refused ?? []).some(
    (row) =>
      row.account_id === accountId && row.kind === kind && row.live_id === live.id && row.target === target,
  );
}

/** An apply stopped it to replace it. */
export function isOwed({ known }: Pick<Version, 'known'>): boolean {
  return known?.status_by === 'apply' && known.status_why === 'replace';
}

/** And nothing has replaced it yet. */
export function isUnreplaced(version: Pick<Version, 'known'>): boolean {
  return isOwed(version) && version.known?.replaced_by === null;
}

/**
 * What a status means for decisions:
 *
 * | state    | a campaign             | a broadcast                                                |
 * |----------|------------------------|------------------------------------------------------------|
 * | runs     | reacts to its trigger  | waits: it goes out at its hour, unless it is stopped       |
 * | paused   | is paused              | was paused before its hour                                 |
 * | halted   |                        | was paused after it had begun to go out                    |
 * | archived | is archived            | never left, and can no longer go out                       |
 * | recalled | is or will be recalled |                                                            |
 * | left     |                        | goes out or went out, or has a status that has no name here |
 * | unnamed  | has no status, or one that has no name here |                                       |
 */
export type State = 'runs' | 'paused' | 'halted' | 'archived' | 'recalled' | 'left' | 'unnamed';

const CAMPAIGN_STATES: Readonly<Record<CampaignStatus, State>> = {
  active: 'runs',
  paused: 'paused',
  archived: 'archived',
  recalling: 'recalled',
  recalled: 'recalled',
  unsending: 'recalled',
  unsent: 'recalled',
  none: 'unnamed',
  unnamed: 'unnamed',
};

/** With its hour, and without: only what has begun to go out has none (BROADCAST-11). */
const BROADCAST_STATES: Readonly<Record<BroadcastStatus, readonly [withHour: State, without: State]>> = {
  scheduled: ['runs', 'left'],
  queued: ['left', 'left'],
  sending: ['left', 'left'],
  paused: ['paused', 'halted'],
  // It was paused for too long. With its hour it never left.
  archived: ['archived', 'left'],
  none: ['left', 'left'],
  unnamed: ['left', 'left'],
};

/**
 * A broadcast counts as sent when its end passes, whatever it was (BROADCAST-8). What Herald had paused, and what still has its
 * hour then, never left.
 */
function readState({ kind, live }: Observed, known: ObjectRow | null, nowMs: number): State {
  if (kind === 'campaign') return CAMPAIGN_STATES[readKindStatus(live, CAMPAIGN_STATUSES)];
  const { scheduled_at: hour, rules } = live;
  const [withHour, without] = BROADCAST_STATES[readKindStatus(live, BROADCAST_STATUSES)];
  const state = hour == null ? without : withHour;
  const wasPaused = known?.status_by === 'apply' && known.status_set === 'paused';
  const hasNeverLeft = wasPaused && hour != null && passedEnd(rules, nowMs) !== null;
  return state === 'left' && hasNeverLeft ? 'archived' : state;
}

// Requests that may still take effect: their kinds, and the words about them.

function isOpenRecall({ live_id: id, target }: OpenRequest): boolean {
  return id !== null && target === null;
}

/** Versions to stop: those in these states without what an open request stops already, and what one starts. */
export function toStop(
  { versions, open }: Pick<Group, 'versions' | 'open'>,
  ...states: readonly State[]
): readonly Version[] {
  return versions.filter(({ id, state }) => {
    const own = open.filter(({ live_id: about }) => about === id);
    const isBeingStopped = own.some(
      (request) =>
        isUnconfirmed(request) &&
        (isOpenRecall(request) || isStopped({ status: readTargetStatus(request.target) })),
    );
    return own.some(isStart) || (states.includes(state) && !isBeingStopped);
  });
}

/** Why nothing starts while a request is open, and the next command. */
export function explainOpen(
  request: OpenRequest,
  { declared, versions, facts }: Pick<Group, 'versions' | 'facts'> & { readonly declared: Declared | null },
): string {
  const { entry, live_id: id, sent_at: sentAt, known_ms: knownMs } = request;
  const close = formatCommand('state', 'close', entry, '--because', '…');
  if (isOpenRecall(request) && request.kind === 'broadcast')
    return `A recall of ${id ?? ''}, sent at ${new Date(sentAt).toISOString()}, got no answer. Check on the service whether it was recalled. If it was not, and should be sent: ${close}`;
  // What no file of an apply declares is known only to the command that was run (BROADCAST-3).
  const isDraft = declared?.kind === 'broadcast' && declared.atOnce === true;
  const again = isDraft ? 'the same command' : formatApply(declared?.address ?? request);
  const asked = id === null ? parseAsked(request.asked) : null;
  // Also after the window of the create: fans could get both.
  const made = versions.filter(
    (one) =>
      asked?.baseline.includes(one.id) === false &&
      one.known?.ours !== 1 &&
      nameForm(one.observed.live.name ?? '') === nameForm(request.name),
  );
  const [first] = made;
  if (asked !== null && first !== undefined) {
    const what = `An earlier create got no answer and may have created ${made.map((one) => one.id).join(', ')} (${canonical(request.name)})`;
    if (made.some(({ observed }) => matchCreated(asked, observed) === 'equal'))
      return `${what}, which has its content. Run ${again}: it takes it over once nothing else can come of that create.`;
    return `${what}. Check on the service whether it is the same message. If it is not, or if you do not need it: ${commandFor('pause', first.observed)}. Then: ${close}`;
  }
  const until = formatInstant(facts.time.latestMs + Math.max(0, facts.settleMs - knownMs));
  const what = isUnconfirmed(request) ? 'An earlier' : 'A copy of an earlier';
  return `${what} ${nameRequest(request)} got no answer and may still succeed until ${until}. Run ${again} after that.`;
}

/** `create of "Welcome"`, `recall of 5003`, `activation of 5003`, or `change of 5003 to paused`. */
export function nameRequest(request: OpenRequest): string {
  const { name, live_id: id, target } = request;
  if (id === null) return `create of ${canonical(name)}`;
  if (target === null) return `recall of ${id}`;
  return isStart(request) ? `activation of ${id}` : `change of ${id} to ${target}`;
}

/** `herald campaigns pause 5003 --account vip` */
export function formatByHand(verb: string, kind: Kind, id: string, account: string): string {
  return formatCommand(KIND_ROWS[kind].plural, verb, id, '--account', account);
}

export function commandFor(verb: string, { kind, account, live }: Observed): string {
  return formatByHand(verb, kind, live.id, account);
}
