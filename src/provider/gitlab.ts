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

/*
 * What Herald reads of GitLab's answers. Other members are left out, and one without which Herald can do its work may be missing:
 * a request that was carried out must not count as failed.
 */

const user = z.object({ id: z.number().optional(), username: z.string().optional() });
const userReply = z.object({ id: z.number() });

/** The answer to a write: it is done. */
const writtenReply = z.object({ id: z.number().nullish(), web_url: z.string().nullish() });

const mergeRequestReply = z.object({
  iid: z.number(),
  web_url: z.string().nullish(),
  title: z.string().nullish(),
  state: z.enum(['opened', 'closed', 'locked', 'merged']),
  author: user.nullish(),
  sha: z.string().nullish(),
  merge_commit_sha: z.string().nullish(),
  squash_commit_sha: z.string().nullish(),
  discussion_locked: z.boolean().nullish(),
});

const noteReply = z.object({
  id: z.number(),
  body: z.string(),
  system: z.boolean().optional(),
  author: user.nullish(),
});

/** GitLab Free has no rules, and leaves out the numbers. */
const approvalsReply = z.object({
  approved: z.boolean(),
  approvals_required: z.number().default(0),
  approvals_left: z.number().default(0),
});

const jobReply = z.object({
  artifacts_file: z.object({}).nullish(),
  artifacts_expire_at: z.string().nullish(),
});

const issueReply = z.object({
  iid: z.number(),
  web_url: z.string().nullish(),
  state: z.string(),
  title: z.string().nullish(),
  description: z.string().nullish(),
  author: user.nullish(),
});

/** GitLab's limit for a note and a description, in characters. */
const BODY_MAX = 1_000_000;
const STATUS_WORDS_MAX = 255;
/** Of 100 items each. */
const PAGES_MAX = 30;
/** GitLab has no list of all notes of a project, so each other merge request costs a call. */
const OTHERS_MAX = 4;

const STATES = { opened: 'open', locked: 'open', closed: 'closed', merged: 'merged' } as const;
const STATUSES = { pending: 'pending', success: 'success', failure: 'failed', error: 'failed' } as const;

/** GitLab.com, and GitLab on other hosts. */
export class GitLabProvider implements Provider {
  readonly name = 'gitlab';
  readonly bodyMax = BODY_MAX;
  readonly #client: ProviderClient;
  /** The address of its pages for people. */
  readonly #page: string;
  readonly #path: string;
  #me: Promise<z.infer<typeof userReply>> | null = null;

