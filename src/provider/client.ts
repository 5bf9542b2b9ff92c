import * as z from 'zod';
import { readMember } from '../domain/field-path.ts';
import { networkProblem } from '../domain/file-problem.ts';
import type { Clock, WebFetch } from '../domain/ports.ts';
import { SecretMask } from '../domain/secret.ts';
import { ProviderError, type FailedCall, type ProviderErrorCode } from './error.ts';

export interface ClientOptions {
  readonly token: string;
  /** `https://api.github.com`, `https://HOST/api/v3`, or `https://gitlab.com/api/v4`. */
  readonly apiUrl: string;
  readonly fetch: WebFetch;
  readonly clock: Clock;
  /** `herald/1.2.3`. */
  readonly userAgent: string;
  /** Milliseconds of what counts as a second between calls. Tests make it short. */
  readonly secondMs?: number;
}

export interface ClientDialect {
  /** With the token. */
  readonly headers: Readonly<Record<string, string>>;
  /** What to do after a refusal for missing rights. */
  readonly rights?: string;
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Below the address of the API, with its values encoded: `/user`. Or a whole address. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** An infinitive for messages: `read pull request 7`. */
  readonly what: string;
  /** It creates something, so it is sent once only. A refusal for the rate may be repeated. */
  readonly once?: true;
  /** GraphQL answers 200 also where it refuses, and says so in the body. */
  readonly isGraphql?: true;
}

interface Got {
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** For the error, if the answer is not what was expected. */
  readonly failed: FailedCall;
}

/** Both providers allow no more items in a page. */
const PER_PAGE = 100;

const PAGES_MAX = 30;

const ATTEMPTS_MAX = 4;

/** Longer waits end the command with a message, because a job pays for each minute. */
const RATE_WAIT_MAX_S = 120;

const RATE_WAITS_MAX = 2;

/** Where a provider asks to wait, and does not say how long. */
const RATE_WAIT_S = 60;

/** Between two writes, as GitHub asks for. */
const WRITE_GAP_S = 1;

/** Calls to the API of a provider: paced, repeated where that is harmless, and with their answers checked. */
export class ProviderClient {
  readonly #options: ClientOptions;
  readonly #dialect: ClientDialect;
  readonly #mask = new SecretMask();
  #writesFromMs = Number.NEGATIVE_INFINITY;

  constructor(options: ClientOptions, dialect: ClientDialect) {
    this.#options = options;
    this.#dialect = dialect;
    this.#mask.add(options.token);
  }

  async ask<Shape extends z.ZodType>(call: Call, shape: Shape): Promise<z.infer<Shape>> {
    return inShape(shape, await this.#send(call));
  }

  /** All items of a list, up to its first 3,000. */
  async list<Shape extends z.ZodType>(call: Call, shape: Shape): Promise<readonly z.infer<Shape>[]> {
    const items: z.infer<Shape>[] = [];
    for (let page = 1; page <= PAGES_MAX; page += 1) {
      const query = { ...call.query, per_page: PER_PAGE, page };
      const got = await this.#send({ ...call, query });
      items.push(...inShape(shape.array(), got));
      // A link may name another server, so only whether there is one counts.
      if (!/;\s*rel="?next"?/.test(got.headers.get('link') ?? '')) break;
    }
    return items;
  }

  async bytes(call: Call): Promise<Uint8Array> {
    return (await this.#send(call)).bytes;
  }

  async #send(call: Call): Promise<Got> {
    const { clock, secondMs = 1000 } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      if (call.method !== 'GET') await this.#waitForWrites(clock, WRITE_GAP_S * secondMs);
      const got = await this.#once(call);
      if (!(got instanceof ProviderError)) return got;
      const waitS = waitBefore(got, attempt, call.once === true);
      if (waitS === null || attempt >= ATTEMPTS_MAX) throw got;
      await clock.sleep(waitS * secondMs);
    }
  }

  async #waitForWrites(clock: Clock, gapMs: number): Promise<void> {
    const now = clock.monotonicMs();
    const startMs = Math.max(now, this.#writesFromMs);
    this.#writesFromMs = startMs + gapMs;
    if (startMs > now) await clock.sleep(startMs - now);
  }

