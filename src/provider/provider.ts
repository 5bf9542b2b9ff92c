import type * as z from 'zod';
import { ProviderClient, type Call, type ClientOptions } from './client.ts';
import { ProviderError } from './error.ts';
import type { ProviderName } from './job.ts';

/** What was written: whatever the answer lacks, it is done. */
export interface Written {
  /** The page of it. Null if the answer does not name it. */
  readonly url: string | null;
}

export interface PullRequest {
  readonly number: number;
  readonly state: 'open' | 'closed' | 'merged';
  readonly head: string;
  /** The commit on the base branch that the merge made: a merge commit, a squashed one, or the last rebased one. */
  readonly mergeCommit: string | null;
}

/** A comment that our own identity wrote. */
export interface OwnComment {
  readonly id: string;
  readonly url: string;
  readonly body: string;
}

export interface CommitStatus {
  readonly state: 'pending' | 'success' | 'failure' | 'error';
  /** Tells the statuses of several workspaces apart, such as `herald/agency-eu`. */
  readonly context: string;
  /** Cut to what the provider takes. */
  readonly description: string;
  readonly url: string | null;
}

/** The artifact of a run. */
export interface ArtifactName {
  /** `JobRun.id`. */
  readonly run: string;
  /** On GitHub the name of the artifact, on GitLab the folder of its files (GitLab has one artifact for each job). */
  readonly name: string;
}

export interface IssueText {
  readonly title: string;
  readonly body: string;
}

export interface Issue {
  readonly number: number;
  readonly url: string;
  readonly isOpen: boolean;
  readonly body: string;
}

/** Who wrote something, or who our token is. Null for an account that was deleted. */
export type Author = { readonly id: number | null; readonly login: string | null } | null;

/** Something that anyone may have written. */
export type Authored<Text> = Text & { readonly by: Author };

/** A list: its address below the repository, and how it is asked. */
interface List {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number>>;
}

export interface IssueChange extends Partial<IssueText> {
  readonly isOpen?: boolean;
}

/**
 * What one forge has of its own: addresses, forms of answers, and limits. Of its answers, only what Herald needs is read: a request
 * that was carried out must not count as failed.
 */
export interface Dialect {
  readonly name: Exclude<ProviderName, 'generic'>;
  /** `pull request`, in messages. */
  readonly noun: string;
  /** The address of the repository. */
  readonly root: string;
  /** With the token. */
  readonly headers: Readonly<Record<string, string>>;
  /** What to do after a refusal for missing rights. */
  readonly rights?: string;
  /** Characters of a comment and an issue, and of the description of a status. */
  readonly bodyMax: number;
  readonly descriptionMax: number;
  readonly editMethod: 'PATCH' | 'PUT';
  readonly paths: {
    readonly pull: (number: number) => string;
    readonly pullsOfCommit: (commit: string) => string;
    readonly comments: (pull: number) => List;
    readonly comment: (pull: number, id: string) => string;
    readonly status: (commit: string) => string;
    /** The issues that we opened, the newest first. */
    readonly issues: (me: Author) => List;
  };
  readonly shapes: {
    readonly pull: z.ZodType<PullRequest>;
    readonly comment: (pull: number) => z.ZodType<Authored<OwnComment>>;
    readonly writtenComment: (pull: number) => z.ZodType<Written>;
    readonly issue: z.ZodType<Authored<Issue>>;
    readonly writtenIssue: z.ZodType<Written>;
  };
  readonly bodies: {
    readonly status: (status: CommitStatus) => Readonly<Record<string, string>>;
    readonly issue: (change: IssueChange) => Readonly<Record<string, string>>;
  };
  readonly whoAmI: (client: ProviderClient) => Promise<Author>;
  readonly whyNotApproved: (client: ProviderClient, pull: number) => Promise<string | null>;
  readonly artifactFile: (
    client: ProviderClient,
    artifact: ArtifactName,
    file: { readonly name: string; readonly bytesMax: number },
  ) => Promise<Uint8Array>;
}

/**
 * The site that holds the pull requests. A merge request of GitLab is a pull request here. Every method rejects with a `ProviderError`.
 * Without a provider (`generic`) there is none of these: commands print and write files only.
 */
export class Provider {
  readonly #client: ProviderClient;
  readonly #dialect: Dialect;
  #me: Promise<Author> | null = null;

  constructor(options: ClientOptions, dialect: Dialect) {
    this.#client = new ProviderClient(options, dialect);
    this.#dialect = dialect;
  }

  get name(): Dialect['name'] {
    return this.#dialect.name;
  }

  /** Characters that a comment and an issue may have. */
  get bodyMax(): number {
    return this.#dialect.bodyMax;
  }

  pullRequest(number: number): Promise<PullRequest> {
    const { noun, paths, shapes } = this.#dialect;
    return this.#client.ask(this.#get(`read ${noun} ${number}`, { path: paths.pull(number) }), shapes.pull);
  }

  /** Pull requests that a commit belongs to: by its branch, or as the commit that a merge made. In any state. */
  pullRequestsOf(commit: string): Promise<readonly PullRequest[]> {
    const { noun, paths, shapes } = this.#dialect;
    const call = this.#get(`find the ${noun}s of a commit`, { path: paths.pullsOfCommit(commit) });
    return this.#client.list(call, shapes.pull);
  }

