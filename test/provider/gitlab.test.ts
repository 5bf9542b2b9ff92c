import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWebFetch } from '../../src/api/transport.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { NOON } from '../helpers/scene.ts';
import { GitLabProvider } from '../../src/provider/gitlab/provider.ts';
import { serveGitLab, type ServedGitLab } from './gitlab-server.ts';
import { BO, BOT, EVE } from './world.ts';

const HEAD = 'a'.repeat(40);
const NEXT_HEAD = 'd'.repeat(40);
const MERGE = 'c'.repeat(40);
const MARKER = '<!-- herald:1234 ';
const SECOND_MS = 1;

let gitlab: ServedGitLab;

beforeEach(async () => {
  gitlab = await serveGitLab();
});

afterEach(() => gitlab.close());

describe('merge requests of GitLab', () => {
  it('are read with head, author and state', async () => {
    const { world } = gitlab;
    const pull = world.open({ head: HEAD, author: BO });
    expect(await connect().pullRequest(pull.number)).toEqual({
      number: pull.number,
      url: `${gitlab.origins.api}/acme/eu/ads/-/merge_requests/${pull.number}`,
      title: 'Spring',
      author: 'bo',
      state: 'open',
      head: HEAD,
      mergeCommit: null,
    });
    world.merge(pull, MERGE);
    expect(await connect().pullRequest(pull.number)).toMatchObject({ state: 'merged', mergeCommit: MERGE });
  });

  it('that were merged by a fast-forward have their head as the commit on the base branch', async () => {
    const pull = gitlab.world.open({ head: HEAD });
    pull.state = 'merged';
    expect(await connect().pullRequest(pull.number)).toMatchObject({ state: 'merged', mergeCommit: HEAD });
  });

  it('are found by a commit, and the open ones to the last page', async () => {
    const { world } = gitlab;
    const pull = world.open({ head: HEAD });
    world.merge(pull, MERGE);
    for (let count = 0; count < 101; count += 1) world.open({ head: NEXT_HEAD, isFork: true });
    world.open({ head: NEXT_HEAD, baseBranch: 'other' });
    const provider = connect();
    expect((await provider.pullRequestsOf(MERGE)).map(({ number }) => number)).toEqual([pull.number]);
    const open = await provider.openPullRequests('main');
    expect(open).toHaveLength(101);
  });
});

describe('comments on GitLab', () => {
  it('are found again behind 250 others, only if our own identity wrote them', async () => {
    const { world } = gitlab;
    const pull = world.open({ head: HEAD });
    world.comment(pull, EVE, `${MARKER}forged`);
    for (let count = 0; count < 250; count += 1) world.comment(pull, EVE, 'me too');
    const own = world.comment(pull, BOT, `${MARKER}ours`);
    expect(await connect().ownComments(pull.number, MARKER)).toEqual([
      {
        id: String(own.id),
        pullRequest: pull.number,
        url: `${gitlab.origins.api}/acme/eu/ads/-/merge_requests/${pull.number}#note_${own.id}`,
        body: `${MARKER}ours`,
      },
    ]);
    expect(gitlab.requests).toHaveLength(4);
  });

  it('of other merge requests are read for the newest four, and the rest is named incomplete', async () => {
    const { world } = gitlab;
    const pulls = [1, 2, 3, 4, 5].map(() => world.open({ head: HEAD }));
    for (const pull of pulls) world.comment(pull, BOT, `${MARKER}of ${pull.number}`);
    const numbers = pulls.map(({ number }) => number);
    const all = await connect().ownCommentsOfAll(numbers, MARKER);
    expect(all.comments.map(({ pullRequest }) => pullRequest)).toEqual(numbers.slice(1).toReversed());
    expect(all.isComplete).toBe(false);
    expect((await connect().ownCommentsOfAll(numbers.slice(1), MARKER)).isComplete).toBe(true);
  });

  it('are created once, also if the answer was lost, and edited in place', async () => {
    const { world } = gitlab;
    const pull = world.open({ head: HEAD });
    gitlab.fail({ method: 'POST', answer: 'hang up', after: true });
    const provider = connect();
    await provider.createComment(pull.number, `${MARKER}1\ntext`);
    const [found] = await provider.ownComments(pull.number, MARKER);
    await provider.editComment({ id: found?.id ?? '', pullRequest: pull.number }, `${MARKER}2`);
    expect(world.commentsOf(pull).map(({ body }) => body)).toEqual([`${MARKER}2`]);
  });

  it('on a locked discussion say so, and those with too few rights name the rights', async () => {
    const pull = gitlab.world.open({ head: HEAD });
    await expect(connect('fork-token').createComment(pull.number, MARKER)).rejects.toMatchObject({
      code: 'provider-denied',
      hint: expect.stringContaining('scope `api`') as string,
    });
    pull.isLocked = true;
    await expect(connect().createComment(pull.number, MARKER)).rejects.toMatchObject({
      code: 'provider-locked',
    });
  });

  it('that were deleted by hand are not found', async () => {
    const pull = gitlab.world.open({ head: HEAD });
    await expect(connect().editComment({ id: '99', pullRequest: pull.number }, 'x')).rejects.toMatchObject({
      code: 'provider-not-found',
    });
  });
});

