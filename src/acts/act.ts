import type { Send } from '../api/client.ts';
import { describeProblem, type Problem } from '../api/errors.ts';
import type { Exchange } from '../api/send-call.ts';
import { formatCommand } from '../domain/command-line.ts';
import { Moment } from '../domain/time.ts';
import type { Obstacle } from '../engine/reasons.ts';
import { listServesMs, repeatedForMs, serviceTime, waitUntilOld, type Run } from '../engine/run.ts';
import { send, type Sent } from '../engine/send.ts';
import { ensureServiceClockKnown } from '../live/scan.ts';
import type { Ending } from '../state/requests.ts';
import type { Fact, NewRequest, OpenRequest, Outcome, RequestRow } from '../state/shapes.ts';
import { HeraldError, hasCode, interruptedError } from '../domain/herald-error.ts';
import type { FanId } from '../domain/ids.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { visible } from '../domain/visible.ts';

/** What the service shows of a request without an answer, after its window. */
export type Verdict<Found> =
  /** It was carried out, or refused after all. `ending` is recorded. */
  | { readonly kind: 'found'; readonly found: Found; readonly ending: Ending }
  /** It certainly was not carried out. */
  | { readonly kind: 'absent'; readonly found?: Found }
  /** Nothing tells, and another one is harmless by now. The request is closed once another one was carried out. */
  | { readonly kind: 'over'; readonly found?: never }
  /** It does not tell. The request stays open, and a person decides. */
  | { readonly kind: 'open'; readonly found: Found };

export interface Looked<Found> {
  readonly request: OpenRequest;
  readonly verdict: Verdict<Found>;
}

/** One request that must never be carried out twice: a message, a label, a follow, a payout, an export. */
export interface Act<Reply, Checked, Found> {
  /** What it is about. The state finds earlier requests for the same by it. */
  readonly subject: Pick<NewRequest, 'operation' | 'kind' | 'name'> & {
    readonly account: { readonly alias: string; readonly accountId: string };
  };
  readonly words: ActWords<Found>;
  /** Which unconfirmed requests of the subject count. Left out: all of them. */
  readonly isOpen?: (request: OpenRequest) => boolean;
  /** What became of one without an answer, asked after its window. Null: nothing that the service shows tells, a person decides. */
  readonly look: ((request: OpenRequest) => Promise<Verdict<Found>>) | null;
  /** One of this run that is absent or over is sent once more. */
  readonly mayRepeat: boolean;
  /** Goes on although an earlier request is unconfirmed. Left out: it is refused. */
  readonly acknowledge?: boolean;
  /** Which requests on record count as the same one, and how long. Left out: nothing is compared. */
  readonly similar?: { readonly withinMs: number; readonly isSame: (row: RequestRow) => boolean };
  /** Reads what it is decided from, and throws what forbids it. `similar`: requests on record that may be the same one. */
  readonly check?: (similar: readonly RequestRow[]) => Promise<Checked>;
  readonly prepare: (checked: Checked | null) => Prepared<Reply>;
  /** What an answer comes to; null if it does not tell, which counts like no answer. Left out: it was carried out. */
  readonly judge?: (reply: Reply) => Outcome | null;
}

/** What people read about an act without an answer. */
export interface ActWords<Found = unknown> {
  /** What the request does, behind "the request to": `send a message to chat 101 of alice`. */
  readonly what: string;
  /** What to do about one that is unconfirmed, with a command. */
  readonly next: string;
  /** Lines of what is known of an earlier one, as `text: "Hello"`. */
  readonly describe?: (request: OpenRequest, found: Found | null) => readonly string[];
}

interface Prepared<Reply> {
  /** What is kept of it. */
  readonly asked: unknown;
  readonly send: Send<Reply>;
  readonly createdId?: (reply: Reply) => string | null;
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
      /** Why the state does not have that. */
      readonly unrecorded: string | null;
      readonly checked: Checked | null;
    };

