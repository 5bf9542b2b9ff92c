import { RESUME_WINDOW_MS, SCHEDULE_LEAD_MS } from '../../domain/content.ts';
import type { Change, ChangeKind } from '../../domain/change.ts';
import { nameForm } from '../../domain/text.ts';
import { formatInstant } from '../../domain/time.ts';
import type { Address, Declared, Kind, Observed } from '../../domain/resource.ts';
import { isArchived, isPaused, isRecalled, isRunning, readStatus } from '../../domain/status.ts';
import { readName } from '../facts.ts';
import { indexSame } from '../guards.ts';
import { blockChange, change, isEqual, step } from './decision.ts';
import {
  commandFor,
  indexFacts,
  explainOpen,
  type Group,
  type GroupFacts,
  type Index,
  type List,
  type Version,
} from './group.ts';

type Action = 'activate' | 'resume' | 'pause' | 'archive' | 'recall';

/** What a person asks for with `campaigns …` or `broadcasts …`. `account` is an alias. */
export interface ByHandRequest {
  readonly kind: Kind;
  readonly action: Action;
  /** One object, or a name: then the version that equals its file. */
  readonly what: { readonly account: string } & ({ readonly liveId: string } | { readonly name: string });
  /** Proceed even if a person should check first. */
  readonly force: boolean;
  /** Ask for the status even if the object has it already. */
  readonly again: boolean;
}

/** What becomes of one object. The reasons of the change end with what to do instead. */
export interface ByHandDecision {
  /** The action that is asked for. Otherwise `keep` if there is nothing to do, or `blocked`. */
  readonly change: Change;
  /** It is blocked until a person does or decides something else. */
  readonly isHeld: boolean;
}

/** From where it starts. What runs already is only sent again with `--again`. */
const STARTS_FROM: Readonly<Record<Kind, readonly string[]>> = {
  campaign: ['active', 'paused', 'archived'],
  broadcast: ['scheduled', 'queued', 'sending', 'paused'],
};

/** The service stops everything from every status (CAMPAIGN-10), apart from these and a second recall (CAMPAIGN-12). */
const CANNOT_STOP = ['campaign recall archived', 'broadcast pause archived'];

/** What is as it is asked for. A stop of it is sent all the same, so that it is on record as a person's. */
const IS_ALREADY: Readonly<Record<Action, (object: Observed['live']) => boolean>> = {
  activate: isRunning,
  resume: isRunning,
  pause: isPaused,
  archive: isArchived,
  recall: isRecalled,
};

interface Case {
  readonly request: ByHandRequest;
  readonly address: Address;
  readonly version: Version;
  readonly versions: readonly Version[];
  /** Null if no file declares the name. */
  readonly declared: Declared | null;
  readonly list: List;
  readonly index: Index;
  readonly facts: GroupFacts;
}

/** Decides about the object that is meant; null if there is none. The files matter only for a start. */
export function decideByHand(request: ByHandRequest, facts: GroupFacts): ByHandDecision | null {
  const { kind, action, what } = request;
  const index = indexFacts(facts);
  const list = index.lists.find((one) => one.kind === kind && one.account.alias === what.account);
  if (list === undefined) return null;
  const nameOf = (object: Observed) => nameForm(readName(object, index.rowOf(object)));
  const meant = 'liveId' in what ? list.live.find(({ live }) => live.id === what.liveId) : undefined;
  const name = 'name' in what ? nameForm(what.name) : meant === undefined ? '' : nameOf(meant);
  const objects = list.live.filter((object) => object === meant || (name !== '' && nameOf(object) === name));
  const isAbout = (group: Group) => group.versions.some(({ observed }) => objects.includes(observed));
  const declared = list.groups.find(isAbout)?.declared ?? null;
  const versions = objects.map((object) => list.versionOf(declared, object));
  const last = versions.at(-1);
  if (last === undefined) return null;
  const address = declared?.address ?? { account: list.account.alias, kind, name };
  const version = 'name' in what ? findCurrent(versions) : versions.find(({ id }) => id === what.liveId);
  if (version !== undefined)
    return answer({ request, address, version, versions, declared, list, index, facts });
  const why = declared === null ? 'No file declares it.' : 'No version equals its file.';
  const reason = `${why} Versions of this name: ${listVersions(versions)}. Name one by its id: ${commandFor(action, last.observed)}`;
  return { isHeld: true, change: blockChange(change({ address }, action, { version: last }), reason) };
}

/** The version that equals the file: what fans get may not be another text than people read there. */
function findCurrent(versions: readonly Version[]): Version | undefined {
  const equal = versions.filter(isEqual);
  return (
    equal.find(({ observed }) => isRunning(observed.live)) ??
    equal.find(({ observed }) => isPaused(observed.live)) ??
    equal[0]
  );
}

