import type { Clock } from '../domain/ports.ts';
import { deepestMessage } from './exchange.ts';

/** What was read of an answer's body. */
export interface Body {
  readonly text: string;
  /** Why the rest never came; null when the body is whole. */
  readonly broken: { readonly why: string; readonly timedOut: boolean } | null;
}

/** The most that is read of an answer that is no success: enough for any error, whatever a gateway sends. */
const ERROR_BODY_LIMIT_BYTES = 65_536;

/** A stream without a total time-out still has to move (rulebook 0.1). */
const NO_PROGRESS_MS = 60_000;

/** Reads a body; a line that breaks is told apart from a body that ends. Never throws. */
export async function readBody(response: Response, signal: AbortSignal): Promise<Body> {
  try {
    const text = response.ok ? response.text() : readStart(response);
    return { text: await orAborted(text, signal), broken: null };
  } catch (error) {
    const timedOut = signal.aborted;
    return { text: '', broken: { why: timedOut ? 'time-out' : deepestMessage(error), timedOut } };
  }
}

async function readStart(response: Response): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const decoder = new TextDecoder();
  let text = '';
  for (let read = 0; read < ERROR_BODY_LIMIT_BYTES;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value.subarray(0, ERROR_BODY_LIMIT_BYTES - read), { stream: true });
    read += value.byteLength;
  }
  await reader.cancel();
  return text;
}

/** The bytes of an answer as they come; fails when none come for a while, or when the line breaks. */
export function binaryBody(body: ReadableStream, clock: Clock): ReadableStream<Uint8Array> {
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await orTooSlow(clock, reader.read());
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

async function orTooSlow<Value>(clock: Clock, work: Promise<Value>): Promise<Value> {
  const timer = new AbortController();
  const tooSlow = new AbortController();
  clock.sleep(NO_PROGRESS_MS, timer.signal).then(
    () => tooSlow.abort(new Error(`no bytes for ${NO_PROGRESS_MS / 1000} s`)),
    () => undefined,
  );
  try {
    return await orAborted(work, tooSlow.signal);
  } finally {
    timer.abort();
  }
}

/** Not every source of bytes listens to the request's signal; the time-out must hold all the same. */
export function orAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