/**
 * Sends one act, under the lease of the run: looks at earlier requests, checks, sends, and finds out what came of it. A
 * person was asked before.
 *
 * | an earlier request without an answer | then                                                              |
 * |--------------------------------------|-------------------------------------------------------------------|
 * | no `look`                            | refused; with `acknowledge`, closed right before the new request  |
 * | found                                | nothing is sent                                                   |
 * | absent, over                         | goes on                                                           |
 * | open                                 | as without `look`                                                 |
 *
 * | the answer                           | then                                                              |
 * |--------------------------------------|-------------------------------------------------------------------|
 * | done, refused                        | recorded                                                          |
 * | a 429, or never sent                 | checked again, and sent again for two minutes                     |
 * | none, or one that does not tell      | the window is waited out, and `look` asked; absent or over: sent  |
 * |                                      | once more if it may                                               |
 * | an interrupt before the first byte   | nothing was sent                                                  |
 * | an interrupt after it                | the answer is waited for; without one it stays open               |
 *
 * What `check` read serves for 30 seconds and for one copy; then it is read again. Throws `HeraldError`, what `check`
 * throws, `state-…` and `InvalidCallError`: nothing was carried out then.
 */
export async function sendAct<Reply, Checked, Found>(
  run: Run,
  act: Act<Reply, Checked, Found>,
): Promise<ActEnd<Reply, Checked, Found>> {
  const { looked, open } = await lookAtEarlier(run, act);
  if (looked.some(({ verdict }) => verdict.kind === 'found' && isCarriedOut(verdict.ending)))
    return { kind: 'earlier', looked };
  if (open.length > 0 && act.acknowledge !== true) throw refuseOpen(act.words, open, looked);
  const similar = await findSimilar(run, act);
  const first = await checkNow(run, act, similar);
  for (const { entry } of open) await close(run, entry, 'a person acknowledged it, to send another one');
  const over = looked.filter((one) => one.verdict.kind === 'over').map(({ request }) => request.entry);
  const end = await sendOnce(run, act, similar, first, over);
  if (end.kind !== 'lost' || !act.mayRepeat) return { ...end, looked };
  const verdict = end.verdict?.kind;
  if (verdict !== 'absent' && verdict !== 'over') return { ...end, looked };
  // Without an answer that says so, the first one may have been carried out all the same.
  const isUncertain = verdict === 'over';
  try {
    const second = await sendOnce(run, act, similar, await checkNow(run, act, similar), [
      ...over,
      ...(end.entry === null ? [] : [end.entry]),
    ]);
    if (second.kind === 'done') return { ...second, isRepeated: true, looked };
    return { ...(second.kind === 'failed' && isUncertain ? end : second), looked };
  } catch (error) {
    if (isUncertain && error instanceof HeraldError) return { ...end, looked };
    throw error;
  }
}

function refuseOpen<Found>(
  words: ActWords<Found>,
  open: readonly OpenRequest[],
  looked: readonly { readonly request: OpenRequest; readonly verdict: { readonly found?: Found } }[],
): HeraldError {
  const facts = open.flatMap((request) => {
    const verdict = looked.find((one) => one.request === request)?.verdict;
    const known = words.describe?.(request, verdict?.found ?? null) ?? [];
    const { entry, sent_at: at, who } = readRequest(request);
    return [`unconfirmed: entry ${entry}, sent at ${at} by ${who ?? 'unknown'}`, ...known];
  });
  return new HeraldError(
    'open-request',
    'Nothing was sent, because an earlier request is unconfirmed.',
    words.next,
    { details: { facts, open: open.map(readRequest) } },
  );
}

async function sendOnce<Reply, Checked, Found>(
  run: Run,
  act: Act<Reply, Checked, Found>,
  similar: readonly RequestRow[],
  check: Check<Checked>,
  over: readonly string[],
): Promise<AttemptEnd<Reply, Checked, Found>> {
  const { sent, checked } = await sendChecked(run, act, similar, check);
  if (sent.kind === 'failed') return { kind: 'failed', problem: throwUnlessProblem(sent.obstacle) };
  const { entry } = sent;
  if (sent.kind === 'done') {
    const { reply, unrecorded } = sent;
    const outcome = act.judge === undefined ? 'done' : act.judge(reply);
    if (outcome === 'done') await closeOver(run, over);
    if (outcome !== null) return { kind: 'done', reply, checked, entry, unrecorded, isRepeated: false };
  }
  return {
    kind: 'lost',
    entry,
    reply: sent.kind === 'done' ? sent.reply : null,
    problem: sent.kind === 'unknown' && 'problem' in sent.obstacle ? sent.obstacle.problem : null,
    ...(await lookAfterWindow(run, act, entry)),
    checked,
  };
}

