import { KIND_CALLS } from '../api/catalogue.ts';
import { compareIds } from '../domain/ids.ts';
import { nameForm } from '../domain/text.ts';
import { type Kind, KIND_ROWS, type Observed, type ResolvedAccount } from '../domain/resource.ts';
import {
  isPaused,
  isStopped,
  isRecalled,
  showsTarget,
  startsSending,
  statusOf,
  targetStatusOf,
  type TargetStatus,
} from '../domain/status.ts';
import { scanScope, type Scope } from '../live/scan.ts';
import {
  isStart,
  type Fact,
  type ObjectKey,
  type ObjectRow,
  type OpenRequest,
  type RequestRow,
} from '../state/shapes.ts';
import type { Obstacle } from './reasons.ts';
import { waitUntilOld, type Run } from './run.ts';
import { send, type Sent } from './send.ts';
import { matchCreated, parseAsked, type Asked } from '../plan/compare/content.ts';

/** What became of a request without an answer. */
export type Verdict =
  /** A create made this object, the lowest id if there are several. */
  | { readonly kind: 'adopted'; readonly object: Observed }
  /** These may be what a create has made, and their content says something else: a person decides. */
  | { readonly kind: 'unclear'; readonly ids: readonly string[] }
  | { readonly kind: 'absent' }
  | { readonly kind: 'done' }
  /** A status of a campaign shows before its change is whole: it is asked for again until that is answered. */
  | { readonly kind: 'repeat'; readonly target: TargetStatus }
  /** Nothing tells. A person closes it. */
  | { readonly kind: 'open' };

/** A request about a campaign or a broadcast that may still take effect. */
export type ObjectRequest = OpenRequest & { readonly kind: Kind };

/** A settled request, for the report of the run. */
export interface Settled {
  readonly request: ObjectRequest;
  readonly verdict: Verdict;
}

/**
 * Waits until these requests can no longer take effect, and asks two complete lists what came of them. Null if an interrupt
 * came first: they stay open then. A request of another process is as old as this process has known it.
 */
export async function settle(
  outer: Run,
  requests: readonly ObjectRequest[],
  accounts: readonly ResolvedAccount[],
): Promise<readonly Settled[] | null> {
  const run = { ...outer, client: outer.client.urgent() };
  if (!(await waitUntilOld(run, requests))) return null;
  const unanswered = requests.filter(({ outcome }) => outcome === null);
  const scopes = listScopes(unanswered, accounts);
  const first = await readAll(run, scopes);
  const second = await readAll(run, scopes);
  // Before anything is sent again: a copy of that begins a window of its own.
  const overNow = requests.filter((request) => request.unheard_copy === 1);
  await run.state.learn(overNow.map(({ entry, sent_at }): Fact => ({ kind: 'window-over', entry, sent_at })));
  const settled: Settled[] = [];
  for (const request of unanswered) {
    const verdict = judge(request, first, second);
    const isRecorded = await record(run, request, verdict);
    settled.push({ request, verdict: isRecorded ? verdict : { kind: 'open' } });
  }
  return settled;
}

function listScopes(
  requests: readonly ObjectRequest[],
  accounts: readonly ResolvedAccount[],
): readonly Scope[] {
  const wanted = new Map<string, Scope>();
  for (const { account, account_id: accountId, kind } of requests) {
    const alias = accounts.find((one) => one.accountId === accountId)?.alias ?? account;
    wanted.set(`${accountId}/${kind}`, { account: { alias, accountId }, kind });
  }
  return [...wanted.values()];
}

async function readAll({ client }: Run, scopes: readonly Scope[]): Promise<readonly Observed[]> {
  return (await Promise.all(scopes.map((scope) => scanScope(client, scope)))).flat();
}

/**
 * | request          | the lists show                                   | becomes                                |
 * |------------------|--------------------------------------------------|----------------------------------------|
 * | create           | a new id of its name, with its content           | adopted, the lowest id                 |
 * | create           | a new id of its name, with other content, or     | unclear: both ids are named            |
 * |                  | with content that cannot be read                 |                                        |
 * | create           | nothing new                                      | absent                                 |
 * | status           | the target, of a campaign                        | repeat, until it is answered           |
 * | status           | the target, of a broadcast                       | done                                   |
 * | status           | something else                                   | absent: the plan decides               |
 * | campaign recall  | recalling, recalled, unsending, unsent           | done                                   |
 * | campaign recall  | active or paused                                 | absent                                 |
 * | anything         | anything else                                    | open: a person decides                 |
 *
 * Both lists begin after the window, and each of them may miss what the other one shows.
 */
