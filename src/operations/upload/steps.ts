import type { Clock } from '../../domain/ports.ts';

/**
 * The least that is handed to the socket at once, and so the least that shows as movement. Eight puts may share a
 * line: at 1 Mbit/s each of them moves as much in 17 s.
 */
const LEAST_BYTES = 262_144;
/** Where a step takes less, larger ones go: small ones cost speed. */
const QUICK_MS = 25;
/** The socket swallows the first bytes at any speed, so a step is this small a part of what has left before it. */
const SENT_PER_STEP = 8;

/**
 * The pieces of a file in steps that a slow line takes well within a minute, and a fast one as they are. All but the
 * last are whole multiples of the least as long as the pieces are: a socket keeps no small rest back while it asks for
 * more, so that a lent piece has left it in time.
 */
export async function* inSteps(
  pieces: AsyncIterable<Uint8Array>,
  clock: Pick<Clock, 'monotonicMs'>,
): AsyncGenerator<Uint8Array, void> {
  let sent = 0;
  let size = LEAST_BYTES;
  for await (const piece of pieces) {
    let at = 0;
    while (at < piece.byteLength) {
      const step = piece.subarray(at, at + size);
      const handedMs = clock.monotonicMs();
      yield step;
      at += step.byteLength;
      sent += step.byteLength;
      const isQuick = clock.monotonicMs() - handedMs < QUICK_MS;
      const wanted = isQuick ? Math.floor(sent / SENT_PER_STEP / LEAST_BYTES) : 1;
      size = Math.max(1, wanted) * LEAST_BYTES;
    }
  }
}
