import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Provider, WrittenText } from '../../src/provider/provider.ts';
import { aGitLab, SITES, type Site } from './sites.ts';
import { ANA, BO, BOT, EVE } from './world.ts';

const HEAD = 'a'.repeat(40);
const NEXT_HEAD = 'd'.repeat(40);
const MERGE = 'c'.repeat(40);
const MARKER = '<!-- herald:1234 ';

/** The comments of a pull request. */
const on = ({ number }: { readonly number: number }) => ({ pull: number });

let site: Site;

describe.each(SITES)('%s', (name, begin) => {
  beforeEach(async () => {
    site = await begin();
  });
  afterEach(() => site.served.close());

  const world = () => site.served.world;
  const connect = (token?: string): Provider => site.connect(token);

  it('tells head and state of a pull request', async () => {
    const pull = world().open({ head: HEAD });
    expect(await connect().pullRequest(pull.number)).toEqual({
      number: pull.number,
      state: 'open',
      head: HEAD,
      into: 'main',
      mergeCommit: null,
    });
    world().merge(pull, MERGE);
    expect(await connect().pullRequest(pull.number)).toMatchObject({ state: 'merged', mergeCommit: MERGE });
  });

  it('finds pull requests by a commit of theirs and by the commit that a merge made', async () => {
    const pull = world().open({ head: HEAD });
    world().open({ head: NEXT_HEAD, isFork: true });
    world().merge(pull, MERGE);
    const found = async (commit: string) =>
      (await connect().pullRequestsOf(commit)).map(({ number }) => number);
    expect([await found(MERGE), await found(HEAD), await found('e'.repeat(40))]).toEqual([
      [pull.number],
      [pull.number],
      [],
    ]);
  });

  it('finds a comment again behind 250 others, and only if our own identity wrote it', async () => {
    const pull = world().open({ head: HEAD });
    world().comment(pull, EVE, `${MARKER}forged} -->`);
    world().comment(pull, { login: BOT.login, id: EVE.id }, `${MARKER}forged with our name} -->`);
    world().comment(pull, BOT, `said in the middle ${MARKER}`);
    for (let count = 0; count < 250; count += 1) world().comment(pull, EVE, 'me too');
    expect(await connect().findText(on(pull), MARKER)).toBeNull();
    const own = world().comment(pull, BOT, `${MARKER}ours} -->`);
    const before = site.served.requests.length;
    expect(await connect().findText(on(pull), MARKER)).toMatchObject({
      id: String(own.id),
      url: expect.stringContaining(`${site.page(pull.number)}#`) as string,
      body: `${MARKER}ours} -->`,
    });
    // Three pages, and who we are.
    expect(site.served.requests.length - before).toBe(4);
  });

  it('creates a comment once, also if the answer was lost, and edits it in place', async () => {
    const pull = world().open({ head: HEAD });
    site.served.fail({ method: 'POST', path: /\/(?:comments|notes)$/, answer: 'hang up', after: true });
    const provider = connect();
    const created = await provider.writeText(on(pull), null, { body: `${MARKER}1\n\ntext` });
    const found = await provider.findText(on(pull), MARKER);
    expect(found).toMatchObject(created);
    await provider.writeText(on(pull), found, { body: `${MARKER}2` });
    expect(world().commentsOf(pull)).toMatchObject([{ body: `${MARKER}2` }]);
  });

  it('sends a create only once if it certainly failed', async () => {
    const pull = world().open({ head: HEAD });
    site.served.fail({ method: 'POST', path: /\/(?:comments|notes)$/, answer: 'hang up' });
    const failing = connect().writeText(on(pull), null, { body: `${MARKER}1` });
    await expect(failing).rejects.toMatchObject({ code: 'provider-unreachable' });
    const sent = site.served.requests.filter(
      ({ path, method }) => method === 'POST' && /ments|notes/.test(path),
    );
    expect(sent).toHaveLength(1);
  });

  it('says that a discussion is locked, and which right is missing', async () => {
    const pull = world().open({ head: HEAD });
    await expect(connect('fork-token').writeText(on(pull), null, { body: MARKER })).rejects.toMatchObject({
      code: 'provider-denied',
      hint:
        name === 'GitHub'
          ? expect.stringContaining('herald ci init')
          : (expect.stringContaining('scope `api`') as string),
    });
    pull.isLocked = true;
    const writing = connect().writeText(on(pull), null, { body: MARKER });
    // On GitLab, a lock is not for members of the project.
    if (name === 'GitLab') await writing;
    else
      await expect(writing).rejects.toMatchObject({
        code: 'provider-locked',
        hint: expect.stringContaining('Unlock') as string,
      });
  });

  it('does not find a comment that was deleted by hand, and rejects one that is too long', async () => {
    const pull = world().open({ head: HEAD });
    await expect(connect().writeText(on(pull), { id: '99' }, { body: 'x' })).rejects.toMatchObject({
      code: 'provider-not-found',
      message: expect.stringContaining('Could not edit the comment on') as string,
    });
    const long = 'x'.repeat(connect().bodyMax + 1);
    await expect(connect().writeText(on(pull), null, { body: long })).rejects.toMatchObject({
      code: 'provider-rejected',
      message: expect.stringContaining('is too long') as string,
    });
  });

  it('sets a status, with a description that is visible and cut, again after a failure', async () => {
    const answer = { status: 502, body: { message: 'Bad gateway' } };
    site.served.fail({ method: 'POST', answer });
    const url = 'https://site.example/run';
    const description = `\u001b${'é'.repeat(300)}`;
    const status = { state: 'failure', context: 'herald/eu', description, url } as const;
    await connect().setStatus(HEAD, status);
    await connect().setStatus(HEAD, status);
    const [state, max] = name === 'GitHub' ? ['failure', 140] : ['failed', 255];
    expect(world().statuses[0]).toEqual({
      ...status,
      sha: HEAD,
      state,
      description: `\\u{1b}${'é'.repeat(max - 7)}…`,
    });
  });

  it('approves only what the site decides, and nothing where no review is required', async () => {
    const pull = world().open({ head: HEAD });
    world().approvalsRequired = 2;
    world().review(pull, ANA);
    const why = () => connect().whyNotApproved(pull.number);
    expect(await why()).toBe(`is not approved on ${name}. Let people approve it`);
    world().review(pull, BO);
    expect(await why()).toBeNull();
    world().review(pull, BO, 'CHANGES_REQUESTED');
    expect(await why()).toContain('is not approved');
    world().review(pull, BO);
    world().review(pull, BOT);
    expect(await why()).toContain('is approved by the token of these jobs');
    world().review(pull, BOT, 'COMMENTED');
    expect(await why()).toContain('is approved by the token of these jobs');
    pull.reviews.splice(-2);
    world().approvalsRequired = 0;
    expect(await why()).toMatch(
      /requires no review, or a conversation is not resolved\. .*Require a pull request|needs no approval on GitLab\./,
    );
    await expect(connect().whyNotApproved(99)).rejects.toMatchObject({ code: 'provider-not-found' });
  });

  it('gives one file of an artifact, the newest, and the token never goes to another origin', async () => {
    const [old, now] = ['{"old":true}', '{"new":true}'].map((text) => ({
      [site.inArtifact('herald plan', 'herald-plan.json')]: text,
    }));
    world().upload('4711', 'herald plan', old ?? {});
    world().upload('4711', 'herald plan', now ?? {});
    const bytes = await connect().artifactFile({ run: '4711', name: 'herald plan' }, 'herald-plan.json', 99);
    expect(Buffer.from(bytes).toString()).toBe('{"new":true}');
    expect(JSON.stringify(site.served.storeRequests.map(({ headers }) => headers))).not.toContain(
      'bot-token',
    );
  });

  it('gives a plan that is larger than any other answer', async () => {
    const large = Buffer.alloc(33 * 1024 * 1024, 1);
    world().upload('4711', 'plan', { [site.inArtifact('plan', 'herald-plan.json')]: large });
    const read = (bytesMax: number) =>
      connect().artifactFile({ run: '4711', name: 'plan' }, 'herald-plan.json', bytesMax);
    expect(await read(large.length)).toHaveLength(large.length);
    await expect(read(large.length - 1)).rejects.toMatchObject({ code: 'provider-artifact' });
  });

  it('keeps one issue: opened once, edited, closed and opened again, and only ours is found', async () => {
    world().openIssue(EVE, 'Drift', `${MARKER}forged`);
    const provider = connect();
    const find = () => provider.findText('issues', MARKER);
    const edit = (text: WrittenText) => provider.writeText('issues', own, text);
    expect(await find()).toBeNull();
    site.served.fail({ method: 'POST', path: /\/issues$/, answer: 'hang up', after: true });
    const opened = await provider.writeText('issues', null, { title: 'Drift', body: `${MARKER}1\ntext` });
    const own = await find();
    expect(own).toMatchObject(opened);
    await edit({ title: 'Drift of 2', body: `${MARKER}2` });
    await edit({ body: `${MARKER}3`, isOpen: false });
    expect(await find()).toMatchObject({ body: `${MARKER}3`, isOpen: false });
    await edit({ body: `${MARKER}4`, isOpen: true });
    expect(world().issues.filter(({ author }) => author === BOT)).toMatchObject([
      { title: 'Drift of 2', isOpen: true },
    ]);
  });

  it('does not make a failure of what was carried out, if its answer lacks what Herald does not need', async () => {
    const pull = world().open({ head: HEAD });
    site.served.fail({ answer: { status: 201, body: {} }, after: true, times: 3 });
    const provider = connect();
    await provider.writeText(on(pull), null, { body: `${MARKER}1` });
    await provider.writeText('issues', null, { title: 'Drift', body: `${MARKER}1` });
    await provider.setStatus(HEAD, STATUS);
    expect([world().commentsOf(pull), world().issues, world().statuses].map((one) => one.length)).toEqual([
      1, 1, 1,
    ]);
  });
});

