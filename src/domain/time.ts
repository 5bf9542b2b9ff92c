import type { Clock } from './ports.ts';

const FULL = /^(\d{4})-(\d{2})-(\d{2})[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[Zz]|[+-]\d{2}:?\d{2})$/;

/**
 * An ISO 8601 date-time with Z or a numeric offset, in milliseconds; null for any other text. `Date.parse` alone reads
 * a time without a zone in the zone of this machine, a day as its midnight in UTC, and 30 February as a day in March.
 */
export function fullInstantMs(text: string | null | undefined): number | null {
  const match = FULL.exec(text ?? '');
  if (match === null || !isCalendarDay(match)) return null;
  const ms = Date.parse(match[0].replace(' ', 'T').toUpperCase());
  return Number.isNaN(ms) ? null : ms;
}

function isCalendarDay([, year, month, day]: RegExpExecArray): boolean {
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** An instant to the second: `2026-06-01T12:00:00Z`. */
export function formatInstant(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, 'Z');
}

/**
 * The end in live rules, once it has certainly passed; null before that, and without one. A time without a zone is
 * taken for the latest instant that it can mean: what may still run counts as running.
 */
export function passedEnd(
  rules: Readonly<Record<string, unknown>> | null | undefined,
  nowMs: number,
): string | null {
  const endAt = rules?.['end_at'];
  if (typeof endAt !== 'string') return null;
  const endMs = fullInstantMs(endAt) ?? fullInstantMs(`${endAt}-12:00`);
  return endMs !== null && endMs <= nowMs ? endAt : null;
}

/** A moment on both clocks of a machine. */
export class Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;

  constructor(clock: Pick<Clock, 'now' | 'monotonicMs'>) {
    this.wallMs = clock.now();
    this.monotonicMs = clock.monotonicMs();
  }

  /** The longest that it can be since then: one clock stops while the machine sleeps, the other one may be changed. */
  elapsedMs(clock: Pick<Clock, 'now' | 'monotonicMs'>): number {
    return Math.max(clock.now() - this.wallMs, clock.monotonicMs() - this.monotonicMs);
  }
}

/** What work comes to, or null where it takes longer than this. It goes on all the same. */
export async function waitAtMost<Result>(
  clock: Pick<Clock, 'sleep'>,
  ms: number,
  work: Promise<Result>,
): Promise<Result | null> {
  const ended = new AbortController();
  const tooLong = clock.sleep(ms, ended.signal).then(
    () => null,
    () => null,
  );
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    ended.abort();
  }
}
