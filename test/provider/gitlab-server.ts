import { GITLAB } from './gitlab-description.ts';
import { Contract } from './openapi.ts';
import {
  pageOf,
  serveProvider,
  type Answer,
  type Asked,
  type Origins,
  type ServedSite,
} from './served-provider.ts';
import { ProviderWorld, type Account, type Comment, type Issue, type Pull } from './world.ts';

const PREFIX = '/api/v4';
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
    handle: (asked, me, origins) => new GitLab(world, asked, me, origins, isFree).answer(),
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

function accountOf({ headers, method, path }: Asked, world: ProviderWorld): Account | Answer {
  const token = world.tokens.get(String(headers['private-token'] ?? ''));
  if (token === undefined) return { status: 401, body: { message: '401 Unauthorized' } };
  if (token.rights === 'read' && method !== 'GET' && path !== '/api/graphql')
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
  readonly #world: ProviderWorld;
  readonly #asked: Asked;
  readonly #me: Account;
  readonly #origins: Origins;
  readonly #isFree: boolean;

  constructor(world: ProviderWorld, asked: Asked, me: Account, origins: Origins, isFree: boolean) {
    this.#world = world;
    this.#asked = asked;
    this.#me = me;
    this.#origins = origins;
    this.#isFree = isFree;
  }

  answer(): Answer | null {
    const { method, path } = this.#asked;
    if (path === '/user') return { status: 200, body: userOf(this.#me) };
    const [, , project = '', subject = '', first = '', second = '', ...rest] = path.split('/');
    if (decodeURIComponent(project) !== this.#world.repository) return NOT_FOUND;
    if (subject === 'merge_requests') return this.#mergeRequests(first, second, rest[0] ?? '');
    if (subject === 'repository') return this.#ofCommit(second);
    if (subject === 'statuses') return this.#status(first);
    if (subject === 'jobs') return this.#artifactFile(first, rest.map(decodeURIComponent).join('/'));
    return subject === 'issues' ? this.#issues(method, first) : null;
  }

  #mergeRequests(number: string, list: string, noteId: string): Answer | null {
    const { method, query, body = {} } = this.#asked;
    const world = this.#world;
    const pull = world.pulls.get(Number(number));
    if (pull === undefined) return NOT_FOUND;
    if (list === '') return { status: 200, body: mergeRequestOf(pull) };
    if (list === 'approvals') return this.#approvals(pull);
    if (list !== 'notes') return null;
    if (method === 'GET') {
      const sorted = world.commentsOf(pull).toSorted((one, other) => one.id - other.id);
      return this.#page(
        (query.get('sort') === 'asc' ? sorted : sorted.toReversed()).map((one) => noteOf(one)),
      );
    }
    const text = typeof body['body'] === 'string' ? body['body'] : '';
    if (text.length > 1_000_000)
      return { status: 400, body: { message: { note: ['is too long (maximum is 1000000 characters)'] } } };
    if (method === 'POST') {
      if (pull.isLocked) return { status: 403, body: { message: '403 Forbidden' } };
      return { status: 201, body: noteOf(world.comment(pull, this.#me, text)) };
    }
    const comment = world.comments.find(({ id }) => String(id) === noteId);
    if (comment === undefined) return NOT_FOUND;
    comment.body = text;
    return { status: 200, body: noteOf(comment) };
  }

  #ofCommit(sha: string): Answer {
    const fits = [...this.#world.pulls.values()].filter(
      ({ mergeCommit, commits }) => mergeCommit === sha || commits.includes(sha),
    );
    return this.#page(fits.map((pull) => mergeRequestOf(pull)));
  }

  #approvals(pull: Pull): Answer {
    const { approvalsRequired } = this.#world;
    const approvals = this.#world.countApprovals(pull);
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
    const { name, state, description, target_url: url } = this.#asked.body ?? {};
    const last = this.#world.statuses.findLast((one) => one.sha === sha && one.context === name);
    if (last?.state === state)
      return { status: 400, body: { message: `Cannot transition status via :run from :${String(state)}` } };
    this.#world.statuses.push({
      sha,
      context: String(name),
      state: String(state),
      description: String(description),
      url: typeof url === 'string' ? url : null,
    });
    return { status: 201, body: {} };
  }

  #artifactFile(run: string, path: string): Answer {
    const artifact = this.#world.artifacts.findLast((one) => one.run === run);
    const file = artifact?.files[path];
    if (file === undefined) return NOT_FOUND;
    return { status: 200, body: file, headers: { 'content-type': 'application/octet-stream' } };
  }

  #issues(method: string, number: string): Answer {
    const { body = {}, query } = this.#asked;
    const world = this.#world;
    const text = (key: string, otherwise: string) => (typeof body[key] === 'string' ? body[key] : otherwise);
    if (method === 'GET') {
      const author = query.get('author_id');
      const fits = world.issues.filter((one) => author === null || String(one.author.id) === author);
      return this.#page(fits.toReversed().map((one) => this.#issue(one)));
    }
    if (method === 'POST') {
      const opened = world.openIssue(this.#me, text('title', ''), text('description', ''));
      return { status: 201, body: this.#issue(opened) };
    }
    const issue = world.issues.find((one) => String(one.number) === number);
    if (issue === undefined) return NOT_FOUND;
    issue.title = text('title', issue.title);
    issue.body = text('description', issue.body);
    if (body['state_event'] !== undefined) issue.isOpen = body['state_event'] === 'reopen';
    return { status: 200, body: this.#issue(issue) };
  }

  #issue({ number, author, title, body, isOpen }: Issue): Readonly<Record<string, unknown>> {
    return {
      iid: number,
      title,
      description: body,
      state: isOpen ? 'opened' : 'closed',
      author: userOf(author),
      web_url: `${this.#origins.api}/${this.#world.repository}/-/issues/${number}`,
    };
  }

  #page(items: readonly unknown[]): Answer {
    return pageOf(items, this.#asked, `${this.#origins.api}${PREFIX}`);
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
