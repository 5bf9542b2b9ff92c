import type * as z from 'zod';
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
} from '../provider.ts';
import { firstLine, shortened } from '../texts.ts';
import { oneFileOf } from '../zip.ts';
import { archiveOf, artifactOf } from './artifact.ts';
import { GitHubClient, type Call, type GitHubOptions } from './client.ts';
import { mayBeDone } from './errors.ts';
import { commentOf, issueOf, pullRequestOf } from './read.ts';
import {
  commentReply,
  issueReply,
  pullRequestReply,
  reviewDecisionReply,
  viewerReply,
  writtenReply,
  type CommentReply,
} from './shapes.ts';

/** GitHub's limit for a comment and an issue, in characters. */
const BODY_MAX = 65_536;
const STATUS_WORDS_MAX = 140;
/** Of 100 items each. */
const PAGES_MAX = 30;
/** The comments of all pull requests are read newest first, and only these. */
const RECENT_PAGES_MAX = 3;

interface Viewer {
  readonly login: string;
  readonly id: number | null;
}

/** GitHub, and GitHub Enterprise with the same API. */
export class GitHubProvider implements Provider {
  readonly name = 'github';
  readonly bodyMax = BODY_MAX;
  readonly #client: GitHubClient;
  readonly #owner: string;
  readonly #repo: string;
  #viewer: Promise<Viewer> | null = null;

  constructor(options: GitHubOptions, repository: string) {
    this.#client = new GitHubClient(options);
    const [owner = '', repo = ''] = repository.split('/');
    this.#owner = owner;
    this.#repo = repo;
  }

