import type { Description } from './openapi.ts';
import type { Account, Artifact, Comment, Issue, ProviderWorld, Pull, Status } from './world.ts';

type Json = Readonly<Record<string, unknown>>;

/** Answers made from the examples of GitHub's description, so that they have all of its members. */
export type GitHubAnswers = ReturnType<typeof gitHubAnswers>;

export function gitHubAnswers({ components }: Description) {
  const example = (name: string): Json => {
    const { value } = (components['examples']?.[name] ?? {}) as { readonly value?: unknown };
    return structuredClone(Array.isArray(value) ? value[0] : value) as Json;
  };
  const comment = example('issue-comment');
  const user = comment['user'] as Json;
  const pull = example('pull-request');
  const listed = example('pull-request-simple-items');
  const issue = example('issue');
  const artifact = (example('artifact-paginated')['artifacts'] as readonly Json[])[0];
  const userOf = ({ login, id }: Account): Json => ({ ...user, login, id });
  const page = (world: ProviderWorld, path: string) => `https://github.example/${world.repository}/${path}`;

  const ofPull = (from: Json, world: ProviderWorld, one: Pull): Json => {
    const repositoryOf = (name: string) => ({
      ...((from['base'] as Json)['repo'] as Json),
      full_name: name,
    });
    return {
      ...from,
      number: one.number,
      html_url: page(world, `pull/${one.number}`),
      state: one.state === 'open' ? 'open' : 'closed',
      draft: false,
      // The example lacks what the description requires of a team.
      requested_teams: [],
      merged_at: one.state === 'merged' ? '2026-11-23T00:00:00Z' : null,
      // Before the merge, it is a test merge that GitHub makes.
      merge_commit_sha: one.mergeCommit ?? 'f'.repeat(40),
      head: {
        ...(from['head'] as Json),
        sha: one.head,
        ref: one.headBranch,
        repo: repositoryOf(one.isFork ? 'stranger/ads' : world.repository),
      },
      base: {
        ...(from['base'] as Json),
        sha: one.base,
        ref: one.baseBranch,
        repo: repositoryOf(world.repository),
      },
    };
  };

  return {
    pull: (world: ProviderWorld, one: Pull): Json => ofPull(pull, world, one),
    pullInList: (world: ProviderWorld, one: Pull): Json => ofPull(listed, world, one),
    comment: (world: ProviderWorld, { id, pull: number, author, body }: Comment): Json => ({
      ...comment,
      id,
      body,
      user: userOf(author),
      html_url: page(world, `pull/${number}#issuecomment-${id}`),
      issue_url: `https://api.github.example/repos/${world.repository}/issues/${number}`,
    }),
    issue: (world: ProviderWorld, { number, author, title, body, isOpen }: Issue): Json => {
      const { pull_request: _none, ...members } = issue;
      return {
        ...members,
        number,
        title,
        body,
        state: isOpen ? 'open' : 'closed',
        user: userOf(author),
        html_url: page(world, `issues/${number}`),
      };
    },
    status: ({ context, state, description, url }: Status): Json => ({
      ...example('status'),
      context,
      state,
      description,
      target_url: url,
    }),
    artifact: ({ id, name, zip }: Artifact): Json => ({
      ...artifact,
      id,
      name,
      size_in_bytes: zip.length,
      expired: false,
      created_at: new Date(Date.UTC(2026, 10, 23) + id * 1000).toISOString(),
      expires_at: '2027-02-21T00:00:00Z',
    }),
  };
}
