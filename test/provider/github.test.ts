import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWebFetch } from '../../src/api/transport.ts';
import { flowClock } from '../helpers/flow-clock.ts';
import { NOON } from '../helpers/scene.ts';
import { GitHubProvider } from '../../src/provider/github/provider.ts';
import { serveGitHub, type ServedGitHub } from './github-server.ts';
import { ANA, BO, BOT, EVE } from './world.ts';

const HEAD = 'a'.repeat(40);
const NEXT_HEAD = 'd'.repeat(40);
const MERGE = 'c'.repeat(40);
const MARKER = '<!-- herald:1234 ';
/** Of a second of GitHub. */
const SECOND_MS = 1;

let github: ServedGitHub;

beforeEach(async () => {
  github = await serveGitHub();
});

afterEach(() => github.close());

describe('pull requests of GitHub', () => {
  it('are read with head, author and state', async () => {
    const { world } = github;
    const pull = world.open({ head: HEAD, title: 'Spring <b>', author: BO });
    expect(await connect().pullRequest(pull.number)).toEqual({
      number: pull.number,
      url: `https://github.example/acme/ads/pull/${pull.number}`,
      title: 'Spring <b>',
      author: 'bo',
      state: 'open',
      head: HEAD,
      mergeCommit: null,
    });
    world.merge(pull, MERGE);
    expect(await connect().pullRequest(pull.number)).toMatchObject({ state: 'merged', mergeCommit: MERGE });
  });

  it('are found by a commit of theirs and by the commit that a merge made', async () => {
    const { world } = github;
    const pull = world.open({ head: HEAD });
    world.open({ head: NEXT_HEAD, isFork: true });
    world.merge(pull, MERGE);
    const provider = connect();
    expect((await provider.pullRequestsOf(MERGE)).map(({ number }) => number)).toEqual([pull.number]);
    expect((await provider.pullRequestsOf(HEAD)).map(({ number }) => number)).toEqual([pull.number]);
    expect(await provider.pullRequestsOf('e'.repeat(40))).toEqual([]);
  });

  it('that are open for a base branch are read to the last page', async () => {
    const { world } = github;
    for (let count = 0; count < 101; count += 1) world.open({ head: HEAD });
    world.open({ head: HEAD, baseBranch: 'other' });
    expect(await connect().openPullRequests('main')).toHaveLength(101);
    expect(github.requests).toHaveLength(2);
  });
});