function isStart({ action }: ByHandRequest): boolean {
  return action === 'activate' || action === 'resume';
}

/** Whether it can be done at all, and what holds back a start. */
function answer(the: Case): ByHandDecision {
  const { request, version, address } = the;
  const { action, kind, again } = request;
  const { live } = version.observed;
  const isReadBack = action !== 'recall' || kind === 'campaign';
  const steps = [step(action, version), ...(isReadBack ? [step('read_back', version)] : [])];
  const wanted = change({ address }, action, { version, steps, fields: version.comparison.fields });
  const isPossible = !wasRecalled(the) && STARTS_FROM[kind].includes(readStatus(live));
  if (isStart(request) && !isPossible)
    return { isHeld: false, change: blockChange(wanted, explainCannot(the)) };
  const isAlready = IS_ALREADY[action](live);
  const already = `It is ${live.status ?? 'no status'} already.`;
  if (isStart(request) && isAlready && !again) {
    const partly = `If it works only in part: ${commandFor(action, version.observed)} --again`;
    const kept = blockChange(wanted, already, ...(action === 'activate' ? [partly] : []));
    return { isHeld: false, change: { ...kept, action: 'keep' } };
  }
  const held = isStart(request) ? explainHeld(the) : null;
  if (held !== null) return { isHeld: true, change: blockChange(wanted, held) };
  const repeat = `${already} The request is sent once more, to put it on record as stopped by you: then an apply starts it again only with --allow resume.`;
  const refused = isAlready ? already : explainCannot(the);
  const sent = isAlready && !isStart(request) ? repeat : explainEffect(the);
  const effect = mayBeRefused(version.observed, action) ? refused : sent;
  const undo = action === 'pause' ? explainRestart(version) : wanted.undo;
  const reasons = [effect, ...explainOwner(the)];
  return { isHeld: false, change: { ...wanted, reasons, undo } };
}

/** Stops that the service refuses from what an object shows. That may be seconds old, so they leave all the same. */
export function mayBeRefused({ kind, live }: Observed, action: ChangeKind): boolean {
  return (
    CANNOT_STOP.includes(`${kind} ${action} ${readStatus(live)}`) || (action === 'recall' && isRecalled(live))
  );
}

/** How a pause is undone. Empty for what cannot start again. */
function explainRestart({ observed, hour }: Version): string {
  if (isRecalled(observed.live)) return '';
  if (observed.kind === 'campaign')
    return `For 7 days, until the service archives it: ${commandFor('activate', observed)}`;
  const resume = commandFor('resume', observed);
  return hour === null ? `To send the rest: ${resume}` : `For 5 days, before its time: ${resume}`;
}

/** Herald recalled it, and it does not run any more. */
function wasRecalled({ version: { known, observed } }: Case): boolean {
  return known?.recalled === 1 && !isRunning(observed.live);
}

/** Why a start waits for a person, and what to do; null if it need not. */
function explainHeld(the: Case): string | null {
  const { version, versions, list, index, declared, facts, request, address } = the;
  const { live, kind } = version.observed;
  const running = versions.find((one) => one !== version && ['runs', 'left', 'halted'].includes(one.state));
  if (running !== undefined) {
    const both = `${running.id} with the same name (${running.observed.live.status ?? 'no status'}) runs, or was sent: fans would get both messages.`;
    // A pause takes nothing back of what has left.
    if (running.state === 'runs') return `${both} Pause it first: ${commandFor('pause', running.observed)}`;
    return `${both} If this one is another message, start it on the service.`;
  }
  const ids = new Set(versions.map(({ id }) => id));
  const open = list.open.find((one) => one.name === address.name || ids.has(one.live_id ?? ''));
  if (open !== undefined) return `${explainOpen(open, the)} Wait two minutes, and run the command again.`;
  if (declared !== null && isEqual(version)) {
    // What a file ignores is sent as it is.
    const same = indexSame(list, index)({ ...declared, ignore: [] }, versions, [version]);
    if (same !== null) return same;
  }
  if (kind === 'campaign' || request.force) return null;
  const force = `${commandFor('resume', version.observed)} --force`;
  if (live.pause_reason === 'send_errors')
    return `The service paused it after too many send errors. Find out why first. Then: ${force}`;
  // One that has begun to go out shows no hour any more.
  if (!(Date.parse(version.hour ?? '') - facts.time.latestMs < SCHEDULE_LEAD_MS)) return null;
  return `Its time ${version.hour ?? ''} has passed or is less than 5 minutes away, and the service sends a past schedule at once. To send it all the same: ${force}`;
}

function explainStatus({ observed: { live } }: Version): string {
  return `Its status is "${live.status ?? 'no status'}"`;
}