  async #once({ method, path, query = {}, body, what, isGraphql }: Call): Promise<Got | ProviderError> {
    const { apiUrl, userAgent } = this.#options;
    const url = new URL(path.startsWith('/') ? `${apiUrl}${path}` : path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const call = { what, method, address: url.origin + url.pathname };
    const headers = new Headers({
      ...this.#dialect.headers,
      'user-agent': userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    });
    try {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await this.#fetch(url, { method, headers, ...sent });
      const failed = { ...call, status: response.status };
      const bytes = await readWhole(response, url);
      const refused = readStatus(response.status, bytes, isGraphql === true);
      if (refused.status < 300) return { headers: response.headers, bytes, failed };
      // Masked before it is cut: of a part of the token, nothing would tell what it is.
      const text = this.#mask.hideIn(refused.text);
      const refusal = { headers: response.headers, status: refused.status, body: text };
      return readRefusal(refusal, failed, this.#dialect.rights);
    } catch (error) {
      if (error instanceof ProviderError) return error;
      const failed = { ...call, status: null };
      return new ProviderError('provider-unreachable', describeCause(error), failed, { cause: error });
    }
  }

  /**
   * The token goes to the origin of the API only: a request to another origin is refused, and a redirect to one, as that of an artifact
   * to its store, is followed without it. Only reads follow redirects.
   */
  async #fetch(start: URL, init: RequestInit & { readonly headers: Headers }): Promise<Response> {
    const { origin: home, protocol } = new URL(this.#options.apiUrl);
    let url = start;
    if (url.origin !== home) throw strayed(url, `is not at ${home}`);
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    for (let followed = 0; followed <= REDIRECTS_MAX; followed += 1) {
      const response = await this.#options.fetch(url.href, { ...init, signal, redirect: 'manual' });
      const location = response.headers.get('location');
      if (init.method !== 'GET' || location === null || !REDIRECTS.has(response.status)) return response;
      await response.body?.cancel();
      url = new URL(location, url);
      if (url.protocol !== 'https:' && url.protocol !== protocol) throw strayed(url, 'is not encrypted');
      if (url.origin !== home) for (const name of SECRET_HEADERS) init.headers.delete(name);
    }
    throw strayed(url, `is the end of more than ${REDIRECTS_MAX} redirects`);
  }
}

/** A refusal for the rate, with the wait that the answer asks for. */
class BusyError extends ProviderError {
  readonly waitS: number;

