import { LEAVING_MS, SCHEDULE_LEAD_MS } from '../../domain/broadcast.ts';
import type { Change } from '../../domain/change.ts';
import { nameForm } from '../../domain/text.ts';
import { globOf } from '../../domain/glob.ts';
import { groupBy } from '../../domain/group-by.ts';
import type { Declared, Kind, Observed } from '../../domain/resource.ts';
import { isPaused, isRunning, statusOf, STATUS_TRAITS } from '../../domain/status.ts';
import type { PlanFacts } from '../facts.ts';
import { explainSame, findSameIn, type FindSame } from '../guards.ts';
import { parsePatterns } from '../targets.ts';
import { blockChange, change, isEqual } from './decision.ts';
import {
  broadcastState,
  campaignState,
  indexFacts,
  isStoppedByHerald,
  type Index,
  type List,
  type Version,
} from './group.ts';
import { formatByHand, openReason } from './open.ts';

type Action = 'activate' | 'resume' | 'pause' | 'archive' | 'recall';

/** What a person asks for with `campaigns …` or `broadcasts …`. */
export interface ByHandRequest {
  readonly kind: Kind;
  readonly action: Action;
  /** One object, or patterns over names and addresses: `Welcome`, `vip/campaign/*`. */
  readonly what:
    | { readonly account: string; readonly liveId: string }
    | { readonly patterns: readonly string[]; readonly account?: string };
  /** Proceed even if a person should check first. */
  readonly force: boolean;
  /** Ask for the status even if the object has it already. */
  readonly again: boolean;
}

/** A stop by hand needs no more than this: no lease, no plan. */
export interface ByHandFacts extends Pick<
  PlanFacts,
  'accounts' | 'observed' | 'known' | 'open' | 'past' | 'time'
> {
  /** What a start is compared with. Null if the files have errors, or for a stop, which does not wait for them. */
  readonly declared: readonly Declared[] | null;
}

/**
 * | answer | what                                                     | action of the change |
 * |--------|----------------------------------------------------------|----------------------|
 * | go     | it is sent                                               | the action           |
 * | so     | nothing to do                                            | keep                 |
 * | cannot | its present state does not allow it                      | blocked              |
 * | held   | a person must do or decide something else first          | blocked              |
 */
type Answer = 'go' | 'so' | 'cannot' | 'held';

/** What becomes of one object. */
export interface ByHandDecision {
  readonly answer: Answer;
  readonly change: Change;
  /** What to do instead; empty for `go`. */
  readonly hint: string;
  /** A broadcast that leaves the moment it is resumed. */
  readonly atOnce: boolean;
}

type State = 'runs' | 'goes out' | 'paused' | 'halted' | 'archived' | 'recalled' | 'unnamed';
type Answers = Readonly<Record<Action, Partial<Record<State, Answer>>>>;

/**
 * By what is asked and the live status; what is not in a row cannot be done. A stop that is `so` is sent once more with
 * `--again`, or if an apply stopped it, so that the stop is a person's. A start is held where another version runs, the same
 * content runs under another name, a request is open, or Herald recalled it.
 */
const CAMPAIGN_ANSWERS: Answers = {
  pause: { runs: 'go', paused: 'so', archived: 'go' },
  archive: { runs: 'go', paused: 'go', archived: 'so' },
  recall: { runs: 'go', paused: 'go', recalled: 'so' },
  activate: { runs: 'so', paused: 'go', archived: 'go' },
  resume: { runs: 'so', paused: 'go' },
};
const BROADCAST_ANSWERS: Answers = {
  pause: { runs: 'go', 'goes out': 'go', paused: 'so', halted: 'so', unnamed: 'go' },
  archive: {},
  recall: {
    runs: 'go',
    'goes out': 'go',
    paused: 'go',
    halted: 'go',
    archived: 'go',
    recalled: 'so',
    unnamed: 'go',
  },
  activate: { runs: 'so', 'goes out': 'so', paused: 'go', halted: 'go', archived: 'go' },
  resume: { runs: 'so', 'goes out': 'so', paused: 'go', halted: 'go' },
};

/** What the status of an object means for a command by hand: the live status, and not Herald's reading of it. */
function readState({ observed, known }: Version): State {
  if (observed.kind === 'campaign') {
    const state = campaignState(observed);
    return state === 'active' ? 'runs' : state;
  }
  const status = statusOf(observed.live);
  if (STATUS_TRAITS[status].goingOut) return 'goes out';
  if (isRunning(observed.live)) return 'runs';
  if (known?.recalled === 1) return 'recalled';
  if (status === 'paused') return broadcastState(observed) === 'halted' ? 'halted' : 'paused';
  return status === 'archived' ? 'archived' : 'unnamed';
}

