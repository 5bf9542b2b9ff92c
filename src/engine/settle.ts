import { KIND_CALLS } from '../api/catalogue.ts';
import { compareIds } from '../domain/ids.ts';
import { nameForm } from '../domain/text.ts';
import { type Kind, KIND_ROWS, type Observed, type ResolvedAccount } from '../domain/resource.ts';
import {
  isStopped,
  isRecalled,
  showsTarget,
  readStatus,
  readTargetStatus,
  type TargetStatus,
} from '../domain/status.ts';
import { scanScope, type Scope } from '../live/scan.ts';
import { isStart, isUnconfirmed, type Fact, type OpenRequest } from '../state/shapes.ts';
import { isAboutState } from './reasons.ts';
import { waitUntilOld, type Run } from './run.ts';
import { findStopByHand, send, type Sent } from './send.ts';
import { describeStop } from './task.ts';
import { matchCreated, parseAsked, type Asked } from '../plan/compare/content.ts';

/** What became of a request without an answer. */
export type Verdict =
  /** A create made this object, the lowest id if there are several. */
  | { readonly kind: 'adopted'; readonly object: Observed }
  /** These may be what a create has made, and their content says something else: a person decides. */
  | { readonly kind: 'unclear'; readonly ids: readonly string[]; readonly entry: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'done' }
  /** A status of a campaign shows before its change is whole: it is asked for again until that is answered. */
  | { readonly kind: 'repeat'; readonly target: TargetStatus }
  /** Nothing tells. A person closes it. */
  | { readonly kind: 'open' };

/** A request about a campaign or a broadcast that may still take effect. */
export type ObjectRequest = OpenRequest & { readonly kind: Kind };

export interface Settled {
  readonly request: ObjectRequest;
  readonly verdict: Verdict;
}

/**
 * Waits until these requests can no longer take effect, and asks two complete lists what came of them. Null if an interrupt
 * came first: they stay open then. A request of another process is as old as this process has known it. A start that is not
 * `isWanted` any more stays open where it shows: it is not asked for again, and the plan stops what it has started.
 */
export async function settle(
  outer: Run,
  requests: readonly ObjectRequest[],
  accounts: readonly ResolvedAccount[],
  isWanted: (request: ObjectRequest) => boolean = () => true,
): Promise<readonly Settled[] | null> {
  const run = { ...outer, client: outer.client.urgent() };
  if (!(await waitUntilOld(run, requests))) return null;
  const scopes = new Map<string, Scope>();
  for (const { account, account_id: accountId, kind } of requests) {
    const alias = accounts.find((one) => one.accountId === accountId)?.alias ?? account;
    scopes.set(`${accountId}/${kind}`, { account: { alias, accountId }, kind });
  }
  // Both lists begin after the window, and each of them may miss what the other one shows.
  const lists = [...(await readAll(run, scopes)), ...(await readAll(run, scopes))];
  const settled: Settled[] = [];
  for (const request of requests) {
    const own = lists.filter((one) => one.kind === request.kind && one.accountId === request.account_id);
    const shown = new Map(own.map((object) => [object.live.id, object]));
    const found = isUnconfirmed(request) ? judge(request, shown, run.settleMs) : null;
    const object = found?.kind === 'adopted' ? found.object : shown.get(request.live_id ?? '');
    const stop = await stopSince(run, request, object);
    const mayEnd = stop !== 'unanswered';
    const { entry, sent_at } = request;
    if (request.unheard_copy === 1 && mayEnd)
      await run.state.learn([{ kind: 'window-over', entry, sent_at }]);
    if (found === null) continue;
    // A start that was stopped since, or that no one wants any more, is not asked for again.
    const isOver = isStart(request) && (stop === 'stopped' || !isWanted(request));
    const verdict: Verdict =
      isOver && found.kind === 'repeat' ? { kind: stop === 'stopped' ? 'absent' : 'open' } : found;
    const isRecorded = mayEnd && (await record(run, request, verdict));
    settled.push({ request, verdict: isRecorded ? verdict : { kind: 'open' } });
  }
  return settled;
}

