import type { Breakage } from './fault-shape.ts';
import { GATEWAY_HTML } from './refusal.ts';

/** An answer as it would leave. */
export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** What reaches the other side: an answer, a part of one, or nothing. */
export type Exchange =
  | ({ readonly kind: 'reply' } & Outcome)
  /** `body` is all that is sent of `length` bytes. */
  | ({ readonly kind: 'truncated'; readonly length: number } & Outcome)
  | { readonly kind: 'reset' }
  | { readonly kind: 'refused' }
  | { readonly kind: 'never' };

const HTML = { 'content-type': 'text/html' };

/** What is left of an answer after a fault of the line or of the gateway. */
export function breakAnswer(how: Breakage, outcome: Outcome): Exchange {
  switch (how) {
    case 'timeout':
      return { kind: 'never' };
    case 'reset':
      return { kind: 'reset' };
    case '500':
      return {
        kind: 'reply',
        status: 500,
        headers: { 'content-type': 'application/json' },
        body: '{"message":"Internal server error"}',
      };
    case '502':
      return { kind: 'reply', status: 502, headers: HTML, body: GATEWAY_HTML };
    case 'truncated':
      return truncate(outcome);
    case 'unreadable':
      // A 204 has no body to be unreadable, so it says 200 with one.
      return {
        kind: 'reply',
        status: outcome.status === 204 ? 200 : outcome.status,
        headers: HTML,
        body: '<html><body>OK</body></html>',
      };
  }
}

function truncate({ status, headers, body }: Outcome): Exchange {
  const whole = body ?? '{}';
  const part = whole.slice(0, Math.ceil(whole.length / 2));
  const type = { 'content-type': 'application/json', ...headers };
  return {
    kind: 'truncated',
    status: status === 204 ? 200 : status,
    headers: type,
    body: part,
    length: Buffer.byteLength(whole),
  };
}

/** The exchange as `fetch` shows it to its caller in the same process. */
export async function deliver(exchange: Exchange | Response, signal: AbortSignal): Promise<Response> {
  if (exchange instanceof Response) return exchange;
  switch (exchange.kind) {
    case 'reply':
      return new Response(exchange.body, { status: exchange.status, headers: exchange.headers });
    case 'truncated':
      return new Response(brokenStream(Buffer.from(exchange.body ?? '')), {
        status: exchange.status,
        headers: { ...exchange.headers, 'content-length': String(exchange.length) },
      });
    case 'reset':
      throw fetchFailed('ECONNRESET');
    case 'refused':
      throw fetchFailed('ECONNREFUSED');
    case 'never':
      return aborted(signal);
  }
}

function fetchFailed(code: string): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}

function brokenStream(part: Uint8Array): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated', { cause: new Error('other side closed') }));
      else controller.enqueue(part);
      sent = true;
    },
  });
}

/** Rejects with the signal's reason once it is aborted, and not before. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
