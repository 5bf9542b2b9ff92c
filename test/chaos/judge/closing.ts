import { addressOf, isRunning, outcomesIn, type Process, type Trace } from '../trace.ts';
import { storiesOf, type Story } from './history.ts';
import { differencesOf } from './words.ts';

/** After the faults end, at most three applies until all is quiet; all that is declared is live once, or blocked by name. */
export function endsWell(trace: Trace): readonly string[] {
  const { closing } = trace;
  if (closing === null) return [];
  const { blocked, atMs, applies } = closing;
  if (closing.declared.length === 0) return [];
  const last = applies.at(-1);
  const isBlocked = (words: string) =>
    blocked.some(({ alias, kind, name }) => words.startsWith(`${alias}/${kind}/${name} is`));
  return [
    ...(last === undefined || isQuiet(last) ? [] : [`the third apply is not quiet: ${endOf(last)}`]),
    ...differencesOf(trace, closing, atMs)
      .filter((words) => !isBlocked(words))
      .map((words) => `in the end ${words}, and it is not blocked`),
  ];
}

const BUSY: readonly string[] = ['applied', 'adopted', 'failed', 'unknown'];

function isQuiet(process: Process): boolean {
  const isCalm = process.end === 0 || process.end === 5;
  return isCalm && !outcomesIn(process).some(({ outcome }) => BUSY.includes(outcome));
}

function endOf(process: Process): string {
  const busy = outcomesIn(process)
    .filter(({ outcome }) => BUSY.includes(outcome) || outcome === 'not_attempted')
    .map(({ address, action, outcome, message }) => `${action} of ${address.name}: ${outcome}. ${message}`);
  return `exit ${process.end ?? '?'}; ${busy.join('; ')} ${busy.length === 0 ? process.stderr : ''}`;
}

/**
 * No fan gets one text from two objects that Herald made, nor one broadcast twice; and no two objects of one name that Herald
 * started run at one time. Each fan fires a trigger once, and no two versions have the same text.
 */
export function sendsNothingTwice(trace: Trace): readonly string[] {
  const stories = storiesOf(trace);
  return [...receivedTwice(trace, stories), ...runningTwice(stories)];
}

function receivedTwice({ received }: Trace, stories: readonly Story[]): readonly string[] {
  const made = new Set(
    stories
      .filter(({ turns, madeBy }) => typeof madeBy === 'number' && turns.every(({ by }) => by !== 'person'))
      .map(keyOf),
  );
  const own = received.filter((one) => made.has(keyOf(one)));
  const found = new Set<string>();
  for (const one of own) {
    const isTwin = (other: typeof one) =>
      other !== one && other.fan === one.fan && other.alias === one.alias && other.kind === one.kind;
    const twin = own.find(
      (other) =>
        isTwin(other) && (other.text === one.text || (one.kind === 'broadcast' && other.name === one.name)),
    );
    if (twin !== undefined)
      found.add(
        `a fan gets "${one.text}" of ${addressOf(one)} from ${[one.id, twin.id].sort().join(' and ')}`,
      );
  }
  return [...found];
}

const keyOf = ({ alias, kind, id }: { alias: string; kind: string; id: string }) => `${alias}/${kind}/${id}`;

/** Two objects of one name, both last started by Herald, run at one time. */
function runningTwice(stories: readonly Story[]): readonly string[] {
  return stories.flatMap((one, place) =>
    stories.slice(place + 1).flatMap((other) => {
      if (addressOf(one) !== addressOf(other)) return [];
      const shared = periodsOf(one).some((left) =>
        periodsOf(other).some(
          ({ fromMs, toMs }) => Math.max(fromMs, left.fromMs) < Math.min(toMs, left.toMs),
        ),
      );
      return shared ? [`${one.id} and ${other.id} of ${addressOf(one)} run at one time`] : [];
    }),
  );
}

/** When an object ran that Herald had started. */
function periodsOf({ turns, madeBy }: Story): readonly { readonly fromMs: number; readonly toMs: number }[] {
  if (typeof madeBy !== 'number') return [];
  let starter: unknown = null;
  return turns.flatMap((turn, place) => {
    if (!isRunning(turn)) return [];
    const before = turns[place - 1];
    if (before === undefined || !isRunning(before)) starter = turn.by;
    return typeof starter === 'number'
      ? [{ fromMs: turn.atMs, toMs: turns[place + 1]?.atMs ?? Infinity }]
      : [];
  });
}
