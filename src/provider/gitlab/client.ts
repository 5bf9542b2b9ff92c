import { allPages, type ListRead } from '../all-pages.ts';
import type * as z from 'zod';
import { causeWords, inShape } from '../answer.ts';
import { boundFetch } from '../bound-fetch.ts';
import { PER_PAGE, type ClientOptions } from '../client-options.ts';
import { cleanAddress, ProviderError, type FailedCall } from '../error.ts';
import { refusalOf, waitOf } from './errors.ts';

const ATTEMPTS_MAX = 4;

type Values = Readonly<Record<string, string | number | boolean>>;

/** A call of GitLab. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Below the address of the API, with its values encoded: `/user`. Or a whole address. */
  readonly path: string;
  readonly query?: Values;
  readonly body?: Readonly<Record<string, unknown>>;
  /** An infinitive for messages: `read merge request 7`. */
  readonly what: string;
  /** It creates something, so it is sent once only. A refusal for the rate may be repeated. */
  readonly once?: true;
}

interface Got {
  readonly response: Response;
  readonly failed: FailedCall;
}

/** Calls to GitLab's REST API, repeated where that is harmless, and with their answers checked. */
export class GitLabClient {
  readonly #options: ClientOptions;
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: ClientOptions) {
    this.#options = options;
    this.#fetch = boundFetch(options.fetch, options.apiUrl);
  }

  async ask<Shape extends z.ZodType>(call: Call, shape: Shape): Promise<z.infer<Shape>> {
    const { response, failed } = await this.#send(call);
    return inShape(shape, await jsonOf(response), failed);
  }

  /** The address of its pages for people. */
  get webUrl(): string {
    return this.#options.apiUrl.replace(/\/api\/v4$/, '');
  }

  /** All pages of a list, up to `pagesMax`. `isComplete` is false if there are more. */
  async list<Shape extends z.ZodType>(
    call: Call,
    shape: Shape,
    pagesMax: number,
  ): Promise<ListRead<z.infer<Shape>>> {
    return allPages(pagesMax, async (page) => {
      const query = { ...call.query, per_page: PER_PAGE, page };
      const { response, failed } = await this.#send({ ...call, query });
      const hasNext = /;\s*rel="?next"?/.test(response.headers.get('link') ?? '');
      return { items: inShape(shape.array(), await jsonOf(response), failed), hasNext };
    });
  }

  async bytes(call: Call): Promise<Uint8Array> {
    const { response } = await this.#send(call);
    return new Uint8Array(await response.arrayBuffer());
  }

  async #send(call: Call): Promise<Got> {
    const { clock, secondMs = 1000 } = this.#options;
    for (let attempt = 1; ; attempt += 1) {
      const got = await this.#once(call);
      if (!(got instanceof ProviderError)) return got;
      const waitS = waitOf(got, attempt, call.once === true);
      if (waitS === null || attempt >= ATTEMPTS_MAX) throw got;
      await clock.sleep(waitS * secondMs);
    }
  }

  async #once({ method, path, query = {}, body, what }: Call): Promise<Got | ProviderError> {
    const { apiUrl, token, userAgent } = this.#options;
    const url = new URL(path.startsWith('/') ? `${apiUrl}${path}` : path);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
    const address = cleanAddress(url.href);
    const headers = {
      'private-token': token,
      'user-agent': userAgent,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    try {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await this.#fetch(url, { method, headers, ...sent });
      const failed = { what, method, address, status: response.status };
      return response.status < 300 ? { response, failed } : await refusalOf(response, failed);
    } catch (error) {
      if (error instanceof ProviderError) throw error;
      const failed = { what, method, address, status: null };
      return new ProviderError('provider-unreachable', causeWords(error), failed, { cause: error });
    }
  }
}

/** The text itself if it is not JSON, so that its shape does not fit. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
