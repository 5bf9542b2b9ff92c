import type { PutBytes } from '../../domain/ports.ts';
import { deliver, type Exchange } from '../delivery.ts';
import type { StorageRequest } from './storage-ports.ts';

/** Writes to the simulator's object store in this process, without a socket. */
export function putInProcess(store: (request: StorageRequest) => Promise<Exchange>): PutBytes {
  return async ({ url, contentType, length, body, signal }) => {
    signal.throwIfAborted();
    const headers: Readonly<Record<string, string>> = {
      'content-type': contentType,
      'content-length': String(length),
    };
    const header = (name: string) => headers[name] ?? null;
    const answer = await deliver(await store({ method: 'PUT', url, header, body, signal }), signal);
    return { status: answer.status, etag: answer.headers.get('etag'), bodyText: await answer.text() };
  };
}
