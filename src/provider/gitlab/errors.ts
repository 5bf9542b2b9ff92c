import { quotedWords } from '../answer.ts';
import { ProviderError, type FailedCall, type ProviderErrorCode } from '../error.ts';
import { memberOf } from '../job-text.ts';

/** Longer waits end the command with a message, because a job pays for each minute. */
const RATE_WAIT_MAX_S = 120;
const RATE_WAITS_MAX = 2;
/** Where GitLab asks to wait, and does not say how long. */
const RATE_WAIT_S = 60;

/** Another update of the same thing is under way, as of a commit status. */
const CONFLICT = 409;

const CODES: Readonly<Record<number, ProviderErrorCode>> = {
  401: 'provider-token-refused',
  403: 'provider-denied',
  404: 'provider-not-found',
  410: 'provider-not-found',
  429: 'provider-busy',
};

/** A refusal for the rate, with what the answer says of the wait. */
class BusyError extends ProviderError {
  readonly waitS: number;

  constructor(why: string, call: FailedCall, waitS: number) {
    super('provider-busy', `${why} It asks to wait ${waitS} s.`, call);
    this.waitS = waitS;
  }
}

/** The error of an answer that is not a success. */
export async function refusalOf(response: Response, call: FailedCall): Promise<ProviderError> {
  const { status, headers } = response;
  const words = quotedWords(wordsOf(await response.text()));
  if (status === 429) {
    const seconds = Number(headers.get('retry-after') ?? '');
    return new BusyError(words, call, seconds > 0 ? seconds : RATE_WAIT_S);
  }
  if (status < 400)
    return new ProviderError('provider-not-found', 'it has moved.', call, {
      next: 'The project was renamed or moved. Use its new path, and run the job again.',
    });
  if (status >= 500) return new ProviderError('provider-unreachable', words, call);
  const code = CODES[status] ?? 'provider-rejected';
  return new ProviderError(code, words, call, code === 'provider-denied' ? { next: RIGHTS } : {});
}

const RIGHTS =
  'Give the project access token the scope `api` and the role Developer. CI_JOB_TOKEN cannot write comments.';

/** How many seconds to wait before the next attempt. Null if there is none. `once` is a call that creates something. */
export function waitOf(error: ProviderError, attempt: number, once: boolean): number | null {
  if (error instanceof BusyError)
    return attempt <= RATE_WAITS_MAX && error.waitS <= RATE_WAIT_MAX_S ? error.waitS : null;
  const mayRepeat = error.code === 'provider-unreachable' || error.call?.status === CONFLICT;
  return mayRepeat && !once ? attempt * attempt : null;
}

/** `{ message: '404 Not found' }`, `{ message: { base: ['is wrong'] } }`, `{ error: 'insufficient_scope' }`, or a text. */
function wordsOf(text: string): string {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return text;
  }
  const message = memberOf(data, 'message') ?? memberOf(data, 'error_description') ?? memberOf(data, 'error');
  return typeof message === 'string' ? message : JSON.stringify(message ?? '');
}
