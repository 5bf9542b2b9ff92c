import { writes, type Change } from '../domain/change.ts';
import { formatAddress, type Observed } from '../domain/resource.ts';
import { isRecalled, isStopped, readTargetStatus } from '../domain/status.ts';
import { creates, starts } from '../plan/decide/decision.ts';
import { isRemainder } from '../plan/review.ts';
import { isUnconfirmed, type OpenRequest } from '../state/shapes.ts';
import type { Look } from './look.ts';
import type { Reason } from './reasons.ts';
import type { Result } from './run.ts';
import type { Settled } from './settle.ts';
import { describeBegun, hasLeft } from './steps.ts';
import { targetOfStep } from './task.ts';

/** Nothing is created after so many requests of an address were lost in one run. */
const LOST_MAX = 2;

/** What is known after the requests of a run were settled: in this round and in those before it. */
export class Round {
  readonly agreed: Look;
  readonly seen: Look;
  readonly #settled: readonly Settled[];

  constructor(agreed: Look, settled: readonly Settled[], seen: Look) {
    this.agreed = agreed;
    this.seen = seen;
    this.#settled = settled;
  }

  /** What is left of the agreed changes with a result that is not known. What was refused is over. */
  chooseRest(results: readonly Result[]): {
    readonly changes: readonly Change[];
    readonly refused: readonly Result[];
  } {
    const changes: Change[] = [];
    const refused: Result[] = [];
    for (const change of this.seen.plan.changes) {
      const address = formatAddress(change.address);
      const before = results.find((result) => concerns(result, address, change.live_id));
      if (before === undefined || !writes(change) || wasRefused(before)) continue;
      // Copies that a create made are stopped by the last look.
      if (change.action === 'retire' && before.change.action !== 'retire') continue;
      const verdict = this.#findVerdict(before);
      const made = new Set(verdict?.kind === 'adopted' ? [verdict.object.live.id] : []);
      const lost = this.#listSettled(before).filter(({ verdict: { kind } }) => kind === 'absent');
      const refuse = (kind: 'not-agreed' | 'lost-twice') =>
        refused.push({ change, outcome: 'failed', liveId: null, reasons: [{ kind }] });
      if (!isRemainder(before.change, change, made)) refuse('not-agreed');
      else if (creates(change) && lost.length >= LOST_MAX) refuse('lost-twice');
      else changes.push(change);
    }
    return { changes, refused };
  }

  /**
   * One result for a change that took more than one pass. It goes by what was carried out since, by what became of its requests,
   * and by what its object shows now: what was lost is done only if something else has done it.
   */
  describeResolved(result: Result, carried: readonly Result[]): Result {
    const { change, liveId } = result;
    const { facts, plan } = this.seen;
    const verdict = this.#findVerdict(result);
    const found = verdict?.kind === 'adopted' ? verdict.object.live.id : null;
    const before = result.reasons.filter(({ kind }) => kind !== 'found');
    const end = (outcome: Result['outcome'], reasons: readonly Reason[], id: End[2] = liveId): Result => {
      const notes: readonly Reason[] = found === null ? [] : [{ kind: 'found' }];
      return { change, outcome, liveId: found ?? id, reasons: [...notes, ...reasons] };
    };
    const isOwn = ({ address, live_id: id }: Change) => concerns(result, formatAddress(address), id);
    const made = found ?? (creates(change) && liveId !== change.live_id ? liveId : null);
    const known: Resolved = { change, before, round: this, verdict, made };

    const own = carried.filter((one) => isOwn(one.change));
    if (own.length > 0) return end(...mergeCarried(own, known));
    if (verdict?.kind === 'unclear') return end('unknown', [verdict]);
    const isOpen = facts.open.some(
      (one) => isUnconfirmed(one) && concerns(result, findAddress(this.agreed, one), one.live_id),
    );
    // What someone has closed meanwhile has no answer, and tells nothing.
    const isClosed = verdict === null && before.some(({ kind }) => kind === 'no-answer');
    if (isOpen || isClosed || verdict?.kind === 'open') return end('unknown', before);
    if (wasRefused(result)) return end('failed', [...before.filter(isNotOld), ...describeOld(known, true)]);
    const changes = plan.changes.filter(isOwn);
    // What was not carried out may be another change by now.
    const others = plan.changes.filter((one) => formatAddress(one.address) === formatAddress(change.address));
    const planned = changes.find(isHeld) ?? changes.at(-1) ?? others.at(-1);
    return end(...(starts(change) ? judgeStart(known, planned) : judgeStop(known, planned)));
  }

