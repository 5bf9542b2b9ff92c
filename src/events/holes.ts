import type { StoredEvent } from '../domain/event-store.ts';

/** A range in which events may have been lost. */
export interface Hole {
  readonly from: string;
  readonly to: string;
  readonly why: 'not_listening' | 'events_missing';
}

/** A receiver that listens leaves a trace at least this often. */
const TRACE_EVERY_MS = 150_000;
/** The service drops the events of about a minute (EVENT-2). */
const PAUSE_MS = 60_000;

/** Where the receiver was not listening, or where a list shows events that did not come. Oldest first. */
export function holesOf(
  stored: readonly StoredEvent[],
  missing: readonly { readonly atMs: number }[],
  range: { readonly fromMs: number; readonly toMs: number },
): readonly Hole[] {
  const traces = stored
    .filter(({ source }) => source !== 'list')
    .map(({ received_at }) => Date.parse(received_at))
    .filter((ms) => ms >= range.fromMs && ms <= range.toMs)
    .toSorted((left, right) => left - right);
  const ends = [range.fromMs, ...traces, range.toMs];
  const silent = ends.flatMap((toMs, index) => {
    const fromMs = ends[index - 1] ?? toMs;
    return toMs - fromMs > TRACE_EVERY_MS ? [{ fromMs, toMs }] : [];
  });
  const isSilent = (ms: number) => silent.some(({ fromMs, toMs }) => ms >= fromMs && ms <= toMs);
  const paused = missing
    .map(({ atMs }) => atMs)
    .filter((ms) => !isSilent(ms))
    .toSorted((left, right) => left - right)
    .reduce<{ fromMs: number; toMs: number }[]>((ranges, ms) => {
      const last = ranges.at(-1);
      if (last !== undefined && ms - PAUSE_MS <= last.toMs) last.toMs = ms + PAUSE_MS;
      else ranges.push({ fromMs: ms - PAUSE_MS, toMs: ms + PAUSE_MS });
      return ranges;
    }, []);
  const holeOf = (why: Hole['why']) => (hole: { fromMs: number; toMs: number }) => ({
    from: new Date(hole.fromMs).toISOString(),
    to: new Date(hole.toMs).toISOString(),
    why,
  });
  return [...silent.map(holeOf('not_listening')), ...paused.map(holeOf('events_missing'))].toSorted(
    (left, right) => (left.from < right.from ? -1 : 1),
  );
}

const GAPS_MIN = 10;
const LONGER_THAN_USUAL = 5;
const SILENCE_MS_MIN = 120_000;

/** Whether nothing came for much longer than usual. `gaps` are the last times between two events. */
export function isUnusualSilence(gaps: readonly number[], silenceMs: number): boolean {
  if (gaps.length < GAPS_MIN || silenceMs < SILENCE_MS_MIN) return false;
  const sorted = gaps.toSorted((left, right) => left - right);
  return silenceMs > LONGER_THAN_USUAL * (sorted[Math.floor(sorted.length / 2)] ?? Number.POSITIVE_INFINITY);
}
