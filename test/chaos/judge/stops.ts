import {
  addressOf,
  isRunning,
  isSettled,
  isStart,
  isStop,
  type Process,
  type Sent,
  type Trace,
} from '../trace.ts';
import {
  isApply,
  LAG_MS,
  lastReadMs,
  LEAVES_WITHIN_MS,
  namesOf,
  processOf,
  RECALLED,
  runsAt,
  storiesOf,
  turnAt,
  who,
  WINDOW_MS,
  type Story,
  type Turn,
} from './history.ts';
import { mayStillTakeEffect, told } from './starts.ts';

/** G3: what a person stopped stays stopped without `--allow resume`; what was recalled is not sent again under its name. */
export function keepsStopped(trace: Trace): readonly string[] {
  const stories = storiesOf(trace);
  return trace.requests.filter(isStart).flatMap((start) => {
    const process = processOf(trace, start);
    if (!isApply(process)) return [];
    const names = namesOf(start.name, process.declared);
    const group = stories.filter(
      (one) =>
        one.alias === start.alias &&
        one.kind === start.kind &&
        names.includes(one.name) &&
        isOlder(one, start),
    );
    // Which copy of a person counts as the newest is not seen from outside.
    if (group.some(({ madeBy }) => madeBy === 'person')) return [];
    const newest = group.at(-1);
    const stop = newest === undefined ? undefined : findStop(trace, newest, start.atMs);
    if (newest === undefined || stop === undefined || isRunning(stop) || !isKnown(trace, start, stop))
      return [];
    // Another text takes the place of a version that runs, whatever became of newer ones.
    if (newest.text !== start.text && group.some((one) => ranBefore(trace, one, start))) return [];
    const where = `${addressOf(newest)} (${newest.id})`;
    if (RECALLED.includes(stop.status)) return [`${told(trace, start)}, although ${where} was recalled`];
    return process.allow.includes('resume') || !isByPerson(trace, stop) || mayBeOurs(trace, newest, stop)
      ? []
      : [`${told(trace, start)}, although a person stopped ${where}`];
  });
}

/** The last turn up to a time, or the stop of a person that an apply repeated, or followed on its way to a new version. */
function findStop(trace: Trace, { turns, name, kind }: Story, ms: number): Turn | undefined {
  const past = turns.filter(({ atMs }) => atMs <= ms);
  const stopped = past.slice(past.findLastIndex(isRunning) + 1);
  const at = stopped.findLastIndex((turn) => isByPerson(trace, turn));
  const person = stopped[at];
  if (person === undefined) return past.at(-1);
  const isOnItsWay = ({ by, status }: Turn) => {
    const process = typeof by === 'number' ? requestWith(trace, by) : undefined;
    if (process === undefined || status === person.status) return process !== undefined;
    const declared = process.declared.find((one) => one.kind === kind && one.name === name);
    return process.beganMs <= person.atMs && declared?.status === 'runs';
  };
  return stopped.slice(at + 1).every(isOnItsWay) ? person : past.at(-1);
}

/** Whether it ran when the process of the start looked, before its own stops. */
function ranBefore(trace: Trace, { turns }: Story, start: Sent): boolean {
  const turn = turns.findLast(
    ({ atMs, by }) =>
      atMs <= start.atMs && (typeof by !== 'number' || requestWith(trace, by) !== processOf(trace, start)),
  );
  return turn !== undefined && isRunning(turn);
}

/** Within one millisecond, the order of the requests counts. */
function isOlder({ turns: [first] }: Story, start: Sent): boolean {
  if (first === undefined) return false;
  return typeof first.by === 'number' ? first.by < start.number : first.atMs < start.atMs;
}

function isByPerson(trace: Trace, { by }: Turn): boolean {
  return by === 'person' || (typeof by === 'number' && requestWith(trace, by)?.does === 'hand');
}

/**
 * Herald's own stop of the object had no answer when the person stopped it, and the lists show both in the same way. What a killed
 * process had recorded and not sent is not seen from outside.
 */
function mayBeOurs(trace: Trace, { id, alias }: Story, { atMs }: Turn): boolean {
  const isOpen = trace.requests.some(
    (one) => isStop(one) && one.id === id && one.alias === alias && one.atMs <= atMs && !isSettled(one),
  );
  return isOpen || trace.processes.some((one) => one.end === 'killed' && one.beganMs <= atMs);
}