async function readAll({ client }: Run, scopes: ReadonlyMap<string, Scope>): Promise<readonly Observed[]> {
  return (await Promise.all([...scopes.values()].map((scope) => scanScope(client, scope)))).flat();
}

/**
 * | request          | the lists show                                   | becomes                                |
 * |------------------|--------------------------------------------------|----------------------------------------|
 * | create           | a new id of its name, with its content           | adopted, the lowest id                 |
 * | create           | a new id of its name, with other content, with   | unclear: both ids are named            |
 * |                  | content that cannot be read, or made later       |                                        |
 * | create           | nothing new                                      | absent                                 |
 * | status           | the target, of a campaign                        | repeat, until it is answered           |
 * | status           | the target, of a broadcast                       | done                                   |
 * | start            | its object is stopped                            | absent: lost, or stopped by a person   |
 * | stop             | something else                                   | absent: the plan decides               |
 * | campaign recall  | recalling, recalled, unsending, unsent           | done                                   |
 * | campaign recall  | active or paused                                 | absent                                 |
 * | anything         | anything else                                    | open: a person decides                 |
 *
 * `shown` is what the lists show of its account and kind, by id.
 */
function judge(request: ObjectRequest, shown: ReadonlyMap<string, Observed>, settleMs: number): Verdict {
  const { kind, operation } = request;
  const calls = KIND_CALLS[kind];
  if (operation === calls.create) return judgeCreate(request, [...shown.values()], settleMs);
  const object = shown.get(request.live_id ?? '');
  if (object === undefined) return { kind: 'open' };
  if (operation === calls.unsend) return judgeRecall(object);
  return judgeStatus(request, object);
}

function judgeCreate(request: OpenRequest, shown: readonly Observed[], settleMs: number): Verdict {
  const asked = parseAsked(request.asked);
  const before = new Set(asked?.baseline ?? []);
  const candidates = shown
    .filter(({ live }) => nameForm(live.name ?? '') === request.name && !before.has(live.id))
    .toSorted((left, right) => compareIds(left.live.id, right.live.id));
  // The request took effect within its window, or never.
  const wasInTime = ({ live }: Observed) =>
    !(Date.parse(live.created_at ?? '') - request.sent_at > 2 * settleMs);
  const [same] = candidates.filter(
    (one) => asked !== null && wasInTime(one) && matchCreated(asked, one) === 'equal',
  );
  if (same !== undefined) return { kind: 'adopted', object: same };
  return candidates.length === 0
    ? { kind: 'absent' }
    : { kind: 'unclear', ids: candidates.map(({ live }) => live.id), entry: request.entry };
}

function judgeStatus({ target, kind }: ObjectRequest, { live }: Observed): Verdict {
  const wanted = readTargetStatus(target);
  if (wanted === null) return { kind: 'open' };
  if (!showsTarget(live, wanted)) return { kind: 'absent' };
  return KIND_ROWS[kind].mayBeHalfDone ? { kind: 'repeat', target: wanted } : { kind: 'done' };
}

function judgeRecall({ kind, live }: Observed): Verdict {
  if (!KIND_ROWS[kind].showsRecall) return { kind: 'open' };
  if (isRecalled(live)) return { kind: 'done' };
  const status = readStatus(live);
  return status === 'active' || status === 'paused' ? { kind: 'absent' } : { kind: 'open' };
}

/**
 * False if it is still open: also where a stop by hand of another process has sent one more copy since, and where a status that
 * is asked for once more gets no answer.
 */
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
    case 'absent': {
      // As for what a create made: what it is by now is a person's or the service's doing, and may be.
      const isStatus = isStart(request) && request.live_id !== null;
      const facts = isStatus ? describeDone({ ...request, purpose: 'lost_start' }) : [];
      return state.end(entry, { outcome: 'absent', sent_at }, facts);
    }
    case 'done':
      return state.end(entry, { outcome: 'done', sent_at }, describeDone(request));
    case 'repeat': {
      // What shows counts, also while it is not confirmed: a stop after it is a person's.
      await state.learn(describeDone(request));
      // Its change may be half done. A stop by hand may come meanwhile.
      const sent = await askForStatus(run, request, verdict.target, request);
      return sent.kind === 'done' && sent.stop === null;
    }
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

