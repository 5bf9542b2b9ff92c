import type { PostEvent } from './courier.ts';

/** Sends a delivery over a socket. Redirects are not followed. */
export const postOverSocket: PostEvent = async ({ url, headers, body, timeoutMs }) => {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
  await response.arrayBuffer();
  return response.status;
};