interface Case {
  readonly request: ByHandRequest;
  readonly version: Version;
  readonly state: State;
  /** Everything of the name, lowest id first. */
  readonly versions: readonly Version[];
  readonly list: List;
  readonly declared: Declared;
  readonly index: Index;
  readonly facts: ByHandFacts & { readonly findSame: FindSame | null };
}

/** One decision for each object that is meant, in the order of the addresses. Empty if there is none. */
export function decideByHand(request: ByHandRequest, facts: ByHandFacts): readonly ByHandDecision[] {
  const index = indexFacts({ ...facts, declared: facts.declared ?? [], allow: new Set() });
  const { what } = request;
  return index.lists
    .filter(({ kind, account: { alias, accountId } }) => {
      const isNamed = what.account === alias || ('liveId' in what && what.account === accountId);
      return kind === request.kind && (what.account === undefined || isNamed);
    })
    .flatMap((list) => {
      const findSame = facts.declared === null ? null : findSameIn(list, index);
      return namesIn(list, index, request).flatMap(([name, objects]) =>
        decideName(name, objects, { list, index, request, facts: { ...facts, findSame } }),
      );
    });
}

function namesIn(
  { account: { alias }, kind, live }: List,
  index: Index,
  { what }: ByHandRequest,
): readonly (readonly [name: string, objects: readonly Observed[]])[] {
  const byName = groupBy(live, (object) => nameForm(index.rowOf(object)?.name || (object.live.name ?? '')));
  if ('liveId' in what)
    return [...byName].filter(([, objects]) => objects.some((one) => one.live.id === what.liveId));
  const isAddress = (text: string) => /^[^/]+\/(?:campaign|broadcast|\*)\//.test(text);
  const patterns = what.patterns.map(nameForm);
  const addresses = parsePatterns(patterns.filter(isAddress));
  const names = patterns.filter((text) => !isAddress(text)).map(globOf);
  return [...byName]
    .filter(([name]) => name !== '')
    .filter(([name]) => addresses.fits({ account: alias, kind, name }) || names.some((fits) => fits(name)))
    .toSorted(([left], [right]) => (left < right ? -1 : 1));
}

function decideName(
  name: string,
  objects: readonly Observed[],
  about: Pick<Case, 'list' | 'index' | 'request' | 'facts'>,
): readonly ByHandDecision[] {
  const { list, index, request } = about;
  const inFiles = list.declared.find((one) =>
    list.groupOf(one).versions.some(({ observed }) => objects.includes(observed)),
  );
  const declared = inFiles ?? describeUndeclared(list, name);
  const versions = objects.map((object) => index.versionOf(declared, object));
  const decide = (version: Version) =>
    answer({ ...about, version, state: readState(version), versions, declared });
  const { what } = request;
  if ('liveId' in what) return versions.filter(({ id }) => id === what.liveId).map(decide);
  if (isStart(request)) return startOfName(versions, inFiles, decide);
  const decisions = versions.map((version) => ({ version, decision: decide(version) }));
  // A name means what runs or waits: not a pause of what is archived.
  const go = decisions.filter(
    ({ version, decision }) =>
      decision.answer === 'go' &&
      (request.action === 'recall' || !['archived', 'unnamed'].includes(readState(version))),
  );
  return (go.length > 0 ? go : decisions.slice(-1)).map(({ decision }) => decision);
}

/** The version that equals the file. */
function startOfName(
  versions: readonly Version[],
  declared: Declared | undefined,
  decide: (version: Version) => ByHandDecision,
): readonly ByHandDecision[] {
  const equal = declared === undefined ? [] : versions.filter(isEqual);
  const current =
    equal.find(({ observed }) => isRunning(observed.live)) ??
    equal.find(({ observed }) => isPaused(observed.live)) ??
    equal[0];
  const last = versions.at(-1);
  if (current !== undefined || last === undefined) return current === undefined ? [] : [decide(current)];
  const { change: wanted, ...rest } = decide(last);
  if (versions.length === 1) return [{ ...rest, change: wanted }];
  const { account, kind } = last.observed;
  const verb = kind === 'campaign' ? 'activate' : 'resume';
  const why = declared === undefined ? 'No file declares it.' : 'No version equals its file.';
  const reason = `${why} Versions of this name: ${listVersions(versions, declared)}.`;
  const hint = `Name one by its id: ${formatByHand(verb, kind, last.id, account)}`;
  return [{ ...rest, answer: 'held', change: blockChange(wanted, reason), hint }];
}

function isStart({ action }: ByHandRequest): boolean {
  return action === 'activate' || action === 'resume';
}

