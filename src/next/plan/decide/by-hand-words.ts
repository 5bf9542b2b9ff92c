import { LEAVING_MS } from '../../../domain/broadcast.ts';
import type { Change } from '../../../domain/change.ts';
import { formatCommand } from '../../../domain/command-line.ts';
import { compareIds } from '../../../domain/ids.ts';
import { KIND_ROWS } from '../../../domain/kind.ts';
import { passedEnd } from '../../../domain/passed-end.ts';
import type { Declared, Kind, Observed } from '../../../domain/resource.ts';
import { isDeclaredToSend, isPaused, statusOf, STATUS_TRAITS } from '../../../domain/status.ts';
import type { PlanFacts } from '../facts.ts';
import { isPastResumeWindow, type Index, type List, type Version } from './group.ts';
import { broadcastState, campaignState } from './states.ts';

/** What a person asks for with `campaigns …` or `broadcasts …`. */
export interface ByHandRequest {
  readonly kind: Kind;
  readonly action: 'activate' | 'resume' | 'pause' | 'archive' | 'recall';
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

/** What becomes of one object. */
export interface ByHandDecision {
  /**
   * | answer | what                                                     | action of the change |
   * |--------|----------------------------------------------------------|----------------------|
   * | go     | it is sent                                               | the action           |
   * | so     | nothing to do                                            | keep                 |
   * | cannot | its present state does not allow it                      | blocked              |
   * | held   | a person must do or decide something else first          | blocked              |
   */
  readonly answer: 'go' | 'so' | 'cannot' | 'held';
  readonly change: Change;
  /** What to do instead; empty for `go` and `so`. */
  readonly hint: string;
  /** A further thing to agree to: a part of the question. */
  readonly mind: string;
  /** A broadcast that leaves the moment it is resumed. */
  readonly atOnce: boolean;
  /** Of a stop that an apply has made already: the words of its result. Null if it changes the status. */
  readonly recorded: string | null;
}

type Action = ByHandRequest['action'];

export type ByHandState = 'runs' | 'goes out' | 'paused' | 'halted' | 'archived' | 'recalled' | 'unnamed';

/** What the status of an object means for a command by hand: the live status, and not Herald's reading of it. */
export function stateOf(object: Observed): ByHandState {
  if (object.kind === 'campaign') {
    const state = campaignState(object);
    return state === 'active' ? 'runs' : state;
  }
  const { runs, goingOut } = STATUS_TRAITS[statusOf(object.live)];
  if (goingOut) return 'goes out';
  if (runs) return 'runs';
  if (isPaused(object.live)) return broadcastState(object) === 'halted' ? 'halted' : 'paused';
  return statusOf(object.live) === 'archived' ? 'archived' : 'unnamed';
}

/**
 * | asked            | runs | goes out | paused | halted | archived | recalled | status has no name |
 * |------------------|------|----------|--------|--------|----------|----------|--------------------|
 * | pause            | go   | go       | so *   | so *   | campaign: go; broadcast: cannot | cannot | campaign: cannot; broadcast: go |
 * | archive          | go   |          | go     |        | so *     | cannot   | cannot             |
 * | recall           | go   | go       | go     | go     | campaign: cannot, pause first; broadcast: go | so | campaign: cannot; broadcast: go |
 * | activate, resume | so   | so       | go     | go     | campaign: go; broadcast: cannot | cannot | cannot |
 *
 * \* If an apply stopped it, or with `--again`, the request is sent once more, so that the stop is a person's. A start is held
 * where another version runs, the same content runs under another name, a request is open, or Herald recalled it.
 */
export const ANSWERS: Readonly<Record<Action, Readonly<Record<ByHandState, ByHandDecision['answer']>>>> = {
  pause: {
    runs: 'go',
    'goes out': 'go',
    paused: 'so',
    halted: 'so',
    archived: 'go',
    recalled: 'cannot',
    unnamed: 'go',
  },
  archive: {
    runs: 'go',
    'goes out': 'cannot',
    paused: 'go',
    halted: 'cannot',
    archived: 'so',
    recalled: 'cannot',
    unnamed: 'cannot',
  },
  recall: {
    runs: 'go',
    'goes out': 'go',
    paused: 'go',
    halted: 'go',
    archived: 'go',
    recalled: 'so',
    unnamed: 'go',
  },
  activate: {
    runs: 'so',
    'goes out': 'so',
    paused: 'go',
    halted: 'go',
    archived: 'go',
    recalled: 'cannot',
    unnamed: 'cannot',
  },
  resume: {
    runs: 'so',
    'goes out': 'so',
    paused: 'go',
    halted: 'go',
    archived: 'cannot',
    recalled: 'cannot',
    unnamed: 'cannot',
  },
};

export interface Case {
  readonly request: ByHandRequest;
  readonly version: Version;
  readonly state: ByHandState;
  /** Everything else of the name, lowest id first. */
  readonly others: readonly Version[];
  readonly list: List;
  readonly declared: Declared;
  readonly index: Index;
  readonly facts: ByHandFacts;
}

export function versionWords({ id, observed: { live }, known }: Version, equal: readonly Version[]): string {
  const created = live.created_at == null ? '' : `, created on ${live.created_at}`;
  const replaced = known?.replaced_by == null ? '' : `, replaced by ${known.replaced_by}`;
  const current = equal.some((one) => one.id === id) ? ', current' : '';
  return `${id} (${live.status ?? 'no status'}${created}${replaced}${current})`;
}

export function runs({ observed: { live } }: Version): boolean {
  return STATUS_TRAITS[statusOf(live)].runs;
}

export function isStart({ action }: ByHandRequest): boolean {
  return action === 'activate' || action === 'resume';
}

export function commandFor({ version, request }: Case, verb: string, id = version.id): string {
  return formatCommand(KIND_ROWS[request.kind].plural, verb, id, '--account', version.observed.account);
}

export function cannotReason({ state, version }: Case): string {
  const status = JSON.stringify(version.observed.live.status ?? null);
  if (state === 'recalled')
    return `It was recalled (its status is ${status}): it sends nothing, and cannot be started again.`;
  if (state === 'unnamed')
    return `Its status ${status} is unknown to this version of Herald, so nothing was changed.`;
  return state === 'archived' && version.observed.kind === 'campaign'
    ? 'It is archived, and only an active or paused campaign can be recalled.'
    : 'It is archived and can no longer go out.';
}

export function cannotHint(the: Case): string {
  if (the.request.kind === 'campaign' && the.state === 'archived')
    return `Pause it first, which starts nothing. Then recall it: ${commandFor(the, 'pause')} && ${commandFor(the, 'recall')}. Only messages of the last 24 hours are recalled.`;
  return the.state === 'unnamed' ? 'Check it on the service.' : 'To send it again, give it a new name.';
}

export function broadcastOf({ observed }: Version): string {
  return observed.kind === 'broadcast' ? broadcastState(observed) : '';
}

export function isAtOnce({ request, version: { observed }, facts }: Case): boolean {
  if (request.action !== 'resume' || observed.kind !== 'broadcast') return false;
  const hour = observed.live.scheduled_at ?? null;
  return hour === null || !(Date.parse(hour) > facts.time.latestMs);
}

/** The effects, one sentence each. */
export function goReasons(the: Case): readonly string[] {
  const { request, state, version, facts } = the;
  const { live } = version.observed;
  const hour = 'scheduled_at' in live && typeof live.scheduled_at === 'string' ? live.scheduled_at : null;
  if (ANSWERS[request.action][state] === 'so' && !isStart(request))
    return [
      `It is ${live.status ?? 'stopped'} already. The same request is sent once more, so that it is on record as stopped by you.`,
    ];
  switch (request.action) {
    case 'activate':
      return [
        'It reacts to its trigger immediately.',
        state === 'archived'
          ? 'It is archived. The service may refuse this, because archiving should stop a campaign permanently.'
          : 'Messages that are still queued may go out, too.',
        ...(passedEnd(live.rules, facts.time.latestMs) === null
          ? []
          : ['Its end has passed, so it may send nothing.']),
        ...newerRecall(the),
        ...otherVersions(the),
      ];
    case 'resume':
      return [
        isAtOnce(the)
          ? `It goes out NOW, ${recipients(the)}.`
          : `It goes out at ${hour ?? ''}, ${recipients(the)}.`,
        ...(isPastResumeWindow(version, the.index.facts)
          ? ['It was paused more than 5 days ago, and the service refuses to resume it after that.']
          : []),
        ...otherVersions(the),
      ];
    case 'pause':
      if (state === 'archived')
        return ['It is archived and sends nothing. A pause only makes it possible to recall it.'];
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
        `An archived campaign cannot be recalled. To recall what it delivered, do this before: ${commandFor(the, 'recall')}`,
      ];
    case 'recall':
      return recallReasons(the);
  }
}

