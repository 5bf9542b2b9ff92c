import type * as z from 'zod';
import { ProviderError } from '../error.ts';
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
import { artifactFileOf } from './artifact.ts';
import type { ClientOptions } from '../client-options.ts';
import { GitLabClient, type Call } from './client.ts';
import { commentOf, issueOf, pullRequestOf } from './read.ts';
import {
  approvalsReply,
  issueReply,
  mergeRequestReply,
  noteReply,
  userReply,
  writtenReply,
  type NoteReply,
} from './shapes.ts';

/** GitLab's limit for a note and a description, in characters. */
const BODY_MAX = 1_000_000;
const STATUS_WORDS_MAX = 255;
/** Of 100 items each. */
const PAGES_MAX = 30;
/** GitLab has no list of all notes of a project, so each other merge request costs a call. */
const OTHERS_MAX = 4;

const STATES = { pending: 'pending', success: 'success', failure: 'failed', error: 'failed' } as const;

/** GitLab.com, and GitLab on other hosts. */
export class GitLabProvider implements Provider {
  readonly name = 'gitlab';
  readonly bodyMax = BODY_MAX;
  readonly #client: GitLabClient;
  readonly #project: string;
  readonly #path: string;
  #me: Promise<z.infer<typeof userReply>> | null = null;

  constructor(options: ClientOptions, project: string) {
    this.#client = new GitLabClient(options);
    this.#project = project;
    this.#path = `/projects/${encodeURIComponent(project)}`;
  }

