import type { StoredEvent } from '../../domain/event-store.ts';

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
