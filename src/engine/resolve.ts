import { writes, type Change } from '../domain/change.ts';
import { formatAddress } from '../domain/resource.ts';
import { isStopped, targetStatusOf } from '../domain/status.ts';
import { creates, starts } from '../plan/decide/decision.ts';
import { isRemainder } from '../plan/review.ts';
import type { OpenRequest } from '../state/shapes.ts';
import type { Look } from './look.ts';
import type { Reason } from './reasons.ts';
import type { Result } from './run.ts';
import type { Settled } from './settle.ts';
import { targetOfStep } from './task.ts';

/** Nothing is created after so many requests of an address were lost in one run. */
const LOST_MAX = 2;

/** What is known after the requests of the run were settled. */
export interface Round {
  readonly agreed: Look;
  /** In this round and in those before it. */
  readonly settled: readonly Settled[];
  readonly seen: Look;
}

/** The requests that a result has sent. A stop by hand of its object is another one's. */
function listSettled({ agreed, settled }: Round, result: Result): readonly Settled[] {
  const { action, steps } = result.change;
  const targets = steps.map(({ kind }) => targetOfStep(kind));
  return settled.filter(
    ({ request }) =>
      concerns(result, findAddress(agreed, request), request.live_id) &&
      (action === 'replace' || targets.includes(targetStatusOf(request.target))),
  );
}

/** What became of the requests of a result: what a create made counts before what another request about that did. */
function findVerdict(round: Round, result: Result): Settled['verdict'] | null {
  const own = listSettled(round, result).map(({ verdict }) => verdict);
  return own.find(({ kind }) => kind === 'adopted') ?? own.at(-1) ?? null;
}

/** Whether something of an address is about a result: if that creates nothing, only its own object is. */
function concerns({ change }: Result, address: string, liveId: string | null): boolean {
  const isSameObject = creates(change) || liveId === null || liveId === change.live_id;
  return isSameObject && formatAddress(change.address) === address;
}

/** What is left of the agreed changes with a result that is not known. What was refused is over. */
export function chooseRest(
  round: Round,
  results: readonly Result[],
): { readonly changes: readonly Change[]; readonly refused: readonly Result[] } {
  const changes: Change[] = [];
  const refused: Result[] = [];
  for (const change of round.seen.plan.changes) {
    const address = formatAddress(change.address);
    const before = results.find((result) => concerns(result, address, change.live_id));
    if (before === undefined || !writes(change) || wasRefused(before)) continue;
    // Copies that a create made are stopped by the last look.
    if (change.action === 'retire' && before.change.action !== 'retire') continue;
    const verdict = findVerdict(round, before);
    const made = new Set(verdict?.kind === 'adopted' ? [verdict.object.live.id] : []);
    const lost = listSettled(round, before).filter(({ verdict: { kind } }) => kind === 'absent');
    const refuse = (kind: 'not-agreed' | 'lost-twice') =>
      refused.push({ change, outcome: 'failed', liveId: null, reasons: [{ kind }] });
    if (!isRemainder(before.change, change, made)) refuse('not-agreed');
    else if (creates(change) && lost.length >= LOST_MAX) refuse('lost-twice');
    else changes.push(change);
  }
  return { changes, refused };
}

function wasRefused({ reasons }: Result): boolean {
  return reasons.some(({ kind }) => kind === 'refused');
}

/**
 * One result for a change that took more than one pass. It goes by what was carried out since, by what became of its requests,
 * and by what its object shows now: what was lost is done only if something else has done it.
 */