const STATUS = { state: 'success', context: 'herald', description: 'done', url: null } as const;

async function begin(beginning: Promise<Site>): Promise<Site> {
  const begun = await beginning;
  onTestFinished(() => begun.served.close());
  return begun;
}

it('GitHub has no approval by the token of a job, also where another token asks', async () => {
  const { served, connect } = await begin(SITES[0][1]());
  const pull = served.world.open({ head: HEAD });
  served.world.review(pull, BOT);
  expect(await connect('ana-token').whyNotApproved(pull.number)).toContain(
    'is approved by the token of these jobs',
  );
});

describe('GitLab alone', () => {
  it('refuses the status of a commit on a protected branch to a token that may not merge there, and says so', async () => {
    const { served, connect } = await begin(aGitLab());
    served.world.merge(served.world.open({ head: HEAD }), MERGE);
    await connect().setStatus(HEAD, STATUS);
    await expect(connect().setStatus(MERGE, STATUS)).rejects.toMatchObject({
      code: 'provider-denied',
      hint: expect.stringContaining('let Developers merge into that branch') as string,
    });
    served.world.developersMayMerge = true;
    await connect().setStatus(MERGE, STATUS);
    expect(served.world.statuses.map(({ sha }) => sha)).toEqual([HEAD, MERGE]);
  });

  it('has the head of a merge request on the base branch after a fast-forward', async () => {
    const { served, connect } = await begin(aGitLab());
    const pull = served.world.open({ head: HEAD });
    pull.state = 'merged';
    expect(await connect().pullRequest(pull.number)).toMatchObject({ state: 'merged', mergeCommit: HEAD });
  });

  it('has no approvals on GitLab Free, also if people approve', async () => {
    const { served, connect } = await begin(aGitLab());
    served.world.isFree = true;
    const pull = served.world.open({ head: HEAD });
    served.world.review(pull, BO);
    expect(await connect().whyNotApproved(pull.number)).toContain('needs no approval');
  });

  it('misses an approval where GitLab approves by itself, because no one can meet a rule', async () => {
    const { served, connect } = await begin(aGitLab());
    const pull = served.world.open({ head: HEAD });
    const body = { approved: true, approvals_required: 1, approvals_left: 1 };
    served.fail({ path: /\/approvals$/, answer: { status: 200, body } });
    expect(await connect().whyNotApproved(pull.number)).toContain('is not approved');
  });
});
