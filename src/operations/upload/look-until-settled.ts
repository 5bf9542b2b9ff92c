import type { UploadPorts } from './upload.ts';

/** When to look for what a lost request may have done, in milliseconds after it left (ERROR-9). */
const LOOKS_MS = [2_000, 5_000, 10_000, 20_000, 40_000];

/** Absence has to show in as many complete readings begun after the window (ERROR-6). */
const LAST_LOOKS = 2;

/**
 * Looks again and again for what a lost request may have done. Presence counts at once; null means that it was
 * absent from two complete readings begun when it could no longer be carried out. Rejects when a reading fails,
 * or with the signal's reason: then nobody knows. `begunMs` is how old the request is by now; from here on only the
 * monotonic clock counts.
 */
export async function lookUntilSettled<Found>(
  { clock, settleMs, interrupted }: Pick<UploadPorts, 'clock' | 'settleMs' | 'interrupted'>,
  begunMs: number,
  look: () => Promise<Found | null>,
): Promise<Found | null> {
  const moments = [
    ...LOOKS_MS.filter((ms) => ms < settleMs),
    ...Array<number>(LAST_LOOKS).fill(settleMs + 1),
  ];
  const hereMs = clock.monotonicMs();
  const ageMs = () => begunMs + clock.monotonicMs() - hereMs;
  for (const [index, moment] of moments.entries()) {
    const isLast = moment > settleMs;
    // After a crash some moments have long passed; one look stands for all of them.
    if (!isLast && index > 0 && moment <= begunMs) continue;
    const left = Math.min(moment - ageMs(), settleMs + 1);
    if (left > 0) await clock.sleep(left, interrupted);
    const found = await look();
    if (found !== null) return found;
  }
  return null;
}
