import { isPlanRefused, writes, type Change, type Plan } from '../domain/change.ts';
import { HeraldError, interruptedError } from '../domain/herald-error.ts';
import type { BeginUploads } from '../domain/media.ts';
import { digestDeclared, digestTexts, parseAsked } from '../plan/compare/content.ts';
import { starts } from '../plan/decide/decision.ts';
import { formatAddress } from '../domain/resource.ts';
import { isDeclaredToSend, showsTarget } from '../domain/status.ts';
import { isAboutObject, isStart, isUnconfirmed } from '../state/shapes.ts';
import { describePlanned, findAddress, isHeld, Round } from './resolve.ts';
import { look, recordAtOnce, recordSeen, type Look, type LookOptions, type Subject } from './look.ts';
import { pass } from './pass.ts';
import { haltsRun, type Reason } from './reasons.ts';
import { waitUntilOld, type Result, type Run } from './run.ts';
import { settle, type ObjectRequest, type Settled } from './settle.ts';
import { targetOfStep, type Mode } from './task.ts';
import { selectAddresses } from '../plan/facts.ts';

/** One apply: what it is about, and how people agree to it. */
export interface ApplyOptions extends LookOptions {
  readonly uploads: BeginUploads;
  readonly mode: Mode;
  /** Throws for what must not be carried out: asked before the stops that leave early. */
  readonly check?: (seen: Look) => void;
  /** Nothing is asked. Then declared stops leave while the run waits for requests without an answer. */
  readonly isAgreed: boolean;
  /** Throws if the plan must not be carried out; shows it; asks. `waited` means that a person took time to answer. */
  readonly agree: (seen: Look) => Promise<'at-once' | 'waited'>;
  /** Throws if what is live by now is not what was agreed to. */
  readonly refuseChanged: (agreed: Look, now: Look) => void;
}

interface Work {
  readonly run: Run;
  readonly subject: Subject;
  readonly options: ApplyOptions;
  /** The number of the state when it began. */
  readonly since: number;
}

/**
 * One apply, under the lease: look, stop what is declared stopped, settle what earlier runs left without an answer, agree,
 * carry out, settle what this run left without an answer, carry out the rest of what was agreed, and look once more.
 */
export async function apply(run: Run, subject: Subject, options: ApplyOptions): Promise<readonly Result[]> {
  const work: Work = { run, subject, options, since: (await run.state.known([])).seq };
  const first = await lookNow(work);
  options.check?.(first);
  const needsSettling = first.facts.known.isCut || concerningPlan(first, options).length > 0;
  const early = options.isAgreed && needsSettling ? await stopEarly(work, first) : [];
  let agreed: Look;
  let settled: readonly Settled[];
  try {
    const others = await settleOthers(work, first);
    // What it says of the stops of this run.
    settled = others.settled.filter(({ request }) => request.seq > work.since);
    agreed = await agree(work, others.seen, early);
    await recordSeen(run.state, agreed);
  } catch (error) {
    if (early.length === 0 || !(error instanceof HeraldError)) throw error;
    const isInterrupted = run.interrupted.aborted;
    return describeRest(
      first,
      early,
      isInterrupted ? INTERRUPTED : { kind: 'broke-off', message: error.message },
    );
  }
  const passed = await carryOutChanges(work, agreed, agreed.plan.changes);
  const results = await resolveUnknown(work, agreed, mergeEarly(early, passed), settled);
  return lookLast(work, agreed, results);
}

const INTERRUPTED: Reason = { kind: 'interrupted' };

/** What was sent is always reported, also by a run that goes no further. `why` it does not. */
function describeRest({ plan }: Look, early: readonly Result[], why: Reason): readonly Result[] {
  const stopped = new Set(early.map(({ change }) => change));
  const rest = plan.changes.filter(
    (change) => (writes(change) || change.action === 'blocked') && !stopped.has(change),
  );
  // Some result has to say why it went no further. After an interrupt, all that was wanted is done.
  if (rest.length === 0 && why !== INTERRUPTED)
    return early.map((result) => ({ ...result, reasons: [...result.reasons, why] }));
  const untouched = rest.map((change) => {
    return { change, outcome: 'not_attempted', liveId: change.live_id, reasons: [why] } as const;
  });
  return [...early, ...untouched];
}

/** The error for a plan that a policy denies, or that has too many changes. */
function planRefused(plan: Plan, early: readonly Result[]): HeraldError {
  const errors = plan.diagnostics.filter(({ severity }) => severity === 'error');
  const reasons = [
    ...new Set(errors.map(({ address, message }) => (address === undefined ? '' : `${address}: `) + message)),
  ];
  const isOne = reasons.length === 1;
  const why = isOne ? reasons.join('') : `${reasons.length} errors.`;
  // The plan was shown with its findings.
  const changed = early.length === 0 ? 'Nothing was changed.' : 'Only what is named above was stopped.';
  return new HeraldError('held-back', `Refused: ${why} ${changed}`, null, {
    details: { plan, facts: isOne ? [] : reasons },
  });
}

