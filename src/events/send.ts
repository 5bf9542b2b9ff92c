import type { StoredEvent } from '../domain/event-store.ts';

const ANSWER_MS_MAX = 10_000;

/** Sends the body of an event as the service did. Resolves with the status, or null without an answer in time. */
export async function sendEvent(url: string, { body, encoding }: StoredEvent): Promise<number | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: encoding === 'utf8' ? body : Buffer.from(body, 'base64'),
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}