describe('a commit on GitLab', () => {
  it('gets a status, also if another job sets the same one at that moment', async () => {
    const body = { message: 'Another update to this commit status is in progress' };
    gitlab.fail({ method: 'POST', answer: { status: 409, body } });
    const status = { state: 'success', context: 'herald', description: '1 to create', url: null } as const;
    await connect().setStatus(HEAD, status);
    expect(gitlab.world.statuses).toMatchObject([{ sha: HEAD, state: 'success' }]);
  });

  it('gets a status, and the same one again is not an error', async () => {
    const status = {
      state: 'failure',
      context: 'herald/eu',
      description: 'é'.repeat(300),
      url: null,
    } as const;
    await connect().setStatus(HEAD, status);
    await connect().setStatus(HEAD, status);
    expect(gitlab.world.statuses).toEqual([
      { sha: HEAD, context: 'herald/eu', state: 'failed', description: `${'é'.repeat(254)}…`, url: null },
    ]);
  });
});

describe('the approval of a merge request on GitLab', () => {
  it('is what GitLab says, and without a rule nothing is approved', async () => {
    const { world } = gitlab;
    const pull = world.open({ head: HEAD });
    expect(await connect().whyNotApproved(pull.number)).toBe(
      'is not approved on GitLab. Let people approve it',
    );
    world.review(pull, BO);
    expect(await connect().whyNotApproved(pull.number)).toBeNull();
    world.approvalsRequired = 0;
    expect(await connect().whyNotApproved(pull.number)).toMatch(
      /^needs no approval on GitLab\. .*Merge request approvals/,
    );
  });

  it('does not exist on GitLab Free, also if people approve', async () => {
    const free = await serveGitLab(gitlab.world, { isFree: true });
    const pull = gitlab.world.open({ head: HEAD });
    gitlab.world.review(pull, BO);
    expect(await connect('bot-token', free).whyNotApproved(pull.number)).toContain('needs no approval');
    await free.close();
  });

  it('is missing where GitLab approves by itself, because no one can meet a rule', async () => {
    const pull = gitlab.world.open({ head: HEAD });
    const rules = { approved: true, approvals_required: 1, approvals_left: 1, approved_by: [] };
    const body = { user_has_approved: false, user_can_approve: false, ...rules };
    gitlab.fail({ path: /\/approvals$/, answer: { status: 200, body } });
    expect(await connect().whyNotApproved(pull.number)).toContain('is not approved');
  });
});

describe('artifacts of GitLab', () => {
  it('give one file of the folder', async () => {
    gitlab.world.upload('12', 'herald-out', { 'herald out/herald-plan.json': '{"plan":true}' });
    const bytes = await connect().artifactFile({ run: '12', name: 'herald out' }, 'herald-plan.json', 100);
    expect(Buffer.from(bytes).toString()).toBe('{"plan":true}');
  });

  it.each([
    ['that expired', { isExpired: true }, '12', 'herald-plan.json', 'expired'],
    ['of a job without one', {}, '13', 'herald-plan.json', 'expired'],
    ['without the file', {}, '12', 'missing.json', 'has no file herald-out/missing.json'],
    ['with a larger file', {}, '12', 'herald-plan.json', 'more than 5 bytes'],
  ])('%s are one error', async (_title, change, run, file, words) => {
    Object.assign(gitlab.world.upload('12', 'x', { 'herald-out/herald-plan.json': '{"plan":1}' }), change);
    await expect(connect().artifactFile({ run, name: 'herald-out' }, file, 5)).rejects.toMatchObject({
      code: 'provider-artifact',
      message: expect.stringContaining(words) as string,
    });
  });
});