/** A row and a column of the table, and what holds back a start. */
function answer(the: Case): ByHandDecision {
  const { request, state, version, declared } = the;
  const { action, kind } = request;
  const wanted = (kind === 'campaign' ? CAMPAIGN_ANSWERS : BROADCAST_ANSWERS)[action][state] ?? 'cannot';
  const status = version.observed.live.status ?? 'no status';
  const kinds = action === 'recall' && kind === 'broadcast' ? [action] : ([action, 'read_back'] as const);
  const steps = kinds.map((one) => ({ kind: one, live_id: version.id }));
  const base = change(declared, action, { version, steps });
  if (wanted === 'cannot') return { answer: wanted, atOnce: false, ...explainCannot(the, status, base) };
  const isRepeated = request.again || (!isStart(request) && isStoppedByHerald(version, the.index.facts));
  if (wanted === 'so' && !isRepeated) {
    const kept = { ...blockChange(base, `It is ${status} already.`), action: 'keep' as const };
    const hint = action === 'activate' ? `If it works only in part: ${commandFor(the, action)} --again` : '';
    return { answer: 'so', change: kept, hint, atOnce: false };
  }
  const held = isStart(request) ? holdStart(the) : null;
  if (held !== null)
    return { answer: 'held', change: blockChange(base, held.reason), hint: held.hint, atOnce: false };
  const repeat = `It is ${status} already. The request is sent once more, so that it is on record as stopped by you: an apply starts it again only with --allow resume.`;
  const reasons = [
    ...(wanted === 'so' && !isStart(request) ? [repeat] : explainGo(the)),
    ...explainOwner(the),
  ];
  const undo = action === 'pause' ? explainRestart(the) : base.undo;
  return { answer: 'go', change: { ...base, reasons, undo }, hint: '', atOnce: leavesAtOnce(the) };
}

/** How a pause is undone. */
function explainRestart(the: Case): string {
  return the.request.kind === 'campaign'
    ? `For 7 days, until the service archives it: ${commandFor(the, 'activate')}`
    : `For 5 days, before its time: ${commandFor(the, 'resume')}`;
}

function leavesAtOnce({ request: { action }, version: { observed }, facts }: Case): boolean {
  if (action !== 'resume' || observed.kind !== 'broadcast') return false;
  return !(Date.parse(observed.live.scheduled_at ?? '') > facts.time.latestMs);
}

/** Why a start waits for a person. */
function holdStart(the: Case): { readonly reason: string; readonly hint: string } | null {
  const { version, versions, list, declared, facts, request } = the;
  const { live, kind } = version.observed;
  const running = versions.find(
    (one) =>
      one !== version &&
      (one.observed.kind === 'campaign'
        ? isRunning(one.observed.live)
        : ['waits', 'left', 'halted'].includes(broadcastState(one.observed))),
  );
  if (running !== undefined)
    return {
      reason: `${running.id} with the same name (${running.observed.live.status ?? 'no status'}) runs, or was sent: fans would get both messages.`,
      hint: `Pause it first: ${commandFor(the, 'pause', running.id)}. If it was sent and is another message, start this one on the service.`,
    };
  const ids = new Set(versions.map(({ id }) => id));
  const open = list.open.find((one) => one.name === declared.address.name || ids.has(one.live_id ?? ''));
  if (open !== undefined)
    return {
      reason: openReason(open, { declared, versions }, facts),
      hint: 'Wait two minutes, and run the command again.',
    };
  const asFiled = { ...declared, ignore: [] };
  const same = isEqual(version) ? (facts.findSame?.(asFiled, versions, [version]) ?? null) : null;
  if (same !== null) return { reason: explainSame(request, declared, same), hint: 'Stop that one first.' };
  if (version.known?.recalled === 1)
    return { reason: 'Herald has recalled it.', hint: 'To send it again, give it a new name.' };
  if (kind === 'campaign' || request.force) return null;
  const force = `${commandFor(the, 'resume')} --force`;
  if (live.pause_reason === 'send_errors')
    return {
      reason: 'The service paused it after too many send errors.',
      hint: `Find out why first. Then: ${force}`,
    };
  // One that has begun to go out shows no hour any more.
  if (!(Date.parse(live.scheduled_at ?? '') - facts.time.latestMs < SCHEDULE_LEAD_MS)) return null;
  return {
    reason: `Its time ${live.scheduled_at ?? ''} has passed or is less than 5 minutes away, and the service sends a past schedule at once.`,
    hint: `To send it all the same: ${force}`,
  };
}

function commandFor({ version, request }: Case, verb: Action, id = version.id): string {
  return formatByHand(verb, request.kind, id, version.observed.account);
}

function explainCannot(the: Case, status: string, base: Change): Pick<ByHandDecision, 'change' | 'hint'> {
  const { state, request } = the;
  if (state === 'unnamed') {
    const reason = `Its status "${status}" is unknown to this version of Herald, so nothing was changed.`;
    return { change: blockChange(base, reason), hint: 'Check it on the service.' };
  }
  if (state === 'archived' && request.kind === 'campaign')
    return {
      change: blockChange(base, 'It is archived, and only an active or paused campaign can be recalled.'),
      hint: `Pause it first, which starts nothing. Then recall it: ${commandFor(the, 'pause')} && ${commandFor(the, 'recall')}. Only messages of the last 24 hours are recalled.`,
    };
  const reason = `It is ${state} (its status is "${status}"): it sends nothing, and cannot be started again.`;
  return { change: blockChange(base, reason), hint: 'To send it again, give it a new name.' };
}

