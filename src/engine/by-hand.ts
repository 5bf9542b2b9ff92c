import { hasCode } from '../domain/herald-error.ts';
import { isUnread } from '../api/errors.ts';
import type { Change } from '../domain/change.ts';
import type { Kind, Observed, ResolvedAccount } from '../domain/resource.ts';
import { isStopped } from '../domain/status.ts';
import { momentOf, waitAtMost } from '../domain/time.ts';
import { readById, scanScope } from '../live/scan.ts';
import { decideByHand, type ByHandRequest } from '../plan/decide/by-hand.ts';
import { change, step } from '../plan/decide/decision.ts';
import type { GroupFacts } from '../plan/decide/group.ts';
import { isStart, NOTHING_KNOWN, type Known, type OpenRequest } from '../state/shapes.ts';
import { pass, type Decided } from './pass.ts';
import { lagMs, serviceTime, waitUntilOld, type Result, type Run } from './run.ts';

/** What a person stops by hand. */
export interface StopRequest {
  readonly account: ResolvedAccount;
  readonly kind: Kind;
  readonly action: Extract<ByHandRequest['action'], 'pause' | 'archive' | 'recall'>;
  /** The objects by their ids, whatever their names are. */
  readonly liveIds: readonly string[];
  /** Names that are meant as well: what a start of one of them may still make. */
  readonly names: readonly string[];
}

/** Stops that a person may agree to. */
export interface PlannedStop {
  readonly request: StopRequest;
  readonly decided: Decided;
}

/** Reads each object, and decides what is sent. What cannot be read is stopped all the same. */
export async function planStop(run: Run, request: StopRequest): Promise<PlannedStop> {
  const { account, liveIds } = request;
  const read = await Promise.all(liveIds.map((id) => readOne(run, request, id)));
  const observed = read.filter((one) => one !== null);
  const unread = liveIds.filter((_, index) => read[index] === null);
  // An answer says which service this is, and so which part of the state is about it.
  const known = await unlessStateFails(run.state.known([account.accountId]), NOTHING_KNOWN);
  return { request, decided: decideStops(run, request, known, { observed, unread }) };
}

/**
 * Stops objects at once: without the lease, without a complete list, and from every status. If a start of one of their names
 * may still take effect, it waits for that, and stops what it made. What it cannot find out is unknown.
 */
export async function stopByHand(run: Run, { request, decided }: PlannedStop): Promise<readonly Result[]> {
  const results = await passStops(run, decided);
  const starts = await findStarts(run, request, decided);
  // A start that was under way when the stop left may have been answered since, and may have made what runs now.
  const sawStart = results.some(({ reasons }) => reasons.some(({ kind }) => kind === 'start-open'));
  if (starts.length === 0 && !sawStart) return results;
  const again = await waitForStarts(run, request, starts, decided);
  // Its window is over by then, also for the second stop.
  const told = [...results, ...(again ?? [])].map((result) => ({
    ...result,
    reasons: result.reasons.filter(({ kind }) => kind !== 'start-open'),
  }));
  if (again !== null) return told;
  const unstopped =
    told.length > 0
      ? told
      : starts.map(({ name, live_id: liveId }) => {
          // It is not known what it made.
          return { change: describeStop(request, name, liveId), liveId, reasons: [] };
        });
  return unstopped.map((one) => ({
    ...one,
    outcome: 'unknown',
    reasons: [...one.reasons, { kind: 'start-open' }],
  }));
}

/** A stop does not wait longer than this for a read. */
const READ_MS = 5_000;

/** Null for what cannot be read in time. */
async function readOne(run: Run, { account, kind }: StopRequest, liveId: string): Promise<Observed | null> {
  const object = { accountId: account.accountId, kind, liveId };
  // One copy: what gets no answer is not worth the time of a second one.
  const read = readById(run.client, object, (earlier) =>
    earlier === null ? null : 'Herald stops it anyway',
  );
  const answer = await waitAtMost(run.clock, READ_MS, read);
  if (answer?.kind !== 'done') return null;
  return { kind, account: account.alias, accountId: account.accountId, live: answer.reply };
}

