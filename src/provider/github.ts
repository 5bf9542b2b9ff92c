import * as z from 'zod';
import {
  createOrFind,
  firstLine,
  ProviderClient,
  shortened,
  type Call,
  type ClientOptions,
} from './client.ts';
import { ProviderError } from './error.ts';
import type {
  ArtifactName,
  CommitStatus,
  Issue,
  IssueText,
  OwnComment,
  OwnComments,
  Provider,
  PullRequest,
  Written,
} from './provider.ts';
import { oneFileOf } from './zip.ts';

/*
 * What Herald reads of GitHub's answers. Other members are left out, and one without which Herald can do its work may be missing:
 * a request that was carried out must not count as failed.
 */

const user = z.object({ login: z.string().optional(), id: z.number().optional() }).nullish();

/** The answer to a write: it is done. */
const writtenReply = z.object({ html_url: z.string().nullish() });

const viewerReply = z.object({
  data: z.object({ viewer: z.object({ login: z.string(), databaseId: z.number().nullish() }) }),
});

const pullRequestReply = z.object({
  number: z.number(),
  html_url: z.string().nullish(),
  title: z.string().nullish(),
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  user,
  head: z.object({ sha: z.string() }),
});

const commentReply = z.object({
  id: z.number(),
  html_url: z.string().nullish(),
  issue_url: z.string(),
  body: z.string().nullish(),
  user,
});

const reviewDecisionReply = z.object({
  data: z.object({
    repository: z.object({ pullRequest: z.object({ reviewDecision: z.string().nullable() }) }),
  }),
});

const artifactsReply = z.object({
  artifacts: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      size_in_bytes: z.number().nullish(),
      expired: z.boolean().nullish(),
      expires_at: z.string().nullish(),
      created_at: z.string().nullish(),
    }),
  ),
});

const issueReply = z.object({
  number: z.number(),
  html_url: z.string().nullish(),
  state: z.string(),
  title: z.string().nullish(),
  body: z.string().nullish(),
  user,
  pull_request: z.unknown().optional(),
});

export interface GitHubOptions extends ClientOptions {
  readonly graphqlUrl: string;
}

/** GitHub's limit for a comment and an issue, in characters. */
const BODY_MAX = 65_536;
const STATUS_WORDS_MAX = 140;
/** Of 100 items each. */
const PAGES_MAX = 30;
/** The comments of all pull requests are read newest first, and only these. */
const RECENT_PAGES_MAX = 3;
/** Larger artifacts are not ours. */
const ARTIFACT_BYTES_MAX = 32 * 1024 * 1024;

interface Viewer {
  readonly login: string;
  readonly id: number | null;
}

/** GitHub, and GitHub Enterprise with the same API. */
export class GitHubProvider implements Provider {
  readonly name = 'github';
  readonly bodyMax = BODY_MAX;
  readonly #client: ProviderClient;
  readonly #graphqlUrl: string;
  readonly #repository: readonly string[];
  readonly #path: string;
  #viewer: Promise<Viewer> | null = null;

