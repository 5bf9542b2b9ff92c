import type { Lease } from '../domain/lease.ts';
import { StateError } from '../domain/state-error.ts';
import { LEDGER_PATH } from './ledger-file.ts';

/**
 * The same bytes, for a file that is replaced once all of them are written. Rejects at their end if another run has the
 * lock by then, so that nothing is replaced: to write a long ledger takes time.
 */
export async function* unlessLost(
  lease: Lease,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  yield* bytes;
  const lost = await lease.lost();
  if (lost === null) return;
  throw new StateError(
    'state-failed',
    `${LEDGER_PATH}: nothing was changed, because ${lost}.`,
    'Wait for that run to end, then run the command again.',
  );
}