  /** The requests that a result has sent. A stop by hand of its object is another one's. */
  #listSettled(result: Result): readonly Settled[] {
    const { action, steps } = result.change;
    const targets = steps.map(({ kind }) => targetOfStep(kind));
    return this.#settled.filter(
      ({ request }) =>
        concerns(result, findAddress(this.agreed, request), request.live_id) &&
        (action === 'replace' || targets.includes(readTargetStatus(request.target))),
    );
  }

  /** What became of the requests of a result: what a create made counts before what another request about that did. */
  #findVerdict(result: Result): Settled['verdict'] | null {
    const own = this.#listSettled(result).map(({ verdict }) => verdict);
    return own.find(({ kind }) => kind === 'adopted') ?? own.at(-1) ?? null;
  }
}

/** Whether something of an address is about a result: if that creates nothing, only its own object is. */
function concerns({ change }: Result, address: string, liveId: string | null): boolean {
  const isSameObject = creates(change) || liveId === null || liveId === change.live_id;
  return isSameObject && formatAddress(change.address) === address;
}

function wasRefused({ reasons }: Result): boolean {
  return reasons.some(({ kind }) => kind === 'refused');
}

interface Resolved extends Pick<Result, 'change'> {
  /** Why it was not known what it came to. */
  readonly before: readonly Reason[];
  readonly round: Round;
  readonly verdict: Settled['verdict'] | null;
  /** What it has created, by an answer or by lists. */
  readonly made: string | null;
}

type End = readonly [
  outcome: Result['outcome'],
  reasons: readonly Reason[],
  liveId?: string | null | undefined,
];

export function isHeld({ action }: Change): boolean {
  return action === 'blocked' || action === 'missed';
}

/**
 * | a start that was                | and is by now      | becomes                              |
 * |---------------------------------|--------------------|--------------------------------------|
 * | found for a create              | anything           | adopted; the last look says the rest |
 * | lost, and nothing is created    | as declared        | unchanged                            |
 * | lost, and nothing is created    | anything else      | failed                               |
 * | answered, and shown otherwise   | blocked, or missed | unknown                              |
 * | done in part, of a create       | blocked, or missed | failed                               |
 * | done without an answer          | anything else      | adopted                              |
 * | answered                        | anything else      | applied                              |
 */
function judgeStart(known: Resolved, planned: Change | undefined): End {
  const { change, before, verdict, made } = known;
  const why = describePlanned(planned);
  const old = describeOld(known);
  const id = made ?? (creates(change) ? (planned?.live_id ?? null) : change.live_id);
  if (verdict?.kind === 'adopted') return ['adopted', []];
  if (verdict?.kind === 'absent' && made === null) {
    const isDone = planned?.action === 'keep' && old.length === 0;
    return isDone ? ['unchanged', why, id] : ['failed', [{ kind: 'lost' }, ...why, ...old], id];
  }
  if (planned !== undefined && isHeld(planned)) {
    if (verdict === null) return ['unknown', [...before.filter(isNotOld), ...why, ...old]];
    if (creates(change)) return ['failed', [...why, ...old], id];
  }
  return [verdict?.kind === 'done' ? 'adopted' : 'applied', [], id];
}

/**
 * | a stop that was   | with an object that is by now | becomes                               |
 * |-------------------|-------------------------------|---------------------------------------|
 * | lost              | stopped, or the declared one  | unchanged: someone else was faster    |
 * | lost              | anything else                 | failed                                |
 * | done, or answered | stopped                       | adopted without an answer, or applied |
 * | done, or answered | anything else                 | unknown                               |
 */
