import { EXIT } from '../domain/exit-codes.ts';
import type { Send } from '../api/client.ts';
import { ServiceError, type Problem } from '../api/errors.ts';
import type { Exchange } from '../api/exchange.ts';
import { formatCommand } from '../domain/command-line.ts';
import { elapsedMs } from '../domain/time.ts';
import type { Obstacle } from '../engine/reasons.ts';
import { ageMs, listServesMs, now, repeatedForMs, waitUntilOld, type Run } from '../engine/run.ts';
import { send, type Sent } from '../engine/send.ts';
import { isYoungerThan, makeUnknown, refuseOpen, type ActWords } from './record.ts';
import { ensureServiceClockKnown } from '../live/scan.ts';
import type { Ending } from '../state/requests.ts';
import type { Fact, NewRequest, OpenRequest, Outcome, RequestRow } from '../state/shapes.ts';
import { HeraldError, hasCode, interruptedError } from '../domain/herald-error.ts';

/** What the service shows of a request without an answer, after its window. */
export type Verdict<Found> =
  /** It was carried out, or refused after all. `ending` is recorded. */
  | {
      readonly kind: 'found';
      readonly found: Found;
      readonly ending: Ending;
    }
  /** It certainly was not carried out. */
  | { readonly kind: 'absent'; readonly found?: Found }
  /** It does not tell. The request stays open, and a person decides. */
  | { readonly kind: 'open'; readonly found: Found };

/** What becomes of a request of the subject without an answer, of this run or of an earlier one. */
export type Resolve<Found> =
  /** Nothing that the service shows tells, and a second one would be one too many. A person decides. */
  | { readonly kind: 'ask' }
  /**
   * The service shows it. An earlier one that was carried out is the end: nothing is sent then. `mayRepeat`: one that certainly
   * was not carried out is sent once more.
   */
  | {
      readonly kind: 'read';
      readonly look: (request: OpenRequest) => Promise<Verdict<Found>>;
      readonly mayRepeat: boolean;
    }
  /** Another one is harmless once its window is over. A success proves what became of those that it covers. */
  | {
      readonly kind: 'repeat';
      readonly mustWaitFor: (request: OpenRequest) => boolean;
      readonly covers: (request: OpenRequest) => boolean;
    };

/** What speaks against an act, for the check and for the question. */
export interface Doubts<Found> {
  /** Unconfirmed requests that a person decides about. */
  readonly open: readonly OpenRequest[];
  /** What the service shows of earlier unconfirmed requests. */
  readonly looked: readonly Looked<Found>[];
  /** Requests on record that may be the same one. */
  readonly similar: readonly RequestRow[];
}

/** An earlier request, and what the service shows of it. */
export interface Looked<Found> {
  readonly request: OpenRequest;
  readonly verdict: Verdict<Found>;
}

/** One request that must never be carried out twice: a message, a label, a follow, a payout, an export, a raw call. */
export interface Act<Reply, Checked, Found> {
  readonly subject: Subject;
  readonly words: ActWords<Found>;
  /** Which unconfirmed requests of the subject count. Left out: all of them. */
  readonly isOpen?: (request: OpenRequest) => boolean;
  readonly resolve: Resolve<Found>;
  /** Which requests on record count as the same one, and how long. Left out: nothing is compared. */
  readonly similar?: { readonly withinMs: number; readonly isSame: (row: RequestRow) => boolean };
  /** Reads what it is decided from, and throws what forbids it. `before`: what a person has seen, for all later checks. */
  readonly check?: (doubts: Doubts<Found>, before: Checked | null) => Promise<Checked>;
  /** The request, made from what was checked last. */
  readonly prepare: (checked: Checked | null) => Prepared<Reply>;
  /** What an answer comes to; null if it does not tell, which counts like no answer. Left out: it was carried out. */
  readonly judge?: (reply: Reply) => Outcome | null;
}

/** What it is about. The state finds earlier requests for the same by it. */
type Subject = Pick<NewRequest, 'operation' | 'kind' | 'name'> & {
  readonly account: { readonly alias: string; readonly accountId: string };
};

