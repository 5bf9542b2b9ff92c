import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWebFetch } from '../../src/api/transport.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { NOON } from '../helpers/scene.ts';
import { GitHubProvider } from '../../src/provider/github/provider.ts';
import { serveGitHub, type ServedGitHub } from './github-server.ts';
import type { Answer } from './served-provider.ts';

const HEAD = 'a'.repeat(40);
const MARKER = '<!-- herald:1234 ';
/** Of a second of GitHub. */
const SECOND_MS = 1;

const SECONDARY = 'You have exceeded a secondary rate limit. Please wait a few minutes.';

let github: ServedGitHub;
let number: number;

beforeEach(async () => {
  github = await serveGitHub();
  ({ number } = github.world.open({ head: HEAD }));
});

afterEach(() => github.close());

describe('a read of GitHub', () => {
  it.each([
    ['a 500', json(500, 'Server Error')],
    ['a 502 with a page of a proxy', page(502)],
    ['a connection that breaks', 'hang up'],
    ['a secondary rate limit with 403', json(403, SECONDARY, { 'retry-after': '2' })],
    ['a secondary rate limit with 429', json(429, SECONDARY, { 'retry-after': '2' })],
    ['a rate limit that ends now', json(403, 'API rate limit exceeded', resets(0))],
  ] as const)('is repeated after %s', async (_title, answer) => {
    github.fail({ path: /\/pulls\//, answer });
    expect(await connect().pullRequest(number)).toMatchObject({ number });
    expect(github.requests).toHaveLength(2);
  });

  it.each([
    ['401', json(401, 'Bad credentials'), 'provider-token-refused', 'new token'],
    ['403', json(403, 'Resource not accessible by integration'), 'provider-denied', 'permission'],
    ['404', json(404, 'Not Found'), 'provider-not-found', 'still exists'],
    ['422', json(422, 'Validation Failed', {}, ['base is invalid']), 'provider-rejected', 'says'],
    ['a page with 200', page(200), 'provider-odd-answer', 'GITHUB_API_URL'],
    ['JSON of another form', { status: 200, body: { number: '7' } }, 'provider-odd-answer', 'GITHUB_API_URL'],
    ['a rate limit of an hour', json(403, 'API rate limit exceeded', resets(3600)), 'provider-busy', 'Wait'],
  ] as const)('is asked once after %s, and the error says what to do', async (_title, answer, code, next) => {
    github.fail({ path: /\/pulls\//, answer });
    await expect(connect().pullRequest(number)).rejects.toMatchObject({
      code,
      hint: expect.stringContaining(next) as string,
      call: { method: 'GET', address: `${github.origins.api}/api/v3/repos/acme/ads/pulls/${number}` },
    });
    expect(github.requests).toHaveLength(1);
  });

  it('ends after several failures, and quotes no page', async () => {
    github.fail({ path: /\/pulls\//, answer: page(503), times: 9 });
    const error = await failing(connect().pullRequest(number));
    expect(error).toMatchObject({ code: 'provider-unreachable', call: { status: 503 } });
    expect(error.message).not.toContain('<');
    expect(github.requests).toHaveLength(4);
  });

  it('ends after two waits for a rate limit, and says how long GitHub asks to wait', async () => {
    github.fail({ answer: json(429, SECONDARY, { 'retry-after': '30' }), times: 9 });
    await expect(connect().pullRequest(number)).rejects.toMatchObject({
      code: 'provider-busy',
      message: expect.stringContaining('It asks to wait 30 s.') as string,
    });
    expect(github.requests).toHaveLength(3);
  });

  it('follows a redirect to a renamed repository, with the token, because the origin is the same', async () => {
    const location = `${github.origins.api}/api/v3/repos/acme/ads/pulls/${number}`;
    github.fail({ path: /\/pulls\//, answer: { status: 301, headers: { location } } });
    expect(await connect().pullRequest(number)).toMatchObject({ number });
  });

  it('that is led around in circles ends', async () => {
    const location = `${github.origins.api}/api/v3/repos/acme/ads/pulls/${number}`;
    github.fail({ answer: { status: 302, headers: { location } }, times: 99 });
    await expect(connect().pullRequest(number)).rejects.toMatchObject({ code: 'provider-odd-answer' });
  });

  it('that is led to another origin goes there without the token', async () => {
    github.fail({
      path: /\/pulls\//,
      answer: { status: 302, headers: { location: `${github.origins.store}/x` } },
      times: 9,
    });
    await failing(connect().pullRequest(number));
    expect(github.storeRequests.length).toBeGreaterThan(0);
    expect(github.storeRequests.every(({ headers }) => headers.authorization === undefined)).toBe(true);
  });

  it('never sends its token to another origin, whatever a list links to', async () => {
    const link = `<${github.origins.store}/steal?page=2>; rel="next"`;
    github.fail({ path: /\/comments$/, answer: { status: 200, body: [], headers: { link } } });
    expect(await connect().ownComments(number, MARKER)).toEqual([]);
    expect(github.storeRequests).toEqual([]);
    // The next page was asked of GitHub itself.
    expect(github.requests).toHaveLength(2);
  });
});

describe('a write to GitHub', () => {
  it('with the token of a fork names the permission that is missing', async () => {
    await expect(connect('fork-token').createComment(number, MARKER)).rejects.toMatchObject({
      code: 'provider-denied',
      hint: 'Give the job one of these permissions in the workflow: issues: write or pull-requests: write. A pull request from a fork never gets them.',
    });
  });

  it('to a locked conversation says so', async () => {
    const pull = github.world.pulls.get(number);
    if (pull !== undefined) pull.isLocked = true;
    await expect(connect().createComment(number, MARKER)).rejects.toMatchObject({
      code: 'provider-locked',
      hint: expect.stringContaining('Unlock') as string,
    });
  });

  it('of a comment that was deleted by hand is not found', async () => {
    await expect(connect().editComment({ id: '99', pullRequest: number }, 'x')).rejects.toMatchObject({
      code: 'provider-not-found',
      message: expect.stringContaining(`Could not edit the comment on pull request ${number}`) as string,
    });
  });

  it('with a token that is revoked in the middle ends there', async () => {
    const provider = connect();
    await provider.createComment(number, `${MARKER}1`);
    github.world.revoke('bot-token');
    await expect(provider.setStatus(HEAD, STATUS)).rejects.toMatchObject({ code: 'provider-token-refused' });
  });

  it('that is too long is rejected with the words of GitHub', async () => {
    await expect(connect().createComment(number, 'x'.repeat(65_537))).rejects.toMatchObject({
      code: 'provider-rejected',
      message: expect.stringContaining('body is too long') as string,
    });
  });

  it('is not followed to another address', async () => {
    const location = `${github.origins.store}/elsewhere`;
    github.fail({ method: 'POST', answer: { status: 307, headers: { location } } });
    await expect(connect().setStatus(HEAD, STATUS)).rejects.toMatchObject({ code: 'provider-not-found' });
    expect(github.storeRequests).toEqual([]);
  });

  it('of a status is repeated after an error, because a second one is the same', async () => {
    github.fail({ method: 'POST', answer: json(502, 'Bad gateway') });
    await connect().setStatus(HEAD, STATUS);
    expect(github.world.statuses).toHaveLength(1);
  });

  it('waits for a secondary rate limit, and is then sent once', async () => {
    github.fail({ method: 'POST', answer: json(403, SECONDARY, { 'retry-after': '1' }) });
    await connect().createComment(number, `${MARKER}1`);
    expect(github.world.comments).toHaveLength(1);
  });
});

describe('an error of GitHub', () => {
  it('contains neither the token nor a query', async () => {
    github.fail({ path: /\/pulls$/, answer: json(500, 'token bot-token is bad'), times: 9 });
    const error = await failing(connect().openPullRequests('main'));
    expect(error.message).not.toContain('?');
    expect(JSON.stringify(error)).not.toContain('authorization');
  });

  it('names the reason of a connection that was refused', async () => {
    const provider = new GitHubProvider(
      { ...options('bot-token'), apiUrl: 'http://127.0.0.1:1/api/v3' },
      'acme/ads',
    );
    await expect(provider.pullRequest(7)).rejects.toMatchObject({
      code: 'provider-unreachable',
      call: { status: null },
    });
  });
});

const STATUS = { state: 'success', context: 'herald', description: 'done', url: null } as const;

function json(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  errors?: readonly string[],
): Answer {
  return { status, headers, body: { message, ...(errors === undefined ? {} : { errors }) } };
}

function page(status: number): Answer {
  return { status, body: '<html>hidden</html>', headers: { 'content-type': 'text/html' } };
}

function resets(seconds: number): Readonly<Record<string, string>> {
  const at = Math.floor(Date.now() / 1000) + seconds;
  return { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(at) };
}

async function failing(call: Promise<unknown>): Promise<Error> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error('it did not fail');
}

function options(token: string) {
  return {
    token,
    apiUrl: `${github.origins.api}/api/v3`,
    graphqlUrl: `${github.origins.api}/api/graphql`,
    fetch: createWebFetch(),
    clock: flowClock(NOON),
    userAgent: 'herald/test',
    secondMs: SECOND_MS,
  };
}

function connect(token = 'bot-token'): GitHubProvider {
  return new GitHubProvider(options(token), 'acme/ads');
}
