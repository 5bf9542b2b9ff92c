import { causeWords, quotedWords } from '../answer.ts';
import { cleanAddress, ProviderError, type FailedCall, type ProviderErrorCode } from '../error.ts';
import { memberOf } from '../job-text.ts';

type Headers = Readonly<Record<string, string | number | undefined>>;

/** The error of a call to GitHub, from what the client throws. `what` is the infinitive of the message. */
export function gitHubError(error: unknown, what: string): unknown {
  const status = memberOf(error, 'status');
  const method = memberOf(error, 'request', 'method');
  const url = memberOf(error, 'request', 'url');
  const inner = error instanceof Error && error.cause instanceof ProviderError ? error.cause : error;
  if (inner instanceof ProviderError) return inner;
  if (typeof status !== 'number' || typeof method !== 'string' || typeof url !== 'string') return error;
  const call: FailedCall = { what, method, address: cleanAddress(url), status };
  const data = memberOf(error, 'response', 'data');
  // Without an answer the client makes up a status.
  if (memberOf(error, 'response') === undefined)
    return new ProviderError(
      'provider-unreachable',
      causeWords(error),
      { ...call, status: null },
      { cause: error },
    );
  const headers = (memberOf(error, 'response', 'headers') ?? {}) as Headers;
  return new ProviderError(codeOf(status, headers, wordsOf(data)), reasonOf(status, headers, data), call, {
    ...nextOf(status, headers, wordsOf(data)),
    cause: error,
  });
}

/** Whether the request may have been carried out, although it looks as if it failed. */
export function mayBeDone(error: unknown): boolean {
  return error instanceof ProviderError && error.code === 'provider-unreachable';
}

function codeOf(status: number, headers: Headers, words: string): ProviderErrorCode {
  if (isRateLimit(status, headers, words)) return 'provider-busy';
  if (status >= 500) return 'provider-unreachable';
  if (status === 403 && /\block(?:ed)?\b/i.test(words)) return 'provider-locked';
  return CODES[status] ?? 'provider-rejected';
}

const CODES: Readonly<Record<number, ProviderErrorCode>> = {
  401: 'provider-token-refused',
  403: 'provider-denied',
  404: 'provider-not-found',
  451: 'provider-denied',
};

function isRateLimit(status: number, headers: Headers, words: string): boolean {
  if (status === 429) return true;
  return (
    status === 403 &&
    (String(headers['x-ratelimit-remaining']) === '0' ||
      headers['retry-after'] !== undefined ||
      /rate limit/i.test(words))
  );
}

function wordsOf(data: unknown): string {
  const message = memberOf(data, 'message');
  return typeof message === 'string' ? message : '';
}

/** GitHub's own words, with those of each field. */
function reasonOf(status: number, headers: Headers, data: unknown): string {
  const errors = memberOf(data, 'errors');
  const details = Array.isArray(errors)
    ? errors.map((one: unknown) => (typeof one === 'string' ? one : memberOf(one, 'message')))
    : [];
  const words = [wordsOf(data), ...details.filter((one) => typeof one === 'string')].join('; ');
  const reason = quotedWords(typeof data === 'string' ? data : words);
  const until = isRateLimit(status, headers, wordsOf(data)) ? untilOf(headers) : null;
  return until === null ? reason : `${reason} ${until}`;
}

function untilOf(headers: Headers): string | null {
  const seconds = Number(headers['retry-after']);
  if (Number.isFinite(seconds)) return `It asks to wait ${seconds} s.`;
  const reset = Number(headers['x-ratelimit-reset']);
  return Number.isSafeInteger(reset) && reset > 0 && reset < 1e11
    ? `The limit ends at ${new Date(reset * 1000).toISOString()}.`
    : null;
}

/** GitHub names the permission that is missing. */
function nextOf(status: number, headers: Headers, words: string): { readonly next?: string } {
  if (codeOf(status, headers, words) !== 'provider-denied') return {};
  const wanted = headers['x-accepted-github-permissions'];
  if (typeof wanted !== 'string' || !/^[\w=;, -]{1,200}$/.test(wanted)) return {};
  const permissions = wanted.split(/;\s*/).map((one) => one.replaceAll('_', '-').replace('=', ': '));
  return {
    next: `Give the job one of these permissions in the workflow: ${permissions.join(' or ')}. A pull request from a fork never gets them.`,
  };
}
