import type { Readable } from 'node:stream';
import { request } from 'undici';
import type { PresignedPut, PutBytes } from '../domain/ports.ts';
import { markingAgent } from './transport.ts';

/** The limit for reading an answer's body. Any error of an object store fits. */
const ANSWER_LIMIT_BYTES = 65_536;

/**
 * Bytes to the object store, through the proxies that HTTP_PROXY, HTTPS_PROXY and NO_PROXY name. It knows no key, so
 * it can send none, and follows no redirect. How long a put may take is its signal's business: only the caller sees
 * whether bytes still move. `request` with an exact length streams; a `fetch` would hold the whole body.
 */
export function createPresignedTransport(): PutBytes {
  // A kept connection that the store has just closed would look like a put that broke.
  const dispatcher = markingAgent({ keepsConnections: false });
  return async (put: PresignedPut) => {
    const { url, contentType, length, signal } = put;
    const headers = { 'content-type': contentType, 'content-length': String(length) };
    // It takes any async iterable and pulls as the socket drains; its types name only streams, which are slower.
    const body = put.body as unknown as Readable;
    const options = { method: 'PUT', headers, body, signal, dispatcher } as const;
    const answer = await request(url, options);
    const { etag } = answer.headers;
    return {
      status: answer.statusCode,
      etag: typeof etag === 'string' ? etag : null,
      bodyText: await beginningOf(answer.body),
    };
  };
}

/** Reads the body to its end, so that the connection can be reused, and keeps its beginning. */
async function beginningOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let read = 0;
  try {
    for await (const piece of body) {
      text += decoder.decode(piece.subarray(0, Math.max(0, ANSWER_LIMIT_BYTES - read)), { stream: true });
      read += piece.byteLength;
      if (read > ANSWER_LIMIT_BYTES) break;
    }
  } catch {
    return text;
  }
  return text;
}
