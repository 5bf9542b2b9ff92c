import { openJob, PLAN_FILE, refuseSimulator } from '../../ci/job.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { annotateFindings, readDetails } from '../../cli/findings.ts';
import {
  allowFlag,
  jobFlags,
  optionalChoiceFlag,
  switchFlag,
  textFlag,
  type ValuesOf,
} from '../../cli/flags.ts';
import { PLAN_FORMATS, type PlanFormat } from '../../cli/formats.ts';
import { makePlan, planOffline, printPlan, writePage } from '../../cli/make-plan.ts';
import { readPlanKey, writeReport, writeSavedPlan } from '../../cli/saved-plan.ts';
import { workspaceNotices } from '../../ci/settings-notice.ts';
import { baseCommit, chooseScope, type Scope } from '../../ci/scope.ts';
import { codeQuality } from '../../ci/code-quality.ts';
import {
  describeArtifact,
  drawFailure,
  reportPlan,
  tryToReport,
  type PlanReport,
  type PlanRun,
} from '../../ci/report.ts';
import { isPlanRefused, writes, type Plan } from '../../domain/change.ts';
import { formatCommand } from '../../domain/command-line.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { hasCode, HeraldError, toHeraldError } from '../../domain/herald-error.ts';
import type { ResolvedAccount } from '../../domain/resource.ts';
import { visible } from '../../domain/visible.ts';
import { CI_SCOPES } from '../../domain/workspace.ts';
import { loadFiles } from '../../library/media.ts';
import { openFiles, type Opened } from '../../library/connect.ts';
import type { PageTitle } from '../../page/words.ts';
import { EVERYTHING } from '../../plan/facts.ts';
import type { Job } from '../../provider/job.ts';
import { findingAnnotations, renderFilesMarkdown } from '../../render/diagnostics.ts';
import { readDeclared } from '../../render/entries.ts';
import { markdownProse } from '../../render/markdown-escape.ts';
import { renderJson } from '../../render/json.ts';
import { renderPlanMarkdown } from '../../render/plan-markdown.ts';
import { summarisePlan } from '../../render/summary.ts';
import { count } from '../../render/wording.ts';
import { printResult } from '../../cli/run-command.ts';
import { VERSION } from '../../version.ts';
import { requireValid } from '../../workspace/load.ts';

const flags = {
  ...jobFlags,
  outDir: textFlag(
    '--out-dir <dir>',
    'write the plan as JSON, Markdown and a page into this folder',
    'herald-out',
  ),
  scope: optionalChoiceFlag(
    '--scope <which>',
    'plan all resources, or only those that the pull request changes (default: ci.scope of herald.yaml)',
    CI_SCOPES,
  ),
  base: textFlag('--base <commit>', 'commit or branch to compare with (default: that of the pull request)'),
  allow: allowFlag,
  detailedExitcode: switchFlag('--detailed-exitcode', 'exit 2 if there are changes'),
};

type Given = ValuesOf<typeof flags> & { readonly format: PlanFormat };

/** Plans a pull request, writes files, and shows the result where people review. Sends only reads. */
export const plan = defineCommand({
  path: 'ci plan',
  about: 'plan a pull request, and show the result in its comment and as a status',
  examples: [
    'herald ci plan --out-dir herald-out',
    'herald ci plan --provider generic --scope changed --base main',
  ],
  formats: PLAN_FORMATS,
  flags,
  needs: 'nothing',
  run: async (context, given) => {
    const { job, ...ports } = await openJob(context, given, 'plan');
    // Only a comparison needs git.
    const repository = await context.repository().catch(() => null);
    const run: PlanRun = {
      job,
      folder: repository?.folder ?? '',
      version: VERSION,
      // On a person's machine, it may have changes that are not committed.
      head: job.head ?? (await repository?.commitOf('HEAD')) ?? 'unknown',
    };
    const made = await planOrCheck(context, given, run).catch(async (error: unknown) => {
      // Report the failure first, so that an earlier plan is not taken for one of this commit. A newer job that has taken over
      // reports its own plan.
      if (!context.interrupted.aborted)
        await tryToReport(ports.say, 'The failure', () => reportPlan(ports, run, describeFailure(error)));
      throw error;
    });
    await reportPlan(ports, run, made.report);
    if (isPlanRefused(made.plan)) return EXIT.blocked;
    const hasChanges = made.title === 'plan' && made.plan.changes.some(writes);
    return given.detailedExitcode && hasChanges ? EXIT.differences : EXIT.done;
  },
});

interface Made extends Pick<PlanReport, 'counts' | 'draw'> {
  readonly plan: Plan;
  /** `preview` without the key: then nothing is compared with the service. */
  readonly title: PageTitle;
  readonly scope: Scope | null;
  readonly accounts: readonly ResolvedAccount[];
}

async function planOrCheck(
  context: Context,
  given: Given,
  run: PlanRun,
): Promise<Pick<Made, 'plan' | 'title'> & { readonly report: PlanReport }> {
  await refuseSimulator(context, given.simulator);
  const hasKey =
    (context.env['HERALD_API_KEY'] ?? '').trim() !== '' || context.flags.apiKeyFile !== undefined;
  const { job } = run;
  // A pull request from a fork gets no secrets, and neither does one that Dependabot opens here.
  const isWithoutKey = isForMerge(job) && !hasKey && (job.isFork || !given.simulator);
  const made = await (isWithoutKey ? checkFiles(context, given, job) : planChanges(context, given, run));
  const { plan: found, scope, title, draw } = made;
  await writeReport(context, inFolder(given, 'herald-plan.md'), draw(MARKDOWN_BYTES));
  if (run.job.provider === 'gitlab') {
    // GitLab annotates the lines of the merge request by this report.
    const entries = codeQuality(findingAnnotations(found.diagnostics), run.folder);
    await writeReport(context, inFolder(given, 'gl-code-quality-report.json'), renderJson(entries));
  }
  const because = scope?.because ?? null;
  const widened = because === null ? [] : [`> Everything is planned, because ${markdownProse(because)}.`];
  const report: PlanReport = {
    ...made,
    fingerprint: found.fingerprint ?? null,
    state: isPlanRefused(found) ? 'failure' : 'success',
    base: scope?.base ?? null,
    notices: [...(await listNotices(context, given, run, made)), ...widened],
  };
  return { plan: found, title, report };
}