  async pullRequest(number: number): Promise<PullRequest> {
    const call = this.#call(`read pull request ${number}`, 'GET', '/pulls/{pull_number}', {
      pull_number: number,
    });
    return pullRequestOf(await this.#client.ask(call, pullRequestReply));
  }

  async pullRequestsOf(commit: string): Promise<readonly PullRequest[]> {
    const call = this.#call('find the pull requests of a commit', 'GET', '/commits/{commit_sha}/pulls', {
      commit_sha: commit,
    });
    const { items } = await this.#client.list(call, pullRequestReply, PAGES_MAX);
    return items.map(pullRequestOf);
  }

  async openPullRequests(baseBranch: string): Promise<readonly PullRequest[]> {
    const call = this.#call('list the open pull requests', 'GET', '/pulls', {
      state: 'open',
      base: baseBranch,
    });
    const { items } = await this.#client.list(call, pullRequestReply, PAGES_MAX);
    return items.map(pullRequestOf);
  }

  async ownComments(pullRequest: number, marker: string): Promise<readonly OwnComment[]> {
    const call = this.#call(
      `read the comments of pull request ${pullRequest}`,
      'GET',
      '/issues/{issue_number}/comments',
      { issue_number: pullRequest },
    );
    const { items } = await this.#client.list(call, commentReply, PAGES_MAX);
    return this.#own(items, marker);
  }

  async ownCommentsOfAll(pullRequests: readonly number[], marker: string): Promise<OwnComments> {
    if (pullRequests.length === 0) return { comments: [], isComplete: true };
    const call = this.#call('read the comments of other pull requests', 'GET', '/issues/comments', {
      sort: 'updated',
      direction: 'desc',
    });
    const { items, isComplete } = await this.#client.list(call, commentReply, RECENT_PAGES_MAX);
    const own = await this.#own(items, marker);
    const comments = own.filter(({ pullRequest }) => pullRequests.includes(pullRequest)).toReversed();
    return { comments, isComplete };
  }

  async createComment(pullRequest: number, body: string): Promise<Written> {
    const call = this.#call(
      `create a comment on pull request ${pullRequest}`,
      'POST',
      '/issues/{issue_number}/comments',
      { issue_number: pullRequest, body },
    );
    try {
      return writtenOf(await this.#client.askOnce(call, writtenReply));
    } catch (error) {
      if (!mayBeDone(error)) throw error;
      // It may be there. A second one would be wrong as well.
      const found = (await this.ownComments(pullRequest, firstLine(body))).at(-1);
      if (found === undefined) throw error;
      return found;
    }
  }

  async editComment(comment: Pick<OwnComment, 'id' | 'pullRequest'>, body: string): Promise<Written> {
    const call = this.#call(
      `edit the comment on pull request ${comment.pullRequest}`,
      'PATCH',
      '/issues/comments/{comment_id}',
      { comment_id: comment.id, body },
    );
    return writtenOf(await this.#client.ask(call, writtenReply));
  }

  async setStatus(commit: string, { state, context, description, url }: CommitStatus): Promise<void> {
    const call = this.#call('set the status of the commit', 'POST', '/statuses/{sha}', {
      sha: commit,
      state,
      context,
      description: shortened(description, STATUS_WORDS_MAX),
      ...(url === null ? {} : { target_url: url }),
    });
    await this.#client.ask(call, writtenReply);
  }

  async whyNotApproved(pullRequest: number): Promise<string | null> {
    const [owner, name] = [this.#owner, this.#repo].map((word) => JSON.stringify(word));
    const query = `{ repository(owner: ${owner}, name: ${name}) { pullRequest(number: ${pullRequest}) { reviewDecision } } }`;
    const what = `read whether pull request ${pullRequest} is approved`;
    const { data } = await this.#client.graphql(what, query, reviewDecisionReply);
    const { reviewDecision } = data.repository.pullRequest;
    if (reviewDecision === 'APPROVED') return null;
    return reviewDecision === null
      ? 'was merged into a branch that requires no review. In a ruleset or the protection of the branch on GitHub, turn on "Require a pull request before merging" with "Required approvals" of 1 or more, and let people approve it'
      : 'is not approved on GitHub. Let people approve it';
  }

  async artifactFile({ run, name }: ArtifactName, file: string, maxBytes: number): Promise<Uint8Array> {
    const artifact = await artifactOf(
      this.#client,
      this.#call(`find artifact ${name} of run ${run}`, 'GET', '/actions/runs/{run_id}/artifacts', {
        run_id: run,
        name,
      }),
      name,
    );
    const call = this.#call(
      `download artifact ${name}`,
      'GET',
      '/actions/artifacts/{artifact_id}/{archive_format}',
      {
        artifact_id: artifact,
        archive_format: 'zip',
      },
    );
    return oneFileOf(await archiveOf(this.#client, call, name), file, maxBytes);
  }

  async ownIssue(marker: string): Promise<Issue | null> {
    const viewer = await this.#me();
    const call = this.#call('find the issue', 'GET', '/issues', {
      state: 'all',
      creator: viewer.login,
      sort: 'created',
      direction: 'desc',
    });
    const { items } = await this.#client.list(call, issueReply, PAGES_MAX);
    const own = items.find(
      ({ body, user, pull_request }) =>
        pull_request === undefined && isViewer(viewer, user) && (body ?? '').startsWith(marker),
    );
    return own === undefined ? null : issueOf(own);
  }

  async createIssue({ title, body }: IssueText): Promise<Written> {
    const call = this.#call('open an issue', 'POST', '/issues', { title, body });
    try {
      return writtenOf(await this.#client.askOnce(call, writtenReply));
    } catch (error) {
      const found = mayBeDone(error) ? await this.ownIssue(firstLine(body)) : null;
      if (found === null) throw error;
      return found;
    }
  }

  async editIssue(
    number: number,
    { title, body, isOpen }: Partial<IssueText> & { readonly isOpen?: boolean },
  ): Promise<Written> {
    const call = this.#call(`edit issue ${number}`, 'PATCH', '/issues/{issue_number}', {
      issue_number: number,
      ...(title === undefined ? {} : { title }),
      ...(body === undefined ? {} : { body }),
      ...(isOpen === undefined ? {} : { state: isOpen ? 'open' : 'closed' }),
    });
    return writtenOf(await this.#client.ask(call, writtenReply));
  }

  async #own(items: readonly CommentReply[], marker: string): Promise<readonly OwnComment[]> {
    const marked = items.filter(({ body }) => (body ?? '').startsWith(marker));
    if (marked.length === 0) return [];
    const viewer = await this.#me();
    return marked.filter(({ user }) => isViewer(viewer, user)).map(commentOf);
  }

  /** Asked once. REST does not tell it to the token of a job, GraphQL does. */
  #me(): Promise<Viewer> {
    this.#viewer ??= this.#client
      .graphql('find out who this token is', '{ viewer { login databaseId } }', viewerReply)
      .then(({ data: { viewer } }) => ({ login: viewer.login, id: viewer.databaseId ?? null }));
    return this.#viewer;
  }

  #call(what: string, method: string, path: string, params: Call['params']): Call {
    const route = `${method} /repos/{owner}/{repo}${path}`;
    return { what, route, params: { owner: this.#owner, repo: this.#repo, ...params } };
  }
}

function writtenOf({ html_url: url }: z.infer<typeof writtenReply>): Written {
  return { url: url ?? null };
}

function isViewer(viewer: Viewer, user: CommentReply['user']): boolean {
  if (user === null || user === undefined) return false;
  return viewer.id === null ? user.login === viewer.login : user.id === viewer.id;
}
