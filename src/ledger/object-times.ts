import { COLUMNS } from './object-fields.ts';

/** When a line was written. */
export interface SaidAt {
  /** Epoch milliseconds, by the service's clock as far as the line tells. */
  readonly ms: number;
  /** False if the line has only the time of its writer's clock. */
  readonly isByService: boolean;
}

/** The same, and which line of its file it is. */
export interface LinePlace extends SaidAt {
  readonly place: number;
}

/**
 * When lines spoke of an object, as one list: most objects have the words of one line or of two.
 *
 * | from     | what                                                                                        |
 * |----------|---------------------------------------------------------------------------------------------|
 * | 0        | when the last change of its status left that was heard of                                   |
 * | 1        | the same of its last recall                                                                 |
 * | 2, 5 ... | a line with the last word on some fields: its time, its number, and the fields, one bit each,  |
 * |          | with one more bit if the time is that of its writer's clock                                  |
 */
export type ObjectTimes = number[];

/** Where the time of the last change of each kind is. */
export const HEARD = { status: 0, unsend: 1 } as const;
export const FIRST_WORD = 2;
export const WORD_CELLS = 3;
export const NEVER = Number.NEGATIVE_INFINITY;

/** Above the bits of all fields. */
const BY_WRITERS_CLOCK = 1 << 30;

/** Of an object that no line has spoken of. */
export function noTimes(): ObjectTimes {
  return [NEVER, NEVER];
}

/** The bit of a field; 0 for everything else. */
export function bitOf(field: string): number {
  const column = COLUMNS.get(field);
  return column === undefined ? 0 : 1 << column;
}

/**
 * On which of these fields no later word holds: the one of the latest time, and among those of one time the one that
 * stands last in the file. On these, the line has the last word from now on.
 */
export function takeLastWord(
  times: ObjectTimes,
  fields: number,
  { ms, place, isByService }: LinePlace,
): number {
  let won = fields;
  let own = times.length;
  for (let at = FIRST_WORD; at < times.length; at += WORD_CELLS) {
    const [otherMs = NEVER, otherPlace = 0, has = 0] = [times[at], times[at + 1], times[at + 2]];
    const isLater = otherMs > ms || (otherMs === ms && otherPlace > place);
    if (isLater) won &= ~has;
    else times[at + 2] = without(has, won);
    if (times[at + 2] === 0) own = at;
  }
  if (won === 0) return won;
  times[own] = ms;
  times[own + 1] = place;
  times[own + 2] = isByService ? won : won | BY_WRITERS_CLOCK;
  return won;
}

/** 0 if no field is left. */
function without(has: number, won: number): number {
  const left = has & ~won;
  return left === BY_WRITERS_CLOCK ? 0 : left;
}

/** The line that has the last word on the field of that column; null where none has. */
export function lastWordOn(times: ObjectTimes, column: number): LinePlace | null {
  for (let at = FIRST_WORD; at < times.length; at += WORD_CELLS) {
    const said = saidOn(column, times[at] ?? NEVER, times[at + 1] ?? 0, times[at + 2] ?? 0);
    if (said !== null) return said;
  }
  return null;
}

/** The line of these three cells, if it has the last word on the field of that column. */
export function saidOn(column: number, ms: number, place: number, has: number): LinePlace | null {
  if ((has & (1 << column)) === 0) return null;
  return { ms, place, isByService: (has & BY_WRITERS_CLOCK) === 0 };
}