async function agree(work: Work, seen: Look, early: readonly Result[]): Promise<Look> {
  const answer = await work.options.agree(seen);
  if (isPlanRefused(seen.plan)) throw planRefused(seen.plan, early);
  if (answer === 'at-once') return seen;
  const fresh = await lookNow(work);
  work.options.refuseChanged(seen, fresh);
  return fresh;
}

/**
 * The requests without an answer that are about a plan: of its names, its contents, or its texts (`guardOpen`). A stop that was
 * answered, of which a copy got none, may hold up whatever else its list is to start, and nothing where its list is as declared.
 */
function concerningPlan({ facts, plan }: Look, { targeting }: LookOptions): readonly ObjectRequest[] {
  if (facts.open.length === 0) return [];
  const unfinished = plan.changes.filter((change) => writes(change) || change.action === 'blocked');
  const lists = new Set(unfinished.map(({ address: { account, kind } }) => `${account}/${kind}`));
  const { selects } = selectAddresses(targeting);
  const aliasOf = new Map(facts.accounts.map(({ alias, accountId }) => [accountId, alias]));
  const wanted = facts.declared.filter(({ address }) => selects(address));
  const contents = new Set(wanted.flatMap((one) => [digestDeclared(one), digestTexts(one.content)]));
  return facts.open.filter(isAboutObject).filter((request) => {
    const { kind, name, content, asked } = request;
    const account = aliasOf.get(request.account_id);
    if (account === undefined) return false;
    if (!isUnconfirmed(request) && !isStart(request) && !lists.has(`${account}/${kind}`)) return false;
    const texts = parseAsked(asked)?.texts ?? '';
    return selects({ account, kind, name }) || contents.has(content ?? '') || contents.has(texts);
  });
}

/** Stops never wait: they leave before the requests are settled that everything else waits for. */
async function stopEarly(work: Work, seen: Look): Promise<readonly Result[]> {
  if (isPlanRefused(seen.plan)) return [];
  const stops = seen.plan.changes.filter((change) => writes(change) && !starts(change));
  const results = stops.length === 0 ? [] : await carryOutChanges(work, seen, stops);
  for (const result of results) work.run.report({ kind: 'stopped-early', result });
  return results;
}

/** The report has every early stop that succeeded. One that failed is left out if the plan has a newer result for its object. */
function mergeEarly(early: readonly Result[], passed: readonly Result[]): readonly Result[] {
  const stopped = new Set(early.map(({ change }) => nameObject(change)));
  const later = passed.filter(
    ({ change, outcome }) => outcome !== 'unchanged' || !stopped.has(nameObject(change)),
  );
  const isLater = new Set(later.map(({ change }) => nameObject(change)));
  return [
    ...early.filter(({ change, outcome }) => DONE.includes(outcome) || !isLater.has(nameObject(change))),
    ...later,
  ];
}

function nameObject({ address, live_id: id }: Change): string {
  return `${formatAddress(address)} ${id ?? ''}`;
}

/** What is open after so many blocks its addresses, and the plan says so. */
const ROUNDS_MAX = 2;

async function settleOthers(
  work: Work,
  first: Look,
): Promise<{ readonly seen: Look; readonly settled: readonly Settled[] }> {
  const { run, options } = work;
  const all: Settled[] = [];
  let seen = first;
  const resting = first.facts.declared.filter((one) => !isDeclaredToSend(one));
  const isWanted = (request: ObjectRequest) =>
    resting.every(({ address }) => formatAddress(address) !== findAddress(first, request));
  // A lost state does not tell what is under way, so one window is waited for.
  if (seen.facts.known.isCut) {
    if (!(await waitUntilOld(run, []))) throw interruptedError();
    await run.state.endCut(work.since);
    seen = await lookNow(work);
  }
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const requests = concerningPlan(seen, options);
    if (requests.length === 0) break;
    const settled = await settle(run, requests, seen.facts.accounts, isWanted);
    if (settled === null) throw interruptedError();
    for (const one of settled) reportSettled(run, one);
    all.push(...settled);
    seen = await lookNow(work);
  }
  return { seen, settled: all };
}

/** If nothing tells what became of a request, the plan says so. */
function reportSettled(run: Run, { request, verdict }: Settled): void {
  if (verdict.kind === 'open' || verdict.kind === 'unclear') return;
  const liveId = verdict.kind === 'adopted' ? verdict.object.live.id : request.live_id;
  run.report({ kind: 'settled', request, liveId, tookEffect: verdict.kind !== 'absent' });
}

/**
 * Settles what this run left without an answer, and carries out the rest of what was agreed. What this says of an address
 * replaces what was said before.
 */
