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

/** GitLab on this machine. */
export function serveGitLab(): Promise<ServedSite> {
  const world = new ProviderWorld('acme/eu/ads');
  return serveProvider({
    world,
    contract: new Contract(GITLAB),
    prefix: PREFIX,
    identify: accountOf,
    handle: answerGitLab,
    env: (api) => ({
      CI_API_V4_URL: `${api}${PREFIX}`,
      CI_SERVER_URL: api,
      CI_PROJECT_PATH: world.repository,
      HERALD_GITLAB_TOKEN: 'bot-token',
    }),
  });
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
function answerGitLab(visit: Visit): Answer | null {
  const { path } = visit.asked;
  if (path === '/user') return { status: 200, body: userOf(visit.me) };
  const [, , project = '', subject = '', first = '', second = '', ...rest] = path.split('/');
  if (decodeURIComponent(project) !== visit.world.repository) return NOT_FOUND;
  if (subject === 'merge_requests') return answerMergeRequests(visit, first, second, rest[0] ?? '');
  if (subject === 'repository') return listMergeRequests(visit, second);
  if (subject === 'statuses') return answerStatus(visit, first);
  if (subject === 'jobs') return readArtifactFile(visit, first, rest.map(decodeURIComponent).join('/'));
  if (subject !== 'issues') return null;
  return answerIssues(visit, first, ISSUES, (issue) => drawIssue(visit, issue)) ?? NOT_FOUND;
}

function answerMergeRequests(visit: Visit, number: string, list: string, noteId: string): Answer | null {
  const { asked, world, me } = visit;
  const { method, query } = asked;
  const pull = world.pulls.get(Number(number));
  if (pull === undefined) return NOT_FOUND;
  if (list === '') return { status: 200, body: mergeRequestOf(pull) };
  if (list === 'approvals') return readApprovals(visit, pull);
  if (list !== 'notes') return null;
  if (method === 'GET') {
    const sorted = world.commentsOf(pull).toSorted((one, other) => one.id - other.id);
    return pageOf(visit, query.get('sort') === 'asc' ? sorted : sorted.toReversed(), noteOf);
  }
  const text = readText(asked, 'body');
  if (text.length > 1_000_000)
    return { status: 400, body: { message: { note: ['is too long (maximum is 1000000 characters)'] } } };
  if (method === 'POST') {
    // A lock is only for people who are not members of the project. The bot of a project access token is one.
    return { status: 201, body: noteOf(world.comment(pull, me, text)) };
  }
  const comment = world.comments.find(({ id }) => String(id) === noteId);
  if (comment === undefined) return NOT_FOUND;
  comment.body = text;
  return { status: 200, body: noteOf(comment) };
}

function listMergeRequests(visit: Visit, sha: string): Answer {
  const fits = [...visit.world.pulls.values()].filter(
    ({ mergeCommit, commits }) => mergeCommit === sha || commits.includes(sha),
  );
  return pageOf(visit, fits, mergeRequestOf);
}

function readApprovals(visit: Visit, pull: Pull): Answer {
  const { approvalsRequired, isFree } = visit.world;
  const approvals = visit.world.countApprovals(pull);
  const left = Math.max(0, approvalsRequired - approvals);
  const rules = { approvals_required: approvalsRequired, approvals_left: left };
  return {
    status: 200,
    body: {
      // Without rules, one approval is enough on GitLab Free, and none elsewhere.
      approved: isFree ? approvals > 0 : left === 0,
      approved_by: visit.world
        .latestDecisions(pull)
        .flatMap(({ by, state }) => (state === 'APPROVED' ? [{ user: userOf(by) }] : [])),
      ...(isFree ? {} : rules),
    },
  };
}

/** GitLab makes a job of it in a pipeline, so it takes who may merge into a protected branch, and keeps each one. */
function answerStatus(visit: Visit, sha: string): Answer {
  const { pulls, developersMayMerge } = visit.world;
  const isProtected = [...pulls.values()].some(({ mergeCommit }) => mergeCommit === sha);
  if (isProtected && !developersMayMerge) return { status: 403, body: { message: '403 Forbidden' } };
  keepStatus(visit, sha, 'name');
  return { status: 201, body: {} };
}

function readArtifactFile(visit: Visit, run: string, path: string): Answer {
  const artifact = visit.world.artifacts.findLast((one) => one.run === run);
  const file = artifact?.files[path];
  if (file === undefined) return NOT_FOUND;
  return { status: 200, body: file, headers: { 'content-type': 'application/octet-stream' } };
}

function drawIssue(
  visit: Visit,
  { number, author, title, body, isOpen }: Issue,
): Readonly<Record<string, unknown>> {
  return {
    iid: number,
    title,
    description: body,
    state: isOpen ? 'opened' : 'closed',
    author: userOf(author),
    web_url: `${visit.origins.api}/${visit.world.repository}/-/issues/${number}`,
  };
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