interface Prepared<Reply> {
  /** What is kept of it. */
  readonly asked: unknown;
  readonly send: Send<Reply>;
  readonly createdId?: (reply: Reply) => string | null;
}

/** What a person has decided. */
export interface Consent<Checked, Found> {
  /** Goes on although an earlier request is unconfirmed. */
  readonly acknowledge: boolean;
  /** Shows what was found and asks; rejects if the answer is no. Null: the person agreed before. */
  readonly ask: ((doubts: Doubts<Found>, checked: Checked | null) => Promise<void>) | null;
}

/** What an act came to. `looked`: what became of earlier unconfirmed requests. */
export type ActEnd<Reply, Checked, Found> = { readonly looked: readonly Looked<Found>[] } & (
  | AttemptEnd<Reply, Checked, Found>
  /** An earlier request was carried out. Nothing was sent now. */
  | { readonly kind: 'earlier' }
);

type AttemptEnd<Reply, Checked, Found> =
  | {
      readonly kind: 'done';
      readonly reply: Reply;
      readonly checked: Checked | null;
      readonly entry: string | null;
      /** Why the state does not have its end. */
      readonly unrecorded: string | null;
      /** One before it got no answer. */
      readonly isRepeated: boolean;
    }
  /** It was not carried out. */
  | { readonly kind: 'failed'; readonly problem: Problem }
  /** No answer that tells, so that it may have been carried out. */
  | {
      readonly kind: 'lost';
      readonly entry: string | null;
      /** What went wrong, and null if there was an answer. */
      readonly problem: Problem | null;
      /** An answer that does not tell. */
      readonly reply: Reply | null;
      /** What the service shows after the window; null if it was not looked at. */
      readonly verdict: Verdict<Found> | null;
      readonly checked: Checked | null;
    };

/**
 * Sends one act, under the lease of the run: looks at earlier requests, checks, asks, checks again, sends, and finds out what
 * came of it.
 *
 * | an earlier request without an answer | then                                                              |
 * |--------------------------------------|-------------------------------------------------------------------|
 * | `ask`                                | refused; with `acknowledge`, closed right before the new request  |
 * | `read`, found                        | nothing is sent                                                   |
 * | `read`, absent                       | goes on                                                           |
 * | `read`, open                         | as `ask`                                                          |
 * | `repeat`                             | its window is waited out                                          |
 *
 * | the answer                           | then                                                              |
 * |--------------------------------------|-------------------------------------------------------------------|
 * | done, refused                        | recorded                                                          |
 * | a 429, or never sent                 | checked again, and sent again for two minutes                     |
 * | none, or one that does not tell      | `ask`: open. `read`: the window is waited out and the service     |
 * |                                      | asked. `repeat`, and `read` if it may: sent once more             |
 * | an interrupt before the first byte   | nothing was sent                                                  |
 * | an interrupt after it                | the answer is waited for; without one it stays open               |
 *
 * What `check` read serves for 30 seconds and for one copy; then it is read again. Throws `HeraldError`, what `check` and `ask`
 * throw, `state-…` and `InvalidCallError`: nothing was carried out then.
 */
export async function sendAct<Reply, Checked, Found>(
  run: Run,
  act: Act<Reply, Checked, Found>,
  consent: Consent<Checked, Found>,
): Promise<ActEnd<Reply, Checked, Found>> {
  const { looked, open, waited } = await lookAtEarlier(run, act);
  if (looked.some(({ verdict }) => verdict.kind === 'found' && isCarriedOut(verdict.ending)))
    return { kind: 'earlier', looked };
  const doubts = { open, looked, similar: await findSimilar(run, act) };
  if (open.length > 0 && !consent.acknowledge) throw refuseOpen(act.words, open, looked);
  const first = await checkNow(run, act, doubts, null);
  if (consent.ask !== null) await consent.ask(doubts, first.checked);
  const latest = consent.ask === null ? first : await checkNow(run, act, doubts, first.checked);
  for (const { entry } of open) await acknowledge(run, entry);
  const attempt = await sendOnce(run, act, doubts, waited, latest);
  const { end } = attempt;
  if (end.kind !== 'lost' || !attempt.mayRepeat) return { ...end, looked };
  try {
    const again = await checkNow(run, act, doubts, first.checked);
    const second = await sendOnce(run, act, doubts, [...waited, end.entry ?? ''], again);
    // Without an answer that says so, the first one may have been carried out all the same.
    if (second.end.kind === 'failed' && end.verdict === null) return { ...end, looked };
    return { ...second.end, looked, ...(second.end.kind === 'done' ? { isRepeated: true } : {}) };
  } catch (error) {
    const isExpected = error instanceof HeraldError;
    if (end.verdict === null && isExpected) return { ...end, looked };
    throw error;
  }
}

