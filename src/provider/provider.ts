import * as z from 'zod';
import { ProviderClient, type Call, type ClientDialect, type ClientOptions } from './client.ts';
import { cutText, visibleProse } from '../domain/visible.ts';
import { ProviderError } from './error.ts';

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
  /** The branch that it goes into, or went into. */
  readonly into: string;
}

export interface CommitStatus {
  readonly state: 'success' | 'failure' | 'error';
  /** Tells the statuses of several workspaces apart, such as `herald/agency-eu`. */
  readonly context: string;
  /** Its control characters are shown, and it is cut to what the provider takes. */
  readonly description: string;
  readonly url: string | null;
}

export interface ArtifactName {
  /** `Job.run.id`. */
  readonly run: string;
  /** On GitHub the name of the artifact, on GitLab the folder of its files (GitLab has one artifact for each job). */
  readonly name: string;
}

/** Who wrote something, or who our token is. Null for an account that was deleted. */
export type Author = { readonly id: number | null; readonly login: string | null } | null;

/** What Herald writes in a place. Only an issue has a title, and is open or closed. */
export interface WrittenText {
  readonly body: string;
  readonly title?: string;
  readonly isOpen?: boolean;
}

/** A comment or an issue that our own identity wrote. */
interface OwnText {
  readonly id: string;
  readonly url: string;
  readonly body: string;
  /** True for every comment. */
  readonly isOpen: boolean;
}

/** The comments of a pull request, or the issues of the repository. */
export type Place = { readonly pull: number } | 'issues';

/** The texts of a place, which anyone may have written. */
export interface Texts {
  /** Below the repository, of the list. */
  readonly path: string;
  /** The newest come last in comments, and first in issues. */
  readonly query: Readonly<Record<string, string | number>>;
  readonly pathTo: (id: string) => string;
  readonly found: z.ZodType<OwnText & { readonly by: Author }>;
  readonly written: z.ZodType<Written>;
  readonly body: (text: WrittenText) => Readonly<Record<string, string>>;
}

/**
 * What one forge has of its own: addresses, forms of answers, and limits. Of its answers, only what Herald needs is read: a request
 * that was carried out must not count as failed.
 */
export interface Dialect extends ClientDialect {
  /** `pull request`, in messages. */
  readonly noun: string;
  /** The address of the repository. */
  readonly root: string;
  /** Characters of a comment and an issue, and of the description of a status. */
  readonly bodyMax: number;
  readonly descriptionMax: number;
  readonly editMethod: 'PATCH' | 'PUT';
  /** The addresses of pull requests and of commits, below the repository. */
  readonly pulls: string;
  readonly commits: string;
  readonly pull: z.ZodType<PullRequest>;
  /** `me` is known for issues: only those that we opened are listed. */
  readonly texts: (place: Place, me: Author) => Texts;
  readonly status: (status: CommitStatus) => Readonly<Record<string, string>>;
  readonly whoAmI: (client: ProviderClient) => Promise<Author>;
  readonly whyNotApproved: (client: ProviderClient, pull: number, me: Author) => Promise<string | null>;
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

  /** Characters that a comment and an issue may have. */
  get bodyMax(): number {
    return this.#dialect.bodyMax;
  }

  pullRequest(number: number): Promise<PullRequest> {
    const { noun, pulls, pull } = this.#dialect;
    return this.#client.ask(this.#get(`read ${noun} ${number}`, `${pulls}/${number}`), pull);
  }

  /** Pull requests that a commit belongs to: by its branch, or as the commit that a merge made. In any state. */
  pullRequestsOf(commit: string): Promise<readonly PullRequest[]> {
    const { noun, commits, pulls, pull } = this.#dialect;
    const path = `${commits}/${encodeURIComponent(commit)}${pulls}`;
    return this.#client.list(this.#get(`find the ${noun}s of a commit`, path), pull);
  }