  constructor(options: GitHubOptions, repository: string) {
    this.#client = new ProviderClient(options, {
      headers: {
        authorization: `token ${options.token}`,
        accept: 'application/vnd.github+json',
        'x-github-api-version': '2022-11-28',
      },
    });
    this.#graphqlUrl = options.graphqlUrl;
    this.#repository = repository.split('/');
    this.#path = `/repos/${this.#repository.map(encodeURIComponent).join('/')}`;
  }

  async pullRequest(number: number): Promise<PullRequest> {
    const call = this.#get(`read pull request ${number}`, `/pulls/${number}`);
    return readPullRequest(await this.#client.ask(call, pullRequestReply));
  }

  async pullRequestsOf(commit: string): Promise<readonly PullRequest[]> {
    const path = `/commits/${encodeURIComponent(commit)}/pulls`;
    return this.#pullRequests(this.#get('find the pull requests of a commit', path));
  }

  async openPullRequests(baseBranch: string): Promise<readonly PullRequest[]> {
    const query = { state: 'open', base: baseBranch };
    return this.#pullRequests(this.#get('list the open pull requests', '/pulls', query));
  }

  async ownComments(pullRequest: number, marker: string): Promise<readonly OwnComment[]> {
    const what = `read the comments of pull request ${pullRequest}`;
    const call = this.#get(what, `/issues/${pullRequest}/comments`);
    return this.#own((await this.#client.list(call, commentReply, PAGES_MAX)).items, marker);
  }

  async ownCommentsOfAll(pullRequests: readonly number[], marker: string): Promise<OwnComments> {
    if (pullRequests.length === 0) return { comments: [], isComplete: true };
    const query = { sort: 'updated', direction: 'desc' };
    const call = this.#get('read the comments of other pull requests', '/issues/comments', query);
    const { items, isComplete } = await this.#client.list(call, commentReply, RECENT_PAGES_MAX);
    const own = await this.#own(items, marker);
    const comments = own.filter(({ pullRequest }) => pullRequests.includes(pullRequest)).toReversed();
    return { comments, isComplete };
  }

  createComment(pullRequest: number, body: string): Promise<Written> {
    const call: Call = {
      method: 'POST',
      path: `${this.#path}/issues/${pullRequest}/comments`,
      body: { body },
      what: `create a comment on pull request ${pullRequest}`,
      once: true,
    };
    return createOrFind(this.#write(call), async () =>
      (await this.ownComments(pullRequest, firstLine(body))).at(-1),
    );
  }

  editComment({ id, pullRequest }: Pick<OwnComment, 'id' | 'pullRequest'>, body: string): Promise<Written> {
    const path = `${this.#path}/issues/comments/${encodeURIComponent(id)}`;
    const what = `edit the comment on pull request ${pullRequest}`;
    return this.#write({ method: 'PATCH', path, body: { body }, what });
  }

  async setStatus(commit: string, { state, context, description, url }: CommitStatus): Promise<void> {
    await this.#write({
      method: 'POST',
      path: `${this.#path}/statuses/${encodeURIComponent(commit)}`,
      what: 'set the status of the commit',
      body: {
        state,
        context,
        description: shortened(description, STATUS_WORDS_MAX),
        ...(url === null ? {} : { target_url: url }),
      },
    });
  }

  async whyNotApproved(pullRequest: number): Promise<string | null> {
    const [owner, name] = this.#repository.map((word) => JSON.stringify(word));
    const query = `{ repository(owner: ${owner}, name: ${name}) { pullRequest(number: ${pullRequest}) { reviewDecision } } }`;
    const what = `read whether pull request ${pullRequest} is approved`;
    const { data } = await this.#graphql(what, query, reviewDecisionReply);
    const { reviewDecision } = data.repository.pullRequest;
    if (reviewDecision === 'APPROVED') return null;
    return reviewDecision === null
      ? 'was merged into a branch that requires no review. In a ruleset or the protection of the branch on GitHub, turn on "Require a pull request before merging" with "Required approvals" of 1 or more, and let people approve it'
      : 'is not approved on GitHub. Let people approve it';
  }

  async artifactFile({ run, name }: ArtifactName, file: string, maxBytes: number): Promise<Uint8Array> {
    const id = await this.#artifact(run, name);
    try {
      const call = this.#get(`download artifact ${name}`, `/actions/artifacts/${id}/zip`);
      return await oneFileOf(await this.#client.bytes(call), file, maxBytes);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.code !== 'provider-not-found') throw error;
      throw refuseArtifact(`Artifact ${name} expired or was deleted.`);
    }
  }

  async ownIssue(marker: string): Promise<Issue | null> {
    const viewer = await this.#me();
    const query = { state: 'all', creator: viewer.login, sort: 'created', direction: 'desc' };
    const { items } = await this.#client.list(
      this.#get('find the issue', '/issues', query),
      issueReply,
      PAGES_MAX,
    );
    const own = items.find(
      ({ body, user: author, pull_request }) =>
        pull_request === undefined && isViewer(viewer, author) && (body ?? '').startsWith(marker),
    );
    if (own === undefined) return null;
    const { number, html_url: url, state, title, body } = own;
    return { number, url: url ?? '', isOpen: state === 'open', title: title ?? '', body: body ?? '' };
  }

  createIssue({ title, body }: IssueText): Promise<Written> {
    const path = `${this.#path}/issues`;
    const call: Call = { method: 'POST', path, body: { title, body }, what: 'open an issue', once: true };
    return createOrFind(this.#write(call), () => this.ownIssue(firstLine(body)));
  }

  editIssue(
    number: number,
    { isOpen, ...text }: Partial<IssueText> & { readonly isOpen?: boolean },
  ): Promise<Written> {
    return this.#write({
      method: 'PATCH',
      path: `${this.#path}/issues/${number}`,
      body: { ...text, ...(isOpen === undefined ? {} : { state: isOpen ? 'open' : 'closed' }) },
      what: `edit issue ${number}`,
    });
  }

  /** The id of the newest artifact of this name: each attempt of a run has its own. */
  async #artifact(run: string, name: string): Promise<number> {
    const path = `/actions/runs/${encodeURIComponent(run)}/artifacts`;
    const call = this.#get(`find artifact ${name} of run ${run}`, path, { name, per_page: 100 });
    const { artifacts } = await this.#client.ask(call, artifactsReply);
    const [newest] = artifacts
      .filter((artifact) => artifact.name === name)
      .toSorted((one, other) => (other.created_at ?? '').localeCompare(one.created_at ?? ''));
    if (newest === undefined) throw refuseArtifact(`The run has no artifact ${name}.`);
    const { expired, expires_at: until, size_in_bytes: size } = newest;
    if (expired === true)
      throw refuseArtifact(`Artifact ${name} expired${typeof until === 'string' ? ` at ${until}` : ''}.`);
    if ((size ?? 0) > ARTIFACT_BYTES_MAX) throw refuseArtifact(`Artifact ${name} has more than 32 MiB.`);
    return newest.id;
  }

  async #pullRequests(call: Call): Promise<readonly PullRequest[]> {
    return (await this.#client.list(call, pullRequestReply, PAGES_MAX)).items.map(readPullRequest);
  }

  async #own(items: readonly z.infer<typeof commentReply>[], marker: string): Promise<readonly OwnComment[]> {
    const marked = items.filter(({ body }) => (body ?? '').startsWith(marker));
    if (marked.length === 0) return [];
    const viewer = await this.#me();
    return marked
      .filter(({ user: author }) => isViewer(viewer, author))
      .map(({ id, html_url, issue_url, body }) => ({
        id: String(id),
        pullRequest: Number(issue_url.slice(issue_url.lastIndexOf('/') + 1)),
        url: html_url ?? '',
        body: body ?? '',
      }));
  }

  /** Asked once. REST does not tell it to the token of a job, GraphQL does. */
  #me(): Promise<Viewer> {
    this.#viewer ??= this.#graphql(
      'find out who this token is',
      '{ viewer { login databaseId } }',
      viewerReply,
    ).then(({ data: { viewer } }) => ({ login: viewer.login, id: viewer.databaseId ?? null }));
    return this.#viewer;
  }

  async #write(call: Call): Promise<Written> {
    return { url: (await this.#client.ask(call, writtenReply)).html_url ?? null };
  }

  #graphql<Shape extends z.ZodType>(what: string, query: string, shape: Shape): Promise<z.infer<Shape>> {
    return this.#client.ask({ method: 'POST', path: this.#graphqlUrl, body: { query }, what }, shape);
  }

  #get(what: string, path: string, query: NonNullable<Call['query']> = {}): Call {
    return { method: 'GET', path: `${this.#path}${path}`, query, what };
  }
}

function readPullRequest(reply: z.infer<typeof pullRequestReply>): PullRequest {
  const isMerged = (reply.merged_at ?? null) !== null;
  return {
    number: reply.number,
    url: reply.html_url ?? '',
    title: reply.title ?? '',
    // The account may be deleted.
    author: reply.user?.login ?? 'ghost',
    state: isMerged ? 'merged' : reply.state,
    head: reply.head.sha,
    // Before the merge, it is a test merge that GitHub makes.
    mergeCommit: isMerged ? (reply.merge_commit_sha ?? null) : null,
  };
}

function isViewer(viewer: Viewer, author: z.infer<typeof user>): boolean {
  if (author === null || author === undefined) return false;
  return viewer.id === null ? author.login === viewer.login : author.id === viewer.id;
}

function refuseArtifact(why: string): ProviderError {
  return new ProviderError('provider-artifact', why, null);
}