/** What the state learns of a status that is set, or of a recall: lists may show the status before it for a while. */
export function describeDone(
  request: Pick<ObjectRequest, 'account_id' | 'kind' | 'live_id' | 'name' | 'seq' | 'target' | 'purpose'>,
): readonly Fact[] {
  const { account_id, kind, live_id, name, seq, target, purpose } = request;
  if (live_id === null) return [];
  const object = { account_id, kind, live_id, name };
  const by = purpose === 'by_hand' ? 'hand' : 'apply';
  const status: Fact = { kind: 'status', object, status: target ?? 'recalling', by, why: purpose, seq };
  return target === null ? [{ kind: 'object', object: { ...object, recalled: 1 } }, status] : [status];
}

/**
 * A stop of the object, or by hand of its name, is newer than a start: what the start made may have begun to run after it. So it
 * is stopped once more before the start ends.
 */
async function stopSince(
  run: Run,
  request: ObjectRequest,
  object: Observed | undefined,
): Promise<'not needed' | 'stopped' | 'unanswered'> {
  if (!isStart(request) || object === undefined || isStopped(object.live)) return 'not needed';
  const { account_id, kind, name, seq, asked } = request;
  const rows = (await run.state.known([account_id])).objects.filter((row) => row.kind === kind);
  const row = rows.find(({ live_id: id }) => id === object.live.id);
  const isConfirmed = row !== undefined && row.status_seq > seq && isStopped({ status: row.status_set });
  const replaced = parseAsked(asked)?.replaces ?? [];
  const renamed = rows.find((old) => replaced.includes(old.live_id) && old.name !== name);
  const check = { after_seq: seq, other_name: renamed?.name ?? null };
  const about = { ...request, live_id: object.live.id };
  if (!isConfirmed && (await findStopByHand(run, about, check)) === null) return 'not needed';
  const target = (isConfirmed ? readTargetStatus(row.status_set) : null) ?? 'paused';
  const purpose = isConfirmed && row.status_by === 'apply' ? row.status_why : 'by_hand';
  const sent = await askForStatus(run, { ...about, purpose }, target);
  // What the service refuses to stop does not run, such as a broadcast that was recalled, which shows no status (BROADCAST-8).
  const isRefused = sent.kind === 'failed' && isAboutState(sent.obstacle);
  if (sent.kind === 'done') {
    const { account, accountId, live } = object;
    const action = target === 'archived' ? 'archive' : 'pause';
    const change = describeStop({ account: { alias: account, accountId }, kind, action }, name, live.id);
    run.report({
      kind: 'stopped-early',
      result: { change, outcome: 'applied', liveId: live.id, reasons: [] },
    });
  }
  return sent.kind === 'done' || isRefused ? 'stopped' : 'unanswered';
}

/** `earlier`: it is one more copy of this request. */
function askForStatus(
  run: Run,
  request: ObjectRequest,
  target: TargetStatus,
  earlier?: ObjectRequest,
): Promise<Sent<unknown>> {
  const { account_id: accountId, live_id: liveId, kind } = request;
  const operation = KIND_CALLS[kind].setStatus;
  return send(run, {
    request: { ...request, operation, asked: null, target },
    check: isStart({ operation, target }) ? { after_seq: request.seq, other_name: null } : null,
    send: run.client.prepare(operation, {
      params: { account_id: accountId, campaign_id: liveId ?? '' },
      body: { status: target },
    }),
    facts: (_, seq) => describeDone({ ...request, target, seq }),
    ...(earlier === undefined ? {} : { earlier }),
  });
}
