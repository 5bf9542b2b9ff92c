import * as z from 'zod';
import type { ClientOptions, ProviderClient } from './client.ts';
import { ProviderError, unlessGone } from './error.ts';
import { type ArtifactName, type Author, type Dialect, Provider } from './provider.ts';
import { oneFileOf } from './zip.ts';

interface GitHubOptions extends ClientOptions {
  readonly graphqlUrl: string;
}

const PATHS: Dialect['paths'] = {
  pull: (number) => `/pulls/${number}`,
  pullsOfCommit: (commit) => `/commits/${encodeURIComponent(commit)}/pulls`,
  comments: (pull) => ({ path: `/issues/${pull}/comments` }),
  comment: (_pull, id) => `/issues/comments/${encodeURIComponent(id)}`,
  status: (commit) => `/statuses/${encodeURIComponent(commit)}`,
  issues: (me) => ({
    path: '/issues',
    query: { state: 'all', creator: me?.login ?? '', sort: 'created', direction: 'desc' },
  }),
};

const BODIES: Dialect['bodies'] = {
  status: ({ url, ...status }) => ({ ...status, ...(url === null ? {} : { target_url: url }) }),
  issue: ({ isOpen, ...text }) => ({
    ...text,
    ...(isOpen === undefined ? {} : { state: isOpen ? 'open' : 'closed' }),
  }),
};

/** GitHub, and GitHub Enterprise with the same API. */
export function gitHubProvider(options: GitHubOptions, repository: string): Provider {
  const [owner = '', name = ''] = repository.split('/');
  const root = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const graphql = <Shape extends z.ZodType>(
    client: ProviderClient,
    what: string,
    query: string,
    shape: Shape,
  ) => client.ask({ method: 'POST', path: options.graphqlUrl, body: { query }, what }, shape);
  const dialect: Dialect = {
    name: 'github',
    noun: 'pull request',
    root,
    headers: {
      authorization: `token ${options.token}`,
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
    },
    bodyMax: 65_536,
    descriptionMax: 140,
    editMethod: 'PATCH',
    paths: PATHS,
    shapes: {
      pull,
      comment: () => comment,
      writtenComment: () => written,
      issue,
      writtenIssue: written,
    },
    bodies: BODIES,
    // REST does not tell it to the token of a job, GraphQL does.
    whoAmI: async (client) => {
      const query = '{ viewer { login databaseId } }';
      const { data } = await graphql(client, 'find out who this token is', query, viewer);
      return { login: data.viewer.login, id: data.viewer.databaseId ?? null };
    },
    whyNotApproved: async (client, number) => {
      const place = `owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(name)}`;
      const query = `{ repository(${place}) { pullRequest(number: ${number}) { reviewDecision } } }`;
      const what = `read whether pull request ${number} is approved`;
      const { data } = await graphql(client, what, query, decision);
      const { reviewDecision } = data.repository.pullRequest;
      if (reviewDecision === 'APPROVED') return null;
      return reviewDecision === null
        ? 'was merged into a branch that requires no review. In a ruleset or the protection of the branch on GitHub, turn on "Require a pull request before merging" with "Required approvals" of 1 or more, and let people approve it'
        : 'is not approved on GitHub. Let people approve it';
    },
    artifactFile: (client, artifact, file) => readArtifact(client, root, artifact, file),
  };
  return new Provider(options, dialect);
}

async function readArtifact(
  client: ProviderClient,
  root: string,
  artifact: ArtifactName,
  file: { readonly name: string; readonly bytesMax: number },
): Promise<Uint8Array> {
  const path = `${root}/actions/artifacts/${await findArtifact(client, root, artifact)}/zip`;
  const archive = client.bytes({ method: 'GET', path, what: `download artifact ${artifact.name}` });
  return oneFileOf(await unlessGone(archive, artifact.name), file.name, file.bytesMax);
}

/** The id of the newest artifact of this name: each attempt of a run has its own. */
async function findArtifact(
  client: ProviderClient,
  root: string,
  { run, name }: ArtifactName,
): Promise<number> {
  const { artifacts: all } = await client.ask(
    {
      method: 'GET',
      path: `${root}/actions/runs/${encodeURIComponent(run)}/artifacts`,
      query: { name, per_page: 100 },
      what: `find artifact ${name} of run ${run}`,
    },
    artifacts,
  );
  const [newest] = all
    .filter((artifact) => artifact.name === name)
    .toSorted((one, other) => (other.created_at ?? '').localeCompare(one.created_at ?? ''));
  if (newest === undefined) throw refuseArtifact(`The run has no artifact ${name}.`);
  if (newest.expired === true) throw refuseArtifact(`Artifact ${name} expired.`);
  return newest.id;
}

function refuseArtifact(why: string): ProviderError {
  return new ProviderError('provider-artifact', why, null);
}

const user = z
  .object({ login: z.string().optional(), id: z.number().optional() })
  .nullish()
  .transform((one): Author => (one == null ? null : { id: one.id ?? null, login: one.login ?? null }));

const written = z.object({ html_url: z.string().nullish() }).transform(({ html_url: url }) => ({
  url: url ?? null,
}));

const viewer = z.object({
  data: z.object({ viewer: z.object({ login: z.string(), databaseId: z.number().nullish() }) }),
});

const decision = z.object({
  data: z.object({
    repository: z.object({ pullRequest: z.object({ reviewDecision: z.string().nullable() }) }),
  }),
});

const pull = z
  .object({
    number: z.number(),
    state: z.enum(['open', 'closed']),
    merged_at: z.string().nullish(),
    merge_commit_sha: z.string().nullish(),
    head: z.object({ sha: z.string() }),
  })
  .transform((reply) => {
    const isMerged = (reply.merged_at ?? null) !== null;
    return {
      number: reply.number,
      state: isMerged ? ('merged' as const) : reply.state,
      head: reply.head.sha,
      // Before the merge, it is a test merge that GitHub makes.
      mergeCommit: isMerged ? (reply.merge_commit_sha ?? null) : null,
    };
  });

const comment = z
  .object({
    id: z.number(),
    html_url: z.string().nullish(),
    body: z.string().nullish(),
    user,
  })
  .transform((reply) => ({
    id: String(reply.id),
    url: reply.html_url ?? '',
    body: reply.body ?? '',
    by: reply.user,
  }));

const artifacts = z.object({
  artifacts: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      expired: z.boolean().nullish(),
      created_at: z.string().nullish(),
    }),
  ),
});

const issue = z
  .object({
    number: z.number(),
    html_url: z.string().nullish(),
    state: z.string(),
    body: z.string().nullish(),
    user,
    pull_request: z.unknown().optional(),
  })
  .transform((reply) => ({
    number: reply.number,
    url: reply.html_url ?? '',
    isOpen: reply.state === 'open',
    // The list has pull requests as well, which are not ours to edit.
    body: reply.pull_request === undefined ? (reply.body ?? '') : '',
    by: reply.user,
  }));