/** The end of an act that was carried out. Throws the answer that refused it, and `unknown-outcome` where nothing tells. */
export function requireDone<Reply, Checked, Found>(
  end: ActEnd<Reply, Checked, Found>,
  words: ActWords<Found>,
): Extract<ActEnd<Reply, Checked, Found>, { readonly kind: 'done' }> {
  if (end.kind === 'done') return end;
  if (end.kind === 'failed') throw new ServiceError(end.problem);
  throw makeUnknown(words, end.kind === 'lost' ? end : { entry: null, problem: null });
}

interface Attempt<Reply, Checked, Found> {
  readonly end: AttemptEnd<Reply, Checked, Found>;
  /** It got no answer, and another one is harmless by now. */
  readonly mayRepeat: boolean;
}

async function sendOnce<Reply, Checked, Found>(
  run: Run,
  act: Act<Reply, Checked, Found>,
  doubts: Doubts<Found>,
  waited: readonly string[],
  check: Check<Checked>,
): Promise<Attempt<Reply, Checked, Found>> {
  const { sent, checked } = await sendChecked(run, act, doubts, check);
  if (sent.kind === 'failed') {
    const problem = throwUnlessProblem(sent.obstacle);
    return { end: { kind: 'failed', problem }, mayRepeat: false };
  }
  if (sent.kind === 'done') {
    const { reply, entry, unrecorded } = sent;
    const outcome = act.judge === undefined ? 'done' : act.judge(reply);
    if (outcome === 'done') await recordProven(run, act, waited);
    const end = { kind: 'done', reply, checked, entry, unrecorded, isRepeated: false } as const;
    if (outcome !== null) return { end, mayRepeat: false };
  }
  const { entry } = sent;
  const verdict = await lookAfterWindow(run, act, entry);
  const end = {
    kind: 'lost',
    entry,
    reply: sent.kind === 'done' ? sent.reply : null,
    problem: sent.kind === 'unknown' && 'problem' in sent.obstacle ? sent.obstacle.problem : null,
    verdict: verdict === 'repeat' ? null : verdict,
    checked,
  } as const;
  const isAbsent = act.resolve.kind === 'read' && act.resolve.mayRepeat && verdict !== null;
  return { end, mayRepeat: verdict === 'repeat' || (isAbsent && verdict.kind === 'absent') };
}

/** Whether a person would send it twice now: a request that was refused after all does not count. */
function isCarriedOut({ outcome }: Ending): boolean {
  return outcome === 'done' || outcome === 'adopted';
}

/** What is known of earlier requests of the subject before anything is sent. */
export interface Earlier<Found> {
  readonly looked: readonly Looked<Found>[];
  /** Those that a person decides about. */
  readonly open: readonly OpenRequest[];
  /** Entries that can no longer take effect. */
  readonly waited: readonly string[];
}

/** Waits until earlier requests can no longer take effect, and asks the service what came of them. */
export async function lookAtEarlier<Found>(
  run: Run,
  act: Pick<Act<never, never, Found>, 'subject' | 'isOpen' | 'resolve'>,
): Promise<Earlier<Found>> {
  const { resolve } = act;
  const open = await findOpen(run, act);
  // One that ended has an earlier copy without an answer, which matters only to what may be overwritten by it.
  const unended = open.filter(({ outcome }) => outcome === null);
  switch (resolve.kind) {
    case 'ask':
      return { looked: [], open: unended, waited: [] };
    case 'repeat': {
      const late = open.filter(resolve.mustWaitFor);
      if (late.length > 0) await waitOut(run, late);
      return { looked: [], open: [], waited: late.map(({ entry }) => entry) };
    }
    case 'read': {
      if (unended.length > 0) await waitOut(run, unended);
      const looked: Looked<Found>[] = [];
      for (const request of unended) {
        const verdict = await resolve.look(request);
        await recordVerdict(run, request.entry, verdict);
        looked.push({ request, verdict });
      }
      const undecided = looked.filter(({ verdict }) => verdict.kind === 'open');
      return { looked, open: undecided.map(({ request }) => request), waited: [] };
    }
  }
}

