import { KIND_CALLS } from '../api/catalogue.ts';
import { prepareCreate } from '../api/create-bodies.ts';
import { describeProblem, isUnread } from '../api/errors.ts';
import { SCHEDULE_LEAD_MS } from '../domain/content.ts';
import type { Step } from '../domain/change.ts';
import { hasCode } from '../domain/herald-error.ts';
import { nameForm } from '../domain/text.ts';
import { KIND_ROWS, type Observed } from '../domain/resource.ts';
import {
  isArchived,
  isDeclaredToSend,
  isPaused,
  isRecalled,
  isRunning,
  isStopped,
  showsTarget,
  readStatus,
  STATUS_TRAITS,
  type TargetStatus,
} from '../domain/status.ts';
import { readById, scanScope, type Live } from '../live/scan.ts';
import { describeAsked, digestDeclared, digestLive, readShown, parseShown } from '../plan/compare/content.ts';
import { digestDifference, starts } from '../plan/decide/decision.ts';
import type { Fact, NewRequest, ObjectNews } from '../state/shapes.ts';
import { isDenied, type Aftermath, type Obstacle, type Reason } from './reasons.ts';
import { lagMs, serviceTime, type Run } from './run.ts';
import { findStopByHand, send, type Sent } from './send.ts';
import { describeCreated, describeDone } from './settle.ts';
import { isByHand, targetOfStep, type Task } from './task.ts';

/** What a step came to. `unknown` is neither success nor failure, and ends its change. */
export type StepEnd =
  | { readonly kind: 'ok'; readonly liveId: string; readonly notes: readonly Reason[] }
  /** `createdId`: of what was created all the same. */
  | { readonly kind: 'failed' | 'unknown'; readonly obstacle: Obstacle; readonly createdId?: string };

function fail(obstacle: Obstacle): StepEnd {
  return { kind: 'failed', obstacle };
}

export type EarlyEnd = Exclude<StepEnd, { readonly kind: 'ok' }>;

/** The steps of one change. Each looks before it sends, and is confirmed by a read. */
export class Steps {
  readonly #task: Task;

  constructor(task: Task) {
    this.#task = task;
  }