describe('comments on GitHub', () => {
  it('are found again only if our own identity wrote them, whatever others write', async () => {
    const { world } = github;
    const pull = world.open({ head: HEAD });
    world.comment(pull, EVE, `${MARKER}forged} -->`);
    world.comment(pull, { login: BOT.login, id: EVE.id }, `${MARKER}forged with our name} -->`);
    world.comment(pull, BOT, `said in the middle ${MARKER}`);
    const own = world.comment(pull, BOT, `${MARKER}ours} -->`);
    expect(await connect().ownComments(pull.number, MARKER)).toEqual([
      {
        id: String(own.id),
        pullRequest: pull.number,
        url: `https://github.example/acme/ads/pull/${pull.number}#issuecomment-${own.id}`,
        body: `${MARKER}ours} -->`,
      },
    ]);
  });

  it('are found behind more than 100 others', async () => {
    const { world } = github;
    const pull = world.open({ head: HEAD });
    for (let count = 0; count < 250; count += 1) world.comment(pull, EVE, 'me too');
    world.comment(pull, BOT, `${MARKER}ours`);
    expect(await connect().ownComments(pull.number, MARKER)).toHaveLength(1);
    // Three pages, and who we are.
    expect(github.requests).toHaveLength(4);
  });

  it('need no question who we are while none has our marker', async () => {
    const pull = github.world.open({ head: HEAD });
    expect(await connect().ownComments(pull.number, MARKER)).toEqual([]);
    expect(github.requests).toHaveLength(1);
  });

  it('of all open pull requests take one list, and are kept apart from those of others', async () => {
    const { world } = github;
    const [first, second, closed] = [HEAD, NEXT_HEAD, MERGE].map((head) => world.open({ head }));
    for (const pull of [first, second, closed])
      if (pull !== undefined) world.comment(pull, BOT, `${MARKER}of ${pull.number}`);
    if (first !== undefined) world.comment(first, EVE, `${MARKER}forged`);
    const asked = [first?.number ?? 0, second?.number ?? 0];
    const { comments, isComplete } = await connect().ownCommentsOfAll(asked, MARKER);
    expect(comments.map(({ body }) => body)).toEqual(asked.map((number) => `${MARKER}of ${number}`));
    expect(isComplete).toBe(true);
    expect(github.requests).toHaveLength(2);
  });

  it('of all pull requests say that older ones were not read', async () => {
    const { world } = github;
    const pull = world.open({ head: HEAD });
    for (let count = 0; count < 301; count += 1) world.comment(pull, EVE, 'me too');
    expect(await connect().ownCommentsOfAll([pull.number], MARKER)).toEqual({
      comments: [],
      isComplete: false,
    });
  });

  it('are created, found and edited in place', async () => {
    const { world } = github;
    const pull = world.open({ head: HEAD });
    const provider = connect();
    const created = await provider.createComment(pull.number, `${MARKER}1`);
    const [found] = await provider.ownComments(pull.number, MARKER);
    expect(found).toMatchObject(created);
    await provider.editComment({ id: found?.id ?? '', pullRequest: pull.number }, `${MARKER}2`);
    expect(world.commentsOf(pull).map(({ body }) => body)).toEqual([`${MARKER}2`]);
  });

  it('are one, not two, if the answer to the create was lost', async () => {
    const { world } = github;
    const pull = world.open({ head: HEAD });
    github.fail({ method: 'POST', path: /\/comments$/, answer: 'hang up', after: true });
    await connect().createComment(pull.number, `${MARKER}1\n\ntext`);
    expect(world.commentsOf(pull).map(({ body }) => body)).toEqual([`${MARKER}1\n\ntext`]);
  });

  it('are not sent a second time if the first one certainly failed', async () => {
    const pull = github.world.open({ head: HEAD });
    github.fail({ method: 'POST', path: /\/comments$/, answer: 'hang up' });
    await expect(connect().createComment(pull.number, `${MARKER}1`)).rejects.toMatchObject({
      code: 'provider-unreachable',
    });
    expect(
      github.requests.filter(({ method, path }) => method === 'POST' && /comments/.test(path)),
    ).toHaveLength(1);
  });
});

describe('a commit on GitHub', () => {
  it('gets a status, with a description that is cut to what GitHub takes', async () => {
    await connect().setStatus(HEAD, {
      state: 'success',
      context: 'herald/eu',
      description: 'é'.repeat(200),
      url: 'https://github.example/run',
    });
    expect(github.world.statuses).toEqual([
      {
        sha: HEAD,
        context: 'herald/eu',
        state: 'success',
        description: `${'é'.repeat(139)}…`,
        url: 'https://github.example/run',
      },
    ]);
  });
});

describe('the approval of a pull request on GitHub', () => {
  it('is what GitHub decides, and a branch that requires no review never approves', async () => {
    const { world } = github;
    const pull = world.open({ head: HEAD });
    world.approvalsRequired = 2;
    world.review(pull, ANA);
    expect(await connect().whyNotApproved(pull.number)).toBe(
      'is not approved on GitHub. Let people approve it',
    );
    world.review(pull, BO);
    expect(await connect().whyNotApproved(pull.number)).toBeNull();
    world.review(pull, BO, 'CHANGES_REQUESTED');
    expect(await connect().whyNotApproved(pull.number)).toContain('is not approved');
    world.review(pull, BO);
    world.approvalsRequired = 0;
    expect(await connect().whyNotApproved(pull.number)).toMatch(
      /^was merged into a branch that requires no review\. .*"Require a pull request before merging"/,
    );
  });

  it('is not known of a pull request that GitHub does not show', async () => {
    await expect(connect().whyNotApproved(99)).rejects.toMatchObject({ code: 'provider-odd-answer' });
  });
});

