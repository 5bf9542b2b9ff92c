import { planRefused } from './errors.ts';
import { KIND_CALLS } from '../api/kind-calls.ts';
import { isPlanRefused, writes, type Change } from '../domain/change.ts';
import { digestDeclared } from '../plan/compare/content.ts';
import { isRemainder } from '../plan/review.ts';
import { selectAddresses } from '../plan/targets.ts';
import { formatAddress } from '../domain/resource.ts';
import type { OpenRequest } from '../state/shapes.ts';
import { lookLast } from './last-look.ts';
import type { Look, LookOptions, Subject } from './look.ts';
import type { Reason } from './reasons.ts';
import { recordSeen } from './record-seen.ts';
import { judgedAfterMs, type Result, type Run } from './run.ts';
import { isAboutObject, settle, type Settled } from './settle.ts';
import { carryOutChanges, lookNow, unlessUnread, type ApplyOptions, type Work } from './work.ts';

/** How an apply ended. */
export interface Applied {
  readonly results: readonly Result[];
  /** The plan that was agreed to. */
  readonly agreed: Look;
}

/** No address gets more creates than this in one run. */
const CREATES_MAX = 2;

/**
 * One apply, under the lease: look, stop what is declared stopped, settle what earlier runs left without an answer, agree,
 * carry out, settle what this run left without an answer, carry out the rest of what was agreed, and look once more.
 */
export async function apply(run: Run, subject: Subject, options: ApplyOptions): Promise<Applied> {
  const work: Work = { run, subject, options, since: await run.state.lastSeq() };
  const first = await lookNow(work);
  const early = options.isAgreed && needsSettling(first, options) ? await stopEarly(work, first) : [];
  const settled = await settleOthers(work, first);
  await recordSeen(run, settled);
  if (settled.facts.known.isCut) await run.state.endCut();
  const agreed = await agree(work, settled);
  const passed = await carryOutChanges(work, agreed, agreed.plan.changes);
  const whole = await resolveUnknown(work, { agreed, results: mergeEarly(early, passed) });
  return { results: await lookLast(work, { agreed, results: whole }), agreed };
}

async function agree(work: Work, seen: Look): Promise<Look> {
  const answer = await work.options.agree(seen);
  if (isPlanRefused(seen.plan)) throw planRefused(seen.plan);
  if (answer === 'at-once') return seen;
  const fresh = await lookNow(work);
  work.options.refuseChanged(seen, fresh);
  return fresh;
}

/** The requests without an answer that are about a plan: of its names, or of its contents. */
function concerningPlan({ facts }: Look, { targeting }: LookOptions): readonly OpenRequest[] {
  if (facts.open.length === 0) return [];
  const { selects } = selectAddresses(targeting);
  const aliasOf = new Map(facts.accounts.map(({ alias, accountId }) => [accountId, alias]));
  const contents = new Set(
    facts.declared.filter(({ address }) => selects(address)).map((declared) => digestDeclared(declared)),
  );
  return facts.open.filter((request) => {
    const { kind, name, account_id: id, content } = request;
    const account = aliasOf.get(id);
    if (account === undefined || (kind !== 'campaign' && kind !== 'broadcast')) return false;
    return selects({ account, kind, name }) || (content !== null && contents.has(content));
  });
}

function needsSettling(seen: Look, options: LookOptions): boolean {
  return seen.facts.known.isCut || concerningPlan(seen, options).length > 0;
}

/** Stops never wait: they leave before the requests are settled that everything else waits for. */
async function stopEarly(work: Work, seen: Look): Promise<readonly Result[]> {
  if (isPlanRefused(seen.plan)) return [];
  const stops = seen.plan.changes.filter(({ action }) => ['retire', 'pause', 'archive'].includes(action));
  const results = stops.length === 0 ? [] : await carryOutChanges(work, seen, stops);
  for (const result of results) work.run.report({ kind: 'stopped-early', result });
  return results;
}

/** What was stopped early shows as stopped in the plan that was carried out: its result is the one that says so. */
function mergeEarly(early: readonly Result[], passed: readonly Result[]): readonly Result[] {
  const keyOf = ({ change }: Result) => `${formatAddress(change.address)} ${change.live_id ?? ''}`;
  const stopped = new Set(early.map(keyOf));
  return [
    ...early,
    ...passed.filter((result) => result.outcome !== 'unchanged' || !stopped.has(keyOf(result))),
  ];
}