  constructor(options: ClientOptions, project: string) {
    this.#client = new ProviderClient(options, {
      headers: { 'private-token': options.token, accept: 'application/json' },
      rights:
        'Give the project access token the scope `api` and the role Developer. CI_JOB_TOKEN cannot write comments.',
    });
    this.#page = `${options.apiUrl.replace(/\/api\/v4$/, '')}/${project}`;
    this.#path = `/projects/${encodeURIComponent(project)}`;
  }

  async pullRequest(number: number): Promise<PullRequest> {
    return readMergeRequest(await this.#mergeRequest(number));
  }

  async pullRequestsOf(commit: string): Promise<readonly PullRequest[]> {
    const path = `/repository/commits/${encodeURIComponent(commit)}/merge_requests`;
    return this.#mergeRequests(this.#get('find the merge requests of a commit', path));
  }

  async openPullRequests(baseBranch: string): Promise<readonly PullRequest[]> {
    const query = { state: 'opened', target_branch: baseBranch };
    return this.#mergeRequests(this.#get('list the open merge requests', '/merge_requests', query));
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
    const call: Call = {
      method: 'POST',
      path: `${this.#path}/merge_requests/${pullRequest}/notes`,
      body: { body },
      what: `create a comment on merge request ${pullRequest}`,
      once: true,
    };
    try {
      return await createOrFind(this.#writeNote(pullRequest, call), async () =>
        (await this.ownComments(pullRequest, firstLine(body))).at(-1),
      );
    } catch (error) {
      throw await this.#lockedOr(error, pullRequest);
    }
  }

  editComment({ id, pullRequest }: Pick<OwnComment, 'id' | 'pullRequest'>, body: string): Promise<Written> {
    const path = `${this.#path}/merge_requests/${pullRequest}/notes/${encodeURIComponent(id)}`;
    const what = `edit the comment on merge request ${pullRequest}`;
    return this.#writeNote(pullRequest, { method: 'PUT', path, body: { body }, what });
  }

  async setStatus(commit: string, { state, context, description, url }: CommitStatus): Promise<void> {
    const call: Call = {
      method: 'POST',
      path: `${this.#path}/statuses/${encodeURIComponent(commit)}`,
      what: 'set the status of the commit',
      body: {
        state: STATUSES[state],
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

  async artifactFile({ run, name }: ArtifactName, file: string, maxBytes: number): Promise<Uint8Array> {
    const whole = `${name}/${file}`;
    const job = `/jobs/${encodeURIComponent(run)}`;
    try {
      const path = `${job}/artifacts/${whole.split('/').map(encodeURIComponent).join('/')}`;
      const bytes = await this.#client.bytes(this.#get(`download ${whole}`, path));
      if (bytes.byteLength <= maxBytes) return bytes;
      throw new ProviderError('provider-artifact', `${whole} has more than ${maxBytes} bytes.`, null);
    } catch (error) {
      if (!(error instanceof ProviderError) || error.code !== 'provider-not-found') throw error;
      // A file that is missing and an artifact that expired have the same answer.
      const call = this.#get('read the job of the artifact', job);
      const { artifacts_file: archive, artifacts_expire_at: until } = await this.#client.ask(call, jobReply);
      const isThere = archive !== null && archive !== undefined;
      const expired = `The artifact expired${typeof until === 'string' ? ` at ${until}` : ''}, or the job made none.`;
      const why = isThere ? `The artifact has no file ${whole}.` : expired;
      throw new ProviderError('provider-artifact', why, null, { cause: error });
    }
  }

  async ownIssue(marker: string): Promise<Issue | null> {
    const { id } = await this.#myself();
    const query = { author_id: id, state: 'all', order_by: 'created_at', sort: 'desc' };
    const { items } = await this.#client.list(
      this.#get('find the issue', '/issues', query),
      issueReply,
      PAGES_MAX,
    );
    const own = items.find(
      ({ author, description }) => author?.id === id && (description ?? '').startsWith(marker),
    );
    if (own === undefined) return null;
    const { iid: number, web_url: url, state, title, description } = own;
    const isOpen = state === 'opened';
    return { number, url: url ?? '', isOpen, title: title ?? '', body: description ?? '' };
  }

  createIssue({ title, body }: IssueText): Promise<Written> {
    const path = `${this.#path}/issues`;
    const sent = { title, description: body };
    const call: Call = { method: 'POST', path, body: sent, what: 'open an issue', once: true };
    return createOrFind(this.#writeIssue(call), () => this.ownIssue(firstLine(body)));
  }

  editIssue(
    number: number,
    { title, body, isOpen }: Partial<IssueText> & { readonly isOpen?: boolean },
  ): Promise<Written> {
    const sent = {
      ...(title === undefined ? {} : { title }),
      ...(body === undefined ? {} : { description: body }),
      ...(isOpen === undefined ? {} : { state_event: isOpen ? 'reopen' : 'close' }),
    };
    const path = `${this.#path}/issues/${number}`;
    return this.#writeIssue({ method: 'PUT', path, body: sent, what: `edit issue ${number}` });
  }

  #mergeRequest(number: number) {
    const call = this.#get(`read merge request ${number}`, `/merge_requests/${number}`);
    return this.#client.ask(call, mergeRequestReply);
  }

  async #mergeRequests(call: Call): Promise<readonly PullRequest[]> {
    return (await this.#client.list(call, mergeRequestReply, PAGES_MAX)).items.map(readMergeRequest);
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

  async #own(
    pullRequest: number,
    notes: readonly z.infer<typeof noteReply>[],
    marker: string,
  ): Promise<readonly OwnComment[]> {
    const marked = notes.filter(({ body, system }) => system !== true && body.startsWith(marker));
    if (marked.length === 0) return [];
    const me = await this.#myself();
    const page = this.#pageOf(pullRequest);
    return marked
      .filter(({ author }) => author?.id === me.id)
      .map(({ id, body }) => ({ id: String(id), pullRequest, url: `${page}#note_${id}`, body }));
  }

  /** Asked once. */
  #myself() {
    const call: Call = { method: 'GET', path: '/user', what: 'find out who this token is' };
    this.#me ??= this.#client.ask(call, userReply);
    return this.#me;
  }

  async #writeNote(number: number, call: Call): Promise<Written> {
    const { id } = await this.#client.ask(call, writtenReply);
    const page = this.#pageOf(number);
    return { url: typeof id === 'number' ? `${page}#note_${id}` : page };
  }

  async #writeIssue(call: Call): Promise<Written> {
    return { url: (await this.#client.ask(call, writtenReply)).web_url ?? null };
  }

  /** The page of a merge request. A note does not tell it. */
  #pageOf(number: number): string {
    return `${this.#page}/-/merge_requests/${number}`;
  }

  #get(what: string, path: string, query: NonNullable<Call['query']> = {}): Call {
    return { method: 'GET', path: `${this.#path}${path}`, query, what };
  }
}

function readMergeRequest(reply: z.infer<typeof mergeRequestReply>): PullRequest {
  const state = STATES[reply.state];
  const head = reply.sha ?? '';
  const merged = reply.merge_commit_sha ?? reply.squash_commit_sha ?? (head || null);
  return {
    number: reply.iid,
    url: reply.web_url ?? '',
    title: reply.title ?? '',
    // The account may be deleted.
    author: reply.author?.username ?? 'ghost',
    state,
    head,
    // A fast-forward makes no commit: then the head itself is on the base branch.
    mergeCommit: state === 'merged' ? merged : null,
  };
}