describe('issues on GitLab', () => {
  it('are opened once, edited, closed and opened again, and only ours are found', async () => {
    const { world } = gitlab;
    world.openIssue(EVE, 'Drift', `${MARKER}forged`);
    const provider = connect();
    expect(await provider.ownIssue(MARKER)).toBeNull();
    gitlab.fail({ method: 'POST', answer: 'hang up', after: true });
    const opened = await provider.createIssue({ title: 'Drift', body: `${MARKER}1` });
    const own = await provider.ownIssue(MARKER);
    expect(own).toMatchObject(opened);
    const number = own?.number ?? 0;
    await provider.editIssue(number, { title: 'Drift of 2', body: `${MARKER}2`, isOpen: false });
    expect(await provider.ownIssue(MARKER)).toMatchObject({
      body: `${MARKER}2`,
      title: 'Drift of 2',
      isOpen: false,
    });
    await provider.editIssue(number, { isOpen: true });
    expect(world.issues.filter(({ author }) => author === BOT)).toMatchObject([{ isOpen: true }]);
  });
});

describe('a call to GitLab', () => {
  it.each([
    ['a 502', { status: 502, body: { message: 'Bad gateway' } }],
    ['a connection that breaks', 'hang up'],
    [
      'a 429',
      { status: 429, body: 'Retry later\n', headers: { 'retry-after': '2', 'content-type': 'text/plain' } },
    ],
  ] as const)('is repeated after %s', async (_title, answer) => {
    const pull = gitlab.world.open({ head: HEAD });
    gitlab.fail({ answer });
    expect(await connect().pullRequest(pull.number)).toMatchObject({ number: pull.number });
    expect(gitlab.requests).toHaveLength(2);
  });

  it.each([
    ['401', { status: 401, body: { message: '401 Unauthorized' } }, 'provider-token-refused', 1],
    ['403', { status: 403, body: { message: '403 Forbidden' } }, 'provider-denied', 1],
    ['404', { status: 404, body: { message: '404 Not found' } }, 'provider-not-found', 1],
    ['422', { status: 422, body: { message: { base: ['is wrong'] } } }, 'provider-rejected', 1],
    [
      '503',
      { status: 503, body: '<html>', headers: { 'content-type': 'text/html' } },
      'provider-unreachable',
      4,
    ],
    [
      '429 of an hour',
      { status: 429, body: 'later', headers: { 'retry-after': '3600' } },
      'provider-busy',
      1,
    ],
    [
      '429 again and again',
      { status: 429, body: 'later', headers: { 'retry-after': '9' } },
      'provider-busy',
      3,
    ],
    ['a page with 200', { status: 200, body: '<html>' }, 'provider-odd-answer', 1],
  ] as const)('ends after %s', async (_title, answer, code, requests) => {
    gitlab.fail({ answer, times: 9 });
    const error: unknown = await connect()
      .pullRequest(7)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, call: { method: 'GET' } });
    expect(String(error)).not.toContain('<html>');
    expect(gitlab.requests).toHaveLength(requests);
  });

  it('sends its token to GitLab only, also after a redirect', async () => {
    const location = `${gitlab.origins.store}/elsewhere`;
    gitlab.fail({ answer: { status: 302, headers: { location } } });
    await expect(connect().pullRequest(7)).rejects.toMatchObject({ code: 'provider-not-found' });
    expect(gitlab.storeRequests).toHaveLength(1);
    expect(gitlab.storeRequests[0]?.headers['private-token']).toBeUndefined();
    expect(gitlab.requests[0]?.headers['private-token']).toBe('bot-token');
  });
});

function connect(token = 'bot-token', served = gitlab): GitLabProvider {
  return new GitLabProvider(
    {
      token,
      apiUrl: `${served.origins.api}/api/v4`,
      fetch: createWebFetch(),
      clock: flowClock(NOON),
      userAgent: 'herald/test',
      secondMs: SECOND_MS,
    },
    'acme/eu/ads',
  );
}

describe('an answer of GitLab that lacks what Herald does not need', () => {
  it('does not make a failure of what was carried out', async () => {
    const { world } = gitlab;
    const pull = world.open({ head: HEAD });
    gitlab.fail({ answer: { status: 201, body: {} }, after: true, times: 3 });
    const provider = connect();
    await provider.createComment(pull.number, `${MARKER}1`);
    await provider.createIssue({ title: 'Drift', body: `${MARKER}1` });
    const status = { state: 'success', context: 'herald', description: 'done', url: null } as const;
    await provider.setStatus(HEAD, status);
    expect([world.commentsOf(pull).length, world.issues.length, world.statuses.length]).toEqual([1, 1, 1]);
  });
});