  async pullRequest(number: number): Promise<PullRequest> {
    return pullRequestOf(await this.#mergeRequest(number));
  }

  async pullRequestsOf(commit: string): Promise<readonly PullRequest[]> {
    const path = `/repository/commits/${encodeURIComponent(commit)}/merge_requests`;
    const call = this.#get('find the merge requests of a commit', path);
    return (await this.#client.list(call, mergeRequestReply, PAGES_MAX)).items.map(pullRequestOf);
  }

  async openPullRequests(baseBranch: string): Promise<readonly PullRequest[]> {
    const query = { state: 'opened', target_branch: baseBranch };
    const call = this.#get('list the open merge requests', '/merge_requests', query);
    return (await this.#client.list(call, mergeRequestReply, PAGES_MAX)).items.map(pullRequestOf);
  }

  async ownComments(pullRequest: number, marker: string): Promise<readonly OwnComment[]> {
    const { items } = await this.#notes(pullRequest, { sort: 'asc', order_by: 'created_at' }, PAGES_MAX);
    return this.#own(pullRequest, items, marker);
  }

  async ownCommentsOfAll(pullRequests: readonly number[], marker: string): Promise<OwnComments> {
    const newest = pullRequests.toSorted((one, other) => other - one).slice(0, OTHERS_MAX);
    const found = await Promise.all(
      newest.map(async (number) => {
        const { items, isComplete } = await this.#notes(number, { sort: 'desc', order_by: 'updated_at' }, 1);
        return { comments: await this.#own(number, items.toReversed(), marker), isComplete };
      }),
    );
    return {
      comments: found.flatMap(({ comments }) => comments),
      isComplete: newest.length === pullRequests.length && found.every(({ isComplete }) => isComplete),
    };
  }

  async createComment(pullRequest: number, body: string): Promise<Written> {
    const what = `create a comment on merge request ${pullRequest}`;
    const path = `${this.#path}/merge_requests/${pullRequest}/notes`;
    try {
      const note = await this.#client.ask(
        { method: 'POST', path, body: { body }, what, once: true },
        writtenReply,
      );
      return this.#writtenNote(pullRequest, note);
    } catch (error) {
      const isLost = error instanceof ProviderError && error.code === 'provider-unreachable';
      // It may be there. A second one would be wrong as well.
      const found = isLost ? (await this.ownComments(pullRequest, firstLine(body))).at(-1) : undefined;
      if (found === undefined) throw await this.#lockedOr(error, pullRequest);
      return found;
    }
  }

  async editComment(comment: Pick<OwnComment, 'id' | 'pullRequest'>, body: string): Promise<Written> {
    const { id, pullRequest } = comment;
    const what = `edit the comment on merge request ${pullRequest}`;
    const path = `${this.#path}/merge_requests/${pullRequest}/notes/${encodeURIComponent(id)}`;
    const note = await this.#client.ask({ method: 'PUT', path, body: { body }, what }, writtenReply);
    return this.#writtenNote(pullRequest, note);
  }

  async setStatus(commit: string, { state, context, description, url }: CommitStatus): Promise<void> {
    const call: Call = {
      method: 'POST',
      path: `${this.#path}/statuses/${encodeURIComponent(commit)}`,
      what: 'set the status of the commit',
      body: {
        state: STATES[state],
        name: context,
        description: shortened(description, STATUS_WORDS_MAX),
        ...(url === null ? {} : { target_url: url }),
      },
    };
    try {
      await this.#client.ask(call, writtenReply);
    } catch (error) {
      // GitLab refuses a status that is there already.
      const isSame = error instanceof ProviderError && /Cannot transition status/i.test(error.message);
      if (!isSame) throw error;
    }
  }

  async whyNotApproved(pullRequest: number): Promise<string | null> {
    const what = `read whether merge request ${pullRequest} is approved`;
    const call = this.#get(what, `/merge_requests/${pullRequest}/approvals`);
    const { approved, approvals_required, approvals_left } = await this.#client.ask(call, approvalsReply);
    if (approvals_required === 0)
      return 'needs no approval on GitLab. Add a rule under Settings > Merge requests > Merge request approvals (GitLab Premium), and let people approve it';
    // A rule that no one can meet counts as approved, and its approvals are left.
    return approved && approvals_left === 0 ? null : 'is not approved on GitLab. Let people approve it';
  }

  artifactFile({ run, name }: ArtifactName, file: string, maxBytes: number): Promise<Uint8Array> {
    return artifactFileOf(
      this.#client,
      `${this.#path}/jobs/${encodeURIComponent(run)}`,
      `${name}/${file}`,
      maxBytes,
    );
  }

  async ownIssue(marker: string): Promise<Issue | null> {
    const { id } = await this.#myself();
    const query = { author_id: id, state: 'all', order_by: 'created_at', sort: 'desc' };
    const call = this.#get('find the issue', '/issues', query);
    const { items } = await this.#client.list(call, issueReply, PAGES_MAX);
    const own = items.find(
      ({ author, description }) => author?.id === id && (description ?? '').startsWith(marker),
    );
    return own === undefined ? null : issueOf(own);
  }

  async createIssue({ title, body }: IssueText): Promise<Written> {
    const path = `${this.#path}/issues`;
    const sent = { title, description: body };
    try {
      const call: Call = { method: 'POST', path, body: sent, what: 'open an issue', once: true };
      return writtenOf(await this.#client.ask(call, writtenReply));
    } catch (error) {
      const isLost = error instanceof ProviderError && error.code === 'provider-unreachable';
      const found = isLost ? await this.ownIssue(firstLine(body)) : null;
      if (found === null) throw error;
      return found;
    }
  }

  async editIssue(
    number: number,
    { title, body, isOpen }: Partial<IssueText> & { readonly isOpen?: boolean },
  ): Promise<Written> {
    const sent = {
      ...(title === undefined ? {} : { title }),
      ...(body === undefined ? {} : { description: body }),
      ...(isOpen === undefined ? {} : { state_event: isOpen ? 'reopen' : 'close' }),
    };
    const call: Call = {
      method: 'PUT',
      path: `${this.#path}/issues/${number}`,
      body: sent,
      what: `edit issue ${number}`,
    };
    return writtenOf(await this.#client.ask(call, writtenReply));
  }

  #mergeRequest(number: number) {
    return this.#client.ask(
      this.#get(`read merge request ${number}`, `/merge_requests/${number}`),
      mergeRequestReply,
    );
  }

  #notes(number: number, order: NonNullable<Call['query']>, pagesMax: number) {
    const what = `read the comments of merge request ${number}`;
    return this.#client.list(this.#get(what, `/merge_requests/${number}/notes`, order), noteReply, pagesMax);
  }

  /** GitLab answers 403 for a locked discussion, as for a token without rights. */
  async #lockedOr(error: unknown, number: number): Promise<unknown> {
    if (!(error instanceof ProviderError) || error.code !== 'provider-denied') return error;
    const { discussion_locked: isLocked } = await this.#mergeRequest(number);
    return isLocked === true
      ? new ProviderError('provider-locked', error.message, null, { cause: error })
      : error;
  }

  async #own(number: number, notes: readonly NoteReply[], marker: string): Promise<readonly OwnComment[]> {
    const marked = notes.filter(({ body, system }) => system !== true && body.startsWith(marker));
    if (marked.length === 0) return [];
    const { id } = await this.#myself();
    const url = this.#urlOf(number);
    return marked.filter(({ author }) => author?.id === id).map((note) => commentOf(number, url, note));
  }

  /** Asked once. */
  #myself() {
    const call: Call = { method: 'GET', path: '/user', what: 'find out who this token is' };
    this.#me ??= this.#client.ask(call, userReply);
    return this.#me;
  }

  #writtenNote(number: number, { id }: z.infer<typeof writtenReply>): Written {
    const url = this.#urlOf(number);
    return { url: typeof id === 'number' ? `${url}#note_${id}` : url };
  }

  /** The page of a merge request. A note does not tell it. */
  #urlOf(number: number): string {
    return `${this.#client.webUrl}/${this.#project}/-/merge_requests/${number}`;
  }

  #get(what: string, path: string, query: NonNullable<Call['query']> = {}): Call {
    return { method: 'GET', path: `${this.#path}${path}`, query, what };
  }
}

function writtenOf({ web_url: url }: z.infer<typeof writtenReply>): Written {
  return { url: url ?? null };
}
