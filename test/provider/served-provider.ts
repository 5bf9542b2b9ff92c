import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../process/proxies.ts';
import type { Contract } from './openapi.ts';
import type { Account, Issue, ProviderWorld, Status } from './world.ts';

/** A request as it arrived. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>> | undefined;
}

export interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Instead of the next fitting answer, or `after` it was carried out, as a lost answer. */
export interface Fault {
  readonly method?: string;
  readonly path?: RegExp;
  readonly answer: Answer | 'hang up';
  readonly times?: number;
  readonly after?: true;
}

/** A request that is let in, and what it is about. */
export interface Visit {
  readonly world: ProviderWorld;
  readonly asked: Asked;
  readonly me: Account;
  readonly origins: Origins;
  /** What the addresses of the API begin with. */
  readonly base: string;
}

export interface Origins {
  readonly api: string;
  /** Another origin, as the store of artifacts is. */
  readonly store: string;
}

/** A provider with what it keeps. */
export type ServedSite = Awaited<ReturnType<typeof serveProvider>>;

interface ServeOptions {
  readonly world: ProviderWorld;
  readonly contract: Contract;
  /** What the provider does with a request that is not a fault. Null for an unknown address. */
  readonly handle: (visit: Visit) => Answer | null;
  /** The account of a request, or the status of the refusal. */
  readonly identify: (asked: Asked, world: ProviderWorld) => Account | Answer;
  /** The addresses begin with it: `/api/v3`. */
  readonly prefix: string;
  /** The variables of a job, for the address of the API's origin. */
  readonly env: (api: string) => Readonly<Record<string, string>>;
}

/** Serves a provider on two sockets of this machine: its API, and the store of its artifacts. */
export async function serveProvider(options: ServeOptions) {
  const { world } = options;
  const requests: Asked[] = [];
  /** Requests at the other origin. */
  const storeRequests: Asked[] = [];
  const faults: Fault[] = [];
  const findings: string[] = [];
  const origins = { api: '', store: '' };

  const answerTo = (asked: Asked): Answer | 'hang up' => {
    const fault = faults.find(
      ({ method = asked.method, path = /(?:)/ }) => method === asked.method && path.test(asked.path),
    );
    if (fault === undefined) return ownAnswer(asked);
    const left = (fault.times ?? 1) - 1;
    faults.splice(faults.indexOf(fault), 1, ...(left > 0 ? [{ ...fault, times: left }] : []));
    if (fault.after === true) ownAnswer(asked);
    return fault.answer;
  };
  const ownAnswer = (asked: Asked): Answer => {
    const me = options.identify(asked, world);
    if ('status' in me) return me;
    const path = options.contract.pathOf(asked.method, asked.path);
    const answer = options.handle({ world, asked, me, origins, base: `${origins.api}${options.prefix}` });
    if (path === null || answer === null) {
      findings.push(`${asked.method} ${asked.path} is not described`);
      return { status: 404, body: { message: 'Not Found' } };
    }
    const { method, query, body } = asked;
    findings.push(
      ...options.contract.findings({ method, path, query, body, status: answer.status, answer: answer.body }),
    );
    return answer;
  };

  const api = await listen(async (request, response) => {
    const asked = await askedIn(request, options.prefix);
    requests.push(asked);
    send(response, answerTo(asked));
  });
  const store = await listen(async (request, response) => {
    const asked = await askedIn(request, '');
    storeRequests.push(asked);
    const artifact = world.artifacts.find(({ id }) => asked.path === `/${id}`);
    send(
      response,
      artifact === undefined
        ? { status: 404, body: '<Error>BlobNotFound</Error>', headers: { 'content-type': 'application/xml' } }
        : { status: 200, body: artifact.zip, headers: { 'content-type': 'application/zip' } },
    );
  });
  origins.api = api.origin;
  origins.store = store.origin;
  return {
    world,
    origins,
    /** The variables of a job. Add those of the event. */
    env: options.env(api.origin),
    requests,
    storeRequests,
    fail: (fault: Fault) => void faults.push(fault),
    /** Ends it. Throws if a request or an answer was not as the API describes. */
    close: async () => {
      await Promise.all([api.close(), store.close()]);
      if (findings.length > 0) throw new Error(`Against the description:\n${findings.join('\n')}`);
    },
  };
}

