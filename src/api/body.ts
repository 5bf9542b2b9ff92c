import type { Clock } from '../domain/ports.ts';
import { describeError } from './exchange.ts';

/** The part of an answer's body that was read. */
export interface Body {
  readonly text: string;
  /** Why the rest is missing; null when the body is complete. */
  readonly broken: { readonly why: string; readonly timedOut: boolean } | null;
}

/** The limit for the body of an error. Any error fits. */
const ERROR_BODY_LIMIT_BYTES = 65_536;

/** The limit for the body of a success, decompressed. It is far above any page that the document describes. */
const SUCCESS_BODY_LIMIT_BYTES = 32 * 1024 * 1024;

/** A stream has to move (LIMIT-5). */
const NO_PROGRESS_MS = 60_000;
/** And it has to end: a byte a minute would always move. The largest thumbnail needs less on a slow line. */
const DOWNLOAD_MS = 600_000;

/** Reads a body. Distinguishes a broken connection from a complete body. Never throws. */
export async function readBody(response: Response, signal: AbortSignal): Promise<Body> {
  try {
    const read = readStart(response, response.ok ? SUCCESS_BODY_LIMIT_BYTES : ERROR_BODY_LIMIT_BYTES);
    const { text, isWhole } = await orAborted(read, signal);
    // The beginning of an error is enough; the beginning of a success is not.
    return { text, broken: isWhole || !response.ok ? null : { why: TOO_LARGE, timedOut: false } };
  } catch (error) {
    const timedOut = signal.aborted;
    return { text: '', broken: { why: timedOut ? 'time-out' : describeError(error), timedOut } };
  }
}

const TOO_LARGE = `it is larger than ${SUCCESS_BODY_LIMIT_BYTES / 1024 / 1024} MiB`;

/** Reads a limited number of bytes as text: a small answer may unpack to gigabytes, or never end. */
async function readStart(
  response: Response,
  limitBytes: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  if (response.body === null) return { text: '', isWhole: true };
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const pieces: Uint8Array[] = [];
  let left = limitBytes;
  let isWhole = false;
  while (left >= 0 && !isWhole) {
    const { done, value } = await reader.read();
    if (done) isWhole = true;
    else {
      pieces.push(value.subarray(0, left));
      left -= value.byteLength;
    }
  }
  if (!isWhole) await reader.cancel();
  return { text: new TextDecoder().decode(Buffer.concat(pieces)), isWhole };
}

/** The bytes of an answer. Fails when none arrive for a while, when they take too long in all, or when the connection breaks. */
export function binaryBody(body: ReadableStream, clock: Clock): ReadableStream<Uint8Array> {
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const endMs = clock.monotonicMs() + DOWNLOAD_MS;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await orTooSlow(clock, reader.read(), endMs - clock.monotonicMs());
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        // Otherwise its connection would keep the process alive.
        reader.cancel(error).catch(() => undefined);
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function orTooSlow<Value>(clock: Clock, work: Promise<Value>, leftMs: number): Promise<Value> {
  const timer = new AbortController();
  const tooSlow = new AbortController();
  const isLast = leftMs < NO_PROGRESS_MS;
  const why = isLast
    ? `it was not complete after ${DOWNLOAD_MS / 60_000} minutes`
    : `no bytes for ${NO_PROGRESS_MS / 1000} s`;
  // Bytes that are always there would win against any timer.
  if (leftMs <= 0) tooSlow.abort(new Error(why));
  clock.sleep(isLast ? Math.max(0, leftMs) : NO_PROGRESS_MS, timer.signal).then(
    () => tooSlow.abort(new Error(why)),
    () => undefined,
  );
  try {
    return await orAborted(work, tooSlow.signal);
  } finally {
    timer.abort();
  }
}

/** Applies the time-out even if the source of the bytes ignores the request's signal. */
export function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
