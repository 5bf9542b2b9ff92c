import { allPages, type ListRead } from '../all-pages.ts';
import { Octokit } from '@octokit/core';
import { retry } from '@octokit/plugin-retry';
import { throttling } from '@octokit/plugin-throttling';
import type * as z from 'zod';
import { inShape } from '../answer.ts';
import { boundFetch } from '../bound-fetch.ts';
import { PER_PAGE, type ClientOptions } from '../client-options.ts';
import { cleanAddress, ProviderError } from '../error.ts';
import { gitHubError } from './errors.ts';
import { paceOf } from './pace.ts';

export interface GitHubOptions extends ClientOptions {
  readonly graphqlUrl: string;
}

/** Longer waits end the command with a message, because a job pays for each minute. */
const RATE_WAIT_MAX_S = 120;
const RATE_WAITS_MAX = 2;
/** A 429 is the throttling plugin's, the others do not improve. */
const NOT_REPEATED = [400, 401, 403, 404, 410, 422, 429, 451];

const PacedOctokit = Octokit.plugin(retry, throttling);

type Params = Readonly<Record<string, string | number | boolean | undefined>>;

/** A call of GitHub: its route as in the documentation, its values, and what it is for. */
export interface Call {
  /** `GET /repos/{owner}/{repo}/pulls/{pull_number}`. */
  readonly route: string;
  readonly params: Params;
  /** An infinitive for messages: `read pull request 7`. */
  readonly what: string;
}

/** Calls to GitHub, paced, repeated where that is harmless, and with their answers checked. */
export class GitHubClient {
  readonly #octokit: InstanceType<typeof PacedOctokit>;
  readonly #graphqlUrl: string;

  constructor(options: GitHubOptions) {
    const secondMs = options.secondMs ?? 1000;
    const onRateLimit = (waitS: number, _options: unknown, _octokit: unknown, earlier: number) =>
      waitS <= RATE_WAIT_MAX_S && earlier < RATE_WAITS_MAX;
    this.#graphqlUrl = options.graphqlUrl;
    this.#octokit = new PacedOctokit({
      auth: options.token,
      baseUrl: options.apiUrl,
      userAgent: options.userAgent,
      // It prints to the console otherwise.
      log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
      request: { fetch: boundFetch(options.fetch, options.apiUrl) },
      retry: { doNotRetry: NOT_REPEATED, retryAfterBaseValue: secondMs },
      throttle: {
        onRateLimit,
        onSecondaryRateLimit: onRateLimit,
        retryAfterBaseValue: secondMs,
        ...(paceOf(options.clock, secondMs) as object),
      },
    });
  }

  /** A call that may be repeated: a read, or a write that sets a value. */
  async ask<Shape extends z.ZodType>(call: Call, shape: Shape): Promise<z.infer<Shape>> {
    const { data, failed } = await this.#send(call, {});
    return inShape(shape, data, failed);
  }

  /** A call that creates something, so it is sent once only. A refusal for the rate may be repeated. */
  async askOnce<Shape extends z.ZodType>(call: Call, shape: Shape): Promise<z.infer<Shape>> {
    const { data, failed } = await this.#send(call, { retries: 0 });
    return inShape(shape, data, failed);
  }

  /** All pages of a list, up to `pagesMax`. `isComplete` is false if there are more. */
  async list<Shape extends z.ZodType>(
    call: Call,
    shape: Shape,
    pagesMax: number,
  ): Promise<ListRead<z.infer<Shape>>> {
    return allPages(pagesMax, async (page) => {
      const params = { ...call.params, per_page: PER_PAGE, page };
      const { data, failed, hasNext } = await this.#send({ ...call, params }, {});
      return { items: inShape(shape.array(), data, failed), hasNext };
    });
  }

  /** The bytes of an answer, whatever type it claims to have. */
  async bytes(call: Call): Promise<Uint8Array> {
    const { data } = await this.#send(call, { parseSuccessResponseBody: false });
    return new Uint8Array(await new Response(data as ReadableStream<Uint8Array>).arrayBuffer());
  }

  async graphql<Shape extends z.ZodType>(what: string, query: string, shape: Shape): Promise<z.infer<Shape>> {
    const route = `POST ${this.#graphqlUrl}`;
    const { data, failed } = await this.#send({ route, params: { query }, what }, {});
    return inShape(shape, data, failed);
  }

  async #send({ route, params, what }: Call, request: RequestOptions) {
    try {
      const answer: Answer = await this.#octokit.request(route, { ...params, request });
      const { status, headers, data } = answer;
      const [method = '', path = ''] = route.split(' ');
      const failed = { what, method, address: cleanAddress(this.#addressOf(path, params)), status };
      // Only a write gets here with a redirect.
      if (status >= 300)
        throw new ProviderError('provider-not-found', 'it has moved.', failed, { next: MOVED });
      return { data, failed, hasNext: /;\s*rel="?next"?/.test(String(headers['link'] ?? '')) };
    } catch (error) {
      throw gitHubError(error, what);
    }
  }

  #addressOf(path: string, params: Params): string {
    return this.#octokit.request.endpoint(`GET ${path}`, params).url;
  }
}

interface RequestOptions {
  readonly retries?: number;
  readonly parseSuccessResponseBody?: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
  readonly data: unknown;
}

const MOVED = 'The repository was renamed or moved. Use its new name, and run the job again.';

function ignore(): void {
  // Nothing of a plugin is printed.
}
