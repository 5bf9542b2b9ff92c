import { ProviderError } from '../error.ts';
import type { PullRequestCommit } from '../provider.ts';
import type { GitLabClient } from './client.ts';
import { commitsReply } from './shapes.ts';

const PAGES_MAX = 30;

/** REST tells only the names that a commit has, which anyone can write into it. GraphQL tells the accounts. */
const QUERY = `query ($project: ID!, $iid: String!, $after: String) {
  project(fullPath: $project) {
    mergeRequest(iid: $iid) {
      commits(first: 100, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes { sha authorName author { username } }
      }
    }
  }
}`;

interface Place {
  readonly project: string;
  readonly number: number;
}

/** The commits of a merge request, oldest first. GitLab lists the newest first. */
export async function commitsOf(client: GitLabClient, place: Place): Promise<readonly PullRequestCommit[]> {
  const found: PullRequestCommit[] = [];
  let after: string | null = null;
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { next, commits } = await pageAfter(client, place, after);
    found.push(...commits);
    if (next === null) return found.toReversed();
    after = next;
  }
  throw new ProviderError(
    'provider-odd-answer',
    `Merge request ${place.number} has more commits than Herald reads.`,
    null,
  );
}

interface Page {
  readonly commits: readonly PullRequestCommit[];
  /** Null on the last page. */
  readonly next: string | null;
}

async function pageAfter(
  client: GitLabClient,
  { project, number }: Place,
  after: string | null,
): Promise<Page> {
  const what = `read the commits of merge request ${number}`;
  const variables = { project, iid: String(number), after };
  const { data } = await client.graphql({ what, query: QUERY, variables }, commitsReply);
  const list = data.project?.mergeRequest?.commits;
  if (list === undefined)
    throw new ProviderError('provider-not-found', `Could not ${what}: the token may not see it.`, null);
  const commits = list.nodes.map(({ sha, author, authorName }) => ({
    commit: sha,
    author: author?.username ?? null,
    authorName: authorName ?? '',
  }));
  return { commits, next: list.pageInfo.hasNextPage ? list.pageInfo.endCursor : null };
}
