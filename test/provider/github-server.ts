import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gitHubAnswers, type GitHubAnswers } from './github-answers.ts';
import { Contract, type Description } from './openapi.ts';
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
import { ProviderWorld, type Account, type Issue, type Pull } from './world.ts';

const PREFIX = '/api/v3';
const ISSUES = { author: 'creator', text: 'body', state: 'state' };

let described: { readonly contract: Contract; readonly answers: GitHubAnswers } | null = null;

/** GitHub's own description is 13 MB, so it is read once, and only when a test needs it. */
function description(): NonNullable<typeof described> {
  if (described !== null) return described;
  const file = fileURLToPath(import.meta.resolve('@octokit/openapi/generated/api.github.com.json'));
  const document = JSON.parse(readFileSync(file, 'utf8')) as Description;
  described = { contract: new Contract(document), answers: gitHubAnswers(document) };
  return described;
}

/** GitHub Enterprise on this machine, with the addresses below `/api/v3`. */
export function serveGitHub(): Promise<ServedSite> {
  const world = new ProviderWorld('acme/ads');
  const { contract, answers } = description();
  return serveProvider({
    world,
    contract: withGraphql(contract),
    prefix: PREFIX,
    identify: accountOf,
    handle: (visit) => answerGitHub(visit, answers),
    env: (api) => ({
      GITHUB_API_URL: `${api}${PREFIX}`,
      GITHUB_GRAPHQL_URL: `${api}/api/graphql`,
      GITHUB_SERVER_URL: api,
      GITHUB_REPOSITORY: world.repository,
      GITHUB_TOKEN: 'bot-token',
    }),
  });
}

/** GraphQL has another kind of description. Herald sends two queries. */
function withGraphql(contract: Contract): Contract {
  return Object.assign(Object.create(contract) as Contract, {
    pathOf: (method: string, pathname: string) =>
      pathname === '/api/graphql' ? '/graphql' : contract.pathOf(method, pathname),
    findings: (exchange: Parameters<Contract['findings']>[0]) =>
      exchange.path === '/graphql' ? [] : contract.findings(exchange),
  });
}

function accountOf(asked: Asked, world: ProviderWorld): Account | Answer {
  const token = world.tokens.get((asked.headers.authorization ?? '').replace(/^(?:token|bearer) /i, ''));
  if (token === undefined) return { status: 401, body: { message: 'Bad credentials', status: '401' } };
  if (token.rights === 'read' && asked.method !== 'GET' && asked.path !== '/api/graphql')
    return {
      status: 403,
      body: { message: 'Resource not accessible by integration', status: '403' },
      headers: { 'x-accepted-github-permissions': 'issues=write; pull_requests=write' },
    };
  return token.account;
}

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found', status: '404' } };
const LOCKED: Answer = {
  status: 403,
  body: { message: 'Unable to create comment because issue is locked.', status: '403' },
};

function refuse(message: string): Answer {
  return { status: 422, body: { message: 'Validation Failed', errors: [{ message }] } };
}

/** One request to GitHub. */
function answerGitHub(visit: Visit, answers: GitHubAnswers): Answer | null {
  const { method, path } = visit.asked;
  if (path === '/api/graphql') return answerGraphql(visit);
  const own = `/repos/${visit.world.repository}`;
  if (!path.startsWith(`${own}/`)) return path.startsWith('/repos/') ? NOT_FOUND : null;
  const [subject = '', first = '', second = '', third = ''] = path.slice(own.length + 1).split('/');
  const key = `${method} ${subject}`;
  if (key === 'GET pulls') return readPull(visit, answers, first);
  if (key === 'GET commits' && second === 'pulls') return listPulls(visit, answers, first);
  if (key === 'POST statuses') return answerStatus(visit, answers, first);
  if (key === 'GET actions') return answerArtifact(visit, answers, first, second, third);
  if (subject !== 'issues') return null;
  if (first === 'comments' || second === 'comments') return answerComments(visit, answers, first, second);
  const draw = (issue: Issue) => answers.issue(visit.world, issue);
  return answerIssues(visit, first, ISSUES, draw) ?? NOT_FOUND;
}

