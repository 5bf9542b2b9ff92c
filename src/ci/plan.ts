import { isPlanRefused, type Plan } from '../domain/change.ts';
import type { PrintedDiagnostic } from '../domain/diagnostic.ts';
import { digest } from '../domain/digest.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { hasCode, HeraldError, toHeraldError } from '../domain/herald-error.ts';
import type { Annotation, Files, Repository } from '../domain/ports.ts';
import type { ResolvedAccount } from '../domain/resource.ts';
import { shown, visibleProse } from '../domain/visible.ts';
import type { WorkspaceSettings } from '../domain/workspace.ts';
import type { Job } from '../provider/job.ts';
import type { CommitStatus, Provider } from '../provider/provider.ts';
import { FindingList } from '../render/diagnostics.ts';
import { renderJson } from '../render/json.ts';
import { countBytes, markdownName, markdownProse } from '../render/markdown-escape.ts';
import { describeArtifact, drawFailure, type ReportPorts, tryToReport } from './report.ts';
import { baseCommit, type Comparison, type Scope } from './scope.ts';
import { workspaceNotices } from './settings-notice.ts';
import { WorkspaceNames } from './workspace-names.ts';

export interface PlanRun {
  readonly job: Job;
  /** Of the workspace in the repository; empty at its top. */
  readonly folder: string;
  readonly version: string;
  /** The last commit of the pull request. */
  readonly head: string;
}

/** What a plan job found out, for its comment and its status. All texts are Markdown, with what people wrote neutralised. */
interface PlanReport {
  /** Null without a plan: then there is nothing to review. */
  readonly fingerprint: string | null;
  readonly state: CommitStatus['state'];
  /** For the status: `2 to create`. */
  readonly counts: string;
  /** The commit that it was compared with; null if it was compared with none. */
  readonly base: string | null;
  /** What a reviewer has to know first, such as a changed policy. */
  readonly notices: readonly string[];
  /** Draws the plan in at most so many bytes. */
  readonly draw: (bytes: number) => string;
}

/** A plan that was made and printed. */
export interface PlanMade extends Pick<PlanReport, 'counts' | 'draw'> {
  readonly plan: Plan;
  /** `preview` without the key: then nothing is compared with the service. */
  readonly title: 'plan' | 'preview';
  readonly scope: Scope | null;
  readonly accounts: readonly ResolvedAccount[];
}

interface PlanPorts extends ReportPorts {
  readonly files: Pick<Files, 'readText'>;
  readonly repository: () => Promise<Repository>;
  readonly interrupted: AbortSignal;
  /** Writes a file of the artifact. */
  readonly write: (file: string, text: string) => Promise<void>;
}

interface PlanWishes {
  /** What settings are compared with, where a flag names it. */
  readonly base: string | undefined;
  readonly hasKey: boolean;
  readonly simulator: boolean;
}

/** Makes a plan, writes it into files, and shows it where people review. `leftOut`: only the files can be checked, and why. */
export async function planPullRequest(
  ports: PlanPorts,
  run: PlanRun,
  { base, ...key }: PlanWishes,
  make: (leftOut: string | null) => Promise<PlanMade>,
): Promise<PlanMade> {
  const planOnce = async () => {
    const made = await make(findLeftOut(run.job, key));
    return { made, report: await describePlan(ports, run, made, base) };
  };
  const { made, report } = await planOnce().catch(async (error: unknown) => {
    // Report the failure first, so that an earlier plan is not taken for one of this commit. A newer job that has taken over
    // reports its own plan.
    const failed = describeFailure(error, toHeraldError(error) ?? BUG);
    if (!ports.interrupted.aborted)
      await tryToReport(ports.say, 'The failure', () => reportPlan(ports, run, failed));
    throw error;
  });
  await reportPlan(ports, run, report);
  return made;
}

/** Enough for any plan that a person would read. */
const MARKDOWN_BYTES = 10_000_000;

