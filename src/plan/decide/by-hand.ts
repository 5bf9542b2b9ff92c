import { SCHEDULE_LEAD_MS } from '../../domain/broadcast.ts';
import type { Change } from '../../domain/change.ts';
import { nameForm } from '../../domain/text.ts';
import type { Address, Declared, Kind, Observed } from '../../domain/resource.ts';
import { isPaused, isRunning, statusOf } from '../../domain/status.ts';
import type { PlanFacts } from '../facts.ts';
import { explainSame, findSameIn } from '../guards.ts';
import { blockChange, change, isEqual, step } from './decision.ts';
import { indexFacts, type Index, type List, type Version } from './group.ts';
import { formatByHand, openReason } from './open.ts';

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

/** What becomes of one object. The reasons of the change end with what to do instead. */
export interface ByHandDecision {
  readonly answer: Answer;
  readonly change: Change;
}

type Row = Partial<Record<ReturnType<typeof statusOf>, 'go' | 'so'>>;

/**
 * By what is asked and the live status; what is not in a row cannot be done. What is `so` is sent once more with `--again`, and
 * a stop always is, so that it is on record as a person's. A start is held where another version runs, the same content runs
 * under another name, or a request is open.
 */
const ANSWERS: Readonly<Record<Kind, Partial<Record<Action, Row>>>> = {
  campaign: {
    pause: { active: 'go', paused: 'so', archived: 'go' },
    archive: { active: 'go', paused: 'go', archived: 'so' },
    recall: { active: 'go', paused: 'go', recalling: 'so', recalled: 'so', unsending: 'so', unsent: 'so' },
    activate: { active: 'so', paused: 'go', archived: 'go' },
  },
  broadcast: {
    pause: { scheduled: 'go', queued: 'go', sending: 'go', paused: 'so', none: 'go', unnamed: 'go' },
    recall: {
      scheduled: 'go',
      queued: 'go',
      sending: 'go',
      paused: 'go',
      archived: 'go',
      none: 'go',
      unnamed: 'go',
    },
    resume: { scheduled: 'so', queued: 'so', sending: 'so', paused: 'go' },
  },
};

interface Case {
  readonly request: ByHandRequest;
  readonly version: Version;
  /** Everything of the name, lowest id first. */
  readonly versions: readonly Version[];
  /** Null if no file declares the name. */
  readonly declared: Declared | null;
  readonly list: List;
  readonly index: Index;
  readonly facts: ByHandFacts;
}

/** Decides about the object that is meant; null if there is none. */
export function decideByHand(request: ByHandRequest, facts: ByHandFacts): ByHandDecision | null {
  const { kind, what } = request;
  const index = indexFacts({ ...facts, declared: facts.declared ?? [], allow: new Set() });
  const list = index.lists.find((one) => one.kind === kind && one.account.alias === what.account);
  if (list === undefined) return null;
  const nameOf = (object: Observed) => nameForm(index.rowOf(object)?.name || (object.live.name ?? ''));
  const meant = 'liveId' in what ? list.live.find(({ live }) => live.id === what.liveId) : undefined;
  const name = 'name' in what ? nameForm(what.name) : meant === undefined ? '' : nameOf(meant);
  const objects = list.live.filter((object) => object === meant || (name !== '' && nameOf(object) === name));
  const declared =
    list.declared.find((one) =>
      list.groupOf(one).versions.some(({ observed }) => objects.includes(observed)),
    ) ?? null;
  const versions = objects.map((object) => list.versionOf(declared, object));
  const version = 'name' in what ? findCurrent(versions) : versions.find(({ id }) => id === what.liveId);
  const last = versions.at(-1);
  if (version !== undefined || last === undefined)
    return version === undefined
      ? null
      : answer({ request, version, versions, declared, list, index, facts });
  const only = answer({ request, version: last, versions, declared, list, index, facts });
  if (versions.length === 1) return only;
  const why = declared === null ? 'No file declares it.' : 'No version equals its file.';
  const byId = `Name one by its id: ${formatByHand(request.action, kind, last.id, list.account.alias)}`;
  const reason = `${why} Versions of this name: ${listVersions(versions)}.`;
  return { answer: 'held', change: blockChange(only.change, reason, byId) };
}