function judgeStop({ change, before, round, verdict }: Resolved, planned: Change | undefined): End {
  const { live_id: id, action } = change;
  const object = findObject(round.seen, id);
  const why = describePlanned(planned);
  const isLost = verdict?.kind === 'absent';
  const isOver = action === 'recall' && object?.kind === 'campaign' ? isRecalled : isStopped;
  if (object !== undefined && isOver(object.live)) {
    if (isLost) return ['unchanged', why];
    const begun = describeBegun(findObject(round.agreed, id), object.live);
    return [verdict?.kind === 'done' ? 'adopted' : 'applied', begun];
  }
  if (!isLost) return ['unknown', [...before, ...why]];
  if (planned?.action === 'keep' && planned.live_id === id) return ['unchanged', why];
  if (object?.kind === 'broadcast' && hasLeft(object.live))
    return ['failed', [{ kind: 'left', id: object.live.id, isPaused: false }]];
  return ['failed', [{ kind: 'lost' }, ...why]];
}

function findObject({ facts }: Look, id: string | null): Observed | undefined {
  return facts.observed.find(({ live }) => live.id === id);
}

export function describePlanned(planned: Change | undefined): readonly Reason[] {
  if (planned === undefined) return [];
  const { action, reasons, needs } = planned;
  return [{ kind: 'planned', reasons, needs: action === 'blocked' ? needs : [] }];
}

/** The worst of what was carried out, about what was made or started last. */
function mergeCarried(own: readonly Result[], known: Resolved): End {
  const { made, verdict } = known;
  const created = verdict?.kind === 'adopted' ? 'adopted' : 'applied';
  const outcome = own
    .map((one) => one.outcome)
    .reduce(
      (left, right) => (SEVERITY[left] < SEVERITY[right] ? right : left),
      made === null ? 'unchanged' : created,
    );
  const reasons = own.flatMap((one) => one.reasons);
  const isSaid = reasons.some((reason) => !isNotOld(reason));
  const old = SEVERITY[outcome] > SEVERITY.adopted && !isSaid ? describeOld(known) : [];
  const started = own.findLast((one) => starts(one.change) && one.liveId !== null);
  return [outcome, [...reasons, ...old], started?.liveId];
}

/**
 * What the old versions of a replace show that did not come to its end. `both`: also that they run where nothing was created.
 */
function describeOld({ change, round, made }: Resolved, both = false): readonly Reason[] {
  const { action, steps } = change;
  if (action !== 'replace') return [];
  // What comes after a create that made nothing was not done.
  const before = steps.slice(0, made === null ? steps.findIndex(({ kind }) => kind === 'create') : undefined);
  const ids = new Set(before.flatMap(({ live_id: id }) => id ?? []));
  return [...ids].flatMap((id): readonly Reason[] => {
    const live = findObject(round.seen, id)?.live;
    if (live === undefined) return [];
    if (made !== null) return isStopped(live) ? [] : [{ kind: 'new-is-live', id: made, oldId: id }];
    if (isStopped(live)) return [{ kind: 'old-stays-paused', id, because: null }];
    return both ? [{ kind: 'old-runs-again', id }] : [];
  });
}

function isNotOld({ kind }: Reason): boolean {
  return kind !== 'old-stays-paused' && kind !== 'old-runs-again';
}

const SEVERITY: Readonly<Record<Result['outcome'], number>> = {
  unchanged: 0,
  applied: 1,
  adopted: 2,
  missed: 3,
  not_attempted: 4,
  failed: 5,
  unknown: 6,
};

export function findAddress({ facts }: Look, { account_id: id, account, kind, name }: OpenRequest): string {
  const alias = facts.accounts.find(({ accountId }) => accountId === id)?.alias ?? account;
  return `${alias}/${kind}/${name}`;
}
