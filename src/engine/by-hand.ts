import { isUnread } from '../api/errors.ts';
import type { Change } from '../domain/change.ts';
import { escapeGlob, Glob } from '../domain/glob.ts';
import { hasCode } from '../domain/herald-error.ts';
import type { Observed } from '../domain/resource.ts';
import { isArchived, isRecalled, isStopped, readStatus } from '../domain/status.ts';
import { Moment, passedEnd, waitAtMost } from '../domain/time.ts';
import { readById, scanScope } from '../live/scan.ts';
import { parseAsked } from '../plan/compare/content.ts';
import { decideByHand, mayBeRefused } from '../plan/decide/by-hand.ts';
import { withQueues } from '../plan/plan.ts';
import { indexRows } from '../plan/facts.ts';
import { mayRun } from '../plan/guards.ts';
import {
  isAboutObject,
  isStart,
  NOTHING_KNOWN,
  type Known,
  type ObjectRow,
  type OpenRequest,
} from '../state/shapes.ts';
import { pass, type Decided } from './pass.ts';
import { isAboutState, type Reason } from './reasons.ts';
import { countDown, lagMs, serviceTime, type Result, type Run } from './run.ts';
import { settle } from './settle.ts';
import { describeStop, type Stop } from './task.ts';

/** What a person stops by hand on one account. */
export interface StopRequest extends Stop {
  /** Objects by their ids, whatever their names are. */
  readonly liveIds: readonly string[];
  /** Patterns of names: everything that runs or waits under them, and what a start of one makes meanwhile. */
  readonly names: readonly string[];
}

/** What the state has about a stop. Null if it does not answer. */
export interface StopFacts {
  readonly starts: readonly OpenRequest[] | null;
  readonly known: Known | null;
}

/** What is meant, as the list and the state have it. */
interface Found extends StopFacts {
  /** The complete list of the account, or why it cannot be read. */
  readonly list: readonly Observed[] | Error;
  readonly shown: readonly Observed[];
  /** Of that, the ids of what runs. */
  readonly running: readonly string[];
  /** Ids of what is on record as running, and not shown as running. */
  readonly unshown: readonly string[];
}

/** Something is started again and again: after so many looks, it is not known what runs. */
const LOOKS_MAX = 5;

/** A stop does not wait longer than this for a read. */
const READ_MS = 5_000;

/** What a person stops on one account: found, planned, and then carried out. */
export class StopByHand {
  readonly #run: Run;
  /** It grows by what starts make meanwhile. */
  #request: StopRequest;
  readonly #starts: OpenRequest[];
  #known: Known | null;
  #decided: Decided | null = null;

  constructor(run: Run, request: StopRequest, { starts, known }: StopFacts = { starts: [], known: null }) {
    this.#run = run;
    this.#request = request;
    this.#starts = [...(starts ?? [])];
    this.#known = known;
  }

  /** What the list and the state have of a stop. What cannot be read does not hold up the stop of what is known. */
  async find(): Promise<Found> {
    const run = this.#run;
    const request = this.#request;
    const list = await scanScope(run.client, request).catch((error: unknown) => {
      if (isUnread(error)) return error;
      throw error;
    });
    const { rows, ...record } = await this.#readRecord();
    const fits = fitNames(request);
    const ids = new Set([...request.liveIds, ...rows.map((row) => row.live_id)]);
    const shown =
      list instanceof Error ? [] : list.filter(({ live }) => fits(live.name ?? '') || ids.has(live.id));
    const nowMs = serviceTime(run).earliestMs;
    const byId = new Map(shown.map((object) => [object.live.id, object]));
    const rowOf = indexRows(record.known?.objects ?? []);
    // A broadcast that was recalled shows no status (BROADCAST-8).
    const wasRecalled = (object: Observed) =>
      readStatus(object.live) === 'none' && rowOf(object)?.recalled === 1;
    // Not stopped, and not over: a pattern does not mean each broadcast that was ever sent.
    const own = shown.filter(
      (object) => !isStopped(object.live) && !hasFinished(object, nowMs) && !wasRecalled(object),
    );
    const running = own.map(({ live }) => live.id);
    const isShown = new Set(running);
    const unshown = rows
      .filter((row) => mayRun(row) && !isShown.has(row.live_id))
      .filter(({ live_id: id }) => mayRunAgain(byId.get(id), nowMs))
      .map((row) => row.live_id);
    const successors = own.flatMap((object) => rowOf(object)?.replaced_by ?? []);
    return { ...record, list, shown, running, unshown: [...unshown, ...successors] };
  }