/** The version that equals the file. */
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

/** A row and a column of the table, and what holds back a start. */
function answer(the: Case): ByHandDecision {
  const { request, version, declared } = the;
  const { action, kind, again } = request;
  const { observed, known } = version;
  const { live, account } = observed;
  const address = declared?.address ?? { account, kind, name: nameForm(known?.name || (live.name ?? '')) };
  const isReadBack = action !== 'recall' || kind === 'campaign';
  const steps = [step(action, version), ...(isReadBack ? [step('read_back', version)] : [])];
  const wanted = change({ address }, action, { version, steps, fields: version.comparison.fields });
  const asked = wasRecalled(the) && isStart(request) ? undefined : ANSWERS[kind][action]?.[statusOf(live)];
  if (asked === undefined) return { answer: 'cannot', change: blockChange(wanted, ...explainCannot(the)) };
  const status = live.status ?? 'no status';
  if (asked === 'so' && isStart(request) && !again) {
    const hint =
      action === 'activate' ? [`If it works only in part: ${commandFor(the, action)} --again`] : [];
    const kept = blockChange(wanted, `It is ${status} already.`, ...hint);
    return { answer: 'so', change: { ...kept, action: 'keep' } };
  }
  const held = isStart(request) ? explainHeld(the, address) : null;
  if (held !== null) return { answer: 'held', change: blockChange(wanted, ...held) };
  const repeat = `It is ${status} already. The request is sent once more, so that it is on record as stopped by you: an apply starts it again only with --allow resume.`;
  const isRepeated = asked === 'so' && !isStart(request);
  const reasons = [...(isRepeated ? [repeat] : explainEffect(the)), ...explainOwner(the)];
  const undo = action === 'pause' ? explainRestart(the) : wanted.undo;
  return { answer: 'go', change: { ...wanted, reasons, undo } };
}

/** Herald recalled it, and it does not run any more. */
function wasRecalled({ version: { known, observed } }: Case): boolean {
  return known?.recalled === 1 && !isRunning(observed.live);
}

/** How a pause is undone. */
function explainRestart(the: Case): string {
  return the.request.kind === 'campaign'
    ? `For 7 days, until the service archives it: ${commandFor(the, 'activate')}`
    : `For 5 days, before its time: ${commandFor(the, 'resume')}`;
}

/** Why a start waits for a person, and what to do; null if it need not. */
function explainHeld(the: Case, address: Address): readonly string[] | null {
  const { version, versions, list, index, declared, facts, request } = the;
  const { live, kind } = version.observed;
  const running = versions.find((one) => one !== version && ['runs', 'left', 'halted'].includes(one.state));
  if (running !== undefined)
    return [
      `${running.id} with the same name (${running.observed.live.status ?? 'no status'}) runs, or was sent: fans would get both messages.`,
      `Pause it first: ${commandFor(the, 'pause', running.id)}. If it was sent and is another message, start this one on the service.`,
    ];
  const ids = new Set(versions.map(({ id }) => id));
  const open = list.open.find((one) => one.name === address.name || ids.has(one.live_id ?? ''));
  if (open !== undefined)
    return [
      openReason(open, { declared: { address }, versions }, facts),
      'Wait two minutes, and run the command again.',
    ];
  // What a file ignores is sent as it is.
  const asFiled = declared === null ? null : { ...declared, ignore: [] };
  const same =
    asFiled !== null && isEqual(version) ? findSameIn(list, index)(asFiled, versions, [version]) : null;
  if (asFiled !== null && same !== null) return [explainSame(request, asFiled, same), 'Stop that one first.'];
  if (kind === 'campaign' || request.force) return null;
  const force = `${commandFor(the, 'resume')} --force`;
  if (live.pause_reason === 'send_errors')
    return ['The service paused it after too many send errors.', `Find out why first. Then: ${force}`];
  // One that has begun to go out shows no hour any more.
  const hour = live.scheduled_at ?? '';
  if (!(Date.parse(hour) - facts.time.latestMs < SCHEDULE_LEAD_MS)) return null;
  return [
    `Its time ${hour} has passed or is less than 5 minutes away, and the service sends a past schedule at once.`,
    `To send it all the same: ${force}`,
  ];
}