/** The effects, one sentence each. */
function explainGo(the: Case): readonly string[] {
  const { request, state, version, facts } = the;
  const { observed } = version;
  const hour = observed.kind === 'broadcast' ? (observed.live.scheduled_at ?? null) : null;
  switch (request.action) {
    case 'activate':
      return [
        'It reacts to its trigger immediately, and messages that are still queued may go out, too.',
        ...explainVersions(the),
      ];
    case 'resume': {
      const when = leavesAtOnce(the) ? 'NOW' : `at ${hour ?? ''}`;
      return [`It goes out ${when}, ${countRecipients(observed)}.`, ...explainVersions(the)];
    }
    case 'pause':
      if (request.kind === 'campaign')
        return ['It stops reacting to its trigger immediately, and keeps its queue.'];
      if (state !== 'runs')
        return ['It has begun to go out. Fans that it has reached keep their message; the others get none.'];
      return [
        `It does not go out${hour === null ? '' : ` at ${hour}`}.`,
        ...(hour !== null && Date.parse(hour) - facts.time.latestMs < LEAVING_MS
          ? ['Its time is so near that it may begin to go out before the pause arrives.']
          : []),
      ];
    case 'archive':
      return [
        'It stops permanently, and its queue is cleared.',
        `An archived campaign cannot be recalled. To recall what it delivered, do this before: ${commandFor(the, 'recall')}.`,
      ];
    case 'recall':
      if (state === 'runs' && request.kind === 'broadcast')
        return [
          `Nothing was sent yet, so a pause is enough: ${commandFor(the, 'pause')}.`,
          'A recall stops it permanently.',
        ];
      return [
        'It stops permanently, and its messages of the last 24 hours are recalled. Older messages stay with the fans.',
      ];
  }
}

/** Zero stands for not counted yet as well as for content that cannot be read (BROADCAST-25). */
function countRecipients(observed: Observed): string {
  const count = observed.kind === 'broadcast' ? (observed.live.targeted_recipients_count ?? 0) : 0;
  if (count > 0) return `to ${count} fan${count === 1 ? '' : 's'}`;
  return 'to a number of fans that the service has not counted yet';
}

function explainVersions({ version, versions, declared, facts }: Case): readonly string[] {
  const compared = facts.declared === null ? undefined : declared;
  const differs = compared === undefined || isEqual(version) ? [] : [explainDifference(version, declared)];
  if (versions.length === 1) return differs;
  return [...differs, `Versions of this name: ${listVersions(versions, compared)}.`];
}

function explainDifference({ comparison, observed }: Version, declared: Declared): string {
  if (declared.source.file === '') return 'No file declares it.';
  if (comparison.verdict !== 'different') return 'It cannot be compared with its file.';
  const text = observed.live.messages?.[0]?.text ?? null;
  const paths = comparison.fields.map(({ path }) => path).join(', ');
  return `It differs from its file (${paths}).${text === null ? '' : ` Fans get ${JSON.stringify(text)}.`}`;
}

/** `1 (archived), 2 (paused, current)` */
function listVersions(versions: readonly Version[], declared: Declared | undefined): string {
  return versions
    .map((version) => {
      const { live } = version.observed;
      const created = live.created_at == null ? '' : `, created on ${live.created_at}`;
      const current = declared !== undefined && isEqual(version) ? ', current' : '';
      return `${version.id} (${live.status ?? 'no status'}${created}${current})`;
    })
    .join(', ');
}

function explainOwner({ version: { ours, known }, request }: Case): readonly string[] {
  return [
    ...(ours ? [] : ['Herald did not create it.']),
    ...(known?.protect === 1 && !isStart(request)
      ? ['The files protect it (protect: true), so no plan would do this.']
      : []),
  ];
}

/** Of a name that no file declares: there is nothing to compare it with. */
function describeUndeclared({ account, kind }: List, name: string): Declared {
  const shared = {
    address: { account: account.alias, kind, name },
    source: { file: '', line: 0, column: 0 },
    timezone: null,
    renamedFrom: null,
    protect: false,
    ignore: [],
  };
  const content = { audience_filters: [], messages: [] };
  return kind === 'campaign'
    ? {
        ...shared,
        kind,
        target: 'active',
        replace: 'pause_first',
        oldQueue: 'keep',
        content: { ...content, trigger: '', action: 'send_message' },
      }
    : { ...shared, kind, target: 'scheduled', scheduledAtUtc: '', content };
}
