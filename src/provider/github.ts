import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import * as z from 'zod';
import type { ClientOptions, ProviderClient } from './client.ts';
import { ProviderError } from './error.ts';
import { type ArtifactName, type Author, type Dialect, OWN_APPROVAL, Provider } from './provider.ts';

interface GitHubOptions extends ClientOptions {
  readonly graphqlUrl: string;
}

/** What GraphQL calls the token of every job, which may be another one than ours. */
const JOB_LOGIN = 'github-actions';

/** GitHub, and GitHub Enterprise with the same API. */
export function gitHubProvider(options: GitHubOptions, repository: string): Provider {
  const [owner = '', name = ''] = repository.split('/');
  const root = `/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const graphql = <Shape extends z.ZodType>(
    client: ProviderClient,
    what: string,
    query: string,
    shape: Shape,
  ) =>
    client.ask({ method: 'POST', path: options.graphqlUrl, body: { query }, what, isGraphql: true }, shape);
  const dialect: Dialect = {
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
    pulls: '/pulls',
    commits: '/commits',
    pull,
    texts: findTexts,
    status: ({ url, ...status }) => ({ ...status, ...(url === null ? {} : { target_url: url }) }),
    // REST does not tell it to the token of a job, GraphQL does.
    whoAmI: async (client) => {
      const query = '{ viewer { login databaseId } }';
      const { data } = await graphql(client, 'find out who this token is', query, viewer);
      return { login: data.viewer.login, id: data.viewer.databaseId ?? null };
    },
    whyNotApproved: async (client, number) => {
      const place = `owner: ${JSON.stringify(owner)}, name: ${JSON.stringify(name)}`;
      // The last review of the token may be a comment, which takes no approval back.
      const reviews =
        'latestOpinionatedReviews(first: 100) { nodes { state viewerDidAuthor author { login } } }';
      const query = `{ repository(${place}) { pullRequest(number: ${number}) { reviewDecision ${reviews} } } }`;
      const what = `read whether pull request ${number} is approved`;
      const { data } = await graphql(client, what, query, decision);
      const { reviewDecision, latestOpinionatedReviews } = data.repository.pullRequest;
      const approvals = latestOpinionatedReviews?.nodes?.filter((one) => one?.state === 'APPROVED') ?? [];
      if (approvals.some((one) => one?.viewerDidAuthor === true || one?.author?.login === JOB_LOGIN))
        return OWN_APPROVAL;
      if (reviewDecision === 'APPROVED') return null;
      return reviewDecision === null
        ? 'has no decision about its review on GitHub, as where the branch requires no review, or a conversation is not resolved. In a ruleset or the protection of the branch, turn on "Require a pull request before merging" with "Required approvals" of 1 or more, let people approve it, and resolve its conversations'
        : 'is not approved on GitHub. Let people approve it';
    },
    artifactFile: async (client, { run, name: artifact }, { name: file, bytesMax }) => {
      const id = await findArtifact(client, root, { run, name: artifact });
      const path = `${root}/actions/artifacts/${id}/zip`;
      const archive = await client.bytes({ method: 'GET', path, what: `download artifact ${artifact}` });
      return unpackFile(archive, file, bytesMax);
    },
  };
  return new Provider(options, dialect);
}

const findTexts: Dialect['texts'] = (place, me) =>
  place === 'issues'
    ? {
        path: '/issues',
        query: { state: 'all', creator: me?.login ?? '', sort: 'created', direction: 'desc' },
        pathTo: (number) => `/issues/${encodeURIComponent(number)}`,
        found,
        written,
        body: ({ isOpen, ...text }) => ({
          ...text,
          ...(isOpen === undefined ? {} : { state: isOpen ? 'open' : 'closed' }),
        }),
      }
    : {
        path: `/issues/${place.pull}/comments`,
        query: {},
        pathTo: (id) => `/issues/comments/${encodeURIComponent(id)}`,
        found,
        written,
        body: ({ body }) => ({ body }),
      };

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
  if (newest === undefined)
    throw new ProviderError('provider-artifact', `The run has no artifact ${name}.`, null);
  if (newest.expired === true)
    throw new ProviderError('provider-artifact', `Artifact ${name} expired.`, null);
  return newest.id;
}

/** An artifact of Herald has three files. An archive with so many more is not one. */
const ENTRIES_MAX = 10_000;

/** Unpacks one file, and no more than `maxBytes`, whatever the archive says: others may have made it. */
async function unpackFile(archive: Uint8Array, file: string, maxBytes: number): Promise<Uint8Array> {
  try {
    const zip = await fromBufferPromise(Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength));
    const entry = await onlyEntry(zip, file);
    if (entry.uncompressedSize > maxBytes) throw tooLarge(file, maxBytes);
    return await readEntry(zip, entry, maxBytes);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw new ProviderError('provider-artifact', `The artifact is damaged: ${why}.`, null, { cause: error });
  }
}

async function onlyEntry(zip: ZipFile, file: string): Promise<Entry> {
  const found: Entry[] = [];
  let count = 0;
  for await (const entry of zip.eachEntry()) {
    count += 1;
    if (count > ENTRIES_MAX)
      throw new ProviderError('provider-artifact', `The artifact has more than ${ENTRIES_MAX} files.`, null);
    if (entry.fileName === file) found.push(entry);
  }
  const [entry, second] = found;
  // Which of two is read depends on the reader. Then no one knows what was reviewed.
  if (second !== undefined)
    throw new ProviderError('provider-artifact', `The artifact has two files named ${file}.`, null);
  if (entry === undefined)
    throw new ProviderError('provider-artifact', `The artifact has no file ${file}.`, null);
  return entry;
}

async function readEntry(zip: ZipFile, entry: Entry, maxBytes: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of await zip.openReadStreamPromise(entry)) {
    const bytes = piece as Uint8Array;
    size += bytes.byteLength;
    if (size > maxBytes) throw tooLarge(entry.fileName, maxBytes);
    pieces.push(bytes);
  }
  return Buffer.concat(pieces);
}

function tooLarge(file: string, maxBytes: number): ProviderError {
  return new ProviderError('provider-artifact', `${file} has more than ${maxBytes} bytes.`, null);
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

const review = z.object({
  state: z.string(),
  viewerDidAuthor: z.boolean(),
  author: z.object({ login: z.string() }).nullish(),
});

const decision = z.object({
  data: z.object({
    repository: z.object({
      pullRequest: z.object({
        reviewDecision: z.string().nullable(),
        latestOpinionatedReviews: z.object({ nodes: z.array(review.nullable()).nullish() }).nullish(),
      }),
    }),
  }),
});

const pull = z
  .object({
    number: z.number(),
    state: z.enum(['open', 'closed']),
    merged_at: z.string().nullish(),
    merge_commit_sha: z.string().nullish(),
    head: z.object({ sha: z.string() }),
    base: z.object({ ref: z.string() }),
  })
  .transform((reply) => {
    const isMerged = (reply.merged_at ?? null) !== null;
    return {
      number: reply.number,
      state: isMerged ? ('merged' as const) : reply.state,
      head: reply.head.sha,
      into: reply.base.ref,
      // Before the merge, it is a test merge that GitHub makes.
      mergeCommit: isMerged ? (reply.merge_commit_sha ?? null) : null,
    };
  });

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

/** A comment or an issue. An issue is named by its number. */
const found = z
  .object({
    id: z.number(),
    number: z.number().optional(),
    html_url: z.string().nullish(),
    state: z.string().optional(),
    body: z.string().nullish(),
    user,
    pull_request: z.unknown().optional(),
  })
  .transform((reply) => ({
    id: String(reply.number ?? reply.id),
    url: reply.html_url ?? '',
    isOpen: reply.state !== 'closed',
    // The list of issues has pull requests as well, which are not ours to edit.
    body: reply.pull_request === undefined ? (reply.body ?? '') : '',
    by: reply.user,
  }));
