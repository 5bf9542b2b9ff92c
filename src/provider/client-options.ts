import type { Clock, WebFetch } from '../domain/ports.ts';

/** What the client of a provider needs. */
export interface ClientOptions {
  readonly token: string;
  /** `https://api.github.com`, `https://HOST/api/v3`, or `https://gitlab.com/api/v4`. */
  readonly apiUrl: string;
  readonly fetch: WebFetch;
  readonly clock: Clock;
  readonly userAgent: string;
  /** Milliseconds of what counts as a second between calls. Tests make it short. */
  readonly secondMs?: number;
}

/** Items of one page of a list. Both providers allow no more. */
export const PER_PAGE = 100;
