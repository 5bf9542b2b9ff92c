import { serveGitHub } from '../provider/github-server.ts';
import type { ServedSite } from '../provider/served-provider.ts';
import { serveGitLab } from '../provider/gitlab-server.ts';
import type { Pull } from '../provider/world.ts';
import { WorkspaceNames } from '../../src/ci/workspace-names.ts';

/** What the CI tells a job: variables, and the event file of GitHub. */
export interface JobVariables {
  readonly env: Readonly<Record<string, string>>;
  readonly eventFile?: string;
}

interface PlanJob {
  readonly run: string;
  readonly pull: Pull;
  readonly base: string;
  readonly head: string;
  /** A merge of both. */
  readonly merge: string;
}

interface PushJob {
  readonly run: string;
  readonly event: string;
  readonly commit: string;
  readonly before: string | null;
}

/** A provider with its CI, as a story plays it. */
export interface CiSite {
  readonly served: ServedSite;
  /** A plan job has a merge of head and base checked out, not the head. */
  readonly plansMerge: boolean;
  /** The folder of `--out-dir`. */
  readonly outDir: string;
  /** How the files of that folder are called in the artifact. */
  readonly inArtifact: (file: string) => string;
  readonly planJob: (job: PlanJob) => JobVariables;
  readonly pushJob: (job: PushJob) => JobVariables;
}

/** GitHub with its Actions. */
export async function gitHubSite(): Promise<CiSite> {
  const served = await serveGitHub();
  const job = (event: string, sha: string, run: string, payload: object): JobVariables => ({
    eventFile: JSON.stringify(payload),
    env: {
      ...served.env,
      CI: 'true',
      GITHUB_ACTIONS: 'true',
      GITHUB_EVENT_PATH: 'event.json',
      GITHUB_STEP_SUMMARY: 'summary.md',
      GITHUB_EVENT_NAME: event,
      GITHUB_SHA: sha,
      GITHUB_REF_NAME: 'main',
      GITHUB_RUN_ID: run,
    },
  });
  return {
    served,
    plansMerge: true,
    outDir: 'herald-out',
    inArtifact: (file) => file,
    planJob: ({ run, pull, base, head, merge }) =>
      job('pull_request', merge, run, {
        pull_request: {
          number: pull.number,
          head: {
            sha: head,
            ref: pull.headBranch,
            repo: { full_name: pull.isFork ? 'eve/ads' : served.world.repository },
          },
          base: { sha: base, ref: pull.baseBranch },
        },
      }),
    pushJob: ({ run, event, commit, before }) =>
      job(event, commit, run, { before, repository: { default_branch: 'main' } }),
  };
}

/** GitLab with its CI, where a pipeline of a merge request runs on its branch. */
export async function gitLabSite(): Promise<CiSite> {
  const served = await serveGitLab();
  const project = served.world.repository;
  const shared = { ...served.env, CI: 'true', GITLAB_CI: 'true', CI_DEFAULT_BRANCH: 'main' };
  return {
    served,
    plansMerge: false,
    outDir: new WorkspaceNames('').artifact,
    inArtifact: (file) => `${new WorkspaceNames('').artifact}/${file}`,
    planJob: ({ run, pull, base, head }) => ({
      env: {
        ...shared,
        // The pipeline of a fork runs there, without the variables of this project.
        CI_PROJECT_PATH: pull.isFork ? 'eve/ads' : project,
        CI_PIPELINE_SOURCE: 'merge_request_event',
        CI_JOB_ID: run,
        CI_COMMIT_SHA: head,
        CI_COMMIT_BEFORE_SHA: '0'.repeat(40),
        CI_MERGE_REQUEST_IID: String(pull.number),
        CI_MERGE_REQUEST_DIFF_BASE_SHA: base,
        CI_MERGE_REQUEST_TARGET_BRANCH_NAME: pull.baseBranch,
        CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: pull.headBranch,
        CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: pull.isFork ? 'eve/ads' : project,
        CI_MERGE_REQUEST_PROJECT_PATH: project,
      },
    }),
    pushJob: ({ run, event, commit, before }) => ({
      env: {
        ...shared,
        CI_PIPELINE_SOURCE: event,
        CI_JOB_ID: run,
        CI_COMMIT_SHA: commit,
        CI_COMMIT_BEFORE_SHA: before ?? '0'.repeat(40),
        CI_COMMIT_BRANCH: 'main',
      },
    }),
  };
}

/** Keeps what a plan job has written as the artifact of its run. */
export function keepArtifact(
  { served, outDir, inArtifact }: CiSite,
  run: string,
  tree: Record<string, string>,
): void {
  const written = Object.keys(tree).filter((path) => path.startsWith(`${outDir}/`));
  const files = written.map((path) => [inArtifact(path.slice(outDir.length + 1)), tree[path] ?? '']);
  served.world.upload(run, new WorkspaceNames('').artifact, Object.fromEntries(files));
  for (const path of written) delete tree[path];
}

export const SITES = [
  ['GitHub', gitHubSite],
  ['GitLab', gitLabSite],
] as const;