/** Twice at most: what is open after that blocks its addresses, and the plan says so. */
const SETTLE_ROUNDS = 2;

async function settleOthers(work: Work, first: Look): Promise<Look> {
  const { run, options } = work;
  let seen = first;
  for (let round = 0; round < SETTLE_ROUNDS && needsSettling(seen, options); round += 1) {
    // A lost state does not tell what is under way, so one window is waited for.
    if (seen.facts.known.isCut)
      await run.clock.sleep(judgedAfterMs(run), run.interrupted).catch(() => undefined);
    const requests = concerningPlan(seen, options);
    if (run.interrupted.aborted) break;
    if (requests.length > 0 && (await settle(run, requests, seen.facts.accounts)) === null) break;
    const wasCut = seen.facts.known.isCut;
    seen = await lookNow(work);
    if (wasCut && requests.length === 0) break;
  }
  return seen;
}

interface Progress {
  readonly agreed: Look;
  readonly results: readonly Result[];
}

/**
 * Settles what this run left without an answer, and carries out the rest of what was agreed. What this says of an address
 * replaces what was said before.
 */
async function resolveUnknown(work: Work, { agreed, results: first }: Progress): Promise<readonly Result[]> {
  const { run } = work;
  let results = first;
  for (let round = 0; round < CREATES_MAX && results.some(isUnknown); round += 1) {
    if (run.interrupted.aborted || results.some(hasHalted)) break;
    const addresses = new Set(results.filter(isUnknown).map(addressOfResult));
    const open = (await run.state.open()).filter(
      (request) => isAboutObject(request) && addresses.has(findAddress(agreed, request)),
    );
    const found = await unlessUnread(work, async () => {
      const settled = open.length === 0 ? [] : await settle(run, open, agreed.facts.accounts);
      return settled === null ? null : { settled, seen: await lookNow(work) };
    });
    if (found === null) break;
    const { settled, seen } = found;
    const creates = await countCreates(work, agreed, results.filter(isUnknown));
    const next = chooseRest({ agreed, results, seen, settled, creates });
    const carried = await carryOutChanges(work, seen, next.changes);
    results = results.map((result) => next.describe(result, carried));
  }
  return results;
}

interface Rest {
  /** What is carried out now. */
  readonly changes: readonly Change[];
  /** What an earlier result has come to by that. */
  readonly describe: (result: Result, carried: readonly Result[]) => Result;
}

/** What is left of the agreed changes with a result that is not known. An address that got two creates gets no third one. */
function chooseRest(known: {
  readonly agreed: Look;
  readonly results: readonly Result[];
  readonly seen: Look;
  readonly settled: readonly Settled[];
  readonly creates: ReadonlyMap<string, number>;
}): Rest {
  const { results, seen, settled, creates, agreed } = known;
  const unknown = new Map(results.filter(isUnknown).map((result) => [addressOfResult(result), result]));
  const verdicts = new Map(settled.map((one) => [findAddress(agreed, one.request), one.verdict]));
  const changes: Change[] = [];
  const refused = new Map<string, Reason>();
  for (const change of seen.plan.changes) {
    const address = formatAddress(change.address);
    const before = unknown.get(address);
    // Copies are stopped by the last look, by whichever run they were made.
    if (before === undefined || !writes(change) || change.action === 'retire') continue;
    const verdict = verdicts.get(address);
    const made = new Set(verdict?.kind === 'adopted' ? [verdict.object.live.id] : []);
    if (!isRemainder(before.change, change, made)) refused.set(address, { kind: 'not-agreed' });
    else if (createsNow(change) && (creates.get(address) ?? 0) >= CREATES_MAX)
      refused.set(address, { kind: 'lost-twice' });
    else changes.push(change);
  }
  const planned = new Map(seen.plan.changes.map((change) => [formatAddress(change.address), change]));
  const open = new Set(seen.facts.open.map((request) => findAddress(agreed, request)));
  const describe = (result: Result, carried: readonly Result[]): Result => {
    const address = addressOfResult(result);
    if (!unknown.has(address) || !isUnknown(result)) return result;
    const own = carried.filter((one) => addressOfResult(one) === address);
    return describeResolved(result, {
      own,
      verdict: verdicts.get(address) ?? null,
      refusal: refused.get(address) ?? null,
      planned: planned.get(address) ?? null,
      isOpen: open.has(address),
    });
  };
  return { changes, describe };
}

