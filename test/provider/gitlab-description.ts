import type { Description } from './openapi.ts';

/**
 * The part of GitLab's REST API that Herald uses, as OpenAPI, written by hand: no npm package carries GitLab's own
 * description. Answers have the members that Herald reads, all of them documented for every version since 16.
 *
 * Each operation names where it was compared: a file of `lib/api` of GitLab 19.5 (gitlab-org/gitlab), the entity of its
 * answer, or `gitbeaker`, the types of its schema in packages/core of jdalrymple/gitbeaker (2026-04). `docs` is
 * https://docs.gitlab.com/api only.
 */
const id = { in: 'path', name: 'id', required: true, schema: { type: 'string' } };
const page = [
  { in: 'query', name: 'page', schema: { type: 'integer', minimum: 1 } },
  { in: 'query', name: 'per_page', schema: { type: 'integer', minimum: 1, maximum: 100 } },
];
const text = { type: 'string' };
const number = { type: 'integer' };
const orNull = (schema: object) => ({ ...schema, nullable: true });
const yesOrNo = { type: 'boolean' };
const commit = { type: 'string', pattern: '^[0-9a-f]{40}$' };
const upTo = (maxLength: number) => ({ type: 'string', maxLength });

const query = (name: string, schema: object) => ({ in: 'query', name, schema });
const oneOf = (...values: readonly string[]) => ({ type: 'string', enum: values });
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const answers = (schema: object, status = '200') => ({
  parameters: [id],
  responses: { [status]: json(schema) },
});
const lists = (name: string, ...queries: readonly object[]) => ({
  ...answers({ type: 'array', items: ref(name) }),
  parameters: [id, ...queries, ...page],
});
const object = (properties: Readonly<Record<string, object>>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});
const sends = (properties: Readonly<Record<string, object>>, required: readonly string[]) => ({
  requestBody: { required: true, ...json(object(properties, [...required])) },
});

const user = object({ id: number, username: text });

const mergeRequest = object({
  iid: number,
  target_branch: text,
  state: oneOf('opened', 'closed', 'locked', 'merged'),
  sha: orNull(commit),
  merge_commit_sha: orNull(commit),
  squash_commit_sha: orNull(commit),
});

const note = object({ id: number, body: text, author: ref('user'), system: yesOrNo });

const issue = object({
  iid: number,
  title: text,
  description: orNull(text),
  state: oneOf('opened', 'closed'),
  author: ref('user'),
  web_url: text,
});

/** docs merge_request_approvals: the last two are of Premium and Ultimate only. They are the sum over all rules. */
const approvals = object(
  {
    approved: yesOrNo,
    approved_by: { type: 'array', items: object({ user: ref('user') }) },
    approvals_required: number,
    approvals_left: number,
  },
  ['approved', 'approved_by'],
);

const sort = query('sort', oneOf('asc', 'desc'));
const orderBy = query('order_by', oneOf('created_at', 'updated_at'));
const aNote = sends({ body: upTo(1_000_000) }, ['body']);
const anIssue = { title: upTo(255), description: text };
const aStatus = {
  state: oneOf('pending', 'running', 'success', 'failed', 'canceled', 'skipped'),
  name: text,
  description: upTo(255),
  target_url: upTo(255),
};

const one = '/projects/{id}/merge_requests/{merge_request_iid}';

export const GITLAB: Description = {
  components: { schemas: { user, mergeRequest, note, issue } },
  paths: {
    // users.rb; gitbeaker Users.ts, SimpleUserSchema.
    '/user': { get: { responses: { '200': json(ref('user')) } } },
    // docs commits; its answer is entities/merge_request_basic.rb.
    '/projects/{id}/repository/commits/{sha}/merge_requests': { get: lists('mergeRequest') },
    // docs merge_requests; entities/merge_request_basic.rb; gitbeaker MergeRequests.ts, MergeRequestSchema.
    [one]: { get: answers(ref('mergeRequest')) },
    // notes.rb: the order defaults to the newest first. gitbeaker ResourceNotes.ts, NoteSchema. A page can have fewer notes
    // than asked for although another one follows, so only the links of the answer tell the end.
    [`${one}/notes`]: {
      get: lists('note', sort, orderBy),
      post: { ...aNote, ...answers(ref('note'), '201') },
    },
    // notes.rb.
    [`${one}/notes/{note_id}`]: { put: { ...aNote, ...answers(ref('note')) } },
    // merge_request_approvals.rb, in every edition; entities/merge_request_approvals.rb and entities/approvals.rb.
    [`${one}/approvals`]: { get: answers(approvals) },
    // commit_statuses.rb; entities/commit_status.rb. It answers 409 while another update of the same status is under way.
    '/projects/{id}/statuses/{sha}': {
      post: { parameters: [id], ...sends(aStatus, ['state']), responses: { '201': {} } },
    },
    // docs job_artifacts.
    '/projects/{id}/jobs/{job_id}/artifacts/{*artifact_path}': {
      get: { parameters: [id], responses: { '200': {} } },
    },
    // docs issues; gitbeaker Issues.ts, IssueSchema.
    '/projects/{id}/issues': {
      get: lists(
        'issue',
        query('author_id', number),
        query('state', oneOf('all', 'opened', 'closed')),
        orderBy,
        sort,
      ),
      post: { ...sends(anIssue, ['title']), ...answers(ref('issue'), '201') },
    },
    // The same.
    '/projects/{id}/issues/{issue_iid}': {
      put: { ...sends({ ...anIssue, state_event: oneOf('close', 'reopen') }, []), ...answers(ref('issue')) },
    },
  },
};
