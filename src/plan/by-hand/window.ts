import type { KnownObject } from '../../domain/knowledge.ts';
import type { ObservedBroadcast } from '../../domain/resource.ts';
import { isPaused } from '../../domain/status.ts';
import { instant, isInstant } from '../instant.ts';

/** A window that begins with a change of a broadcast's status. */
interface Window {
  readonly ms: number;
  /** What is possible in it: `The service resumes it`. */
  readonly what: string;
  /** The change that it counts from, for the case that the ledger does not have it. */
  readonly from: string;
}

/**
 * Until when something is possible, by the service's clock.
 *
 * | the ledger has                    | the words give                                              |
 * |-----------------------------------|-------------------------------------------------------------|
 * | the pause, and it is still paused | the end, if no one has changed it since                     |
 * | nothing, but it shows its create  | the earliest end that is possible: the change came later    |
 * | nothing                           | that it is not known                                        |
 */
export function untilWords(
  { live }: Pick<ObservedBroadcast, 'live'>,
  known: KnownObject | null,
  { ms, what, from }: Window,
): string {
  const pausedAtMs = isPaused(live) ? (known?.pausedAtMs ?? null) : null;
  if (isInstant(pausedAtMs))
    return `${what} until about ${instant(pausedAtMs + ms)}: Herald paused it at ${instant(pausedAtMs)}.`;
  const createdMs = Date.parse(live.created_at ?? '');
  const unknown = `The time of ${from} is not known`;
  if (!isInstant(createdMs)) return `${unknown}.`;
  return `${unknown}. It was created at ${instant(createdMs)}, so ${what.replace(/^T/, 't')} until ${instant(createdMs + ms)} or later.`;
}
