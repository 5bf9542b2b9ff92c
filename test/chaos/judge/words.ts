import type { Declared } from '../declared.ts';
import { isCarriedOut, isRunning, outcomesIn, type Live, type Process, type Trace } from '../trace.ts';
import { isApply, isDisturbed, who, WINDOW_MS } from './history.ts';

const MINUTE_MS = 60_000;

/** G5: exit 0 means that the service shows what is declared, and an outcome says what is so. */
export function saysTheTruth(trace: Trace): readonly string[] {
  return trace.processes.flatMap((process) => {
    const unproved = unprovedOutcomes(trace, process).map((words) => `${who(process)} says ${words}`);
    if (isDisturbed(trace, process)) return unproved;
    const says = process.end === 0 && !process.targeted && comparesAll(process);
    const { declared, live } = process;
    const differences = says ? differencesOf(trace, { declared, live }, nowBy(trace, process)) : [];
    return [
      ...unproved,
      ...differences.map((words) => `${who(process)} ended with 0, but ${words}`),
      ...falseOutcomes(process).map((words) => `${who(process)} says ${words}`),
    ];
  });
}

function comparesAll({ does, args }: Process): boolean {
  return (
    does === 'apply' || args[0] === 'drift' || (args[0] === 'plan' && args.includes('--detailed-exitcode'))
  );
}

/** By the latest of the clocks: what is about to leave by one of them is missed. */
function nowBy({ requests }: Trace, { endedMs, number }: Process): number {
  const first = requests.find(({ process }) => process === number);
  return (endedMs ?? 0) + Math.max(0, first?.serviceOffMs ?? 0, first?.machineOffMs ?? 0);
}

/** What the service does not show as declared. */
export function differencesOf(
  trace: Pick<Trace, 'processes'>,
  { declared, live }: Pick<Process, 'declared' | 'live'>,
  nowMs: number,
): readonly string[] {
  return declared.flatMap((one) =>
    one.accounts.flatMap((alias) => {
      const names = formerNames(trace, one);
      const own = live.filter(
        (each) => each.alias === alias && each.kind === one.kind && names.includes(each.name),
      );
      const problem = one.kind === 'campaign' ? campaignProblem(one, own) : broadcastProblem(one, own, nowMs);
      return problem === null ? [] : [`${alias}/${one.kind}/${one.name} is ${problem}`];
    }),
  );
}

/** A run that saw a rename knows the object under the new name, which the service never shows. */
function formerNames(
  { processes }: Pick<Trace, 'processes'>,
  { name, renamedFrom }: Declared,
): readonly string[] {
  const seen = processes.filter(({ does }) => does !== 'look').flatMap(({ declared }) => declared);
  const names = [name];
  for (let before = renamedFrom; before !== null;) {
    const former = before;
    names.push(former);
    before = seen.findLast((one) => one.name === former)?.renamedFrom ?? null;
  }
  return names;
}

function campaignProblem({ status, text }: Declared, own: readonly Live[]): string | null {
  const running = own.filter(isRunning);
  if (status === 'runs') {
    if (running.length !== 1) return `declared active, and ${running.length} of it run`;
    return running[0]?.text === text ? null : `declared as "${text}", and "${running[0]?.text ?? ''}" runs`;
  }
  if (running.length > 0) return `declared ${status}, and it runs`;
  const isPaused = own.some((one) => one.status === 'paused');
  return status !== 'paused' && isPaused ? `declared ${status}, and it is paused` : null;
}

function broadcastProblem(
  { status, text, hourMs }: Declared,
  own: readonly Live[],
  nowMs: number,
): string | null {
  const waiting = own.filter((one) => one.status === 'scheduled');
  if (status !== 'runs') return waiting.length > 0 ? `declared ${status}, and it waits` : null;
  // It is missed, or has left.
  if ((hourMs ?? 0) < nowMs + 6 * MINUTE_MS || own.some(hasLeft)) return null;
  if (waiting.length !== 1) return `declared scheduled, and ${waiting.length} of it wait`;
  const [only] = waiting;
  return only?.text === text && only.hourMs === hourMs ? null : `declared otherwise than it waits`;
}

const hasLeft = ({ kind, status, hourMs }: Live) =>
  kind === 'broadcast' && (hourMs === null || status === 'sent' || status === 'recalled');

const STARTED: readonly string[] = ['create', 'replace', 'activate', 'resume'];
const STOPPED: readonly string[] = ['pause', 'archive', 'recall'];

