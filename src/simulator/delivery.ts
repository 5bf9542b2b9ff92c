import { socketError, type ConnectionFault } from './connection-faults.ts';
import type { Breakage } from './fault-shape.ts';
import { GATEWAY_HTML } from './refusal.ts';

/** An answer before it is sent. */
export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** What the client receives: an answer, a part of one, or nothing. */
export type Exchange =
  | ({ readonly kind: 'reply' } & Outcome)
  /** Only `body` is sent, although `length` bytes are announced. */
  | ({ readonly kind: 'truncated'; readonly length: number; readonly error?: Error } & Outcome)
  | { readonly kind: 'reset' }
  | { readonly kind: 'refused' }
  /** The connection fails with this error. */
  | { readonly kind: 'failed'; readonly error: Error }
  | { readonly kind: 'never' };

const HTML = { 'content-type': 'text/html' };

/** An answer after a fault of the connection or the gateway. */
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
      // A 204 has no body, so the unreadable answer is a 200.
      return {
        kind: 'reply',
        status: outcome.status === 204 ? 200 : outcome.status,
        headers: HTML,
        body: '<html><body>OK</body></html>',
      };
  }
}

/** An answer after its connection failed. */
export function failConnection(fault: ConnectionFault, outcome: Outcome): Exchange {
  if (fault.moment !== 'answer_body') return { kind: 'failed', error: socketError(fault) };
  return { ...truncate(outcome), error: socketError(fault) };
}

function truncate({ status, headers, body }: Outcome): Extract<Exchange, { readonly kind: 'truncated' }> {
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

/** Returns or throws what `fetch` would, for a caller in the same process. */
export async function deliver(exchange: Exchange | Response, signal: AbortSignal): Promise<Response> {
  if (exchange instanceof Response) return exchange;
  switch (exchange.kind) {
    case 'reply':
      return new Response(exchange.body, { status: exchange.status, headers: exchange.headers });
    case 'truncated':
      return new Response(brokenStream(Buffer.from(exchange.body ?? ''), exchange.error), {
        status: exchange.status,
        headers: { ...exchange.headers, 'content-length': String(exchange.length) },
      });
    case 'reset':
      throw fetchFailed('ECONNRESET', 'read');
    case 'refused':
      throw fetchFailed('ECONNREFUSED', 'connect');
    case 'failed':
      throw new TypeError('fetch failed', { cause: exchange.error });
    case 'never':
      return aborted(signal);
  }
}

function fetchFailed(code: string, syscall: string): TypeError {
  const cause = Object.assign(new Error(`${syscall} ${code}`), { code, syscall });
  return new TypeError('fetch failed', { cause });
}

function brokenStream(
  part: Uint8Array,
  cause: Error = new Error('other side closed'),
): ReadableStream<Uint8Array> {
  let sent = false;
  return new ReadableStream({
    pull(controller) {
      if (sent) controller.error(new TypeError('terminated', { cause }));
      else controller.enqueue(part);
      sent = true;
    },
  });
}

/** Rejects with the signal's reason when it is aborted. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const fail = () => reject(signal.reason);
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}
