import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toHeraldError } from '../../src/domain/herald-error.ts';
import { ProviderError } from '../../src/provider/error.ts';
import { SITES, type Site } from './sites.ts';
import type { Answer } from './served-provider.ts';

const HEAD = 'a'.repeat(40);
const MARKER = '<!-- herald:1234 ';
const LIMIT = 'You have exceeded a secondary rate limit. Please wait a few minutes.';
const STATUS = { state: 'success', context: 'herald', description: 'done', url: null } as const;
const READ = /\/(?:pulls|merge_requests)\/\d+$/;

let site: Site;
let number: number;

describe.each(SITES)('a call to %s', (_name, begin) => {
  beforeEach(async () => {
    site = await begin();
    ({ number } = site.served.world.open({ head: HEAD }));
  });
  afterEach(() => site.served.close());

  it.each([
    ['a 500', json(500, 'Server Error')],
    ['a 502 with a page of a proxy', page(502)],
    ['a connection that breaks', 'hang up'],
    ['a rate limit with 403', json(403, LIMIT, { 'retry-after': '2' })],
    ['a rate limit with 429', { status: 429, body: 'Retry later\n', headers: { 'retry-after': '2' } }],
    ['a rate limit that ends now', json(403, 'API rate limit exceeded', resets(0))],
    ['a 409 of another update', json(409, 'Another update is in progress')],
  ] as const)('is repeated after %s', async (_title, answer) => {
    site.served.fail({ path: READ, answer });
    expect(await site.connect().pullRequest(number)).toMatchObject({ number });
    expect(site.served.requests).toHaveLength(2);
  });

  it.each([
    ['401', json(401, 'Bad credentials'), 'provider-token-refused', 1],
    ['403', json(403, 'Resource not accessible'), 'provider-denied', 1],
    ['404', json(404, 'Not Found'), 'provider-not-found', 1],
    ['422', json(422, 'Validation Failed', {}, ['base is invalid']), 'provider-rejected', 1],
    ['a page with 200', page(200), 'provider-odd-answer', 1],
    ['JSON of another form', { status: 200, body: { number: '7' } }, 'provider-odd-answer', 1],
    ['a rate limit of an hour', json(403, 'API rate limit exceeded', resets(3600)), 'provider-busy', 1],
    ['a rate limit again and again', json(429, LIMIT, { 'retry-after': '30' }), 'provider-busy', 3],
    ['503 again and again', page(503), 'provider-unreachable', 4],
  ] as const)(
    'ends after %s, quotes no page, and says what to do',
    async (_title, answer, code, requests) => {
      site.served.fail({ answer, times: 9 });
      const error: unknown = await site
        .connect()
        .pullRequest(number)
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        code,
        call: { method: 'GET' },
        hint: expect.stringMatching(/\w/) as string,
      });
      expect(String(error)).not.toContain('<');
      expect(site.served.requests).toHaveLength(requests);
    },
  );

  it('follows a redirect to a renamed repository, with the token, because the origin is the same', async () => {
    await site.connect().pullRequest(number);
    const [first] = site.served.requests;
    const location = `${site.served.origins.api}/api/v${_name === 'GitHub' ? 3 : 4}${first?.path ?? ''}`;
    site.served.fail({ answer: { status: 301, headers: { location } } });
    expect(await site.connect().pullRequest(number)).toMatchObject({ number });
    site.served.fail({ answer: { status: 302, headers: { location } }, times: 99 });
    await expect(site.connect().pullRequest(number)).rejects.toMatchObject({ code: 'provider-odd-answer' });
  });

  it('that is led to another origin goes there without the token', async () => {
    const location = `${site.served.origins.store}/elsewhere`;
    site.served.fail({ path: READ, answer: { status: 302, headers: { location } } });
    await expect(site.connect().pullRequest(number)).rejects.toMatchObject({ code: 'provider-not-found' });
    expect(site.served.storeRequests).toHaveLength(1);
    expect(site.served.storeRequests[0]?.headers[site.header]).toBeUndefined();
    expect(site.served.requests[0]?.headers[site.header]).toContain('bot-token');
  });

  it('never goes to another origin, whatever a list links to', async () => {
    const link = `<${site.served.origins.store}/steal?page=2>; rel="next"`;
    site.served.fail({ path: /\/(?:comments|notes)$/, answer: { status: 200, body: [], headers: { link } } });
    expect(await site.connect().findText({ pull: number }, MARKER)).toBeNull();
    // The next page was asked of the API itself.
    expect([site.served.storeRequests.length, site.served.requests.length]).toEqual([0, 2]);
  });

  it('that writes is not followed to another address', async () => {
    const location = `${site.served.origins.store}/elsewhere`;
    site.served.fail({ method: 'POST', answer: { status: 307, headers: { location } } });
    await expect(site.connect().setStatus(HEAD, STATUS)).rejects.toMatchObject({
      code: 'provider-not-found',
    });
    expect(site.served.storeRequests).toEqual([]);
  });

  it('that creates waits for a rate limit, and is then sent once', async () => {
    site.served.fail({ method: 'POST', answer: json(403, LIMIT, { 'retry-after': '1' }) });
    await site.connect().writeText({ pull: number }, null, { body: `${MARKER}1` });
    expect(site.served.world.comments).toHaveLength(1);
  });

  it('has neither the token nor a query in its error', async () => {
    // The token stands where the text is cut.
    site.served.fail({ answer: json(500, `${'x'.repeat(294)} bot-token`), times: 9 });
    const error: unknown = await site
      .connect()
      .pullRequestsOf(HEAD)
      .catch((reason: unknown) => reason);
    expect(String(error)).not.toContain('?');
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain('bot-t');
  });

  it('names the reason of a connection that was refused', async () => {
    await expect(site.connect('t', 'http://127.0.0.1:1/api').pullRequest(7)).rejects.toMatchObject({
      code: 'provider-unreachable',
      call: { status: null },
    });
  });
});