  /** Comments that begin with `marker` and that this same identity wrote, oldest first. Those of others never count. */
  async ownComments(pull: number, marker: string): Promise<readonly OwnComment[]> {
    const { noun, paths, shapes } = this.#dialect;
    const call = this.#get(`read the comments of ${noun} ${pull}`, paths.comments(pull));
    return this.#own(await this.#client.list(call, shapes.comment(pull)), marker);
  }

  createComment(pull: number, body: string): Promise<Written> {
    const { noun, paths, shapes } = this.#dialect;
    const what = `create a comment on ${noun} ${pull}`;
    return this.#createOrFind(
      this.#write(what, 'POST', paths.comments(pull).path, { body }, shapes.writtenComment(pull)),
      async () => (await this.ownComments(pull, firstLine(body))).at(-1),
    );
  }

  /** Rejects with `provider-not-found` if the comment was deleted. */
  editComment(pull: number, id: string, body: string): Promise<Written> {
    const { noun, paths, shapes, editMethod } = this.#dialect;
    const what = `edit the comment on ${noun} ${pull}`;
    return this.#write(what, editMethod, paths.comment(pull, id), { body }, shapes.writtenComment(pull));
  }

  /** One status for each `context` of a commit. A later one replaces it. */
  async setStatus(commit: string, status: CommitStatus): Promise<void> {
    const { paths, shapes, bodies, descriptionMax } = this.#dialect;
    const body = bodies.status({ ...status, description: shortened(status.description, descriptionMax) });
    const path = paths.status(commit);
    try {
      await this.#write('set the status of the commit', 'POST', path, body, shapes.writtenIssue);
    } catch (error) {
      // GitLab refuses a status that is there already.
      const isSame = error instanceof ProviderError && /Cannot transition status/i.test(error.message);
      if (!isSame) throw error;
    }
  }

  /** Why it does not count as approved and what to do, to go on after `Pull request 7 `. Null if it is approved. */
  whyNotApproved(pull: number): Promise<string | null> {
    return this.#dialect.whyNotApproved(this.#client, pull);
  }

  /** One file of an artifact. Rejects with `provider-artifact` if it is gone, too large, damaged, or has no such file. */
  artifactFile(artifact: ArtifactName, name: string, bytesMax: number): Promise<Uint8Array> {
    return this.#dialect.artifactFile(this.#client, artifact, { name, bytesMax });
  }

  /** The issue that begins with `marker` and that this same identity opened; the newest if there are several. */
  async ownIssue(marker: string): Promise<Issue | null> {
    const { paths, shapes } = this.#dialect;
    const call = this.#get('find the issue', paths.issues(await this.#whoAmI()));
    const [own] = await this.#own(await this.#client.list(call, shapes.issue), marker);
    return own ?? null;
  }

  createIssue(issue: IssueText): Promise<Written> {
    const { paths, shapes, bodies } = this.#dialect;
    const path = paths.issues(null).path;
    return this.#createOrFind(
      this.#write('open an issue', 'POST', path, bodies.issue(issue), shapes.writtenIssue),
      () => this.ownIssue(firstLine(issue.body)),
    );
  }

  /** Changes what is given, and leaves the rest. */
  editIssue(number: number, change: IssueChange): Promise<Written> {
    const { paths, shapes, bodies, editMethod } = this.#dialect;
    const path = `${paths.issues(null).path}/${number}`;
    return this.#write(`edit issue ${number}`, editMethod, path, bodies.issue(change), shapes.writtenIssue);
  }

  /** What begins with the marker and is ours, whatever others write. */
  async #own<Text extends { readonly body: string }>(
    items: readonly Authored<Text>[],
    marker: string,
  ): Promise<readonly Text[]> {
    const marked = items.filter(({ body }) => body.startsWith(marker));
    if (marked.length === 0) return [];
    const me = await this.#whoAmI();
    return marked.flatMap(({ by, ...text }) => {
      const isOurs = by !== null && (me?.id == null ? by.login === me?.login : by.id === me.id);
      return isOurs ? [text as unknown as Text] : [];
    });
  }

  /** Asked once. */
  #whoAmI(): Promise<Author> {
    this.#me ??= this.#dialect.whoAmI(this.#client);
    return this.#me;
  }

  /** What was created; or what is found, if the answer was lost. A second one would be wrong as well. */
  async #createOrFind(
    create: Promise<Written>,
    find: () => Promise<Written | null | undefined>,
  ): Promise<Written> {
    try {
      return await create;
    } catch (error) {
      const isLost = error instanceof ProviderError && error.code === 'provider-unreachable';
      const found = isLost ? await find() : null;
      if (found === null || found === undefined) throw error;
      return { url: found.url };
    }
  }

  #get(what: string, { path, query = {} }: List): Call {
    return { method: 'GET', path: `${this.#dialect.root}${path}`, query, what };
  }

  /** A create is sent once only. */
  #write(
    what: string,
    method: 'POST' | 'PATCH' | 'PUT',
    path: string,
    body: Readonly<Record<string, string>>,
    shape: z.ZodType<Written>,
  ): Promise<Written> {
    const isCreate = /^(?:create|open) /.test(what);
    const call: Call = { method, path: `${this.#dialect.root}${path}`, body, what };
    return this.#client.ask(isCreate ? { ...call, once: true } : call, shape);
  }
}

/** The marker is there, and the provider may change the end of a text. */
function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** At most so many characters, with an ellipsis where the rest was. */
function shortened(text: string, max: number): string {
  const characters = Array.from(text);
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