  /** Asks for a status, and repeats that until it is answered: a read that shows the target does not prove the whole change. */
  async setStatus(liveId: string, target: TargetStatus): Promise<StepEnd> {
    const isStart = isRunning({ status: target });
    const looked = isStart ? await this.#lookBeforeStart(liveId) : await this.#lookBeforeStop(liveId, target);
    if (looked !== 'go on') return looked;
    const { run, account, change, declared, check, lists, mode } = this.#task;
    const { kind } = change.address;
    const planned = lists.planned(kind, liveId);
    const isBeforeCreate = this.#precedesCreate(liveId, target);
    const sent = await send<{ readonly status?: string | null | undefined } | null>(run, {
      request: this.#describeRequest({
        operation: KIND_CALLS[kind].setStatus,
        live_id: liveId,
        target,
        content: isStart && planned !== undefined ? digestLive(planned) : null,
      }),
      check: isStart || isBeforeCreate ? check : null,
      send: run.client.prepare(KIND_CALLS[kind].setStatus, {
        params: { account_id: account.accountId, campaign_id: liveId },
        body: { status: target },
      }),
      goesUnrecorded: isByHand(this.#task) && !isStart,
      obstacle: async (earlier) => {
        // After a copy without an answer, the list may show what that copy did.
        const listed =
          isStart && earlier?.kind !== 'unknown' ? await lists.findBaseline(change, declared) : [];
        if ('kind' in listed) return listed;
        const hour = readHour(planned?.live);
        if (target === 'queued' && mode !== 'forced') return tooNear(run, hour);
        if (!isBeforeCreate) return null;
        return this.#createTooNear(REPLACE_TAKES_MS) ?? tooNear(run, hour, REPLACE_TAKES_MS);
      },
      facts: (reply, seq) => this.#describeStatus(liveId, reply?.status ?? target, seq),
    });
    if (sent.kind === 'done') lists.noteStatus(liveId, target);
    return this.#endStep(sent, liveId);
  }

  /** Takes back what an object sent. A lost answer is not asked for again before the lists have shown what came of it. */
  async recall(liveId: string): Promise<StepEnd> {
    const { run, account, change } = this.#task;
    const operation = KIND_CALLS[change.address.kind].unsend;
    const sent = await send<null>(run, {
      request: this.#describeRequest({ operation, live_id: liveId }),
      check: null,
      goesUnrecorded: isByHand(this.#task),
      send: run.client.prepare(operation, {
        params: { account_id: account.accountId, campaign_id: liveId },
      }),
      facts: (_, seq) => this.#describeStatus(liveId, null, seq),
    });
    return this.#endStep(sent, liveId);
  }

  /**
   * Creates what is declared, once, by a complete list that is less than 30 s old. No one else knew of the object when the service
   * answered, so what the answer shows in another form than was sent is its doing, and no drift while both stay as they are.
   */
  async create(): Promise<StepEnd> {
    const { run, account, change, declared, check, lists } = this.#task;
    if (declared === null) throw new Error('a create needs what is declared');
    const { kind } = change.address;
    const content = digestDeclared(declared);
    const describe = (baseline: readonly string[]) => {
      const asked = describeAsked(declared, { baseline, replaces: this.#listReplaced() });
      const request = this.#describeRequest({ operation: KIND_CALLS[kind].create, content, asked });
      return { asked, request };
    };
    let described = describe([]);
    const sent = await send<Live>(run, {
      get request() {
        return described.request;
      },
      check,
      send: prepareCreate(run.client, account.accountId, declared),
      obstacle: async () => {
        const baseline = await lists.findBaseline(change, declared);
        if ('kind' in baseline) return baseline;
        described = describe(baseline);
        return this.#createTooNear();
      },
      createdId: ({ id }) => id,
      facts: (reply, seq) =>
        describeCreated({ ...described.request, content, kind, seq }, described.asked, {
          live_id: reply.id,
          status: reply.status ?? KIND_ROWS[kind].created,
          shown: readShown(declared, this.#observe(reply)),
          replaced_for: digestDifference(change.fields),
        }),
    });
    if (sent.kind !== 'done') return sent;
    const { id, name } = sent.reply;
    const end = await this.#endStep(sent, id);
    if (end.kind !== 'ok') return { ...end, createdId: id };
    const { fields } = parseShown(readShown(declared, this.#observe(sent.reply)));
    const paths = [
      ...(nameForm(name ?? '') === declared.address.name ? [] : ['name']),
      ...fields.filter((field) => field.sent !== null).map(({ path }) => path),
    ];
    const rewritten = paths.length === 0 ? [] : [{ kind: 'rewritten', paths } as const];
    return { ...end, notes: [...end.notes, ...rewritten] };
  }

  /** A stop by hand that waits for the end of a start may be gone by now, so what was started is stopped for it. */
  async #endStep(sent: Sent<unknown>, liveId: string): Promise<StepEnd> {
    if (sent.kind !== 'done') return sent;
    const { unrecorded, stop } = sent;
    if (stop === null) {
      const notes = unrecorded === null ? [] : [{ kind: 'not-on-record', message: unrecorded } as const];
      return { kind: 'ok', liveId, notes };
    }
    const stopped = await new Steps({ ...this.#task, mode: 'by-hand' }).setStatus(liveId, 'paused');
    if (stopped.kind !== 'ok') return { kind: 'unknown', obstacle: stopped.obstacle };
    const ending = { outcome: 'done', live_id: liveId } as const;
    try {
      if (sent.entry !== null) await this.#task.run.state.end(sent.entry, ending, sent.news);
      return fail(stop);
    } catch (error) {
      if (!hasCode(error, 'state-')) throw error;
      return { kind: 'unknown', obstacle: { kind: 'unrecorded', message: error.message, wasSent: true } };
    }
  }

  /**
   * Runs after a broadcast was paused for a replace. Its hour proves that it never left, and its status that it is not started
   * again since. Without that proof nothing is created, because fans could get both.
   */
  async checkNotLeft(liveId: string): Promise<StepEnd> {
    const read = await this.#readUntil(liveId, (one) => one.kind === 'read' && isPaused(one.live));
    if (read.kind === 'unread') return fail(read);
    const { live } = read;
    if (!isPaused(live)) return fail({ kind: 'not-shown', id: liveId, status: live.status ?? null });
    return readHour(live) === null
      ? fail({ kind: 'left', id: liveId, isPaused: true })
      : { kind: 'ok', liveId, notes: [] };
  }

  /** Why what is declared must not be created any more, or in `ms`. */
  #createTooNear(ms = 0): Obstacle | null {
    const { run, declared } = this.#task;
    if (declared?.kind !== 'broadcast' || declared.atOnce === true) return null;
    return tooNear(run, declared.scheduledAtUtc, ms);
  }

  /**
   * Reads an object right before its start, and until it is as the plan saw it: a single read may lag. What still differs then
   * is not what was agreed to.
   */
  async #lookBeforeStart(liveId: string): Promise<StepEnd | 'go on'> {
    const { lists, change } = this.#task;
    const expected = lists.expected(change.address.kind, liveId);
    if (expected === undefined) return 'go on';
    const read = await this.#readUntil(
      liveId,
      (one) => one.kind === 'unread' || this.#findDifference(expected, one.live) === null,
    );
    if (read.kind === 'unread') return fail(read);
    const difference = this.#findDifference(expected, read.live);
    return difference === null ? 'go on' : fail(difference);
  }

  #findDifference(expected: Observed, live: Live): Obstacle | null {
    const { id } = live;
    const [was, is] = [expected.live.status ?? null, live.status ?? null];
    if (was !== is) return { kind: 'differs', id, what: 'status', was, is };
    const [hourWas, hourIs] = [readHour(expected.live), readHour(live)];
    if (hourWas !== hourIs) return { kind: 'differs', id, what: 'hour', was: hourWas, is: hourIs };
    if (digestLive(expected) === digestLive(this.#observe(live))) return null;
    return { kind: 'differs', id, what: 'content', was: null, is: null };
  }

  /**
   * A stop is left out only where a person was faster: the plan saw it run, and it reads as stopped, also once the lag is over. Then
   * nothing is created in its place without asking. What cannot be read is stopped as it was planned.
   */
  async #lookBeforeStop(liveId: string, target: TargetStatus): Promise<StepEnd | 'go on'> {
    const { run, account, change, lists } = this.#task;
    if (isByHand(this.#task)) return 'go on';
    const { kind } = change.address;
    const read = () => readById(run.client, { accountId: account.accountId, kind, liveId });
    const isOver = (live: Live) => isArchived(live) || isRecalled(live) || showsTarget(live, target);
    const before = lists.planned(kind, liveId)?.live;
    let now = await read();
    const wasFaster = () =>
      before !== undefined && !isOver(before) && now.kind === 'done' && isOver(now.reply);
    if (wasFaster()) {
      await run.clock.sleep(lagMs(run));
      now = await read();
    }
    if (now.kind === 'done' && wasFaster()) {
      const left = { kind: 'stopped-since', id: liveId, status: now.reply.status ?? null } as const;
      return this.#precedesCreate(liveId, target) ? fail(left) : { kind: 'ok', liveId, notes: [left] };
    }
    // Stopping what goes out by now was not agreed to, except for a duplicate, which fans get twice, and for a recall.
    const isAgreed = kind !== 'broadcast' || change.action === 'retire' || change.action === 'recall';
    const hasBegun = before !== undefined && !hasLeft(before) && now.kind === 'done' && hasLeft(now.reply);
    return hasBegun && !isAgreed ? fail({ kind: 'left', id: liveId, isPaused: false }) : 'go on';
  }

  /**
   * What a step has come to by a read: neither an answer alone nor a read alone is enough. `sinceMs` is when it was answered, by
   * the monotonic clock; until the lag is over, a read that shows something else is repeated.
   */
  async confirm(step: Step['kind'], liveId: string, sinceMs: number): Promise<StepEnd> {
    // Before a create, one that a person has archived is not as the pause has left it.
    const isShown = step === 'pause' && this.#precedesCreate(liveId, 'paused') ? isPaused : SHOWN[step];
    if (isShown === undefined) return { kind: 'ok', liveId, notes: [] };
    const read = await this.#readUntil(liveId, (one) => one.kind === 'read' && isShown(one.live), sinceMs);
    const live = read.kind === 'read' ? read.live : null;
    const { run, change, check, lists } = this.#task;
    const before = lists.planned(change.address.kind, liveId);
    if (live !== null && isShown(live))
      return { kind: 'ok', liveId, notes: step === 'pause' ? describeBegun(before, live) : [] };
    const wasStopped = SHOWN[step] === runs && live !== null && isStopped(live);
    const stop = wasStopped ? await findStopByHand(run, this.#objectNews(liveId), check) : null;
    if (stop !== null) return fail(stop);
    return { kind: 'unknown', obstacle: { kind: 'not-shown', id: liveId, status: live?.status ?? null } };
  }

  /**
   * Repeats a read that may lag behind what it is to show. Returns the first one that shows it, and otherwise one that began
   * when the lag was over.
   */
  async #readUntil(
    liveId: string,
    isShown: (read: Read) => boolean,
    sinceMs = this.#task.run.clock.monotonicMs(),
  ): Promise<Read> {
    const { run } = this.#task;
    for (;;) {
      const begunMs = run.clock.monotonicMs();
      const found = await this.#readByIdOrList(liveId);
      if (isShown(found) || begunMs - sinceMs >= lagMs(run)) return found;
      await run.clock.sleep(lagMs(run) / 10);
    }
  }

  /**
   * Reads one object, from the list if the single read fails. For a broadcast with unreadable content, the service always
   * answers 502, but the list still shows its status and schedule.
   */
  async #readByIdOrList(liveId: string): Promise<Read> {
    const { run, account, change } = this.#task;
    const { kind } = change.address;
    const single = await readById(run.client, { accountId: account.accountId, kind, liveId });
    if (single.kind === 'done') return { kind: 'read', live: single.reply };
    const { problem } = single;
    const message = `${liveId}: ${describeProblem(problem)}`;
    const unread: Read = { kind: 'unread', message, isDenied: isDenied(problem) };
    if (!KIND_ROWS[kind].listShowsUnreadable) return unread;
    try {
      const list = await scanScope(run.client, { account, kind });
      const entry = list.find(({ live }) => live.id === liveId);
      return entry === undefined ? unread : { kind: 'read', live: entry.live };
    } catch (error) {
      if (!isUnread(error)) throw error;
      return unread;
    }
  }

  #observe(live: Live): Observed {
    const { account, change } = this.#task;
    const about = { account: account.alias, accountId: account.accountId };
    return { kind: change.address.kind, ...about, live };
  }

  #choosePurpose(): Purpose {
    const { change, declared } = this.#task;
    if (isByHand(this.#task)) return 'by_hand';
    if (change.action === 'replace') return 'replace';
    // Of what is declared to run, only other versions are stopped.
    const isOther = declared !== null && isDeclaredToSend(declared) && !starts(change);
    if (change.action === 'retire' || isOther) return 'duplicate';
    return declared === null ? 'prune' : 'declared';
  }

  #describeRequest(
    about: Pick<NewRequest, 'operation' | 'live_id' | 'target' | 'content' | 'asked'>,
  ): NewRequest {
    const { run, account, change } = this.#task;
    const { kind, name } = change.address;
    const who = { command: run.command, account: account.alias, account_id: account.accountId };
    return { ...about, ...who, kind, name, purpose: this.#choosePurpose() };
  }

  /** A stop that comes before a create belongs to it: what a person has stopped since the plan stays theirs. */
  #precedesCreate(liveId: string, target: TargetStatus): boolean {
    const { steps } = this.#task.change;
    // A stop that a person asked for belongs to no create.
    if (isByHand(this.#task)) return false;
    const own = steps.findIndex(({ kind, live_id: id }) => id === liveId && targetOfStep(kind) === target);
    return own !== -1 && steps.slice(own).some(({ kind }) => kind === 'create');
  }

  /** What the state learns of a status that is set; null for a recall. */
  #describeStatus(liveId: string, target: string | null, seq: number): readonly Fact[] {
    const object = this.#objectNews(liveId);
    const done = describeDone({ ...object, purpose: this.#choosePurpose(), target, seq });
    return [{ kind: 'object', object }, ...done];
  }

  /**
   * The object of a task in the state. What an apply changes is ours by then; what a person changes by hand is not. What was
   * recalled stays so, whatever status it gets.
   */
  #objectNews(liveId: string): ObjectNews {
    const { account, change, declared, lists } = this.#task;
    const { kind, name } = change.address;
    const before = lists.planned(kind, liveId);
    const recalled = before !== undefined && isRecalled(before.live) ? ({ recalled: 1 } as const) : {};
    const object = { account_id: account.accountId, kind, live_id: liveId, name, ...recalled };
    if (isByHand(this.#task)) return object;
    return { ...object, ours: 1, ...(declared === null ? {} : { protect: declared.protect ? 1 : 0 }) };
  }

  /** The versions that the create of this change replaces. One that finishes an interrupted replace names its old version. */
  #listReplaced(): readonly string[] {
    const { change } = this.#task;
    if (change.action !== 'replace' && change.action !== 'create') return [];
    const stopped = change.steps.flatMap(({ kind, live_id: id }) =>
      (kind === 'pause' || kind === 'archive') && id !== null ? [id] : [],
    );
    return [...new Set([...(change.live_id === null ? [] : [change.live_id]), ...stopped])];
  }
}

/** A pause for a replace leaves only if there is so much time for it before the last moment of the create. */
const REPLACE_TAKES_MS = 2 * 60_000;

/** Why Herald stops something, as the state keeps it. */
type Purpose = 'declared' | 'replace' | 'duplicate' | 'prune' | 'by_hand';

/** Why an object of this hour must not be started or created any more: by one of the clocks it could go out at once. */
function tooNear(run: Run, hour: string | null, ms = 0): Obstacle | null {
  if (hour === null) return null;
  return Date.parse(hour) - serviceTime(run).latestMs - ms >= SCHEDULE_LEAD_MS
    ? null
    : { kind: 'too-near', scheduledAt: hour };
}

export function hasLeft(live: Live): boolean {
  return STATUS_TRAITS[readStatus(live)].goingOut || readHour(live) === null;
}

const runs = (live: Live) => isRunning(live) || readStatus(live) === 'none';

/** What an object reads as after each step that is confirmed by a read. A broadcast shows of a recall only that it does not wait. */
const SHOWN: Readonly<Partial<Record<Step['kind'], (live: Live) => boolean>>> = {
  create: runs,
  activate: runs,
  resume: runs,
  pause: isStopped,
  archive: (live) => isArchived(live) || isRecalled(live),
  recall: (live) => isRecalled(live) || ('scheduled_at' in live && readStatus(live) !== 'scheduled'),
};

/** A broadcast that had begun to go out before its stop arrived has reached some fans. */
export function describeBegun(before: Observed | undefined, live: Live): readonly Aftermath[] {
  if (before?.kind !== 'broadcast' || hasLeft(before.live) || readHour(live) !== null) return [];
  const percent = 'progress_percent' in live ? live.progress_percent : null;
  return [{ kind: 'had-begun', id: live.id, percent: typeof percent === 'number' ? percent : null }];
}

/** An object as it is now, or why it could not be read. */
type Read = { readonly kind: 'read'; readonly live: Live } | Extract<Obstacle, { readonly kind: 'unread' }>;

/** The hour of a broadcast as the service shows it; null for a campaign, and for what has left. */
function readHour(live: Live | undefined): string | null {
  return live !== undefined && 'scheduled_at' in live && typeof live.scheduled_at === 'string'
    ? live.scheduled_at
    : null;
}