/** Whether a person would send it twice now: a request that was refused after all does not count. */
function isCarriedOut({ outcome }: Ending): boolean {
  return outcome === 'done' || outcome === 'adopted';
}

/** Waits until earlier requests can no longer take effect, then asks for each. `open`: a person decides. */
export async function lookAtEarlier<Found>(
  run: Run,
  act: Pick<Act<never, never, Found>, 'subject' | 'isOpen' | 'look'>,
): Promise<{ readonly open: readonly OpenRequest[]; readonly looked: readonly Looked<Found>[] }> {
  const { subject, isOpen = () => true } = act;
  const { operation, account, kind, name } = subject;
  const isSubject = (request: OpenRequest) =>
    request.account_id === account.accountId &&
    request.kind === kind &&
    request.operation === operation &&
    request.name === name;
  const earlier = (await run.state.open()).filter((request) => isSubject(request) && isOpen(request));
  // One that ended has an earlier copy without an answer, which may still overwrite what is sent now.
  const open = earlier.filter(({ outcome }) => outcome === null);
  if (act.look === null) return { looked: [], open };
  if (earlier.length > 0) {
    if (!(await waitUntilOld(run, earlier))) throw interruptedError();
    const over = earlier.filter((request) => request.unheard_copy === 1);
    await run.state.learn(over.map(({ entry }): Fact => ({ kind: 'window-over', entry })));
  }
  const looked: Looked<Found>[] = [];
  for (const request of open) {
    const verdict = await act.look(request);
    await recordVerdict(run, request.entry, verdict);
    looked.push({ request, verdict });
  }
  const undecided = looked.filter(({ verdict }) => verdict.kind === 'open');
  return { looked, open: undecided.map(({ request }) => request) };
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
  readonly at: Moment;
}

async function checkNow<Reply, Checked, Found>(
  run: Run,
  { check }: Act<Reply, Checked, Found>,
  similar: readonly RequestRow[],
): Promise<Check<Checked>> {
  const at = new Moment(run.clock);
  const checked = check === undefined ? null : await check(similar);
  if (run.interrupted.aborted) throw interruptedError();
  return { checked, at };
}

/** Each copy follows a check: one that waited for its turn, or for the end of a 429, is checked again. */
async function sendChecked<Reply, Checked, Found>(
  run: Run,
  act: Act<Reply, Checked, Found>,
  similar: readonly RequestRow[],
  first: Check<Checked>,
): Promise<{ readonly sent: Sent<Reply>; readonly checked: Checked | null }> {
  const beganAt = new Moment(run.clock);
  const { account, ...subject } = act.subject;
  const about = { account: account.alias, account_id: account.accountId, command: run.command };
  const request = { ...subject, ...about };
  for (let { checked, at } = first; ;) {
    const { asked, send: sendCopy, createdId } = act.prepare(checked);
    const held: { isStale: boolean; problem: Problem | null } = { isStale: false, problem: null };
    const obstacle = (earlier: Exchange<unknown> | null): Obstacle | null => {
      const isRepeat = earlier?.kind === 'throttled' || earlier?.kind === 'not_sent';
      if (isRepeat) held.problem = earlier.problem;
      held.isStale = act.check !== undefined && (isRepeat || at.elapsedMs(run.clock) > listServesMs(run));
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
    if (beganAt.elapsedMs(run.clock) > repeatedForMs(run)) {
      if (held.problem === null)
        throw new HeraldError(
          'service-error',
          'Nothing was sent: what it is decided from was read several times, and was too old each time it could leave.',
          'Run the command again when the service answers faster. A low rate_share in herald.yaml makes it slower, too.',
        );
      return { sent: { kind: 'failed', obstacle: { kind: 'not-sent', problem: held.problem } }, checked };
    }
    ({ checked, at } = await checkNow(run, act, similar));
  }
}

/** The verdict is null where nothing is known by now: nothing tells, it was interrupted, or the state cannot be read. */
async function lookAfterWindow<Reply, Checked, Found>(
  run: Run,
  { look }: Act<Reply, Checked, Found>,
  entry: string | null,
): Promise<{ readonly verdict: Verdict<Found> | null; readonly unrecorded: string | null }> {
  let verdict: Verdict<Found> | null = null;
  if (look === null || entry === null) return { verdict, unrecorded: null };
  try {
    const request = (await run.state.open()).find((one) => one.entry === entry);
    if (request === undefined || !(await waitUntilOld(run, [request]))) return { verdict, unrecorded: null };
    verdict = await look(request);
    await recordVerdict(run, entry, verdict);
    return { verdict, unrecorded: null };
  } catch (error) {
    // What was sent must not be hidden by an error of the state. The request is open there.
    if (hasCode(error, 'state-')) return { verdict, unrecorded: error.message };
    throw error;
  }
}

/** Another one was carried out after their windows. Without the state they stay unconfirmed, and the next run sends once more. */
async function closeOver(run: Run, entries: readonly string[]): Promise<void> {
  try {
    for (const entry of entries)
      await close(run, entry, 'another one was carried out after its window, which is as good');
  } catch (error) {
    if (!hasCode(error, 'state-')) throw error;
  }
}

/** Nothing waits for its window any more, and it still counts as a request of its kind. */
async function close({ state }: Run, entry: string, because: string): Promise<void> {
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
  );
}