function explainCannot(the: Case): string {
  const { version, request } = the;
  const status = explainStatus(version);
  if (version.state === 'unnamed')
    return `${status}, which this version of Herald does not know. Check it on the service.`;
  if (version.state === 'archived' && request.kind === 'campaign') {
    const commands = ['pause', 'recall'].map((verb) => commandFor(verb, version.observed)).join(' && ');
    return `It is archived, and only an active or paused campaign can be recalled. Pause it first, which starts nothing. Then recall it: ${commands}. Only messages of the last 24 hours are recalled.`;
  }
  const why = wasRecalled(the) ? ', and it was recalled' : '';
  return `${status}${why}: it sends nothing, and cannot be started again. To send it again, give it a new name.`;
}

function explainEffect({ request, version, versions, facts }: Case): string {
  const { observed, state, hour } = version;
  const at = hour === null ? '' : ` at ${hour}`;
  const others = versions.length === 1 ? '' : ` Versions of this name: ${listVersions(versions)}.`;
  const isWaiting = state === 'runs' && request.kind === 'broadcast';
  switch (request.action) {
    case 'activate':
      return `It reacts to its trigger immediately, and messages that are still queued may go out, too.${others}`;
    case 'resume':
      return `It goes out${Date.parse(hour ?? '') > facts.time.latestMs ? at : ' NOW'}${countFans(observed)}.${explainWindow(version, facts)}${others}`;
    case 'pause':
      if (isRecalled(observed.live)) return 'It was recalled, so it sends nothing. Only its status changes.';
      if (request.kind === 'campaign')
        return 'It stops reacting to its trigger immediately, and keeps its queue.';
      return isWaiting
        ? `It does not go out${at}, unless it begins to before the pause arrives.`
        : 'It has begun to go out. Fans that it has reached keep their message; the others get none.';
    case 'archive':
      return `It stops permanently, and its queue is cleared. An archived campaign cannot be recalled. To recall what it delivered, do this before: ${commandFor('recall', observed)}.`;
    case 'recall':
      return isWaiting
        ? `It stops permanently. Nothing was sent yet, so a pause is enough: ${commandFor('pause', observed)}.`
        : 'It stops permanently. Only its messages of the last 24 hours are recalled.';
  }
}

/** Until when the service resumes it. Empty where the state does not have its pause. */
function explainWindow({ known }: Version, { past, time }: GroupFacts): string {
  const pausedAtMs = known?.status_set === 'paused' ? past?.statusTimes.get(known.status_seq) : undefined;
  if (pausedAtMs === undefined) return '';
  const endMs = pausedAtMs + RESUME_WINDOW_MS;
  return time.earliestMs < endMs
    ? ` The service resumes it until ${formatInstant(endMs)}.`
    : ' It was paused more than 5 days ago, and the service does not resume it after that.';
}

/** Zero stands for not counted yet as well as for content that cannot be read (BROADCAST-25). */
function countFans(observed: Observed): string {
  const count = observed.kind === 'broadcast' ? (observed.live.targeted_recipients_count ?? 0) : 0;
  return count > 0 ? `, to ${count} fan${count === 1 ? '' : 's'}` : ', to fans that are not counted yet';
}

/** `1 (archived, replaced on 2026-06-01T12:00:00Z by 2), 2 (paused, current)` */
function listVersions(versions: readonly Version[]): string {
  return versions
    .map((version) => {
      const { live } = version.observed;
      const next = versions.find(({ id }) => id === version.known?.replaced_by)?.observed.live;
      const created = live.created_at == null ? '' : `, created on ${live.created_at}`;
      const by =
        next === undefined ? '' : `, replaced on ${next.created_at ?? 'an unknown day'} by ${next.id}`;
      return `${version.id} (${live.status ?? 'no status'}${created}${by}${isEqual(version) ? ', current' : ''})`;
    })
    .join(', ');
}

/** What no plan would do without asking, and how what runs differs from the files. */
function explainOwner({ version, request, declared }: Case): readonly string[] {
  const { ours, known, comparison, observed, state } = version;
  const paths = comparison.fields.map(({ path }) => path).join(', ');
  const text = observed.live.messages?.[0]?.text ?? null;
  const fansGet = text === null ? '' : ` Fans get ${JSON.stringify(text)}.`;
  const isOdd = state === 'unnamed';
  return [
    ...(isOdd ? [`${explainStatus(version)}, which this version of Herald does not know.`] : []),
    ...(isStart(request) && declared === null ? ['No file declares it.'] : []),
    ...(comparison.verdict === 'different' ? [`It differs from its file (${paths}).${fansGet}`] : []),
    ...(ours ? [] : ['It is not on record as created by Herald.']),
    ...(known?.protect === 1 && !isStart(request)
      ? ['The files protect it (protect: true), so no plan would do this.']
      : []),
  ];
}
