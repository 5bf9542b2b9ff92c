import type { Clock } from '../domain/ports.ts';
import { STATUS_MAY_LAG_MS } from '../domain/status.ts';

const READ_AGAIN_MS = 1_000;

/**
 * Repeats a read that may lag behind an answered status change (ERROR-15). Gives the first one that shows it, and otherwise
 * the first that was begun `lagMs` after `sinceMs`, by the monotonic clock: by then it counts.
 */
export async function untilShown<Read>(
  clock: Clock,
  read: () => Promise<Read>,
  isShown: (read: Read) => boolean,
  sinceMs = clock.monotonicMs(),
  lagMs = STATUS_MAY_LAG_MS,
): Promise<Read> {
  for (;;) {
    const begunMs = clock.monotonicMs();
    const found = await read();
    if (isShown(found) || begunMs - sinceMs >= lagMs) return found;
    await clock.sleep(READ_AGAIN_MS);
  }
}
