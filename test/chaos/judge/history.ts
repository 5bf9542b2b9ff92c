import type { Declared } from '../declared.ts';
import { isRunning, type Changed, type Live, type Process, type Sent, type Trace } from '../trace.ts';

/** A request may take effect for so long after its last byte (A1). */
export const WINDOW_MS = 65_000;
/** Lists and reads may lag so long (A2). */
export const LAG_MS = 10_000;
/** The first byte leaves so long after the last check. */
export const LEAVES_WITHIN_MS = 5_000;

/** One change of the status of an object. */
export interface Turn {
  readonly atMs: number;
  readonly status: string;
  readonly by: Changed['by'];
}

/** An object of the service with all changes of its status, oldest first. */
export interface Story extends Pick<Live, 'alias' | 'kind' | 'id' | 'name' | 'text'> {
  readonly turns: readonly Turn[];
  readonly madeBy: Changed['by'];
}

/** Every object that was made or changed, in the order of their creation. */
export function storiesOf({ changes }: Pick<Trace, 'changes'>): readonly Story[] {
  const all = new Map<string, Story & { turns: Turn[] }>();
  for (const { alias, kind, id, name, text, atMs, status, by, change } of changes) {
    const key = `${alias}/${kind}/${id}`;
    // What a person made is first seen at its first change.
    const madeBy = change === 'create' ? by : 'person';
    const story = all.get(key) ?? { alias, kind, id, name, text, turns: [], madeBy };
    all.set(key, story);
    const last = story.turns.at(-1);
    // What the service archives after a pause of a week was stopped by the pause.
    const isOnlyArchived = by === 'service' && status === 'archived' && last?.status === 'paused';
    const isSame = last?.status === status && typeof by !== 'number';
    if (!isOnlyArchived && !isSame) story.turns.push({ atMs, status, by });
  }
  return [...all.values()].sort((left, right) => (BigInt(left.id) < BigInt(right.id) ? -1 : 1));
}

/** The last change of an object up to a time. */
export function turnAt({ turns }: Pick<Story, 'turns'>, ms: number): Turn | undefined {
  return turns.findLast(({ atMs }) => atMs <= ms);
}

export function runsAt(story: Pick<Story, 'turns'>, ms: number): boolean {
  const turn = turnAt(story, ms);
  return turn !== undefined && isRunning(turn);
}

export const RECALLED: readonly string[] = ['recalling', 'recalled', 'unsending', 'unsent'];

/** The name and, with `renamed_from`, the one before: both are one resource. */
export function namesOf(name: string, declared: readonly Declared[]): readonly string[] {
  const more = declared.flatMap((one) =>
    one.renamedFrom === null
      ? []
      : one.name === name
        ? [one.renamedFrom]
        : one.renamedFrom === name
          ? [one.name]
          : [],
  );
  return [name, ...more];
}

export function processOf(
  { processes }: Pick<Trace, 'processes'>,
  { process }: Pick<Sent, 'process'>,
): Process {
  const found = processes[process];
  if (found === undefined) throw new Error(`no process ${process}`);
  return found;
}

export const isApply = ({ does }: Process) => does === 'apply' || does === 'apply saved';

/** When the process last read something that shows this object, right before a request; null if it never did. */
export function lastReadMs({ requests }: Trace, { process, alias, kind, number }: Sent): number | null {
  const read = requests.findLast(
    (one) =>
      one.process === process &&
      one.number < number &&
      one.wants === null &&
      one.alias === alias &&
      one.kind === kind &&
      one.heard === 200,
  );
  return read?.atMs ?? null;
}

/** Whether anything but the process itself changed the service, or might have, from a while before its start to its end. */
export function isDisturbed(trace: Trace, process: Process): boolean {
  const { beganMs, endedMs, number } = process;
  const toMs = endedMs ?? Infinity;
  const isMeant = (atMs: number) => atMs >= beganMs - LAG_MS && atMs <= toMs;
  return (
    trace.changes.some(({ by, atMs }) => by === 'person' && isMeant(atMs)) ||
    trace.requests.some(({ process: by, atMs, wants }) => by !== number && wants !== null && isMeant(atMs))
  );
}

export const who = ({ number, args }: Process) => `process ${number} (herald ${args.join(' ')})`;