async function findOpen<Found>(
  { state }: Run,
  { subject, isOpen = () => true }: Pick<Act<never, never, Found>, 'subject' | 'isOpen'>,
): Promise<readonly OpenRequest[]> {
  const { operation, account, kind, name } = subject;
  const isSubject = (request: OpenRequest) =>
    request.account_id === account.accountId &&
    request.kind === kind &&
    request.operation === operation &&
    request.name === name;
  return (await state.open()).filter((request) => isSubject(request) && isOpen(request));
}

async function waitOut(run: Run, requests: readonly OpenRequest[]): Promise<void> {
  if (!(await waitUntilOld(run, requests))) throw interruptedError();
  const over = requests.filter((request) => request.unheard_copy === 1);
  await run.state.learn(over.map(({ entry }): Fact => ({ kind: 'window-over', entry })));
}

async function recordVerdict<Found>(run: Run, entry: string, verdict: Verdict<Found>): Promise<void> {
  if (verdict.kind === 'absent') await run.state.end(entry, { outcome: 'absent' });
  if (verdict.kind === 'found') await run.state.end(entry, verdict.ending);
}

/** A chat has fewer rows within five minutes, by the published rate (LIMIT-3). */
const ROWS_MAX = 500;
const NOT_CARRIED_OUT: readonly RequestRow['outcome'][] = ['refused', 'not_sent', 'absent'];

/** Wall clocks decide how old a request on record is: the lower age of the two. */
async function findSimilar<Reply, Checked, Found>(
  run: Run,
  { subject, similar }: Act<Reply, Checked, Found>,
): Promise<readonly RequestRow[]> {
  if (similar === undefined) return [];
  await ensureServiceClockKnown(run.client);
  const { account, kind, name } = subject;
  const address = { account_id: account.accountId, kind, name };
  const rows = await run.state.history({ address, limit: ROWS_MAX });
  return rows.filter(
    (row) =>
      !NOT_CARRIED_OUT.includes(row.outcome) &&
      isYoungerThan(run, row, similar.withinMs) &&
      similar.isSame(row),
  );
}

/** What was checked, and when that began. */
interface Check<Checked> {
  readonly checked: Checked | null;
  readonly at: ReturnType<typeof now>;
}

async function checkNow<Reply, Checked, Found>(
  run: Run,
  { check }: Act<Reply, Checked, Found>,
  doubts: Doubts<Found>,
  before: Checked | null,
): Promise<Check<Checked>> {
  const at = now(run);
  const checked = check === undefined ? null : await check(doubts, before);
  if (run.interrupted.aborted) throw interruptedError();
  return { checked, at };
}

/** Each copy follows a check: one that waited for its turn, or for the end of a 429, is checked again. */
async function sendChecked<Reply, Checked, Found>(
  run: Run,
  act: Act<Reply, Checked, Found>,
  doubts: Doubts<Found>,
  first: Check<Checked>,
): Promise<{ readonly sent: Sent<Reply>; readonly checked: Checked | null }> {
  const beganAt = now(run);
  const { account, ...subject } = act.subject;
  const about = { account: account.alias, account_id: account.accountId, command: run.command };
  const request = { ...subject, ...about, live_id: null, target: null, purpose: null, content: null };
  for (let { checked, at } = first; ;) {
    const { asked, send: sendCopy, createdId } = act.prepare(checked);
    const held: { isStale: boolean; problem: Problem | null } = { isStale: false, problem: null };
    const obstacle = (earlier: Exchange<unknown> | null): Obstacle | null => {
      const isRepeat = earlier?.kind === 'throttled' || earlier?.kind === 'not_sent';
      if (isRepeat) held.problem = earlier.problem;
      held.isStale = act.check !== undefined && (isRepeat || elapsedMs(run.clock, at) > listServesMs(run));
      return held.isStale || run.interrupted.aborted ? { kind: 'interrupted' } : null;
    };
    const sent = await send(run, {
      request: { ...request, asked },
      check: null,
      send: sendCopy,
      obstacle,
      ...(act.judge === undefined ? {} : { judge: act.judge }),
      ...(createdId === undefined ? {} : { createdId }),
    });
    if (sent.kind !== 'failed' || !held.isStale || run.interrupted.aborted) return { sent, checked };
    if (ageMs(run, beganAt) > repeatedForMs(run)) {
      if (held.problem === null) throw tooSlow();
      return { sent: { kind: 'failed', obstacle: { kind: 'not-sent', problem: held.problem } }, checked };
    }
    ({ checked, at } = await checkNow(run, act, doubts, first.checked));
  }
}