export function describeResolved(result: Result, round: Round, carried: readonly Result[]): Result {
  const { change, liveId } = result;
  const { facts, plan } = round.seen;
  const verdict = findVerdict(round, result);
  const found = verdict?.kind === 'adopted' ? verdict.object.live.id : null;
  const end = (outcome: Result['outcome'], reasons: readonly Reason[], id = liveId): Result => {
    const notes: readonly Reason[] = found === null ? [] : [{ kind: 'found' }];
    return { change, outcome, liveId: found ?? id, reasons: [...notes, ...reasons] };
  };
  const before = result.reasons.filter(({ kind }) => kind !== 'found');
  const isOwn = ({ address, live_id: id }: Change) => concerns(result, formatAddress(address), id);
  const atAddress = (one: Change) => formatAddress(one.address) === addressOfResult(result);

  const own = carried.filter((one) => isOwn(one.change));
  if (own.length > 0) return end(...mergeCarried(own, found !== null, describeOld(round, change)));
  if (verdict?.kind === 'unclear') return end('unknown', [verdict]);
  const isOpen = facts.open.some(
    (one) => one.outcome === null && concerns(result, findAddress(round.agreed, one), one.live_id),
  );
  if (isOpen) return end('unknown', before);
  if (wasRefused(result))
    return end('failed', [...before.filter(isNotOld), ...describeOld(round, change, true)]);
  // What was not carried out may be another change by now.
  const planned =
    plan.changes.findLast(isOwn) ??
    (verdict?.kind === 'absent' ? plan.changes.findLast(atAddress) : undefined);
  const why = describeNow(planned);
  const isHeld = planned?.action === 'blocked' || planned?.action === 'missed';
  const id = creates(change) ? (planned?.live_id ?? null) : liveId;
  switch (verdict?.kind) {
    case 'open':
      return end('unknown', before);
    case 'adopted':
      return end('adopted', planned?.action === 'blocked' ? why : []);
    case 'absent':
      if (!starts(change)) return end(...describeLostStop(round, change, why));
      return end('failed', [...(planned === undefined ? before : why), ...describeOld(round, change)], id);
    default: {
      // Only the stop of a replace is known to be done.
      if (isHeld && creates(change)) return end('failed', [...why, ...describeOld(round, change)]);
      if (isHeld && verdict === null) return end('unknown', [...before, ...why]);
      // Nothing is `applied` by what lists show alone.
      return end(verdict?.kind === 'done' ? 'adopted' : 'applied', [], id);
    }
  }
}

/** What the plan says by now. */
function describeNow(planned: Change | undefined): readonly Reason[] {
  if (planned === undefined) return [];
  const { action, reasons, needs } = planned;
  return [{ kind: 'planned', reasons, needs: action === 'blocked' ? needs : [] }];
}

/** The worst of what was carried out, about what was made or started last. */
function mergeCarried(
  own: readonly Result[],
  wasFound: boolean,
  old: readonly Reason[],
): readonly [Result['outcome'], readonly Reason[], string | undefined] {
  const [worst = 'applied'] = own
    .map(({ outcome }) => outcome)
    .toSorted((left, right) => SEVERITY[right] - SEVERITY[left]);
  const outcome = worst === 'applied' && wasFound ? 'adopted' : worst;
  const reasons = own.flatMap((one) => one.reasons);
  const isSaid = reasons.some((reason) => !isNotOld(reason));
  const made = own.findLast((one) => starts(one.change) && one.liveId !== null)?.liveId ?? undefined;
  return [outcome, SEVERITY[outcome] > SEVERITY.adopted && !isSaid ? [...reasons, ...old] : reasons, made];
}

/** A stop that was not carried out: someone else was faster, or its broadcast has left. */
function describeLostStop(
  { seen: { facts } }: Round,
  { live_id: id, address }: Change,
  why: readonly Reason[],
): readonly [Result['outcome'], readonly Reason[]] {
  const object = facts.observed.find(({ live }) => live.id === id);
  if (object !== undefined && isStopped(object.live)) return ['unchanged', why];
  return ['failed', address.kind === 'campaign' ? why : [{ kind: 'left', id: id ?? '', isPaused: false }]];
}

/** What the old versions of a replace that did not come to its end show. `both`: also that they run. */
function describeOld({ seen: { facts } }: Round, { action, steps }: Change, both = false): readonly Reason[] {
  if (action !== 'replace') return [];
  const ids = steps.flatMap(({ kind, live_id: id }) => (kind === 'pause' && id !== null ? [id] : []));
  return ids.flatMap((id): readonly Reason[] => {
    const object = facts.observed.find(({ live }) => live.id === id);
    if (object !== undefined && isStopped(object.live))
      return [{ kind: 'old-stays-paused', id, because: null }];
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

/** A change that a lost upload held up has sent nothing of its own. This run has waited for the upload already. */
export function isUnknown({ outcome, reasons }: Result): boolean {
  return outcome === 'unknown' && !reasons.some(({ kind }) => kind === 'no-media');
}

export function addressOfResult({ change }: Result): string {
  return formatAddress(change.address);
}

export function findAddress({ facts }: Look, { account_id: id, account, kind, name }: OpenRequest): string {
  const alias = facts.accounts.find(({ accountId }) => accountId === id)?.alias ?? account;
  return `${alias}/${kind}/${name}`;
}