/** What the state knows only names things better: a state that cannot be read does not hold up a stop. */
async function unlessStateFails<Found>(reading: Promise<Found>, otherwise: Found): Promise<Found> {
  try {
    return await reading;
  } catch (error) {
    if (hasCode(error, 'state-')) return otherwise;
    throw error;
  }
}

function decideStops(
  run: Run,
  request: StopRequest,
  known: Known,
  { observed, unread }: { readonly observed: readonly Observed[]; readonly unread: readonly string[] },
): Decided {
  const { account, kind, action } = request;
  const accounts = [account];
  const facts: GroupFacts = {
    accounts,
    observed,
    known,
    open: [],
    time: serviceTime(run),
    settleMs: run.settleMs,
    declared: [],
    allow: new Set(),
  };
  const read = observed.flatMap(({ live }) => {
    const what = { account: account.alias, liveId: live.id };
    return decideByHand({ kind, action, what, force: true, again: true }, facts)?.change ?? [];
  });
  const reasons = ['It cannot be read. It is stopped anyway.'];
  const blind = unread.map((liveId): Change => {
    const row = known.objects.find((one) => one.kind === kind && one.live_id === liveId);
    return { ...describeStop(request, row?.name ?? '', liveId), reasons };
  });
  const changes = [...read, ...blind];
  return { changes, declared: [], observed, accounts, since: known.seq, begunAt: momentOf(run.clock) };
}

export function describeStop(
  { account, kind, action }: Pick<StopRequest, 'account' | 'kind' | 'action'>,
  name: string,
  liveId: string | null,
): Change {
  const id = liveId === null ? null : { id: liveId };
  const steps = id === null ? [] : [step(action, id)];
  return change({ address: { account: account.alias, kind, name } }, action, { version: id, steps });
}

function passStops(run: Run, decided: Decided): Promise<readonly Result[]> {
  const uploads = () => () =>
    Promise.resolve({ kind: 'failed', message: 'a stop uploads nothing', denied: false } as const);
  return pass(run, { ...decided, uploads, isByHand: true });
}

/** Starts of other runs that may still take effect under the same names. A state that cannot be read names none. */
async function findStarts(
  { state }: Run,
  { account, kind, names: meant }: StopRequest,
  { changes }: Decided,
): Promise<readonly OpenRequest[]> {
  const names = new Set([...changes.map(({ address }) => address.name), ...meant]);
  const ids = new Set(changes.map(({ live_id: id }) => id));
  return (await unlessStateFails(state.open(), [])).filter(
    (request) =>
      request.kind === kind &&
      request.account_id === account.accountId &&
      isStart(request) &&
      ((request.name !== '' && names.has(request.name)) ||
        (request.live_id !== null && ids.has(request.live_id))),
  );
}

/**
 * Waits until these starts can no longer take effect, and stops what runs under their names and those of the stop then. Without
 * any, it waits until the list shows what was answered. Null if it is not known.
 */
async function waitForStarts(
  run: Run,
  request: StopRequest,
  starts: readonly OpenRequest[],
  { changes }: Decided,
): Promise<readonly Result[] | null> {
  const { account, kind } = request;
  if (starts.length === 0) await run.clock.sleep(lagMs(run), run.interrupted).catch(() => undefined);
  else await waitUntilOld(run, starts);
  if (run.interrupted.aborted) return null;
  const list = await scanScope(run.client, { account, kind }).catch((error: unknown) => {
    if (isUnread(error)) return null;
    throw error;
  });
  if (list === null) return null;
  const stopped = changes.map(({ address: { name }, live_id }) => ({ name, live_id }));
  const names = new Set([...starts, ...stopped].map(({ name }) => name).filter((name) => name !== ''));
  const ids = new Set([...starts, ...stopped].map(({ live_id: id }) => id));
  const observed = list.filter(
    ({ live }) => !isStopped(live) && (names.has(live.name ?? '') || ids.has(live.id)),
  );
  const known = await unlessStateFails(run.state.known([account.accountId]), NOTHING_KNOWN);
  return passStops(run, decideStops(run, request, known, { observed, unread: [] }));
}
