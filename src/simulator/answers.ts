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
}

/** Refuses an input, for one member or for all of its mistakes. Assumed: its status and code (ERROR-11, ERROR-12). */
export function invalid(
  message: string,
  at: string | readonly { readonly path: string; readonly message: string }[],
): Refusal {
  const issues = typeof at === 'string' ? [{ path: at, message }] : at;
  return new Refusal(400, message, { code: 'VALIDATION_ERROR', details: { issues } });
}

export function notFound(what: string): Refusal {
  return new Refusal(404, `${what} not found`, { code: 'NOT_FOUND' });
}

/** Assumed: a change that the current state does not allow is a 409 (ERROR-12). */
export function conflict(message: string): Refusal {
  return new Refusal(409, message, { code: 'INVALID_STATE' });
}