export function judge(
  request: ObjectRequest,
  first: readonly Observed[],
  second: readonly Observed[],
): Verdict {
  const { kind, operation, account_id: accountId } = request;
  const isInList = (object: Observed) => object.kind === kind && object.accountId === accountId;
  const shown = new Map<string, Observed>();
  for (const object of [...first, ...second]) if (isInList(object)) shown.set(object.live.id, object);
  const calls = KIND_CALLS[kind];
  if (operation === calls.create) return judgeCreate(request, [...shown.values()]);
  const object = shown.get(request.live_id ?? '');
  if (object === undefined) return { kind: 'open' };
  if (operation === calls.unsend) return judgeRecall(object);
  return judgeStatus(request, object);
}

function judgeCreate(request: OpenRequest, shown: readonly Observed[]): Verdict {
  const asked = parseAsked(request.asked);
  const before = new Set(asked?.baseline ?? []);
  const candidates = shown
    .filter(({ live }) => nameForm(live.name ?? '') === request.name && !before.has(live.id))
    .toSorted((left, right) => compareIds(left.live.id, right.live.id));
  const [same] = candidates.filter((object) => asked !== null && matchCreated(asked, object) === 'equal');
  if (same !== undefined) return { kind: 'adopted', object: same };
  return candidates.length === 0
    ? { kind: 'absent' }
    : { kind: 'unclear', ids: candidates.map(({ live }) => live.id) };
}

function judgeStatus({ target, kind }: ObjectRequest, { live }: Observed): Verdict {
  const wanted = targetStatusOf(target);
  if (wanted === null) return { kind: 'open' };
  // A resumed broadcast may have left by now.
  const isReached = wanted === 'queued' ? !isPaused(live) : showsTarget(live, wanted);
  if (!isReached) return { kind: 'absent' };
  return KIND_ROWS[kind].mayBeHalfDone ? { kind: 'repeat', target: wanted } : { kind: 'done' };
}

function judgeRecall({ kind, live }: Observed): Verdict {
  if (!KIND_ROWS[kind].showsRecall) return { kind: 'open' };
  if (isRecalled(live)) return { kind: 'done' };
  const status = statusOf(live);
  return status === 'active' || status === 'paused' ? { kind: 'absent' } : { kind: 'open' };
}

/** False if it is still open: also where a stop by hand of another process has sent one more copy since. */
async function record(run: Run, request: ObjectRequest, verdict: Verdict): Promise<boolean> {
  const { state } = run;
  const { entry, sent_at } = request;
  switch (verdict.kind) {
    case 'adopted': {
      const { kind, live } = verdict.object;
      const asked = parseAsked(request.asked);
      // It gets the status that was asked for: what it is by now is a person's or the service's doing.
      const status = kind === 'campaign' ? 'active' : asked?.hour === null ? 'queued' : 'scheduled';
      const facts = describeCreated(request, asked, { live_id: live.id, status });
      return state.end(entry, { outcome: 'adopted', live_id: live.id, sent_at }, facts);
    }
    case 'absent':
      return state.end(entry, { outcome: 'absent', sent_at });
    case 'done':
      return state.end(entry, { outcome: 'done', sent_at }, doneFacts(request));
    case 'repeat':
      await repeatStatus(run, request, verdict.target);
      return true;
    case 'unclear':
    case 'open':
      return true;
  }
}

/** What the state learns of an object that a create has made: by its answer, or because the lists show it. */
export function describeCreated(
  create: Pick<ObjectRequest, 'account_id' | 'kind' | 'name' | 'seq' | 'content'>,
  asked: Asked | null,
  made: {
    readonly live_id: string;
    readonly status: string;
    readonly shown?: string | null;
    readonly replaced_for?: string;
  },
): readonly Fact[] {
  const { account_id, kind, name, seq, content } = create;
  const { live_id, status, replaced_for, ...shown } = made;
  const object = { account_id, kind, live_id, name };
  const digests = asked && {
    protect: asked.protect === true ? (1 as const) : (0 as const),
    declared_digest: content,
    hidden_digest: asked.hidden,
  };
  const replaced = (asked?.replaces ?? []).map((old): Fact => {
    const why = replaced_for === undefined ? {} : { replaced_for };
    return { kind: 'object', object: { ...object, live_id: old, replaced_by: live_id, ...why } };
  });
  return [
    { kind: 'object', object: { ...object, ours: 1, ...digests, ...shown } },
    { kind: 'status', object, status, by: 'apply', why: null, seq },
    ...replaced,
  ];
}

