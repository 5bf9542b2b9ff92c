import { EnvHttpProxyAgent, type Dispatcher } from 'undici';
import { deliver, type Exchange } from '../../src/simulator/delivery.ts';
import type { StorageRequest } from '../../src/simulator/vault/storage-ports.ts';

export type Put = (request: StorageRequest) => Promise<Exchange>;

/**
 * Lets every put to an object store end in this process: puts go by undici's own way, which no global fetch stands
 * in. Answers how to undo it.
 */
export function replaceObjectStore(put: Put): () => void {
  const { prototype } = EnvHttpProxyAgent;
  const own = Object.getOwnPropertyDescriptor(prototype, 'dispatch');
  prototype.dispatch = (options, handler) => {
    void answer(put, options, handler);
    return true;
  };
  return () => {
    if (own === undefined) Reflect.deleteProperty(prototype, 'dispatch');
    else Object.defineProperty(prototype, 'dispatch', own);
  };
}

async function answer(
  put: Put,
  { origin, path, method, headers, body }: Dispatcher.DispatchOptions,
  handler: Dispatcher.DispatchHandler,
): Promise<void> {
  const stop = new AbortController();
  const known = headers as Readonly<Record<string, string>>;
  handler.onConnect?.((reason) => stop.abort(reason));
  try {
    const request: StorageRequest = {
      method,
      url: `${String(origin)}${path}`,
      header: (name) => known[name] ?? null,
      body: body as unknown as AsyncIterable<Uint8Array>,
      signal: stop.signal,
    };
    const aborted = new Promise<never>((_, reject) => {
      stop.signal.addEventListener('abort', () => reject(stop.signal.reason as Error), { once: true });
    });
    const exchange = await Promise.race([put(request), aborted]);
    const reply = await deliver(exchange, stop.signal);
    const text = Buffer.from(await reply.arrayBuffer());
    const raw = [...reply.headers].flatMap(([name, value]) => [Buffer.from(name), Buffer.from(value)]);
    handler.onHeaders?.(reply.status, raw, () => undefined, '');
    if (text.byteLength > 0) handler.onData?.(text);
    handler.onComplete?.([]);
  } catch (error) {
    handler.onError?.(error as Error);
  }
}