  /** Reads each object, and decides what is sent. What cannot be read is stopped all the same. */
  async plan(): Promise<readonly Change[]> {
    const { decided, known } = await this.#decide(this.#request.liveIds);
    this.#known ??= known;
    this.#decided = decided;
    return decided.changes;
  }

  async #decide(liveIds: readonly string[]): Promise<{ readonly decided: Decided; readonly known: Known }> {
    const run = this.#run;
    const { account, kind, action } = this.#request;
    const objects = await Promise.all(liveIds.map((id) => this.#readOne(id)));
    const observed = objects.filter((one) => one !== null);
    // An answer says which service this is, and so which part of the state is about it.
    const known = (await unlessStateFails(run.state.known([account.accountId]))) ?? NOTHING_KNOWN;
    const read = { accounts: [account], observed, declared: [] };
    const { settleMs } = run;
    const facts = { ...read, known, open: [], time: serviceTime(run), settleMs, allow: new Set<never>() };
    const changes = liveIds.flatMap((liveId, index): Change | readonly Change[] => {
      const what = { account: account.alias, liveId };
      const object = objects[index] ?? undefined;
      const decided = decideByHand({ kind, action, what, force: true, again: true }, facts);
      if (object !== undefined) return decided === null ? [] : withQueues(decided.change, () => object);
      const row = known.objects.find((one) => one.kind === kind && one.live_id === liveId);
      const reasons = ['It cannot be read. It is stopped anyway.'];
      return { ...describeStop(this.#request, row?.name ?? '', liveId), reasons };
    });
    return { decided: { ...read, changes, since: known.seq, begunAt: new Moment(run.clock) }, known };
  }

  /**
   * Stops objects at once: without the lease, without a complete list, and from every status. Then it looks whether a start was under
   * way at any moment, or whether another run has started or replaced something meanwhile. It waits until such a start has ended or
   * can no longer take effect, finds what runs, and stops that. What it cannot find out is unknown. `wasAsked`: a person took time to
   * answer.
   */
  async carryOut(wasAsked = false): Promise<readonly Result[]> {
    const run = this.#run;
    const starts = this.#starts;
    if (this.#decided === null) throw new Error('a stop is planned first');
    const results = [...(await passStops(run, this.#decided))];
    let isUnderWay = starts.length > 0;
    for (let look = 0; look < LOOKS_MAX; look += 1) {
      const now = await this.#readRecord();
      starts.push(...(now.starts ?? []));
      isUnderWay ||= now.starts !== null && now.starts.length > 0;
      const news = listNews(now.rows, this.#known);
      this.#known = now.known;
      this.#widen(news);
      // Without the record it is not known, unless the stop says that it is not on record.
      const isUnrecorded = results.some(({ reasons }) =>
        reasons.some(({ kind }) => kind === 'not-on-record'),
      );
      if (now.starts === null && !isUnrecorded) break;
      const wasListed = look > 0 || !wasAsked || this.#request.names.length === 0;
      if (!isUnderWay && news.length === 0 && wasListed) {
        await this.#settleStarts();
        // A run with rows that are not here may have a start under way.
        const lease = isUnrecorded ? await unlessStateFails(run.state.leaseRecord()) : null;
        return this.#conclude(results, lease && { kind: 'run-elsewhere', holder: lease.holder });
      }
      if (isUnderWay && !(await this.#waitForStarts())) break;
      const found = await this.find();
      // Without a wait, the list may not show yet what was stopped.
      const done = new Set(isUnderWay ? [] : results.map(({ liveId }) => liveId));
      for (const id of news) done.delete(id);
      const liveIds = [...found.running, ...found.unshown].filter((id) => !done.has(id));
      const again = await this.#decide(liveIds);
      results.push(...(await passStops(run, again.decided)));
      if (isUnderWay && found.list instanceof Error) break;
      isUnderWay = false;
    }
    return this.#conclude(results, { kind: 'start-open' });
  }

  /** What starts came to is on record then: no later run takes what a person starts after this for a late effect of them. */
  async #settleStarts(): Promise<void> {
    const run = this.#run;
    const entries = new Set(this.#starts.map(({ entry }) => entry));
    try {
      // A run that is under way finds out itself what became of its requests.
      const isUnderWay = entries.size === 0 || (await run.state.leaseRecord()) !== null;
      const open = isUnderWay ? [] : await run.state.open();
      const own = open.filter(isAboutObject).filter(({ entry }) => entries.has(entry));
      if (own.length > 0) await settle(run, own, [this.#request.account]);
    } catch (error) {
      // They stay open, and the next run settles them.
      if (!hasCode(error, 'state-') && !isUnread(error)) throw error;
    }
  }

  /** A stop is also about what such starts make, whatever its name is, and about what has replaced its objects. */
  #widen(news: readonly string[]): void {
    const request = this.#request;
    const made = this.#starts.flatMap(({ name }) => (name === '' ? [] : [escapeGlob(name)]));
    const restarted = this.#starts.flatMap(({ live_id: id }) => id ?? []);
    this.#request = {
      ...request,
      names: [...new Set([...request.names, ...made])],
      liveIds: [...new Set([...request.liveIds, ...restarted, ...news])],
    };
  }

  /** Every result is certain if nothing can start any more: `open` is what may. Without one, there is one for each start. */
  #conclude(results: readonly Result[], open: Reason | null): readonly Result[] {
    const reasons = [
      'Its start did not take effect, so nothing runs that could be stopped. While a file declares it, the next apply starts it.',
    ];
    const byEntry = new Map(this.#starts.map((start) => [start.entry, start]));
    const unstopped = [...byEntry.values()].map(({ name, live_id: liveId }): Result => {
      const why = open === null ? [{ kind: 'planned', reasons } as const] : [];
      return { change: describeStop(this.#request, name, liveId), liveId, outcome: 'failed', reasons: why };
    });
    const all = results.length > 0 ? results : unstopped;
    if (open === null) return all;
    return all.map((one) => ({ ...one, outcome: 'unknown', reasons: [...one.reasons, open] }));
  }

  async #readOne(liveId: string): Promise<Observed | null> {
    const run = this.#run;
    const { account, kind } = this.#request;
    const object = { accountId: account.accountId, kind, liveId };
    // One copy: what gets no answer is not worth the time of a second one.
    const read = readById(run.client, object, (earlier) =>
      earlier === null ? null : 'Herald stops it anyway',
    );
    const answer = await waitAtMost(run.clock, READ_MS, read);
    if (answer?.kind !== 'done') return null;
    return { kind, account: account.alias, accountId: account.accountId, live: answer.reply };
  }

  /** With the rows of the objects that are meant. */
  async #readRecord() {
    const { state, settleMs } = this.#run;
    const request = this.#request;
    const { accountId } = request.account;
    // Open starts first: what one of them has made by then is known.
    const open = await unlessStateFails(state.open());
    const known = await unlessStateFails(state.known([accountId]));
    const fits = fitNames(request);
    const meant = new Set(request.liveIds);
    const rows = (known?.objects ?? []).filter(
      ({ kind, live_id: id, name }) => kind === request.kind && (meant.has(id) || fits(name)),
    );
    const names = new Set(rows.map(({ name }) => name).filter((name) => name !== ''));
    const ids = new Set([...meant, ...rows.map(({ live_id: id }) => id)]);
    const starts = open?.filter(
      (one) =>
        isStart(one) &&
        one.kind === request.kind &&
        one.account_id === accountId &&
        one.known_ms < settleMs &&
        // A start of another object of the name is about that one alone, and about what it replaces.
        (fits(one.name) ||
          (one.live_id === null ? names.has(one.name) : ids.has(one.live_id)) ||
          parseAsked(one.asked)?.replaces.some((id) => ids.has(id)) === true),
    );
    return { starts: starts ?? null, known, rows };
  }

  /**
   * Waits until each start of a stop has ended and lists show what it made, or until it can no longer take effect. False after an
   * interrupt.
   */
  async #waitForStarts(): Promise<boolean> {
    const run = this.#run;
    const { clock, interrupted, settleMs } = run;
    let endMs = clock.monotonicMs() + settleMs;
    const wasOver = await countDown(run, true, async () => {
      const { starts } = await this.#readRecord();
      if (starts?.length === 0) return { requests: 0, leftMs: 0 };
      const knownMs = starts?.map((one) => one.known_ms);
      if (knownMs !== undefined) endMs = clock.monotonicMs() + settleMs - Math.min(...knownMs);
      return { requests: starts?.length ?? 1, leftMs: endMs - clock.monotonicMs() };
    });
    if (wasOver) await clock.sleep(lagMs(run), interrupted).catch(() => undefined);
    return !interrupted.aborted;
  }
}

/** What another run has started since, and what has replaced the objects that are meant. */
function listNews(rows: readonly ObjectRow[], before: Known | null): readonly string[] {
  const earlier = new Map(before?.objects.map((row) => [row.live_id, row]));
  return rows.flatMap((row) => {
    const { live_id: id, replaced_by: by, status_seq: seq } = row;
    const known = earlier.get(id);
    const hasStarted = mayRun(row) && seq > (known?.status_seq ?? -1);
    return [...(hasStarted ? [id] : []), ...(by === null || by === known?.replaced_by ? [] : [by])];
  });
}

/** Null for a state that cannot be read: it does not hold up a stop. */
async function unlessStateFails<Read>(reading: Promise<Read>): Promise<Read | null> {
  try {
    return await reading;
  } catch (error) {
    if (hasCode(error, 'state-')) return null;
    throw error;
  }
}

function fitNames({ names }: StopRequest): (name: string) => boolean {
  const patterns = names.map((pattern) => new Glob(pattern));
  return (name) => patterns.some((glob) => glob.matches(name));
}

/** A finished broadcast has no status that the service names (BROADCAST-8, BROADCAST-12). */
function hasFinished({ kind, live }: Observed, nowMs: number): boolean {
  if (kind !== 'broadcast' || live.status != null) return false;
  return live.progress_percent === 100 || passedEnd(live.rules, nowMs) !== null;
}

/** A status that the list shows may be an older one, unless nothing follows it. */
function mayRunAgain(object: Observed | undefined, nowMs: number): boolean {
  if (object === undefined) return true;
  const { kind, live } = object;
  return !isRecalled(live) && (kind === 'campaign' || !(isArchived(live) || hasFinished(object, nowMs)));
}

async function passStops(run: Run, decided: Decided): Promise<readonly Result[]> {
  const uploads = () => () =>
    Promise.resolve({ kind: 'failed', message: 'a stop uploads nothing', denied: false } as const);
  const results = await pass(run, { ...decided, uploads, mode: 'by-hand' });
  return results.map((result) => explainRefusal(result, decided.observed));
}

/** Where the service refuses what its object had shown that it would, that is why. What is recalled already is done. */
function explainRefusal(result: Result, observed: readonly Observed[]): Result {
  const { action, live_id: id, reasons } = result.change;
  const object = observed.find(({ live }) => live.id === id);
  const isRefused = result.reasons.some(isAboutState);
  if (!isRefused || object === undefined || !mayBeRefused(object, action)) return result;
  const outcome = isRecalled(object.live) ? 'unchanged' : result.outcome;
  return { ...result, outcome, reasons: [{ kind: 'planned', reasons }] };
}