function doneFacts(request: ObjectRequest): readonly Fact[] {
  const { account_id, kind, live_id: liveId, name, seq, target, purpose } = request;
  if (liveId === null) return [];
  const object = { account_id, kind, live_id: liveId, name };
  const set = { by: purpose === 'by_hand' ? 'hand' : 'apply', why: purpose, seq } as const;
  return target === null
    ? describeRecalled(object, set)
    : [{ kind: 'status', object, status: target, ...set }];
}

/** What the state learns of a recall. Lists may show the status before it for a while. */
export function describeRecalled(
  object: ObjectKey & Pick<ObjectRow, 'name'>,
  set: Pick<Extract<Fact, { kind: 'status' }>, 'by' | 'why' | 'seq'>,
): readonly Fact[] {
  return [
    { kind: 'object', object: { ...object, recalled: 1 } },
    { kind: 'status', object, status: 'recalling', ...set },
  ];
}

/**
 * Asks once more for a status that shows already, because its change may be half done. A start is not asked for again if the
 * object was stopped since: then the stop is what the service hears last.
 */
async function repeatStatus(run: Run, request: ObjectRequest, target: TargetStatus): Promise<void> {
  const { state } = run;
  const stop =
    (startsSending(target) ? await findConfirmedStop(run, request) : null) ??
    (await repeatUnlessStopped(run, request, target));
  const asked = targetStatusOf(stop?.target ?? null);
  if (stop === null || asked === null) return;
  await state.end(request.entry, { outcome: 'absent', because: 'it was stopped since' });
  await askForStatus(run, { ...request, purpose: stop.purpose }, asked);
}

type Stop = Pick<ObjectRequest, 'target' | 'purpose'>;

async function findConfirmedStop(
  { state }: Run,
  { account_id, kind, live_id, seq }: ObjectRequest,
): Promise<Stop | null> {
  const { objects } = await state.known([account_id]);
  const row = objects.find((one) => one.kind === kind && one.live_id === live_id);
  const isNewer = row !== undefined && row.status_seq > seq && isStopped({ status: row.status_set });
  return isNewer ? { target: row.status_set, purpose: row.status_why } : null;
}

/** The stop by hand of one of these names since a run began. A state that cannot be read tells of none. */
export async function findStopByHand(
  { state }: Run,
  about: Pick<ObjectRow, 'account_id' | 'kind'>,
  names: readonly string[],
  afterSeq: number,
): Promise<Obstacle | null> {
  const past = names.map((name) => state.history({ address: { ...about, name }, limit: 20 }).catch(() => []));
  const isStop = (one: RequestRow) => one.purpose === 'by_hand' && !isStart(one);
  const request = (await Promise.all(past))
    .flat()
    .find((one) => one.seq > afterSeq && isStop(one) && (one.outcome === null || one.outcome === 'done'));
  return request === undefined ? null : { kind: 'hindered', hindrance: { kind: 'stopped-by-hand', request } };
}

/** Returns the stop by hand that forbids it. */
async function repeatUnlessStopped(
  run: Run,
  request: ObjectRequest,
  target: TargetStatus,
): Promise<Stop | null> {
  // What shows counts, also while it is not confirmed: a stop after it is a person's.
  await run.state.learn(doneFacts(request));
  const sent = await askForStatus(run, request, target, request);
  const hindrance =
    sent.kind === 'unknown' && sent.obstacle.kind === 'hindered' ? sent.obstacle.hindrance : null;
  return hindrance?.kind === 'stopped-by-hand' ? hindrance.request : null;
}

/** `earlier`: it is one more copy of this request. */
function askForStatus(
  run: Run,
  request: ObjectRequest,
  target: TargetStatus,
  earlier?: ObjectRequest,
): Promise<Sent<unknown>> {
  const { account_id: accountId, live_id: liveId, kind } = request;
  return send(run, {
    request: { ...request, asked: null, target },
    check: startsSending(target) ? { after_seq: request.seq, other_name: null } : null,
    send: run.client.prepare(KIND_CALLS[kind].setStatus, {
      params: { account_id: accountId, campaign_id: liveId ?? '' },
      body: { status: target },
    }),
    facts: (_, seq) => doneFacts({ ...request, target, seq }),
    ...(earlier === undefined ? {} : { earlier }),
  });
}