/** One result for a change that took more than one pass: the worst of them, about the object that is there in the end. */
function describeResolved(
  { change, liveId, reasons }: Result,
  now: {
    readonly own: readonly Result[];
    readonly verdict: Settled['verdict'] | null;
    readonly refusal: Reason | null;
    readonly planned: Change | null;
    readonly isOpen: boolean;
  },
): Result {
  const { own, verdict, refusal, planned, isOpen } = now;
  const found = verdict?.kind === 'adopted' ? verdict.object.live.id : null;
  const notes: readonly Reason[] = found === null ? [] : [{ kind: 'found', id: found }];
  // What the first pass has paused is still paused, unless a version runs by now.
  const paused = reasons.filter(({ kind }) => kind === 'old-stays-paused');
  const [worst] = own.toSorted((left, right) => SEVERITY[right.outcome] - SEVERITY[left.outcome]);
  if (refusal !== null)
    return { change, outcome: 'failed', liveId: found ?? liveId, reasons: [...notes, refusal, ...paused] };
  if (worst !== undefined) {
    const outcome = worst.outcome === 'applied' && found !== null ? 'adopted' : worst.outcome;
    const last = own.findLast(({ liveId: id }) => id !== null)?.liveId ?? null;
    return {
      change,
      outcome,
      liveId: found ?? last ?? liveId,
      reasons: [
        ...notes,
        ...own.flatMap((one) => one.reasons),
        ...(SEVERITY[outcome] > SEVERITY.adopted ? paused : []),
      ],
    };
  }
  if (verdict?.kind === 'unclear') return { change, outcome: 'unknown', liveId, reasons: [verdict] };
  // What is in no file is in no plan once it is stopped. Without a verdict, an earlier round has settled it.
  const isSettled = verdict === null || verdict.kind === 'done' || verdict.kind === 'repeat';
  const isStopped = planned === null && !isOpen && isSettled;
  if (isStopped) return { change, outcome: 'applied', liveId, reasons: notes };
  if (planned === null || planned.action === 'blocked')
    return { change, outcome: 'unknown', liveId, reasons };
  if (found !== null) return { change, outcome: 'adopted', liveId: found, reasons: notes };
  if (planned.action === 'missed')
    return { change, outcome: 'missed', liveId, reasons: [{ kind: 'planned', reasons: planned.reasons }] };
  return { change, outcome: 'applied', liveId: planned.live_id ?? liveId, reasons: notes };
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
function isUnknown({ outcome, reasons }: Result): boolean {
  return outcome === 'unknown' && !reasons.some(({ kind }) => kind === 'no-media');
}

/** Whatever stopped the whole run stops this, too. */
function hasHalted({ reasons }: Result): boolean {
  return reasons.some(
    (reason) =>
      HALTS.includes(reason.kind) || (reason.kind === 'hindered' && reason.hindrance.kind === 'lease-lost'),
  );
}

const HALTS: readonly Reason['kind'][] = ['halted', 'unrecorded', 'not-on-record', 'bug'];

function addressOfResult({ change }: Result): string {
  return formatAddress(change.address);
}

function findAddress({ facts }: Look, { account_id: id, account, kind, name }: OpenRequest): string {
  const alias = facts.accounts.find(({ accountId }) => accountId === id)?.alias ?? account;
  return `${alias}/${kind}/${name}`;
}

function createsNow({ steps }: Change): boolean {
  return steps.some(({ kind }) => kind === 'create');
}

/** How many creates have left in this run, by address. A replace that could not pause the old version has sent none. */
async function countCreates(
  { run, since }: Work,
  { facts }: Look,
  results: readonly Result[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { change } of results) {
    const { account, kind, name } = change.address;
    const id = facts.accounts.find(({ alias }) => alias === account)?.accountId ?? account;
    const rows = await run.state.history({ address: { account_id: id, kind, name }, limit: 100 });
    const creates = rows.filter(
      (row) => row.seq > since && row.operation === KIND_CALLS[kind].create && row.outcome !== 'not_sent',
    );
    counts.set(formatAddress(change.address), creates.length);
  }
  return counts;
}