  constructor(why: string, call: FailedCall, waitS: number) {
    super('provider-busy', `${why} It asks to wait ${waitS} s.`, call);
    this.waitS = waitS;
  }
}

/** How many seconds to wait before the next attempt. Null if there is none. `once` is a call that creates something. */
function waitBefore(error: ProviderError, attempt: number, once: boolean): number | null {
  if (error instanceof BusyError)
    return attempt <= RATE_WAITS_MAX && error.waitS <= RATE_WAIT_MAX_S ? error.waitS : null;
  const mayRepeat = error.code === 'provider-unreachable' || error.call?.status === CONFLICT;
  return mayRepeat && !once ? attempt * attempt : null;
}

/** Another update of the same thing is under way, as of a commit status. */
const CONFLICT = 409;

const CODES: Readonly<Record<number, ProviderErrorCode>> = {
  401: 'provider-token-refused',
  403: 'provider-denied',
  404: 'provider-not-found',
  410: 'provider-not-found',
  451: 'provider-denied',
};

interface Refusal {
  readonly headers: Headers;
  readonly status: number;
  readonly body: string;
}

function readRefusal(
  { headers, status, body }: Refusal,
  call: FailedCall,
  rights: string | undefined,
): ProviderError {
  const data = parseOr(body);
  const message = readMember(data, 'message');
  // The message of the answer where that is all it says.
  const text = typeof message === 'string' && readMember(data, 'errors') === undefined ? message : body;
  const reason = quoteBeginning(text);
  if (isRateLimit(status, headers, text)) return new BusyError(reason, call, readWait(headers));
  // Only a write gets here with a redirect.
  if (status < 400)
    return new ProviderError('provider-not-found', 'the repository was renamed or moved.', call);
  if (status >= 500) return new ProviderError('provider-unreachable', reason, call);
  if (status === 403 && /\block(?:ed)?\b/i.test(text))
    return new ProviderError('provider-locked', reason, call);
  const code = CODES[status] ?? 'provider-rejected';
  const isDenied = code === 'provider-denied' && rights !== undefined;
  return new ProviderError(code, reason, call, isDenied ? { next: rights } : {});
}

/** By the type of its error. One without a type is a failure of the server. */
const GRAPHQL_STATUSES: Readonly<Record<string, number>> = {
  FORBIDDEN: 403,
  INSUFFICIENT_SCOPES: 403,
  NOT_FOUND: 404,
  RATE_LIMITED: 429,
};

const graphqlRefusal = z.object({
  errors: z.tuple([z.object({ type: z.string().default(''), message: z.string().default('') })], z.unknown()),
});

/** The status of an answer and its text. A refusal of GraphQL has the status that another call would have. */
function readStatus(status: number, bytes: Uint8Array, isGraphql: boolean) {
  // A file of an artifact is large, and only a refusal is read as text.
  const text = isGraphql || status >= 300 ? decode(bytes) : '';
  const refusal = isGraphql && status < 300 ? graphqlRefusal.safeParse(parseOr(text)) : null;
  if (refusal?.success !== true) return { status, text };
  const [{ type, message }] = refusal.data.errors;
  if (/rate limit/i.test(message)) return { status: 429, text: message };
  return { status: GRAPHQL_STATUSES[type] ?? 502, text: message };
}

function isRateLimit(status: number, headers: Headers, words: string): boolean {
  if (status !== 403) return status === 429;
  const isUsedUp = headers.get('x-ratelimit-remaining') === '0';
  return isUsedUp || headers.has('retry-after') || /rate limit/i.test(words);
}

/** Seconds until the provider takes calls again. */
function readWait(headers: Headers): number {
  const asked = Number(headers.get('retry-after') ?? '');
  if (asked > 0) return asked;
  const reset = Number(headers.get('x-ratelimit-reset') ?? '');
  if (!(reset > 0)) return RATE_WAIT_S;
  // By the clock of the provider, because this machine may have another time.
  const seconds = Math.ceil(reset - Date.parse(headers.get('date') ?? '') / 1000);
  return Number.isFinite(seconds) ? Math.max(1, seconds) : RATE_WAIT_S;
}

/** A provider's words in our messages. */
const WORDS_MAX = 300;

/** One sentence of the provider, which may quote anything. A web page is not quoted. */
function quoteBeginning(text: string): string {
  if (/^\s*</.test(text)) return 'without a reason that can be read.';
  const words = text.replace(/\s+/g, ' ').trim();
  const short = words.length > WORDS_MAX ? `${words.slice(0, WORDS_MAX)}…` : words;
  return short === '' ? 'without a reason.' : `${short.replace(/[.\s]+$/, '')}.`;
}

const CAUSES_MAX = 8;

/** The innermost reason of a failure without an answer, in words where it is known. */
function describeCause(error: unknown): string {
  let inner = error instanceof Error ? error : new Error('no answer');
  for (let depth = 0; depth < CAUSES_MAX && inner.cause instanceof Error; depth += 1) inner = inner.cause;
  if (inner.name === 'TimeoutError') return 'no answer in time.';
  return quoteBeginning(networkProblem(inner) ?? inner.message);
}

/** The answer in its documented shape. Any other answer is an error: nothing is read out of a page of a proxy. */
function inShape<Shape extends z.ZodType>(shape: Shape, { bytes, failed }: Got): z.infer<Shape> {
  const data = parseOr(decode(bytes));
  const read = shape.safeParse(data);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  const what = typeof data === 'string' ? 'the answer is not JSON' : `the answer has another form${where}`;
  throw new ProviderError('provider-odd-answer', `${what}.`, failed);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** The text itself if it is not JSON, so that no shape fits. */
function parseOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** A whole call, with its body. */
const CALL_TIMEOUT_MS = 60_000;

/** Decompressed. An artifact has a plan, and a page with pictures next to it. */
const ANSWER_BYTES_MAX = 512 * 1024 * 1024;

const REDIRECTS_MAX = 5;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const SECRET_HEADERS = ['authorization', 'private-token', 'job-token', 'cookie'];

function strayed(url: URL, why: string): ProviderError {
  return new ProviderError('provider-odd-answer', `${url.origin}${url.pathname} ${why}.`, null);
}

/** Rejects for a body that breaks, so that it is not taken for a short one. */
async function readWhole({ body }: Response, url: URL): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.byteLength;
    if (size > ANSWER_BYTES_MAX) throw strayed(url, 'sent more than 512 MiB');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