/** What a plan has for the people who review, also as files. */
async function describePlan(
  { write, ...ports }: PlanPorts,
  run: PlanRun,
  made: PlanMade,
  base: string | undefined,
): Promise<PlanReport> {
  const { plan, scope, counts, draw } = made;
  await write('herald-plan.md', draw(MARKDOWN_BYTES));
  if (run.job.provider === 'gitlab') {
    // GitLab Ultimate annotates the lines of the merge request by this report, and GitLab Premium shows it in the pipeline.
    const entries = codeQuality(new FindingList(plan.diagnostics).toAnnotations(), run.folder);
    await write('gl-code-quality-report.json', renderJson(entries));
  }
  const because = scope?.because ?? null;
  const widened = because === null ? [] : [`> Everything is planned, because ${markdownProse(because)}.`];
  return {
    counts,
    draw,
    fingerprint: plan.fingerprint ?? null,
    state: isPlanRefused(plan) ? 'failure' : 'success',
    base: scope?.base ?? null,
    notices: [...(await listNotices(ports, run, made, base)), ...widened],
  };
}

/** Which accounts are meant, and how settings differ from the base. Without a base, that is not known. */
async function listNotices(
  { files, repository }: Pick<PlanPorts, 'files' | 'repository'>,
  { job }: PlanRun,
  { scope, plan, title, accounts: resolved }: PlanMade,
  base: string | undefined,
): Promise<readonly string[]> {
  const about = {
    head: await files.readText('herald.yaml'),
    changes: title === 'plan' ? plan.changes : [],
    resolved,
  };
  const named = base ?? (job.event === 'pull-request' ? job.base : null);
  if (scope === null && named === null) return workspaceNotices(null, about);
  const opened = await repository();
  const commit = scope?.base ?? (await baseCommit(opened, { base: named ?? '', head: job.head }));
  return workspaceNotices({ repository: opened, commit }, about);
}

const ONLY_FILES = shown`No comment and no status, because a pull request from a fork has no token that can write. The plan is in the files of this job.`;

/** Reports a plan, or why there is none: in the summary, in the comment, and as a status of the commit. */
async function reportPlan(ports: ReportPorts, run: PlanRun, report: PlanReport): Promise<void> {
  const { job, folder, head } = run;
  const first = report.notices.flatMap((notice) => [notice, '']);
  await ports.summary((bytes) => [...first, report.draw(bytes - countBytes(first))].join('\n'));
  const place = { context: new WorkspaceNames(folder).context, url: job.run?.url ?? null };
  let provider: Provider | null = null;
  const set = async (state: CommitStatus['state'], description: string) => {
    if (provider === null || job.head === null) return;
    await provider.setStatus(head, { ...place, state, description });
  };
  try {
    provider = await ports.provider();
    if (provider === null) return;
    await comment(ports.say, provider, run, report);
  } catch (error) {
    // The job of a fork has a token that only reads on GitHub, and none on GitLab.
    if (job.isFork && hasCode(error, 'provider-denied', 'provider-no-token')) return ports.say(ONLY_FILES);
    // The comment is still that of an earlier commit, so the status says that this one has none.
    const why = `the comment could not be written: ${(error as Error).message}`;
    await tryToReport(ports.say, 'The status', () => set('error', why));
    throw error;
  }
  await set(report.state, report.counts);
}

async function comment(
  say: ReportPorts['say'],
  provider: Provider,
  run: PlanRun,
  report: PlanReport,
): Promise<void> {
  const { pullRequest: number } = run.job;
  if (number === null) {
    say(shown`Not a job of a pull request, so nothing to comment on.`);
    return;
  }
  const pull = await provider.pullRequest(number);
  if (pull.state === 'open' && pull.head !== run.head) {
    say(shown`No comment, because pull request ${number} has a newer commit by now.`);
    return;
  }
  const body = planComment(run, report, provider.bodyMax);
  const { markerStart } = new WorkspaceNames(run.folder);
  const { url } = await provider.keepText({ pull: number }, markerStart, body);
  say(shown`Comment: ${visibleProse(url ?? `written on pull request ${number}`)}`);
}

/** The body of the comment of a plan: its marker, what to know first, the plan, and where it is from. It always fits. */
function planComment(run: PlanRun, report: PlanReport, bodyMax: number): string {
  const { job, folder, version, head } = run;
  const { fingerprint, base, notices, draw } = report;
  const marker = new WorkspaceNames(folder).writeMarker({
    schema: 'herald/ci/1',
    run: job.run?.id ?? null,
    plan: fingerprint,
    head,
  });
  const footer = [
    ...(folder === '' ? [] : [`Workspace ${markdownName(folder)}.`]),
    `Planned for ${head.slice(0, SHORT)}${base === null ? '' : `, compared with ${base.slice(0, SHORT)}`}.`,
    ...(fingerprint === null
      ? []
      : [`Fingerprint ${markdownName(fingerprint.slice(0, 'sha256:'.length + SHORT))}.`]),
    describeArtifact(job, folder),
    `Herald ${version}.`,
  ].join(' ');
  const first = [marker, ...notices.flatMap((notice) => [notice, ''])];
  // Bytes are never fewer than characters.
  const plan = draw(bodyMax - countBytes([...first, '', footer])).trimEnd();
  return [...first, plan, '', footer].join('\n');
}

