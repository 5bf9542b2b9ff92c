/** Sites that run jobs and hold pull requests. `generic` is any other place: a shell, another CI. */
export const PROVIDER_NAMES = ['github', 'gitlab', 'generic'] as const;
export type ProviderName = (typeof PROVIDER_NAMES)[number];

/** Why a job runs. `other` is everything that Herald has no rule for, such as a comment on an issue. */
export type JobEvent = 'pull-request' | 'push' | 'merge-queue' | 'schedule' | 'manual' | 'other';

/** What environment and event file tell of the job that Herald runs in. Nothing in it was asked of the provider. */
export interface Job {
  readonly provider: ProviderName;
  readonly event: JobEvent;
  /** The provider's own word for the event, such as `pull_request_target`. Null outside of CI. */
  readonly eventName: string | null;
  /** `owner/name`; on GitLab with all groups. */
  readonly repository: string | null;
  /**
   * The commit that people wrote: the head of the pull request, or the commit that was pushed. A checkout may be at
   * another one: see `checkedOut`.
   */
  readonly head: string | null;
  /** The commit that the provider checks out. On a pull request of GitHub it is a merge of head and base. */
  readonly checkedOut: string | null;
  /**
   * On a pull request, the tip of the base branch when the event was made; not the merge base. On a push, the commit
   * that was the tip before. Null for a new branch.
   */
  readonly base: string | null;
  /** The branch that a pull request or a merge queue goes into. */
  readonly baseBranch: string | null;
  /** The branch that was pushed, or that the head of a pull request is on. */
  readonly branch: string | null;
  readonly defaultBranch: string | null;
  readonly pullRequest: number | null;
  /** The head is in another repository, so it was written by someone who may have no rights here. */
  readonly isFork: boolean;
  readonly run: JobRun | null;
}

/** The run of a job. Its artifacts are found again by `id`. */
export interface JobRun {
  /** On GitHub the workflow run, on GitLab the job, because artifacts belong to it. */
  readonly id: string;
  /** 1, and more when a person runs it again. GitLab gives a repeated job another id instead. */
  readonly attempt: number;
  /** The page of the run. Null if the environment has no web address. */
  readonly url: string | null;
}

/** What a job is found from. */
export interface JobSource {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Reads a file outside of the workspace: the event file that GitHub writes. */
  readonly readText: (path: string) => Promise<string>;
}

/** No CI that Herald knows. */
export const NO_JOB: Job = {
  provider: 'generic',
  event: 'other',
  eventName: null,
  repository: null,
  head: null,
  checkedOut: null,
  base: null,
  baseBranch: null,
  branch: null,
  defaultBranch: null,
  pullRequest: null,
  isFork: false,
  run: null,
};
