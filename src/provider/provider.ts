import type { ProviderName } from './job.ts';

/**
 * What Herald asks of the site that holds the pull requests. A merge request of GitLab is a pull request here. Every
 * method rejects with a `ProviderError`. Without a provider (`generic`) there is none of these: commands print and
 * write files only.
 */
export interface Provider {
  readonly name: Exclude<ProviderName, 'generic'>;
  /** Characters that a comment and an issue may have. */
  readonly bodyMax: number;

  pullRequest(number: number): Promise<PullRequest>;
  /** Pull requests that a commit belongs to: by its branch, or as the commit that a merge made. In any state. */
  pullRequestsOf(commit: string): Promise<readonly PullRequest[]>;
  openPullRequests(baseBranch: string): Promise<readonly PullRequest[]>;

  /**
   * Comments of a pull request that begin with `marker` and that this same identity wrote, oldest first. Comments of
   * others never count, whatever they contain.
   */
  ownComments(pullRequest: number, marker: string): Promise<readonly OwnComment[]>;
  /** Herald's own comments on all these pull requests, in few calls. */
  ownCommentsOfAll(pullRequests: readonly number[], marker: string): Promise<OwnComments>;
  createComment(pullRequest: number, body: string): Promise<Written>;
  /** Rejects with `provider-not-found` if the comment was deleted. */
  editComment(comment: Pick<OwnComment, 'id' | 'pullRequest'>, body: string): Promise<Written>;

  /** One status for each `context` of a commit. A later one replaces it. */
  setStatus(commit: string, status: CommitStatus): Promise<void>;

  /** Why it does not count as approved and what to do, to go on after `Pull request 7 `. Null if it is approved. */
  whyNotApproved(pullRequest: number): Promise<string | null>;

  /**
   * One file of an artifact. Rejects with `provider-artifact` if it is gone, too large, damaged, or has no such file.
   */
  artifactFile(artifact: ArtifactName, file: string, maxBytes: number): Promise<Uint8Array>;

  /** The issue that begins with `marker` and that this same identity opened; the newest if there are several. */
  ownIssue(marker: string): Promise<Issue | null>;
  createIssue(issue: IssueText): Promise<Written>;
  /** Changes what is given, and leaves the rest. */
  editIssue(number: number, change: Partial<IssueText> & { readonly isOpen?: boolean }): Promise<Written>;
}

/** What was written: whatever the answer lacks, it is done. */
export interface Written {
  /** The page of it. Null if the answer does not name it. */
  readonly url: string | null;
}

export interface PullRequest {
  readonly number: number;
  readonly url: string;
  readonly title: string;
  /** The login of the person who opened it. */
  readonly author: string;
  readonly state: 'open' | 'closed' | 'merged';
  readonly head: string;
  /** The commit on the base branch that the merge made: a merge commit, a squashed one, or the last rebased one. */
  readonly mergeCommit: string | null;
}

/** A comment that our own identity wrote. */
export interface OwnComment {
  readonly id: string;
  readonly pullRequest: number;
  readonly url: string;
  readonly body: string;
}

export interface OwnComments {
  readonly comments: readonly OwnComment[];
  /** False if there were more comments than Herald reads. Then say so. */
  readonly isComplete: boolean;
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

export interface Issue extends IssueText {
  readonly number: number;
  readonly url: string;
  readonly isOpen: boolean;
}