function answerGraphql(visit: Visit): Answer {
  const { query } = visit.asked.body ?? {};
  const { login, id } = visit.me;
  if (query === '{ viewer { login databaseId } }')
    return { status: 200, body: { data: { viewer: { login, databaseId: id } } } };
  const [owner, name] = visit.world.repository.split('/');
  const start = `{ repository(owner: "${owner}", name: "${name}") { pullRequest(number: `;
  const [, number = ''] =
    /^(\d+)\) \{ reviewDecision latestOpinionatedReviews\(first: 100\) \{ nodes \{ state viewerDidAuthor author \{ login \} \} \} \} \} \}$/.exec(
      String(query).slice(start.length),
    ) ?? [];
  const pull = String(query).startsWith(start) ? visit.world.pulls.get(Number(number)) : undefined;
  if (pull === undefined)
    return refuseGraphql('NOT_FOUND', `Could not resolve to a PullRequest with the number of ${number}.`);
  const decisions = visit.world.latestDecisions(pull);
  const nodes = decisions.map(({ by, state }) => ({
    state,
    viewerDidAuthor: by.id === id,
    // GraphQL names a bot without the end that REST has.
    author: { login: by.login.replace('[bot]', '') },
  }));
  const pullRequest = { reviewDecision: decideReview(visit, pull), latestOpinionatedReviews: { nodes } };
  return { status: 200, body: { data: { repository: { pullRequest } } } };
}

/** GraphQL refuses with status 200. */
function refuseGraphql(type: string, message: string): Answer {
  return { status: 200, body: { data: { repository: { pullRequest: null } }, errors: [{ type, message }] } };
}

/** Null where the branch requires no review, also for a pull request with approvals. An open conversation makes it null as well. */
function decideReview(visit: Visit, pull: Pull): string | null {
  const { approvalsRequired } = visit.world;
  if (approvalsRequired === 0) return null;
  return visit.world.countApprovals(pull) >= approvalsRequired ? 'APPROVED' : 'REVIEW_REQUIRED';
}

function readPull(visit: Visit, answers: GitHubAnswers, number: string): Answer {
  const pull = visit.world.pulls.get(Number(number));
  if (pull === undefined) return NOT_FOUND;
  return { status: 200, body: answers.pull(visit.world, pull) };
}

function listPulls(visit: Visit, answers: GitHubAnswers, sha: string): Answer {
  const fits = [...visit.world.pulls.values()].filter(
    ({ head, mergeCommit, commits }) => head === sha || mergeCommit === sha || commits.includes(sha),
  );
  return pageOf(visit, fits, (pull) => answers.pullInList(visit.world, pull));
}

function answerStatus(visit: Visit, answers: GitHubAnswers, sha: string): Answer {
  if (readText(visit.asked, 'description').length > 140) return refuse('description is too long');
  return { status: 201, body: answers.status(keepStatus(visit, sha, 'context')) };
}

function answerArtifact(
  visit: Visit,
  answers: GitHubAnswers,
  kind: string,
  id: string,
  more: string,
): Answer | null {
  if (kind === 'runs' && more === 'artifacts') {
    const name = visit.asked.query.get('name');
    const fits = visit.world.artifacts.filter(
      (one) => one.run === id && (name === null || one.name === name),
    );
    const artifacts = fits.map((one) => answers.artifact(one));
    return { status: 200, body: { total_count: fits.length, artifacts } };
  }
  const artifact = visit.world.artifacts.find((one) => String(one.id) === id);
  if (kind !== 'artifacts' || more !== 'zip') return null;
  if (artifact === undefined) return NOT_FOUND;
  return {
    status: 302,
    headers: { location: `${visit.origins.store}/${artifact.id}?sig=hidden-signature` },
  };
}

function answerComments(visit: Visit, answers: GitHubAnswers, first: string, second: string): Answer | null {
  const { asked, world, me } = visit;
  const text = readText(asked, 'body');
  if (text.length > 65_536) return refuse('body is too long (maximum is 65536 characters)');
  if (first === 'comments') {
    const comment = world.comments.find(({ id }) => String(id) === second);
    if (comment === undefined) return NOT_FOUND;
    comment.body = text;
    return { status: 200, body: answers.comment(world, comment) };
  }
  const pull = world.pulls.get(Number(first));
  if (pull === undefined) return NOT_FOUND;
  if (asked.method === 'GET')
    return pageOf(visit, world.commentsOf(pull), (one) => answers.comment(world, one));
  if (pull.isLocked) return LOCKED;
  return { status: 201, body: answers.comment(world, world.comment(pull, me, text)) };
}
