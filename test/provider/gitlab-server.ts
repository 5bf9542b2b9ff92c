import { GITLAB } from './gitlab-description.ts';
import { Contract } from './openapi.ts';
import {
  answerIssues,
  keepStatus,
  pageOf,
  readText,
  serveProvider,
  type Answer,
  type Asked,
  type ServedSite,
  type Visit,
} from './served-provider.ts';
import { ProviderWorld, type Account, type Comment, type Issue, type Pull } from './world.ts';

const PREFIX = '/api/v4';
const ISSUES = { author: 'author_id', text: 'description', state: 'state_event' };

export interface GitLabOptions {
  /** GitLab Free has no approval rules. */
  readonly isFree?: boolean;
}

/** GitLab on this machine. */
export async function serveGitLab(
  world = new ProviderWorld('acme/eu/ads'),
  { isFree = false }: GitLabOptions = {},
): Promise<ServedSite> {
  const contract = new Contract(GITLAB);
  const served = await serveProvider({
    world,
    contract,
    prefix: PREFIX,
    identify: accountOf,
    handle: (visit) => new GitLab(visit, isFree).answer(),
  });
  return {
    ...served,
    world,
    env: {
      CI_API_V4_URL: `${served.origins.api}${PREFIX}`,
      CI_SERVER_URL: served.origins.api,
      CI_PROJECT_PATH: world.repository,
      HERALD_GITLAB_TOKEN: 'bot-token',
    },
  };
}

function accountOf({ headers, method }: Asked, world: ProviderWorld): Account | Answer {
  const token = world.tokens.get(String(headers['private-token'] ?? ''));
  if (token === undefined) return { status: 401, body: { message: '401 Unauthorized' } };
  if (token.rights === 'read' && method !== 'GET')
    return {
      status: 403,
      body: {
        error: 'insufficient_scope',
        error_description: 'The request requires higher privileges than provided by the access token.',
      },
    };
  return token.account;
}

const NOT_FOUND: Answer = { status: 404, body: { message: '404 Not found' } };

/** One request to GitLab. */
class GitLab {
  readonly #visit: Visit;
  readonly #isFree: boolean;

  constructor(visit: Visit, isFree: boolean) {
    this.#visit = visit;
    this.#isFree = isFree;
  }

  answer(): Answer | null {
    const { path } = this.#visit.asked;
    if (path === '/user') return { status: 200, body: userOf(this.#visit.me) };
    const [, , project = '', subject = '', first = '', second = '', ...rest] = path.split('/');
    if (decodeURIComponent(project) !== this.#visit.world.repository) return NOT_FOUND;
    if (subject === 'merge_requests') return this.#mergeRequests(first, second, rest[0] ?? '');
    if (subject === 'repository') return this.#ofCommit(second);
    if (subject === 'statuses') return this.#status(first);
    if (subject === 'jobs') return this.#artifactFile(first, rest.map(decodeURIComponent).join('/'));
    if (subject !== 'issues') return null;
    return answerIssues(this.#visit, first, ISSUES, (issue) => this.#issue(issue)) ?? NOT_FOUND;
  }

  #mergeRequests(number: string, list: string, noteId: string): Answer | null {
    const { asked, world, me } = this.#visit;
    const { method, query } = asked;
    const pull = world.pulls.get(Number(number));
    if (pull === undefined) return NOT_FOUND;
    if (list === '') return { status: 200, body: mergeRequestOf(pull) };
    if (list === 'approvals') return this.#approvals(pull);
    if (list !== 'notes') return null;
    if (method === 'GET') {
      const sorted = world.commentsOf(pull).toSorted((one, other) => one.id - other.id);
      return pageOf(this.#visit, query.get('sort') === 'asc' ? sorted : sorted.toReversed(), noteOf);
    }
    const text = readText(asked, 'body');
    if (text.length > 1_000_000)
      return { status: 400, body: { message: { note: ['is too long (maximum is 1000000 characters)'] } } };
    if (method === 'POST') {
      if (pull.isLocked) return { status: 403, body: { message: '403 Forbidden' } };
      return { status: 201, body: noteOf(world.comment(pull, me, text)) };
    }
    const comment = world.comments.find(({ id }) => String(id) === noteId);
    if (comment === undefined) return NOT_FOUND;
    comment.body = text;
    return { status: 200, body: noteOf(comment) };
  }

  #ofCommit(sha: string): Answer {
    const fits = [...this.#visit.world.pulls.values()].filter(
      ({ mergeCommit, commits }) => mergeCommit === sha || commits.includes(sha),
    );
    return pageOf(this.#visit, fits, mergeRequestOf);
  }

  #approvals(pull: Pull): Answer {
    const { approvalsRequired } = this.#visit.world;
    const approvals = this.#visit.world.countApprovals(pull);
    const left = Math.max(0, approvalsRequired - approvals);
    const rules = { approvals_required: approvalsRequired, approvals_left: left };
    return {
      status: 200,
      body: {
        // Without rules, one approval is enough on GitLab Free, and none elsewhere.
        approved: this.#isFree ? approvals > 0 : left === 0,
        approved_by: pull.reviews.map(({ by }) => ({ user: userOf(by) })),
        ...(this.#isFree ? {} : rules),
      },
    };
  }

  #status(sha: string): Answer {
    const { asked, world } = this.#visit;
    const [name, state] = [readText(asked, 'name'), readText(asked, 'state')];
    const last = world.statuses.findLast((one) => one.sha === sha && one.context === name);
    if (last?.state === state)
      return { status: 400, body: { message: `Cannot transition status via :run from :${state}` } };
    keepStatus(this.#visit, sha, 'name');
    return { status: 201, body: {} };
  }

  #artifactFile(run: string, path: string): Answer {
    const artifact = this.#visit.world.artifacts.findLast((one) => one.run === run);
    const file = artifact?.files[path];
    if (file === undefined) return NOT_FOUND;
    return { status: 200, body: file, headers: { 'content-type': 'application/octet-stream' } };
  }

  #issue({ number, author, title, body, isOpen }: Issue): Readonly<Record<string, unknown>> {
    return {
      iid: number,
      title,
      description: body,
      state: isOpen ? 'opened' : 'closed',
      author: userOf(author),
      web_url: `${this.#visit.origins.api}/${this.#visit.world.repository}/-/issues/${number}`,
    };
  }
}

function mergeRequestOf({ number, baseBranch, state, head, mergeCommit, mergedAs }: Pull) {
  return {
    iid: number,
    target_branch: baseBranch,
    state: state === 'open' ? 'opened' : state,
    sha: head,
    merge_commit_sha: mergedAs === 'merge' ? mergeCommit : null,
    squash_commit_sha: mergedAs === 'squash' ? mergeCommit : null,
  };
}

function userOf({ id, login }: Account) {
  return { id, username: login };
}

function noteOf({ id, author, body }: Comment) {
  return { id, body, author: userOf(author), system: false };
}
