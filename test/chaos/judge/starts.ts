import {
  addressOf,
  clockTime,
  isSettled,
  isStart,
  isStop,
  type Process,
  type Sent,
  type Trace,
} from '../trace.ts';
import { isApply, LEAVES_WITHIN_MS, namesOf, processOf, who, WINDOW_MS } from './history.ts';

const MINUTE_MS = 60_000;

/** Whether a request may still take effect at that time. */
export function mayStillTakeEffect(sent: Sent, ms: number): boolean {
  if (ms >= sent.atMs + WINDOW_MS) return false;
  return !isSettled(sent) || sent.heardMs === null || sent.heardMs > ms;
}

/** A copy of a status change by its own process: the service carries it out once, however often it is sent. */
function isRepeat(earlier: Sent, later: Sent): boolean {
  return (
    earlier.process === later.process &&
    earlier.id !== null &&
    earlier.id === later.id &&
    earlier.wants === later.wants
  );
}

/** G1: no create or start leaves while an earlier one of the same name or content may still take effect. */
export function startsOneAtATime(trace: Trace): readonly string[] {
  const starts = trace.requests.filter(isStart);
  return starts.flatMap((later) => {
    const names = namesOf(later.name, processOf(trace, later).declared);
    const earlier = starts.find(
      (one) =>
        one.number < later.number &&
        one.alias === later.alias &&
        one.kind === later.kind &&
        (names.includes(one.name) || (one.text !== '' && one.text === later.text)) &&
        !isRepeat(one, later) &&
        mayStillTakeEffect(one, later.atMs),
    );
    return earlier === undefined
      ? []
      : [`${told(trace, later)}, while ${told(trace, earlier)} may still take effect`];
  });
}

/** A start waits for stops of its object that may still take effect: otherwise it runs only until they do. */
export function waitsForStops(trace: Trace): readonly string[] {
  return trace.requests.filter(isStart).flatMap((start) => {
    const stop = trace.requests.find(
      (one) =>
        isStop(one) &&
        one.number < start.number &&
        one.id !== null &&
        one.id === start.id &&
        one.alias === start.alias &&
        mayStillTakeEffect(one, start.atMs),
    );
    return stop === undefined
      ? []
      : [`${told(trace, start)}, while ${told(trace, stop)} may still take effect`];
  });
}

/** G2: at most two creates for one address and run; the second only after two whole lists that begin after the window. */
export function repeatsOnlyAfterProof(trace: Trace): readonly string[] {
  const lost = trace.requests.filter((one) => one.wants === 'created' && !isSettled(one));
  return lost.flatMap((first) => {
    const later = trace.requests.filter(
      (one) =>
        one.wants === 'created' &&
        one.process === first.process &&
        one.number > first.number &&
        addressOf(one) === addressOf(first),
    );
    const [second] = later;
    const problems: string[] = [];
    if (second !== undefined && listsBetween(trace, first, second) < 2)
      problems.push(
        `${told(trace, second)} with fewer than two whole lists after the window of ${told(trace, first)}`,
      );
    const more = later.filter((one) => !isNotCarriedOut(one));
    if (more.length > 1)
      problems.push(`more than two creates: ${more.map((one) => told(trace, one)).join('; ')}`);
    return problems;
  });
}

const isNotCarriedOut = ({ heard }: Sent) =>
  heard === 'never left' || (typeof heard === 'number' && heard >= 400 && heard < 500);

function listsBetween({ requests }: Trace, first: Sent, second: Sent): number {
  return requests.filter(
    (one) =>
      one.process === first.process &&
      one.alias === first.alias &&
      one.kind === first.kind &&
      one.wholeList &&
      one.heard === 200 &&
      one.number < second.number &&
      one.atMs >= first.atMs + WINDOW_MS,
  ).length;
}

/** G4: an apply creates, resumes or moves no broadcast less than 5 minutes before its hour, by either clock. */
export function keepsTheHour(trace: Trace): readonly string[] {
  const leastMs = 5 * MINUTE_MS - LEAVES_WITHIN_MS;
  return trace.requests.filter(isStart).flatMap((start) => {
    if (start.kind !== 'broadcast' || !isApply(processOf(trace, start))) return [];
    if (start.hourMs === null) return [`${told(trace, start)}, although it had begun to leave`];
    // The right time counts only where one of the clocks shows it.
    const seen = [start.atMs + start.machineOffMs, start.atMs + start.serviceOffMs];
    const nearest = (start.hourMs ?? 0) - Math.max(...seen);
    return nearest >= leastMs
      ? []
      : [`${told(trace, start)}, ${Math.round(nearest / 1000)} s before its hour by one of the clocks`];
  });
}

/** Changes that a plan says without doing anything. */
const IDLE: readonly string[] = ['keep', 'done', 'missed', 'blocked', 'unmanaged'];

/** G6: the apply of a saved plan carries out only changes that were agreed, or the remainder of one. */
export function agreesFirst(trace: Trace): readonly string[] {
  return trace.requests.flatMap((sent) => {
    const process = processOf(trace, sent);
    if (process.agreed === null || sent.wants === null || resolves(trace, sent)) return [];
    const names = namesOf(sent.name, process.declared);
    const agreed = process.agreed.filter(
      ({ alias, kind, name, action }) =>
        alias === sent.alias && kind === sent.kind && names.includes(name) && !IDLE.includes(action),
    );
    const problem = whyNotAgreed(
      sent,
      process,
      agreed.map(({ action }) => action),
    );
    return problem === null ? [] : [`${told(trace, sent)}: ${problem}`];
  });
}

/**
 * It repeats a stop by hand after a late start, or a request without a clear answer, of whichever process: that was agreed to when
 * it was sent first. What a process had heard that was killed, or could not write, is not on record.
 */
export function resolves(trace: Trace, sent: Sent): boolean {
  const isOver = ({ does, end, stateFailures }: Process) =>
    does !== 'hand' && end !== 'killed' && stateFailures === 0;
  return trace.requests.some(
    (one) =>
      one.number < sent.number &&
      one.id !== null &&
      one.id === sent.id &&
      one.alias === sent.alias &&
      one.wants === sent.wants &&
      !(isSettled(one) && isOver(processOf(trace, one))),
  );
}

function whyNotAgreed(sent: Sent, { declared }: Process, agreed: readonly string[]): string | null {
  if (agreed.length === 0) return 'the saved plan has no change of it';
  if (sent.wants !== 'created') return null;
  const texts = declared.filter(({ kind }) => kind === sent.kind).map(({ text }) => text);
  if (!texts.includes(sent.text)) return `its text is not that of the saved plan`;
  return agreed.some((action) => action === 'create' || action === 'replace' || action === 'resume')
    ? null
    : `the saved plan says ${agreed.join(', ')}`;
}

/** A request in words. */
export function told(trace: Trace, sent: Sent): string {
  const { atMs, wants, id, name, alias, kind, text, heard } = sent;
  const object = `${addressOf({ alias, kind, name })}${id === null ? '' : ` (${id})`}`;
  return `${who(processOf(trace, sent))} at ${clockTime(atMs)} asked for ${object} "${text}" ${wants ?? ''} [${heard ?? 'not heard'}]`;
}
