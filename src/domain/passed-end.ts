import { fullInstantMs } from './full-instant.ts';

/** The zone in which a time comes last. */
const LAST_ZONE = '-12:00';

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
  const endMs = fullInstantMs(endAt) ?? fullInstantMs(`${endAt}${LAST_ZONE}`);
  return endMs !== null && endMs <= nowMs ? endAt : null;
}