async function listen(handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>) {
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(error instanceof Error ? (error.stack ?? '') : '');
    });
  });
  const { port, close } = await listening(server);
  return { origin: `http://127.0.0.1:${port}`, close };
}

async function askedIn(request: IncomingMessage, prefix: string): Promise<Asked> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString();
  const url = new URL(request.url ?? '/', 'http://here');
  return {
    method: request.method ?? 'GET',
    path: url.pathname.startsWith(`${prefix}/`) ? url.pathname.slice(prefix.length) : url.pathname,
    query: url.searchParams,
    headers: request.headers,
    body: text === '' ? undefined : (JSON.parse(text) as Readonly<Record<string, unknown>>),
  };
}

function send(response: ServerResponse, answer: Answer | 'hang up'): void {
  if (answer === 'hang up') {
    response.destroy();
    return;
  }
  const { status, body, headers = {} } = answer;
  const isRaw = typeof body === 'string' || body instanceof Uint8Array;
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
  response.end(body === undefined ? '' : isRaw ? body : JSON.stringify(body));
}

/** A text in the body of a request. */
export function readText({ body }: Asked, key: string, otherwise = ''): string {
  const value = body?.[key];
  return typeof value === 'string' ? value : otherwise;
}

/** Keeps a status of a commit as the body of a request has it. */
export function keepStatus({ world, asked }: Visit, sha: string, contextKey: string): Status {
  const [state, description] = [readText(asked, 'state'), readText(asked, 'description')];
  const url = typeof asked.body?.['target_url'] === 'string' ? asked.body['target_url'] : null;
  const status = { sha, context: readText(asked, contextKey), state, description, url };
  world.statuses.push(status);
  return status;
}

/** Lists, opens or edits issues, with what a provider calls their parts. Null for one that does not exist. */
export function answerIssues(
  visit: Visit,
  number: string,
  names: Readonly<Record<'author' | 'text' | 'state', string>>,
  draw: (issue: Issue) => unknown,
): Answer | null {
  const { world, asked, me } = visit;
  if (asked.method === 'GET') {
    const wanted = asked.query.get(names.author);
    const isWanted = ({ login, id }: Account) => wanted === null || [login, String(id)].includes(wanted);
    const found = world.issues.filter(({ author }) => isWanted(author));
    return pageOf(visit, found.toReversed(), draw);
  }
  if (asked.method === 'POST') {
    const opened = world.openIssue(me, readText(asked, 'title'), readText(asked, names.text));
    return { status: 201, body: draw(opened) };
  }
  const issue = world.issues.find((one) => String(one.number) === number);
  if (issue === undefined) return null;
  issue.title = readText(asked, 'title', issue.title);
  issue.body = readText(asked, names.text, issue.body);
  const state = readText(asked, names.state);
  if (state !== '') issue.isOpen = state.endsWith('open');
  return { status: 200, body: draw(issue) };
}

/** One page of a list, with the links that lead to the others. */
export function pageOf<Item>(
  { asked, base }: Visit,
  items: readonly Item[],
  draw: (item: Item) => unknown,
): Answer {
  const size = Math.min(100, Number(asked.query.get('per_page') ?? 30));
  const page = Number(asked.query.get('page') ?? 1);
  const last = Math.max(1, Math.ceil(items.length / size));
  const linkTo = (number: number, rel: string) => {
    const query = new URLSearchParams(asked.query);
    query.set('page', String(number));
    return `<${base}${asked.path}?${query.toString()}>; rel="${rel}"`;
  };
  const links = page < last ? [linkTo(page + 1, 'next'), linkTo(last, 'last')] : [];
  return {
    status: 200,
    body: items.slice((page - 1) * size, page * size).map(draw),
    ...(links.length === 0 ? {} : { headers: { link: links.join(', ') } }),
  };
}