/** Whether a request on record is younger than that by one of the clocks. */
export function isYoungerThan(run: Run, { sent_at: sentAt }: RequestRow, ms: number): boolean {
  return Math.min(run.clock.now(), serviceTime(run).earliestMs) - sentAt < ms;
}

/** A request on record, as JSON shows it. */
interface PastRequest extends Pick<RequestRow, 'entry' | 'operation' | 'account' | 'who' | 'outcome'> {
  readonly subject: RequestRow['name'];
  /** When it left, in UTC, by the clock of its sender. */
  readonly sent_at: string;
  /** What it keeps of what was asked; empty if that cannot be read. */
  readonly details: Readonly<Record<string, unknown>>;
}

export function readRequest(row: RequestRow): PastRequest {
  const { entry, operation, account, name: subject, sent_at: ms, who, outcome } = row;
  const sent_at = Math.abs(ms) <= LATEST_MS ? new Date(ms).toISOString() : 'an unknown time';
  return { entry, operation, account, subject, sent_at, who, outcome, details: parseAsked(row) };
}

/** A `Date` has no later time. */
const LATEST_MS = 8.64e15;

function parseAsked({ asked }: RequestRow): PastRequest['details'] {
  try {
    const parsed: unknown = JSON.parse(asked);
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {};
  } catch {
    return {};
  }
}

/** The error for a request that may have been carried out. `facts`: lines of what is known. */
export function makeUnknown(
  { what, next }: Pick<ActWords, 'what' | 'next'>,
  { entry, problem }: { readonly entry: string | null; readonly problem: Problem | null },
  { facts = [], ...details }: { readonly facts?: readonly string[] } & Readonly<Record<string, unknown>> = {},
): HeraldError {
  const answer = problem === null ? [] : [`answer: ${describeProblem(problem)}`];
  return new HeraldError(
    'unknown-outcome',
    `Unconfirmed: the request to ${what} may have been carried out.`,
    next,
    {
      details: { facts: [...answer, ...facts], entry, problem, ...details },
    },
  );
}

/** A fan of an account, or its chat with one. */
type Place = { readonly account: ResolvedAccount } & (
  { readonly fanId: FanId } | { readonly chatId: string }
);

/** `fan 101001 of alice (account 101)`, `chat 101001 of alice (account 101)` */
export function describePlace(place: Place): string {
  const what = 'fanId' in place ? `fan ${place.fanId}` : `chat ${place.chatId}`;
  const { alias, accountId } = place.account;
  const account = alias === accountId ? `account ${accountId}` : `${alias} (account ${accountId})`;
  return visible(`${what} of ${account}`);
}