/** Whether the process could know of the stop: a command by hand is on record, anything else is in a list that does not lag. */
function isKnown(trace: Trace, start: Sent, { atMs, by }: Turn): boolean {
  if (typeof by === 'number') return atMs < start.atMs - LEAVES_WITHIN_MS;
  const readMs = lastReadMs(trace, start);
  return readMs !== null && atMs < readMs - LAG_MS;
}

function requestWith(trace: Trace, number: number): Process | undefined {
  const sent = trace.requests.find((one) => one.number === number);
  return sent === undefined ? undefined : processOf(trace, sent);
}

/** A stop by hand may take a slot of the rate, a look at its object and 5 seconds for a state that does not answer. */
const AT_ONCE_MS = 10_000;
const STOPS: readonly string[] = ['pause', 'archive', 'recall'];

/** G7: a stop by hand always works at once, and when it says so, it stays stopped. */
export function stopsAtOnce(trace: Trace): readonly string[] {
  const stories = storiesOf(trace);
  return trace.processes.flatMap((process) => {
    const { hand } = process;
    if (hand === null || !STOPS.includes(hand.verb)) return [];
    return [...leavesLate(trace, process), ...runsAfterwards(trace, process, stories)];
  });
}

function leavesLate({ requests }: Trace, process: Process): readonly string[] {
  const own = requests.filter((one) => one.process === process.number);
  const first = own.find(isStop);
  const before = first === undefined ? own : own.slice(0, own.indexOf(first));
  // A stop goes out even where the state cannot be written.
  const isCutShort = process.cut !== null && process.stateFailures === 0;
  if (isCutShort || !isRunning(process.hand?.target ?? { status: '' })) return [];
  // A person was quicker.
  const stillRuns = process.live.some((one) => one.id === process.hand?.target.id && isRunning(one));
  if (first === undefined && !stillRuns) return [];
  if (first === undefined) {
    const heard = before.map((one) => one.heard ?? 'nothing').join(', ');
    const failed = process.stateFailures > 0 ? ', could not write to the state' : '';
    return [
      `${who(process)} heard ${heard}${failed}, never asked for the stop, and ended with ${process.end ?? '?'}`,
    ];
  }
  if (before.some(({ operation }) => operation.endsWith('list')))
    return [`${who(process)} read a whole list before it stopped anything`];
  // A read without an answer takes its time.
  const isHindered = before.some(({ heard }) => heard !== 200);
  const tookMs = first.atMs - process.beganMs;
  return isHindered || tookMs <= AT_ONCE_MS
    ? []
    : [`${who(process)} asked for the stop only after ${Math.round(tookMs / 1000)} s`];
}

/** It ended with 0, and a start that was open then, or that an older plan sent afterwards, makes the name run again. */
function runsAfterwards(trace: Trace, process: Process, stories: readonly Story[]): readonly string[] {
  const { hand, end, endedMs } = process;
  const stop = trace.requests.find((one) => one.process === process.number && isStop(one));
  if (hand === null || end !== 0 || endedMs === null || stop === undefined) return [];
  const { alias, kind, name, id } = hand.target;
  const laterMs = endedMs + WINDOW_MS + 1;
  const own = stories.filter((one) => one.alias === alias && one.kind === kind && one.name === name);
  // An id that is not on record and could not be read has no name: the stop is about that object alone.
  const isOnRecord = own.some((one) => one.id === id && one.madeBy !== 'person');
  const wasRead = trace.requests.some(
    (one) => one.process === process.number && one.number < stop.number && one.id === id && one.heard === 200,
  );
  const isMeant = (one: Story) => isOnRecord || wasRead || one.id === id;
  return own
    .filter((one) => isMeant(one) && runsAt(one, laterMs))
    .flatMap((story) => {
      const by = turnAt(story, laterMs)?.by;
      const start = trace.requests.find(({ number }) => number === by);
      if (start === undefined) return [];
      const began = processOf(trace, start).beganMs;
      const wasOpen = start.number < stop.number && mayStillTakeEffect(start, stop.atMs);
      const isOlderPlan = start.atMs > stop.atMs + LEAVES_WITHIN_MS && began < stop.atMs;
      return wasOpen || isOlderPlan
        ? [
            `${who(process)} ended with 0, and then ${addressOf(story)} (${story.id}) runs: ${told(trace, start)}`,
          ]
        : [];
    });
}