async function resolveUnknown(
  work: Work,
  agreed: Look,
  passed: readonly Result[],
  settled: readonly Settled[],
): Promise<readonly Result[]> {
  const { run } = work;
  let results = passed;
  let earlier = settled;
  for (let rounds = 1; rounds <= ROUNDS_MAX && results.some(isUnknown); rounds += 1) {
    // Whatever stopped the whole run stops this, too.
    if (run.interrupted.aborted || results.some(({ reasons }) => reasons.some(haltsRun))) break;
    const unknown = results.filter(isUnknown);
    const addresses = new Set(unknown.map(({ change }) => formatAddress(change.address)));
    const found = await unlessUnread(work, async () => {
      const open = (await run.state.open())
        .filter(isAboutObject)
        .filter((request) => addresses.has(findAddress(agreed, request)));
      const now = open.length === 0 ? [] : await settle(run, open, agreed.facts.accounts);
      return now === null ? null : { settled: [...earlier, ...now], seen: await lookNow(work) };
    });
    if (found === null) break;
    earlier = found.settled;
    const round = new Round(agreed, found.settled, found.seen);
    const { changes, refused } = round.chooseRest(unknown);
    const carried = [...refused, ...(await carryOutChanges(work, found.seen, changes))];
    results = results.map((result) => (isUnknown(result) ? round.describeResolved(result, carried) : result));
  }
  return results;
}

/** A change that a lost upload held up has sent nothing of its own. This run has waited for the upload already. */
function isUnknown({ outcome, reasons }: Result): boolean {
  return outcome === 'unknown' && !reasons.some(({ kind }) => kind === 'no-media');
}

const DONE: readonly Result['outcome'][] = ['applied', 'adopted'];
const AS_DECLARED: readonly Change['action'][] = ['keep', 'done', 'unmanaged'];

/**
 * Looks once more after the last write. New copies of what this run created are stopped, and what else is not as declared by
 * now is a reason next to its change. A look that fails changes nothing of the report.
 */
async function lookLast(work: Work, agreed: Look, results: readonly Result[]): Promise<readonly Result[]> {
  const done = results.filter(
    ({ outcome, reasons }) => DONE.includes(outcome) || reasons.some(({ kind }) => kind === 'new-is-live'),
  );
  if (done.length === 0 || work.run.interrupted.aborted) return results;
  const after = await unlessUnread(work, () => lookNow(work));
  if (after === null) return results;
  const doneAt = new Set(done.map(({ change }) => formatAddress(change.address)));
  const known = new Set(agreed.facts.observed.map(({ live }) => live.id));
  const copies = after.plan.changes.filter(
    (change) =>
      change.action === 'retire' &&
      change.live_id !== null &&
      !known.has(change.live_id) &&
      doneAt.has(formatAddress(change.address)),
  );
  const stopped = await carryOutChanges(work, after, copies);
  // What was held back has a result of its own, which says so.
  const held = new Set(results.flatMap(({ change }) => (isHeld(change) ? [nameObject(change)] : [])));
  const changed = after.plan.changes.filter(
    (change) =>
      !AS_DECLARED.includes(change.action) &&
      !copies.includes(change) &&
      !(isHeld(change) && held.has(nameObject(change))),
  );
  return [...results.map((result) => describeSince(result, after, changed)), ...stopped];
}

/** A change that was confirmed, and that a look after it does not show: a person or the service has changed it again. */
function describeSince(result: Result, after: Look, changed: readonly Change[]): Result {
  if (!DONE.includes(result.outcome)) return result;
  const address = formatAddress(result.change.address);
  const now = changed.filter((change) => formatAddress(change.address) === address);
  const reasons = now.flatMap((change): readonly Reason[] => {
    if (isHeld(change)) return describePlanned(change);
    const id = change.live_id ?? result.liveId;
    const live = after.facts.observed.find((one) => one.live.id === id)?.live;
    const target = targetOfStep(change.action);
    // What a person asks for again may show already.
    if (live !== undefined && target !== null && showsTarget(live, target)) return [];
    return [{ kind: 'needs-again', action: change.action, id: change.live_id, status: live?.status ?? null }];
  });
  return { ...result, reasons: [...result.reasons, ...reasons] };
}

async function lookNow({ run, subject, options }: Work): Promise<Look> {
  const seen = await look(run, subject, options);
  await recordAtOnce(run.state, seen);
  return seen;
}

function carryOutChanges(
  { run, options, since }: Work,
  seen: Look,
  changes: readonly Change[],
): Promise<readonly Result[]> {
  const { uploads, mode } = options;
  return pass(run, { ...seen.facts, changes, since, begunAt: seen.begunAt, uploads, mode });
}

/** What was sent is always reported: what cannot be read after that ends the reading, and not the run. Null then. */
async function unlessUnread<Found>({ run }: Work, read: () => Promise<Found | null>): Promise<Found | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof HeraldError)) throw error;
    run.report({ kind: 'unverified', error });
    return null;
  }
}