describe('an answer of GraphQL with 200 and errors', () => {
  beforeEach(async () => {
    site = await SITES[0][1]();
    ({ number } = site.served.world.open({ head: HEAD }));
  });
  afterEach(() => site.served.close());

  const refusal = (type: string | null, message: string, headers = {}): Answer => ({
    status: 200,
    headers,
    body: { data: { repository: null }, errors: [{ ...(type !== null && { type }), message }] },
  });

  it.each([
    ['a right that is missing', refusal('FORBIDDEN', 'Resource not accessible'), 'provider-denied'],
    ['a repository that it may not see', refusal('NOT_FOUND', 'Could not resolve'), 'provider-not-found'],
    [
      'a rate limit of an hour',
      refusal('RATE_LIMITED', 'API rate limit exceeded', resets(3600)),
      'provider-busy',
    ],
  ] as const)('is a refusal for %s', async (_title, answer, code) => {
    site.served.fail({ path: /graphql/, answer, times: 9 });
    await expect(site.connect().whyNotApproved(number)).rejects.toMatchObject({ code });
  });

  it.each([
    ['a failure without a type', refusal(null, 'Something went wrong')],
    ['a secondary rate limit', refusal(null, LIMIT, { 'retry-after': '1' })],
  ] as const)('is asked again after %s', async (_title, answer) => {
    site.served.fail({ path: /graphql/, answer });
    expect(await site.connect().whyNotApproved(number)).toContain('is not approved');
  });
});

it('an error of a provider says what failed, with the method, the address, the answer and what to do next', () => {
  const call = {
    what: 'create a comment on pull request 7',
    method: 'POST',
    address: 'https://api.example/repos/a/b/issues/7/comments',
    status: 403,
  };
  expect(toHeraldError(new ProviderError('provider-denied', 'Resource not accessible.', call))).toMatchObject(
    {
      exit: 1,
      code: 'provider-denied',
      message:
        'Could not create a comment on pull request 7: POST https://api.example/repos/a/b/issues/7/comments answered 403: Resource not accessible.',
      hint: 'Give the job the permission that this writes for it: herald ci init',
      details: call,
    },
  );
});

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
