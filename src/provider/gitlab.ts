import * as z from 'zod';
import type { ClientOptions } from './client.ts';
import { ProviderError } from './error.ts';
import { type Author, type Dialect, OWN_APPROVAL, Provider, type Texts } from './provider.ts';

const STATES = { opened: 'open', locked: 'open', closed: 'closed', merged: 'merged' } as const;
const STATUSES = { success: 'success', failure: 'failed', error: 'failed' } as const;

/** GitLab.com, and GitLab on other hosts. */
export function gitLabProvider(options: ClientOptions, project: string): Provider {
  const root = `/projects/${encodeURIComponent(project)}`;
  const dialect: Dialect = {
    noun: 'merge request',
    root,
    headers: { 'private-token': options.token, accept: 'application/json' },
    rights:
      'Give the project access token the scope `api` and the role Developer. CI_JOB_TOKEN cannot write comments. For the status of a commit on a protected branch, let Developers merge into that branch.',
    bodyMax: 1_000_000,
    descriptionMax: 255,
    editMethod: 'PUT',
    pulls: '/merge_requests',
    commits: '/repository/commits',
    pull: mergeRequest,
    texts: (place, me) =>
      place === 'issues'
        ? listIssues(me)
        : listNotes(place.pull, `${options.apiUrl.replace(/\/api\/v4$/, '')}/${project}`),
    status: ({ state, context: name, description, url }) => ({
      state: STATUSES[state],
      name,
      description,
      ...(url === null ? {} : { target_url: url }),
    }),
    whoAmI: async (client) => {
      const { id } = await client.ask(
        { method: 'GET', path: '/user', what: 'find out who this token is' },
        me,
      );
      return { id, login: null };
    },
    whyNotApproved: async (client, number, own) => {
      const what = `read whether merge request ${number} is approved`;
      const path = `${root}/merge_requests/${number}/approvals`;
      const found = await client.ask({ method: 'GET', path, what }, approvals);
      if (found.approved_by.some(({ user: by }) => by !== null && by.id === own?.id)) return OWN_APPROVAL;
      if (found.approvals_required === 0)
        return 'needs no approval on GitLab. Add a rule under Settings > Merge requests > Merge request approvals (GitLab Premium), and let people approve it';
      // A rule that no one can meet counts as approved, and its approvals are left.
      const isApproved = found.approved && found.approvals_left === 0;
      return isApproved ? null : 'is not approved on GitLab. Let people approve it';
    },
    artifactFile: async (client, { run, name }, file) => {
      const whole = `${name}/${file.name}`;
      const steps = whole.split('/').map(encodeURIComponent).join('/');
      const path = `${root}/jobs/${encodeURIComponent(run)}/artifacts/${steps}`;
      const bytes = await client.bytes({ method: 'GET', path, what: `download ${whole}` });
      if (bytes.byteLength <= file.bytesMax) return bytes;
      throw new ProviderError('provider-artifact', `${whole} has more than ${file.bytesMax} bytes.`, null);
    },
  };
  return new Provider(options, dialect);
}

function listIssues(me: Author): Texts {
  return {
    path: '/issues',
    query: { author_id: me?.id ?? 0, state: 'all', order_by: 'created_at', sort: 'desc' },
    pathTo: (iid) => `/issues/${encodeURIComponent(iid)}`,
    found: issue,
    written: writtenIssue,
    body: ({ title, body, isOpen }) => ({
      description: body,
      ...(title === undefined ? {} : { title }),
      ...(isOpen === undefined ? {} : { state_event: isOpen ? 'reopen' : 'close' }),
    }),
  };
}

/** Notes do not tell their page for people, which is below that of the project. */
function listNotes(pull: number, project: string): Texts {
  const page = `${project}/-/merge_requests/${pull}`;
  return {
    path: `/merge_requests/${pull}/notes`,
    query: { sort: 'asc', order_by: 'created_at' },
    pathTo: (id) => `/merge_requests/${pull}/notes/${encodeURIComponent(id)}`,
    found: note.transform(({ id, body, system, author: by }) => ({
      id: String(id),
      url: `${page}#note_${id}`,
      body: system === true ? '' : body,
      isOpen: true,
      by,
    })),
    written: writtenNote.transform(({ id }) => ({ url: id == null ? page : `${page}#note_${id}` })),
    body: ({ body }) => ({ body }),
  };
}

const user = z
  .object({ id: z.number().optional(), username: z.string().optional() })
  .nullish()
  .transform((one): Author => (one == null ? null : { id: one.id ?? null, login: one.username ?? null }));

const me = z.object({ id: z.number() });

const writtenIssue = z.object({ web_url: z.string().nullish() }).transform(({ web_url: url }) => ({
  url: url ?? null,
}));

const writtenNote = z.object({ id: z.number().nullish() });

const mergeRequest = z
  .object({
    iid: z.number(),
    target_branch: z.string(),
    state: z.enum(['opened', 'closed', 'locked', 'merged']),
    sha: z.string().nullish(),
    merge_commit_sha: z.string().nullish(),
    squash_commit_sha: z.string().nullish(),
  })
  .transform((reply) => {
    const head = reply.sha ?? '';
    // A fast-forward makes no commit: then the head itself is on the base branch.
    const merged = reply.merge_commit_sha ?? reply.squash_commit_sha ?? (head || null);
    return {
      number: reply.iid,
      state: STATES[reply.state],
      head,
      into: reply.target_branch,
      mergeCommit: reply.state === 'merged' ? merged : null,
    };
  });

const note = z.object({
  id: z.number(),
  body: z.string(),
  system: z.boolean().optional(),
  author: user,
});

/** GitLab Free has no rules, and leaves out the numbers. */
const approvals = z.object({
  approved: z.boolean(),
  approvals_required: z.number().default(0),
  approvals_left: z.number().default(0),
  approved_by: z.array(z.object({ user })).default([]),
});

const issue = z
  .object({
    iid: z.number(),
    web_url: z.string().nullish(),
    state: z.string(),
    description: z.string().nullish(),
    author: user,
  })
  .transform((reply) => ({
    id: String(reply.iid),
    url: reply.web_url ?? '',
    isOpen: reply.state === 'opened',
    body: reply.description ?? '',
    by: reply.author,
  }));