function recallReasons({ request, others }: Case): readonly string[] {
  if (request.kind === 'campaign')
    return [
      'It stops, its queue is cleared, and its messages of the last 24 hours are recalled.',
      'Older messages stay with the fans.',
    ];
  const waiting = others.filter((one) => broadcastOf(one) === 'waits').map(({ id }) => id);
  return [
    'It stops permanently. What it delivered is recalled as far as the platform allows.',
    'The service allows this within 24 hours of its last status change.',
    ...(waiting.length === 0 ? [] : [`${waiting.join(' and ')} with the same name still waits to go out.`]),
  ];
}

/** Zero stands for not counted yet as well as for content that cannot be read (BROADCAST-25). */
function recipients({ version: { observed } }: Case): string {
  const count = observed.kind === 'broadcast' ? (observed.live.targeted_recipients_count ?? 0) : 0;
  if (count > 0) return `to ${count} fan${count === 1 ? '' : 's'}`;
  return 'to a number of fans that the service has not counted yet';
}

function newerRecall({ version, others }: Case): readonly string[] {
  const newer = others.filter(
    ({ id, observed }) => stateOf(observed) === 'recalled' && compareIds(id, version.id) > 0,
  );
  if (newer.length === 0) return [];
  return [
    `Check this first: ${newer.map(({ id }) => id).join(' and ')}, a newer one with this name, was recalled.`,
  ];
}