function falseOutcomes(process: Process): readonly string[] {
  if (!isApply(process)) return [];
  return outcomesIn(process).flatMap(({ action, outcome, live_id: id, address }) => {
    if (outcome !== 'applied' && outcome !== 'adopted') return [];
    const object = process.live.find(
      (one) => one.id === id && one.kind === address.kind && one.alias === address.account,
    );
    const words = `${action} of ${address.account}/${address.kind}/${address.name} (${id ?? 'no id'}): ${outcome}`;
    if (object === undefined)
      return STARTED.includes(action) ? [`${words}, but there is no such object`] : [];
    if (STARTED.includes(action) && !isRunning(object) && !hasLeft(object))
      return [`${words}, but it is ${object.status}`];
    if (STOPPED.includes(action) && isRunning(object)) return [`${words}, but it is ${object.status}`];
    return [];
  });
}

/** `applied` needs a 2xx, `adopted` a list from after the window; what is unknown ends with exit 3, and nothing open with 0. */
function unprovedOutcomes({ requests }: Trace, process: Process): readonly string[] {
  if (!isApply(process)) return [];
  return outcomesIn(process).flatMap(({ action, outcome, address, live_id: id }) => {
    const words = `${action} of ${address.account}/${address.kind}/${address.name}: ${outcome}`;
    if (outcome === 'unknown' && process.end !== 3 && process.end !== 130)
      return [`${words}, and exit ${process.end ?? ''}`];
    if (UNDONE.includes(outcome) && process.end === 0) return [`${words}, and exit 0`];
    const own = requests.filter(
      (one) => one.process === process.number && one.alias === address.account && one.kind === address.kind,
    );
    const asked = own.filter((one) => one.id !== null && one.id === id && one.wants !== null);
    if (outcome === 'applied' && asked.length > 0 && !asked.some(isCarriedOut))
      return [`${words}, and no request was answered with 2xx`];
    const creates = own.filter(({ wants, name }) => wants === 'created' && name === address.name);
    const isUntouched = outcome === 'not_attempted' && action !== 'blocked';
    if (isUntouched && [...asked, ...(STARTED.includes(action) ? creates : [])].some(isCarriedOut))
      return [`${words}, and a request of it was answered with 2xx`];
    if ((action !== 'create' && action !== 'replace') || creates.length === 0) return [];
    if (outcome === 'applied' && !creates.some(isCarriedOut))
      return [`${words}, and no create was answered with 2xx`];
    const settledMs = Math.min(...creates.map(({ atMs }) => atMs)) + WINDOW_MS;
    const isListed = own.some(
      ({ wholeList, heard, atMs }) => wholeList && heard === 200 && atMs >= settledMs,
    );
    return outcome === 'adopted' && !creates.some(isCarriedOut) && !isListed
      ? [`${words}, before its window was over`]
      : [];
  });
}

const UNDONE: readonly string[] = ['unknown', 'failed', 'not_attempted'];

/** G8: a command that reads writes nothing, neither to the service nor to the state. */
export function onlyReads(trace: Trace): readonly string[] {
  return trace.processes.flatMap((process) => {
    if (process.does !== 'look') return [];
    const sent = trace.requests.filter(({ process: by, wants }) => by === process.number && wants !== null);
    return [
      ...sent.map(({ operation }) => `${who(process)} sent ${operation}`),
      // An import writes files, and may put on record what it took over.
      ...(process.stateWrites > 0 && process.args[0] !== 'import'
        ? [`${who(process)} wrote to the state`]
        : []),
    ];
  });
}

const EXITS: Readonly<Record<Process['does'], readonly number[]>> = {
  apply: [0, 1, 3, 4, 5, 130],
  'apply saved': [0, 1, 3, 4, 5, 130],
  look: [0, 1, 2, 5, 130],
  hand: [0, 1, 3, 4, 5, 130],
};
/** Done, different, and interrupted by a person. */
const NO_ERROR: readonly number[] = [0, 2, 130];
const STACK =
  /^ {4}at .+:\d+:\d+\)?$|\b(?:TypeError|ReferenceError|RangeError|SyntaxError)\b|\[object Object\]|\bundefined\b/m;
/** A command, or an edit or a deed of a person. */
const NEXT =
  /herald [a-z]|--[a-z]|\b(?:run|fix|free|set|write|add|remove|wait|try|restart|restore|check|close|start|give|change)\b/i;

/** No stack trace; every error says what to do next; the exit code is a documented one. */
export function speaksPlainly({ processes }: Trace): readonly string[] {
  return processes.flatMap((process) => {
    const { end, stdout, stderr, does } = process;
    if (end === 'stuck') return [`${who(process)} never ends`];
    if (typeof end !== 'number') return [];
    const text = `${stderr}\n${stdout}`;
    const stack = STACK.exec(text)?.[0];
    return [
      ...(stack === undefined ? [] : [`${who(process)} prints "${stack.trim()}"`]),
      ...(EXITS[does].includes(end) ? [] : [`${who(process)} ends with exit ${end}`]),
      ...(NO_ERROR.includes(end) || NEXT.test(text)
        ? []
        : [`${who(process)} ends with ${end} and no next step: ${text.trim()}`]),
    ];
  });
}