function commandFor({ version, request }: Case, verb: Action, id = version.id): string {
  return formatByHand(verb, request.kind, id, version.observed.account);
}

/** Why it cannot be done, and what to do. */
function explainCannot(the: Case): readonly string[] {
  const { version, request } = the;
  const status = `Its status is "${version.observed.live.status ?? 'no status'}"`;
  if (version.state === 'unnamed')
    return [`${status}, which this version of Herald does not know.`, 'Check it on the service.'];
  if (version.state === 'archived' && request.kind === 'campaign')
    return [
      'It is archived, and only an active or paused campaign can be recalled.',
      `Pause it first, which starts nothing. Then recall it: ${commandFor(the, 'pause')} && ${commandFor(the, 'recall')}. Only messages of the last 24 hours are recalled.`,
    ];
  const why = wasRecalled(the) ? ', and Herald has recalled it' : '';
  return [
    `${status}${why}: it sends nothing, and cannot be started again.`,
    'To send it again, give it a new name.',
  ];
}

/** What it does. */
function explainEffect(the: Case): readonly string[] {
  const { request, version, versions, facts } = the;
  const { observed, state } = version;
  const hour = observed.kind === 'broadcast' ? (observed.live.scheduled_at ?? null) : null;
  const at = hour === null ? '' : ` at ${hour}`;
  const others = versions.length === 1 ? [] : [`Versions of this name: ${listVersions(versions)}.`];
  switch (request.action) {
    case 'activate':
      return [
        'It reacts to its trigger immediately, and messages that are still queued may go out, too.',
        ...others,
      ];
    case 'resume': {
      const when = Date.parse(hour ?? '') > facts.time.latestMs ? at : ' NOW';
      return [`It goes out${when}, ${countRecipients(observed)}.`, ...others];
    }
    case 'pause':
      if (request.kind === 'campaign')
        return ['It stops reacting to its trigger immediately, and keeps its queue.'];
      return state === 'runs'
        ? [`It does not go out${at}, unless it begins to before the pause arrives.`]
        : ['It has begun to go out. Fans that it has reached keep their message; the others get none.'];
    case 'archive':
      return [
        'It stops permanently, and its queue is cleared.',
        `An archived campaign cannot be recalled. To recall what it delivered, do this before: ${commandFor(the, 'recall')}.`,
      ];
    case 'recall':
      return state === 'runs' && request.kind === 'broadcast'
        ? [`It stops permanently. Nothing was sent yet, so a pause is enough: ${commandFor(the, 'pause')}.`]
        : ['It stops permanently. Only its messages of the last 24 hours are recalled.'];
  }
}

/** Zero stands for not counted yet as well as for content that cannot be read (BROADCAST-25). */
function countRecipients(observed: Observed): string {
  const count = observed.kind === 'broadcast' ? (observed.live.targeted_recipients_count ?? 0) : 0;
  if (count > 0) return `to ${count} fan${count === 1 ? '' : 's'}`;
  return 'to a number of fans that the service has not counted yet';
}

/** `1 (archived), 2 (paused, current)` */
function listVersions(versions: readonly Version[]): string {
  return versions
    .map((version) => {
      const { live } = version.observed;
      const created = live.created_at == null ? '' : `, created on ${live.created_at}`;
      const current = isEqual(version) ? ', current' : '';
      return `${version.id} (${live.status ?? 'no status'}${created}${current})`;
    })
    .join(', ');
}

/** What no plan would do without asking, and how what runs differs from the files. */
function explainOwner({
  version: { ours, known, comparison, observed },
  request,
  facts,
  declared,
}: Case): readonly string[] {
  const isUndeclared = facts.declared !== null && declared === null;
  const paths = comparison.fields.map(({ path }) => path).join(', ');
  const text = observed.live.messages?.[0]?.text ?? null;
  const fansGet = text === null ? '' : ` Fans get ${JSON.stringify(text)}.`;
  return [
    ...(isUndeclared ? ['No file declares it.'] : []),
    ...(comparison.verdict === 'different' ? [`It differs from its file (${paths}).${fansGet}`] : []),
    ...(ours ? [] : ['Herald did not create it.']),
    ...(known?.protect === 1 && !isStart(request)
      ? ['The files protect it (protect: true), so no plan would do this.']
      : []),
  ];
}
