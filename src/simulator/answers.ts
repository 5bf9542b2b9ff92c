import type { Modes } from './modes.ts';

/** Bytes that are sent unchanged. */
export class Bytes {
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
  constructor(type: string, content: Uint8Array<ArrayBuffer>) {
    this.type = type;
    this.content = content;
  }
}

/** A handler's answer; `null` has no body. A bigint is an integer in JSON. */
export type Answer = object | null;

/** The service's answer to a refused request. */
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

interface Issue {
  readonly path: string;
  readonly message: string;
}

/** Refuses an input for all of its mistakes. Assumed: its code (ERROR-11, ERROR-12). */
export function invalidFor({ validationStatus }: Modes, message: string, issues: readonly Issue[]): Refusal {
  return new Refusal(validationStatus, message, { code: 'VALIDATION_ERROR', details: { issues } });
}

export function invalid(modes: Modes, message: string, path: string): Refusal {
  return invalidFor(modes, message, [{ path, message }]);
}

export function notFound(what: string): Refusal {
  return new Refusal(404, `${what} not found`, { code: 'NOT_FOUND' });
}

/** Assumed: a change that the current state does not allow is a 409 (ERROR-12). */
export function conflict(message: string): Refusal {
  return new Refusal(409, message, { code: 'INVALID_STATE' });
}

/** The body of an error in the format of the world's mode (ERROR-11). A 502 has no code (ERROR-10). */
export function errorBody(modes: Modes, refusal: Refusal): { type: string; text: string } {
  const plain = {
    ...(refusal.code === null ? {} : { code: refusal.code }),
    message: refusal.message,
    ...(refusal.details === undefined ? {} : { details: refusal.details }),
  };
  switch (modes.errorBody) {
    case 'flat':
      return { type: 'application/json', text: JSON.stringify(plain) };
    case 'nested':
      return { type: 'application/json', text: JSON.stringify({ error: plain }) };
    case 'text':
      return { type: 'text/plain; charset=utf-8', text: refusal.message };
    case 'html':
      return {
        type: 'text/html; charset=utf-8',
        text: `<html><body><h1>${refusal.message}</h1></body></html>`,
      };
  }
}
