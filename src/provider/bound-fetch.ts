import type { WebFetch } from '../domain/ports.ts';
import { cleanAddress, ProviderError } from './error.ts';

/** A whole call, with its body. */
const CALL_TIMEOUT_MS = 60_000;
/** Decompressed. The largest real answer is a page of 100 comments of 64 KiB each. */
const ANSWER_BYTES_MAX = 32 * 1024 * 1024;
const REDIRECTS_MAX = 5;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** Headers with a secret. */
const SECRET_HEADERS = ['authorization', 'private-token', 'job-token', 'cookie'];

/**
 * A fetch for one API. The token goes to the origin of the API only: a request to another origin is refused, and a
 * redirect to one, as that of an artifact to its store, is followed without it. Only reads follow redirects.
 */
export function boundFetch(fetch: WebFetch, api: string): typeof globalThis.fetch {
  const { origin: home, protocol } = new URL(api);
  return async (input, init = {}) => {
    let url = new URL(input instanceof Request ? input.url : input);
    if (url.origin !== home) throw strayed(url, `is not at ${home}`);
    const headers = new Headers(init.headers);
    const method = (init.method ?? 'GET').toUpperCase();
    const signal = init.signal ?? AbortSignal.timeout(CALL_TIMEOUT_MS);
    for (let followed = 0; followed <= REDIRECTS_MAX; followed += 1) {
      const response = await fetch(url.href, { ...init, method, headers, signal, redirect: 'manual' });
      const location = response.headers.get('location');
      if (method !== 'GET' || location === null || !REDIRECTS.has(response.status))
        return wholeAnswer(response, url);
      await response.body?.cancel();
      url = new URL(location, url);
      if (url.protocol !== 'https:' && url.protocol !== protocol) throw strayed(url, 'is not encrypted');
      if (url.origin !== home) for (const name of SECRET_HEADERS) headers.delete(name);
    }
    throw strayed(url, `is the end of more than ${REDIRECTS_MAX} redirects`);
  };
}

function strayed(url: URL, why: string): ProviderError {
  return new ProviderError('provider-odd-answer', `${cleanAddress(url.href)} ${why}.`, null);
}

/**
 * An answer that is read to its end. Its readers would take a body that broke for an empty one, so it breaks
 * here.
 */
async function wholeAnswer(response: Response, url: URL): Promise<Response> {
  if (response.body === null) return response;
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body) {
    size += piece.byteLength;
    if (size > ANSWER_BYTES_MAX) throw strayed(url, 'sent more than 32 MiB');
    pieces.push(piece);
  }
  const { status, statusText, headers } = response;
  return new Response(Buffer.concat(pieces), { status, statusText, headers });
}