describe('artifacts of GitHub', () => {
  it('give one file, from the newest of the name, and the token never goes to their store', async () => {
    const { world } = github;
    world.upload('4711', 'herald-plan', { 'herald-plan.json': '{"old":true}' });
    world.upload('4711', 'herald-plan', { 'herald-plan.json': '{"new":true}', 'herald-plan.md': 'text' });
    world.upload('4711', 'other', { 'herald-plan.json': '{"other":true}' });
    const bytes = await connect().artifactFile(
      { run: '4711', name: 'herald-plan' },
      'herald-plan.json',
      1000,
    );
    expect(Buffer.from(bytes).toString()).toBe('{"new":true}');
    expect(github.storeRequests).toHaveLength(1);
    expect(github.storeRequests[0]?.headers.authorization).toBeUndefined();
    expect(JSON.stringify(github.storeRequests[0]?.headers)).not.toContain('bot-token');
  });

  it.each([
    ['that expired', { isExpired: true }, 'herald-plan', 'herald-plan.json', 'expired'],
    ['of another name', {}, 'missing', 'herald-plan.json', 'has no artifact missing'],
    ['without the file', {}, 'herald-plan', 'missing.json', 'has no file missing.json'],
  ])('%s are one error', async (_title, change, name, file, words) => {
    Object.assign(github.world.upload('4711', 'herald-plan', { 'herald-plan.json': '{}' }), change);
    await expect(connect().artifactFile({ run: '4711', name }, file, 1000)).rejects.toMatchObject({
      code: 'provider-artifact',
      message: expect.stringContaining(words) as string,
    });
  });

  it('that expire between the list and the download are the same error', async () => {
    github.world.upload('4711', 'herald-plan', { 'herald-plan.json': '{}' });
    const gone = { status: 410, body: { message: 'Artifact has expired' } };
    github.fail({ path: /\/zip$/, answer: gone });
    await expect(
      connect().artifactFile({ run: '4711', name: 'herald-plan' }, 'herald-plan.json', 1000),
    ).rejects.toMatchObject({ code: 'provider-artifact' });
  });
});

describe('issues on GitHub', () => {
  it('are opened once, edited, closed and opened again, and only ours are found', async () => {
    const { world } = github;
    world.openIssue(EVE, 'Drift', `${MARKER}forged`);
    const provider = connect();
    expect(await provider.ownIssue(MARKER)).toBeNull();
    const opened = await provider.createIssue({ title: 'Drift', body: `${MARKER}1` });
    const own = await provider.ownIssue(MARKER);
    expect(own).toMatchObject(opened);
    const number = own?.number ?? 0;
    await provider.editIssue(number, { body: `${MARKER}2` });
    await provider.editIssue(number, { isOpen: false });
    expect(await provider.ownIssue(MARKER)).toMatchObject({
      body: `${MARKER}2`,
      title: 'Drift',
      isOpen: false,
    });
    await provider.editIssue(number, { isOpen: true });
    expect(world.issues.filter(({ author }) => author === BOT)).toMatchObject([{ isOpen: true }]);
  });

  it('are one, not two, if the answer to the create was lost', async () => {
    github.fail({ method: 'POST', path: /\/issues$/, answer: 'hang up', after: true });
    await connect().createIssue({ title: 'Drift', body: `${MARKER}1\ntext` });
    expect(github.world.issues).toHaveLength(1);
  });
});

function connect(token = 'bot-token'): GitHubProvider {
  return new GitHubProvider(
    {
      token,
      apiUrl: `${github.origins.api}/api/v3`,
      graphqlUrl: `${github.origins.api}/api/graphql`,
      fetch: createWebFetch(),
      clock: flowClock(NOON),
      userAgent: 'herald/test',
      secondMs: SECOND_MS,
    },
    'acme/ads',
  );
}

describe('an answer of GitHub that lacks what Herald does not need', () => {
  it('does not make a failure of what was carried out', async () => {
    const { world } = github;
    const pull = world.open({ head: HEAD });
    github.fail({ answer: { status: 201, body: {} }, after: true, times: 3 });
    const provider = connect();
    await provider.createComment(pull.number, `${MARKER}1`);
    await provider.createIssue({ title: 'Drift', body: `${MARKER}1` });
    const status = { state: 'success', context: 'herald', description: 'done', url: null } as const;
    await provider.setStatus(HEAD, status);
    expect([world.commentsOf(pull).length, world.issues.length, world.statuses.length]).toEqual([1, 1, 1]);
  });
});