/** Null where nothing is known by now: nothing tells, it was interrupted, or the state or the service cannot be read. */
async function lookAfterWindow<Reply, Checked, Found>(
  run: Run,
  { resolve }: Act<Reply, Checked, Found>,
  entry: string | null,
): Promise<Verdict<Found> | 'repeat' | null> {
  if (resolve.kind === 'ask' || entry === null) return null;
  try {
    const request = (await run.state.open()).find((one) => one.entry === entry);
    if (request === undefined || !(await waitUntilOld(run, [request]))) return null;
    if (resolve.kind === 'repeat') return 'repeat';
    const verdict = await resolve.look(request);
    await recordVerdict(run, entry, verdict);
    return verdict;
  } catch (error) {
    // What was sent must not be hidden by an error of the state. The request is open there.
    if (hasCode(error, 'state-')) return null;
    throw error;
  }
}

/** A success shows what became of earlier requests for the same. One with a window that is not over may still take effect. */
async function recordProven<Reply, Checked, Found>(
  run: Run,
  act: Act<Reply, Checked, Found>,
  waited: readonly string[],
): Promise<void> {
  const { resolve } = act;
  if (resolve.kind !== 'repeat') return;
  try {
    for (const request of await findOpen(run, act)) {
      const { entry, outcome } = request;
      if (outcome !== null || !resolve.covers(request)) continue;
      const isOver = waited.includes(entry);
      const facts: readonly Fact[] = isOver ? [{ kind: 'window-over', entry }] : [];
      await run.state.end(entry, { outcome: 'adopted', unheard_copy: !isOver }, facts);
    }
  } catch (error) {
    // It stays unconfirmed there, and the next run repeats it.
    if (!hasCode(error, 'state-')) throw error;
  }
}

/** A person has looked. Nothing waits for its window any more, and it still counts as a request of its kind. */
async function acknowledge({ state }: Run, entry: string): Promise<void> {
  const because = 'acknowledged: the next request was sent all the same';
  await state.end(entry, { outcome: 'closed', because }, [{ kind: 'window-over', entry }]);
}

function throwUnlessProblem(obstacle: Obstacle): Problem {
  if (obstacle.kind === 'refused' || obstacle.kind === 'not-sent') return obstacle.problem;
  if (obstacle.kind === 'interrupted') throw interruptedError();
  if (obstacle.kind === 'unrecorded')
    throw new HeraldError(
      'state-failed',
      `Nothing was sent, because the state cannot record it: ${obstacle.message}`,
      `Check the state: ${formatCommand('state', 'check')}`,
    );
  if (obstacle.kind === 'hindered' && obstacle.hindrance.kind === 'lease-lost')
    throw new HeraldError(
      'lease-lost',
      'Nothing was sent: another run has the lease of this workspace by now.',
      'Run the command again.',
    );
  throw new HeraldError(
    'open-request',
    'Nothing was sent: an earlier request for the same is unconfirmed.',
    `To see it: ${formatCommand('state', 'show')}`,
    { exit: EXIT.unknown },
  );
}

function tooSlow(): HeraldError {
  return new HeraldError(
    'service-error',
    'Nothing was sent: what it is decided from was read several times, and was too old each time it could leave.',
    'Run the command again when the service answers faster. A low rate_share in herald.yaml makes it slower, too.',
  );
}