  /** The newest text of a place that begins with `marker` and that this same identity wrote. */
  async findText(place: Place, marker: string): Promise<OwnText | null> {
    const known = place === 'issues' ? await this.#whoAmI() : null;
    const { path, query, found } = this.#dialect.texts(place, known);
    const what = this.#describe(place, 'read the comments of', 'read the issues');
    const all = await this.#client.list({ ...this.#get(what, path), query }, found);
    const marked = all.filter(({ body }) => body.startsWith(marker));
    if (marked.length === 0) return null;
    const me = await this.#whoAmI();
    const own = marked.filter(
      ({ by }) => by !== null && (me?.id == null ? by.login === me?.login : by.id === me.id),
    );
    return own.at(place === 'issues' ? 0 : -1) ?? null;
  }

  /** Edits the text in its place, or writes it there for the first time. Rejects with `provider-not-found` if it was deleted. */
  async writeText(place: Place, earlier: Pick<OwnText, 'id'> | null, text: WrittenText): Promise<Written> {
    const { texts, editMethod } = this.#dialect;
    const { path, pathTo, body, written } = texts(place, null);
    if (earlier !== null) {
      const what = this.#describe(place, 'edit the comment on', 'edit the issue');
      return this.#client.ask(this.#write(what, editMethod, pathTo(earlier.id), body(text)), written);
    }
    const what = this.#describe(place, 'create a comment on', 'open an issue');
    const call: Call = { ...this.#write(what, 'POST', path, body(text)), once: true };
    try {
      return await this.#client.ask(call, written);
    } catch (error) {
      // The answer may be lost alone, and a second text would be wrong as well.
      const isLost = error instanceof ProviderError && error.code === 'provider-unreachable';
      // The marker is there, and the provider may change the end of a text.
      const [firstLine = ''] = text.body.split('\n', 1);
      const found = isLost ? await this.findText(place, firstLine) : null;
      if (found === null) throw error;
      return { url: found.url };
    }
  }

  /** Keeps one text in a place that begins with `marker`: edits it, or writes it. Texts of others are never taken for it. */
  async keepText(place: Place, marker: string, body: string): Promise<Written> {
    return this.writeText(place, await this.findText(place, marker), { body });
  }

  /** One status for each `context` of a commit. A later one replaces it. */
  async setStatus(commit: string, status: CommitStatus): Promise<void> {
    const { descriptionMax, status: bodyOfStatus } = this.#dialect;
    const description = cutText(visibleProse(status.description), descriptionMax);
    const body = bodyOfStatus({ ...status, description });
    const path = `/statuses/${encodeURIComponent(commit)}`;
    await this.#client.ask(this.#write('set the status of the commit', 'POST', path, body), z.object({}));
  }

  /** Why it does not count as approved and what to do, to go on after `Pull request 7 `. Null if it is approved. */
  async whyNotApproved(pull: number): Promise<string | null> {
    return this.#dialect.whyNotApproved(this.#client, pull, await this.#whoAmI());
  }

  /** One file of an artifact. Rejects with `provider-artifact` if it is gone, too large, damaged, or has no such file. */
  async artifactFile(artifact: ArtifactName, name: string, bytesMax: number): Promise<Uint8Array> {
    try {
      return await this.#dialect.artifactFile(this.#client, artifact, { name, bytesMax });
    } catch (error) {
      // Of everything else, "not found" may mean a token or a name.
      if (!(error instanceof ProviderError) || error.code !== 'provider-not-found') throw error;
      const why = `Artifact ${artifact.name} expired, was deleted, or was never made.`;
      throw new ProviderError('provider-artifact', why, null, { cause: error });
    }
  }

  /** Asked once. */
  #whoAmI(): Promise<Author> {
    this.#me ??= this.#dialect.whoAmI(this.#client);
    return this.#me;
  }

  #describe(place: Place, ofPull: string, ofIssues: string): string {
    return place === 'issues' ? ofIssues : `${ofPull} ${this.#dialect.noun} ${place.pull}`;
  }

  #get(what: string, path: string): Call {
    return { method: 'GET', path: `${this.#dialect.root}${path}`, what };
  }

  #write(what: string, method: Call['method'], path: string, body: Call['body']): Call {
    return { method, path: `${this.#dialect.root}${path}`, what, ...(body === undefined ? {} : { body }) };
  }
}

/** Jobs of any branch have this token, so anyone who opens a pull request could approve it by a job of its branch. */
export const OWN_APPROVAL =
  'is approved by the token of these jobs, which every branch can use. Take back that approval, and let people approve it';
