/** A handler's answer; `null` has no body, and bytes are sent unchanged. A bigint is an integer in JSON. */
export type Answer = object | Uint8Array<ArrayBuffer> | null;

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly code: string | null;
  readonly details: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    more: { code?: string; details?: unknown; headers?: Record<string, string> } = {},
  ) {
    super(message);
    this.status = status;
    this.code = more.code ?? null;
    this.details = more.details;
    this.headers = more.headers ?? {};
  }

  /** Refuses an input, for one member or for all of its mistakes. Assumed: its status and code (ERROR-11, ERROR-12). */
  static invalid(
    message: string,
    at: string | readonly { readonly path: string; readonly message: string }[],
  ): Refusal {
    const issues = typeof at === 'string' ? [{ path: at, message }] : at;
    return new Refusal(400, message, { code: 'VALIDATION_ERROR', details: { issues } });
  }

  static notFound(what: string): Refusal {
    return new Refusal(404, `${what} not found`, { code: 'NOT_FOUND' });
  }

  /** Assumed: a change that the current state does not allow is a 409 (ERROR-12). */
  static conflict(message: string): Refusal {
    return new Refusal(409, message, { code: 'INVALID_STATE' });
  }
}

export interface Outcome {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/** What the client receives: an answer, a part of one, or nothing. */
export type Delivery =
  | ({ readonly kind: 'reply' } & Outcome)
  /** Only `body` is sent, although `length` bytes are announced. */
  | ({ readonly kind: 'truncated'; readonly length: number } & Outcome)
  /** The connection fails with this error, as Node reports it. `reset` tells a server on a socket to send a reset. */
  | { readonly kind: 'failed'; readonly error: string; readonly reset?: true }
  | { readonly kind: 'never' };

export const RESET: Delivery = { kind: 'failed', error: 'read ECONNRESET', reset: true };
export const REFUSED: Delivery = { kind: 'failed', error: 'connect ECONNREFUSED' };

/** Returns or throws what `fetch` would, for a caller in the same process. */
export async function deliver(delivery: Delivery, signal: AbortSignal): Promise<Response> {
  switch (delivery.kind) {
    case 'reply':
      return new Response(delivery.body, { status: delivery.status, headers: delivery.headers });
    case 'truncated':
      return new Response(brokenStream(Buffer.from(delivery.body ?? '')), {
        status: delivery.status,
        headers: { ...delivery.headers, 'content-length': String(delivery.length) },
      });
    case 'failed': {
      // The error of a socket, with its system call and its code.
      const [syscall, code] = delivery.error.split(' ');
      const cause = Object.assign(new Error(delivery.error), { code, syscall });
      throw new TypeError('fetch failed', { cause });
    }
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
