import type { Breakage } from './fault-shape.ts';

export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** What the client receives: an answer, a part of one, or nothing. */
export type Exchange =
  | ({ readonly kind: 'reply' } & Outcome)
  /** Only `body` is sent, although `length` bytes are announced. */
  | ({ readonly kind: 'truncated'; readonly length: number } & Outcome)
  /** The connection fails with this error. `reset` tells a server on a socket to send a reset. */
  | { readonly kind: 'failed'; readonly error: Error; readonly reset?: true }
  | { readonly kind: 'never' };

const JSON_TYPE = { 'content-type': 'application/json' };
const HTML_TYPE = { 'content-type': 'text/html' };

const GATEWAY_HTML =
  '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body><center><h1>502 Bad Gateway</h1></center></body>\r\n</html>\r\n';

/** An answer after a fault of the connection or the gateway. */
export function breakAnswer(how: Breakage, outcome: Outcome): Exchange {
  // A 204 has no body, so the unreadable or truncated answer is a 200.
  const status = outcome.status === 204 ? 200 : outcome.status;
  const whole = outcome.body ?? '{}';
  switch (how) {
    case 'timeout':
      return { kind: 'never' };
    case 'reset':
      return RESET;
    case '500':
      return { kind: 'reply', status: 500, headers: JSON_TYPE, body: '{"message":"Internal server error"}' };
    case '502':
      return { kind: 'reply', status: 502, headers: HTML_TYPE, body: GATEWAY_HTML };
    case 'truncated':
      return {
        kind: 'truncated',
        status,
        headers: { ...JSON_TYPE, ...outcome.headers },
        body: whole.slice(0, Math.ceil(whole.length / 2)),
        length: Buffer.byteLength(whole),
      };
    case 'unreadable':
      return { kind: 'reply', status, headers: HTML_TYPE, body: '<html><body>OK</body></html>' };
    default:
      return { kind: 'failed', error: makeError(how) };
  }
}

/** The error of a socket, as Node reports it. */
function makeError(text: string): Error {
  const [syscall, code] = text.split(' ');
  return Object.assign(new Error(text), { code, syscall });
}

export const RESET: Exchange = { kind: 'failed', error: makeError('read ECONNRESET'), reset: true };
export const REFUSED: Exchange = { kind: 'failed', error: makeError('connect ECONNREFUSED') };

/** Returns or throws what `fetch` would, for a caller in the same process. */
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
    case 'failed':
      throw new TypeError('fetch failed', { cause: exchange.error });
    case 'never':
      signal.throwIfAborted();
      return new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
  }
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
