import type { Declared } from '../declared.ts';
import {
  addressOf,
  isCarriedOut,
  isRunning,
  isSettled,
  isStart,
  isStop,
  type Hand,
  type Live,
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
  return [...startsStopped(trace, stories), ...outlivesStop(trace, stories)];
}

/** In the end, something runs by a start that was open when a stop by hand of its name left, and no person is asked about it. */
function outlivesStop(trace: Trace, stories: readonly Story[]): readonly string[] {
  const { closing } = trace;
  return stories.flatMap((story) => {
    const isBlocked = closing?.blocked.some((one) => addressOf(one) === addressOf(story)) ?? true;
    const { by } = turnAt(story, closing?.atMs ?? 0) ?? {};
    const start = trace.requests.find(({ number }) => number === by);
    if (isBlocked || start === undefined || !isStart(start) || !isApply(processOf(trace, start))) return [];
    const stop = trace.requests.find(
      (one) =>
        one.number > start.number &&
        isStop(one) &&
        isCarriedOut(one) &&
        addressOf(one) === addressOf(story) &&
        (one.id === story.id || mayStillTakeEffect(start, one.atMs)) &&
        processOf(trace, one).does === 'hand',
    );
    return stop === undefined ? [] : [`${told(trace, start)} and runs, although ${told(trace, stop)}`];
  });
}

function startsStopped(trace: Trace, stories: readonly Story[]): readonly string[] {
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
    if (newest === undefined || stop === undefined || isRunning(stop) || !isKnown(trace, start, newest, stop))
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
 * process had recorded and not sent is not seen from outside, but only one to which the files said something else stops it.
 */
function mayBeOurs(trace: Trace, { id, alias, text }: Story, { atMs }: Turn): boolean {
  const isOpen = trace.requests.some(
    (one) =>
      isStop(one) &&
      one.id === id &&
      one.alias === alias &&
      one.atMs <= atMs &&
      (!isSettled(one) || (one.heardMs ?? Infinity) > atMs),
  );
  const keepsIt = (one: Declared) => one.text === text && one.status === 'runs';
  const mayStop = ({ end, beganMs, declared }: Process) =>
    end === 'killed' && beganMs <= atMs && !declared.some(keepsIt);
  return isOpen || trace.processes.some(mayStop);
}

/** Whether the process could know of the stop: one with an answer is on record, anything else is in a list that does not lag. */
function isKnown(trace: Trace, start: Sent, { turns, id }: Story, stop: Turn): boolean {
  const { atMs, by } = stop;
  if (trace.requests.some((one) => one.number === by && isSettled(one)))
    return atMs < start.atMs - LEAVES_WITHIN_MS;
  // Once Herald has asked for a stop as well, no list shows who was first.
  const earlier = turns.slice(0, turns.indexOf(stop)).map((one) => one.by);
  const isNext = (one: Sent) =>
    isStop(one) && one.id === id && one.atMs >= atMs && !earlier.includes(one.number);
  const next = trace.requests.find((one) => one.number < start.number && isNext(one));
  const readMs = lastReadMs(trace, next ?? start);
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
    const { hand: all } = process;
    if (all === null || !STOPS.includes(all.verb)) return [];
    // What lists may not show yet is found by its id alone.
    const isShown = ({ id }: Live) => {
      const story = stories.find((one) => one.id === id) ?? { turns: [] };
      return turnAt(story, process.beganMs) === turnAt(story, process.beganMs - LAG_MS);
    };
    const hand = { ...all, targets: all.targets.filter((one) => all.byId || isShown(one)) };
    return [
      ...leavesLate(trace, process, hand),
      ...leavesOut(trace, process, hand),
      ...runsLater(trace, process, hand, stories),
    ];
  });
}

const runsInTheEnd = ({ live }: Process, { id }: Live) => live.some((one) => one.id === id && isRunning(one));

function leavesLate({ requests }: Trace, process: Process, { byId, targets }: Hand): readonly string[] {
  const running = targets.filter(isRunning);
  const own = requests.filter((one) => one.process === process.number);
  const first = own.find(isStop);
  const before = first === undefined ? own : own.slice(0, own.indexOf(first));
  // A stop goes out even where the state cannot be written.
  const isCutShort = process.cut !== null && process.stateFailures === 0;
  if (isCutShort || running.length === 0) return [];
  // A person was quicker.
  const stillRuns = running.some((one) => runsInTheEnd(process, one));
  if (first === undefined && !stillRuns) return [];
  // A read without an answer takes its time, and without a list it is not known what a name means that is not on record.
  const isHindered = before.some(({ heard }) => heard !== 200);
  if (first === undefined)
    return isHindered && !byId && process.end !== 0
      ? []
      : [`${who(process)} never asked for the stop, and ended with ${process.end ?? '?'}`];
  if (byId && before.some(({ operation }) => operation.endsWith('list')))
    return [`${who(process)} read a whole list before it stopped anything`];
  const tookMs = first.atMs - process.beganMs;
  return isHindered || tookMs <= AT_ONCE_MS
    ? []
    : [`${who(process)} asked for the stop only after ${Math.round(tookMs / 1000)} s`];
}

/** It ended with 0, and did not ask for the stop of something that runs. */
function leavesOut({ requests }: Trace, process: Process, { targets }: Hand): readonly string[] {
  const asked = requests.filter((one) => one.process === process.number && isStop(one));
  const isLeftOut = (one: Live) =>
    isRunning(one) && runsInTheEnd(process, one) && asked.every(({ id }) => id !== one.id);
  return (process.end === 0 ? targets : [])
    .filter(isLeftOut)
    .map((one) => `${who(process)} ended with 0, and did not stop ${addressOf(one)} (${one.id})`);
}

/** It ended with 0, and a start that was open then, or that an older plan sent afterwards, makes the name run again. */
function runsLater(trace: Trace, process: Process, hand: Hand, stories: readonly Story[]): readonly string[] {
  const { end, endedMs } = process;
  const { addresses, targets, byId } = hand;
  if (end !== 0 || endedMs === null) return [];
  const laterMs = endedMs + WINDOW_MS + 1;
  const own = trace.requests.filter((one) => one.process === process.number);
  const stops = own.filter(isStop);
  const named = stories.filter((one) => addresses.includes(addressOf(one)));
  // An id that is not on record and could not be read has no name: the stop is about that object alone.
  const [{ id } = { id: '' }] = targets;
  const isOnRecord = named.some((one) => one.id === id && one.madeBy !== 'person');
  const firstStop = stops[0]?.number ?? 0;
  const wasRead = own.some((one) => one.id === id && one.heard === 200 && one.number < firstStop);
  const isMeant = (one: Story) => !byId || isOnRecord || wasRead || one.id === id;
  return named
    .filter((one) => isMeant(one) && runsAt(one, laterMs))
    .flatMap((story) => {
      const by = turnAt(story, laterMs)?.by;
      const start = trace.requests.find(({ number }) => number === by);
      const stop = stops.find((one) => addressOf(one) === addressOf(story));
      if (start === undefined || stop === undefined) return [];
      const began = processOf(trace, start).beganMs;
      const wasOpen = start.number < stop.number && mayStillTakeEffect(start, stop.atMs);
      const isOlderPlan = start.atMs > stop.atMs + LEAVES_WITHIN_MS && began < stop.atMs;
      const words = `${who(process)} ended with 0, and then ${addressOf(story)} (${story.id}) runs`;
      return wasOpen || isOlderPlan ? [`${words}: ${told(trace, start)}`] : [];
    });
}