/** Enough for any plan that a person would read. */
const MARKDOWN_BYTES = 10_000_000;

function inFolder({ outDir }: Given, file: string): string {
  return `${outDir.replace(/\/+$/, '')}/${file}`;
}

function isForMerge({ event }: Job): boolean {
  return event === 'pull-request' || event === 'merge-queue';
}

function describeFailure(error: unknown): PlanReport {
  const nothing = { fingerprint: null, base: null, notices: [] };
  if (hasCode(error, 'invalid-files'))
    return {
      ...nothing,
      state: 'failure',
      counts: 'the files have errors',
      draw: () => renderFilesMarkdown('Herald: the files have errors', readDetails(error).diagnostics),
    };
  const bug = new HeraldError(
    'internal-error',
    'This is a bug in Herald.',
    'The output of the job says more.',
  );
  const failure = toHeraldError(error) ?? bug;
  return {
    ...nothing,
    state: failure.exit === EXIT.blocked ? 'failure' : 'error',
    counts: `no plan: ${failure.message}`,
    draw: () => `### Herald: the plan failed\n\n${drawFailure(failure)}`,
  };
}

const PAGE_FILE = 'herald-plan.html';

async function planChanges(context: Context, given: Given, run: PlanRun): Promise<Made> {
  // A key that is too short ends the command before anything is read.
  const key = readPlanKey(context);
  const opened = await openFiles(context);
  const declared = readDeclared(opened.declared);
  const scope = await readScope(context, given, run, opened);
  const seen = await makePlan(context, opened, {
    targeting: scope?.targeting ?? EVERYTHING,
    allow: given.allow,
    isSaved: true,
    // The checkout of a pull request is a merge that vanishes, so the plan names the commit that people know.
    commit: run.job.head,
  });
  const { plan: made, facts } = seen;
  const whole = describeArtifact(run.job, run.folder);
  await writeSavedPlan(context, opened, seen, { path: inFolder(given, PLAN_FILE), key });
  const html = inFolder(given, PAGE_FILE);
  await printPlan(context, made, declared, { format: given.format, html });
  const { headline: counts } = summarisePlan(made, 'plan');
  const draw: Made['draw'] = (limit) => renderPlanMarkdown(made, { ...declared, limit, whole });
  return { plan: made, title: 'plan', scope, accounts: facts.accounts, counts, draw };
}

const NOT_DONE =
  'Only the files were checked. What is live, what an apply would do, and every check that needs the service is left out. The whole plan is made after the merge, or';
const LEFT_OUT = {
  fork: `This pull request comes from a fork, so the job has no API key. ${NOT_DONE} when someone with rights opens the pull request from a branch of this repository.`,
  here: `The job has no API key, as with a pull request of Dependabot. ${NOT_DONE} when the secret HERALD_VIEW_KEY is set for this job.`,
} as const;

/** What can be said of a pull request without the key: whether its files are valid, and what the policy says. Asks the service nothing. */
async function checkFiles(context: Context, given: Given, { isFork }: Job): Promise<Made> {
  const loaded = requireValid(await loadFiles(context));
  const made = planOffline(context, loaded);
  const counts = `${count(loaded.declared.length, 'resource')} declared, not compared with the service`;
  const text = renderFilesMarkdown(`Herald: ${counts}`, made.diagnostics, LEFT_OUT[isFork ? 'fork' : 'here']);
  if (given.format === 'json') await printResult(context, 'json', { json: () => ({ ...made }) });
  else for (const line of text.split('\n')) context.output.result(visible(line));
  await writePage(context, inFolder(given, PAGE_FILE), made, 'preview');
  await annotateFindings(context, made.diagnostics);
  return { plan: made, title: 'preview', scope: null, accounts: [], counts, draw: () => text };
}

/** What the run is about; null for everything, without a comparison. */
async function readScope(
  context: Context,
  given: Given,
  { job }: PlanRun,
  opened: Opened,
): Promise<Scope | null> {
  const wanted = given.scope ?? (isForMerge(job) ? opened.workspace.ciScope : 'all');
  if (wanted === 'all') return null;
  const base = given.base ?? job.base ?? job.baseBranch;
  if (base !== null) return chooseScope(context, opened, { base, head: job.head });
  throw new HeraldError(
    'bad-flag',
    'This job does not say what the pull request is compared with.',
    `Use: ${formatCommand('ci', 'plan', '--scope', 'changed', '--base', 'main')}`,
  );
}

/** Which accounts are meant, and how settings differ from the base. Without a base, that is not known. */
async function listNotices(
  context: Context,
  { base }: Given,
  { job }: PlanRun,
  { scope, plan: made, title, accounts: resolved }: Made,
): Promise<readonly string[]> {
  const head = await context.files.readText('herald.yaml');
  const named = base ?? (job.event === 'pull-request' ? job.base : null);
  const about = { head, changes: title === 'plan' ? made.changes : [], resolved };
  if (scope === null && named === null) return workspaceNotices(null, about);
  const repository = await context.repository();
  const commit = scope?.base ?? (await baseCommit(repository, { base: named ?? '', head: job.head }));
  return workspaceNotices({ repository, commit }, about);
}