/** Characters of a commit and of a fingerprint that people see. */
const SHORT = 12;

const BUG = new HeraldError('internal-error', 'This is a bug in Herald.', 'The output of the job says more.');

function describeFailure(error: unknown, failure: HeraldError): PlanReport {
  const { exit, message } = failure;
  const nothing = { fingerprint: null, base: null, notices: [] };
  if (hasCode(error, 'invalid-files'))
    return {
      ...nothing,
      state: 'failure',
      counts: 'the files have errors',
      draw: (bytes) =>
        new FindingList(readDiagnostics(error)).drawComment('Herald: the files have errors', '', bytes),
    };
  return {
    ...nothing,
    state: exit === EXIT.blocked ? 'failure' : 'error',
    counts: `no plan: ${message}`,
    draw: () => `### Herald: the plan failed\n\n${drawFailure(failure)}`,
  };
}

function readDiagnostics({ details }: HeraldError): readonly PrintedDiagnostic[] {
  return (details as { readonly diagnostics?: readonly PrintedDiagnostic[] } | null)?.diagnostics ?? [];
}

function isForMerge({ event }: Job): boolean {
  return event === 'pull-request' || event === 'merge-queue';
}

const NOT_DONE =
  'Only the files were checked. What is live, what an apply would do, and every check that needs the service is left out. If it is merged so, the apply job plans what it changed, and blocks all of that as not reviewed. To get a plan that can be applied,';
const LEFT_OUT = {
  fork: `This pull request comes from a fork, so the job has no API key. ${NOT_DONE} someone with rights opens it from a branch of this repository.`,
  here: `The job has no API key, as with a pull request of Dependabot. ${NOT_DONE} set the secret HERALD_VIEW_KEY for this job, and run it again before the merge.`,
} as const;

/**
 * What cannot be said of a pull request without the key. A pull request from a fork gets no secrets, and neither does one that
 * Dependabot opens here. Null if all of it is planned.
 */
function findLeftOut(job: Job, { hasKey, simulator }: Omit<PlanWishes, 'base'>): string | null {
  if (hasKey || !isForMerge(job) || (simulator && !job.isFork)) return null;
  return LEFT_OUT[job.isFork ? 'fork' : 'here'];
}

/** What the plan of a job is compared with, by its flags and by `ci.scope`. Null for everything, without a comparison. */
export function chooseComparison(
  job: Job,
  given: { readonly scope: WorkspaceSettings['ciScope'] | undefined; readonly base: string | undefined },
  { ciScope }: WorkspaceSettings,
): Comparison | null {
  const wanted = given.scope ?? (isForMerge(job) ? ciScope : 'all');
  if (wanted === 'all') return null;
  const base = given.base ?? job.base ?? job.baseBranch;
  if (base !== null) return { base, head: job.head };
  throw new HeraldError(
    'bad-flag',
    'This job does not say what the pull request is compared with.',
    'Add --base with the branch that is applied, such as --base main.',
  );
}

interface CodeQualityEntry {
  readonly description: string;
  readonly check_name: string;
  readonly fingerprint: string;
  readonly severity: 'info' | 'minor' | 'major';
  readonly location: { readonly path: string; readonly lines: { readonly begin: number } };
}

const SEVERITIES = {
  notice: 'info',
  warning: 'minor',
  error: 'major',
} as const satisfies Record<Annotation['level'], CodeQualityEntry['severity']>;

/** Annotations as a code-quality report. `folder` is that of the workspace, because GitLab counts from the repository. */
function codeQuality(annotations: readonly Annotation[], folder: string): readonly CodeQualityEntry[] {
  return annotations.flatMap(({ level, title, message, place }) => {
    if (place === null) return [];
    const location = {
      path: folder === '' ? place.file : `${folder}/${place.file}`,
      lines: { begin: place.line },
    };
    return [
      {
        description: message,
        check_name: title,
        fingerprint: digest({ title, message, location }, 'whole').slice('sha256:'.length),
        severity: SEVERITIES[level],
        location,
      },
    ];
  });
}