function otherVersions({ version, others, facts }: Case): readonly string[] {
  const all = [version, ...others].toSorted((left, right) => compareIds(left.id, right.id));
  const equal = facts.declared === null ? [] : all.filter(({ comparison }) => comparison.verdict === 'equal');
  const differs =
    facts.declared !== null && !equal.includes(version)
      ? ['It differs from its file, or no file declares it.']
      : [];
  if (all.length === 1) return differs;
  return [...differs, `Versions of this name: ${all.map((one) => versionWords(one, equal)).join(', ')}.`];
}

export function strangerWords({
  version: { ours, known },
  request,
  declared,
  facts,
}: Case): readonly string[] {
  const isProtected =
    known?.protect === 1 || (facts.declared !== null && declared.protect && isDeclaredToSend(declared));
  return [
    ...(ours ? [] : ['Herald did not create it.']),
    ...(isProtected && !isStart(request)
      ? ['The files protect it (protect: true), so no plan would do this.']
      : []),
  ];
}

export function mindOf(the: Case): string {
  const { request, state } = the;
  if (request.action === 'recall')
    return request.kind === 'campaign'
      ? 'Only messages of the last 24 hours are recalled. It cannot be undone.'
      : 'It cannot be undone.';
  if (request.action === 'archive') return 'It stops permanently, and its queue is cleared.';
  if (request.action === 'pause') return state === 'goes out' ? 'It is stopped half-way.' : '';
  const differs = otherVersions(the).find((words) => words.startsWith('It differs')) ?? '';
  return `${differs} ${goReasons(the)[0] ?? ''}`.trim();
}

export function undoWords(the: Case): string {
  const { request } = the;
  switch (request.action) {
    case 'pause':
      return request.kind === 'campaign'
        ? `For 7 days, until the service archives it: ${commandFor(the, 'activate')}`
        : `For at most 5 days: ${commandFor(the, 'resume')}`;
    case 'archive':
      return 'Its queue is lost.';
    case 'recall':
      return 'Recalled messages do not come back, and it never sends again.';
    case 'activate':
    case 'resume':
      return `Pausing stops it: ${commandFor(the, 'pause')}`;
  }
}
