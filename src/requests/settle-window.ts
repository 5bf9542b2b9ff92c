import type { Clock } from '../domain/ports.ts';

/**
 * The window: the time in which a request with a lost answer may still be executed (ERROR-5). Nothing
 * that depends on its result is decided before the window is over. All waiting for it is here.
 */

/** When to look for what such a request may have done, in milliseconds after it left (ERROR-9). */
const LOOKS_MS = [2_000, 5_000, 10_000, 20_000, 40_000];

/** Absence has to show in as many complete readings, all begun after the window (ERROR-6). */
const LAST_LOOKS = 2;

/** What a wait for the end of a window needs. */
export interface WaitPorts {
  readonly clock: Clock;
  /** Aborted by an interrupt: nothing new is sent, and the wait ends. */
  readonly stop: AbortSignal;
  /** The length of the window in milliseconds. */
  readonly settleMs: number;
  /** Told before a wait how many seconds it may take. */
  readonly onWait: (seconds: number) => void;
}

/**
 * Milliseconds until the next look at a request of this age, at least 1. After a clock was set back, the wait is never
 * longer than one window.
 */
export function untilNextLookMs(ageMs: number, settleMs: number): number {
  const next = LOOKS_MS.find((lookMs) => lookMs > ageMs && lookMs < settleMs) ?? settleMs;
  return Math.min(Math.max(next - ageMs, 1), settleMs + 1);
}

/** Waits until a request of this age can no longer be carried out. Resolves with false if it was interrupted. */
export async function waitOut({ clock, stop, settleMs, onWait }: WaitPorts, ageMs: number): Promise<boolean> {
  const leftMs = Math.min(settleMs - ageMs, settleMs);
  if (leftMs > 0) {
    onWait(Math.ceil(leftMs / 1000));
    await clock.sleep(leftMs, stop).catch(() => undefined);
  }
  return !stop.aborted;
}

/**
 * Looks again and again for what a request may have done. Presence counts at once. Null means that it was absent from
 * two complete readings, both begun when the request could no longer be carried out. Rejects if a reading fails, or
 * with the signal's reason: then the result is not known. `ageMs` is how old the request is now; from here on only the
 * monotonic clock counts.
 */
export async function pollUntilResolved<Found>(
  { clock, stop, settleMs }: Pick<WaitPorts, 'clock' | 'stop' | 'settleMs'>,
  ageMs: number,
  look: () => Promise<Found | null>,
): Promise<Found | null> {
  const hereMs = clock.monotonicMs();
  const ageNowMs = () => ageMs + clock.monotonicMs() - hereMs;
  // After a crash some moments have passed already; one look at once stands for all of them.
  let isDue = LOOKS_MS.some((lookMs) => lookMs <= ageMs);
  for (let lastLooks = 0; lastLooks < LAST_LOOKS;) {
    if (!isDue && ageNowMs() <= settleMs) await clock.sleep(untilNextLookMs(ageNowMs(), settleMs + 1), stop);
    isDue = false;
    if (ageNowMs() > settleMs) lastLooks += 1;
    const found = await look();
    if (found !== null) return found;
  }
  return null;
}
