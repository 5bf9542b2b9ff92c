import { openJob, refuseSimulator } from '../../ci/job.ts';
import { chooseComparison, planPullRequest, type PlanMade, type PlanRun } from '../../ci/plan.ts';
import { describeArtifact } from '../../ci/report.ts';
import { chooseScope } from '../../ci/scope.ts';
import { PLAN_FILE } from '../../ci/workspace-names.ts';
import type { Context } from '../../cli/context.ts';
import { defineCommand, PLAN_FORMATS, type PlanFormat, printResult } from '../../cli/define-command.ts';
import { annotateFindings } from '../../cli/findings.ts';
import { allowFlag, jobFlags, choiceFlag, switchFlag, textFlag, type ValuesOf } from '../../cli/flags.ts';
import { makePlan, planOffline, printPlan, writePage } from '../../cli/make-plan.ts';
import { PlanKey, writeReport, writeSavedPlan } from '../../cli/saved-plan.ts';
import { isPlanRefused, writes } from '../../domain/change.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { joined, visibleLines } from '../../domain/visible.ts';
import { CI_SCOPES } from '../../domain/workspace.ts';
import { openFiles } from '../../library/connect.ts';
import { loadFiles } from '../../library/media.ts';
import { EVERYTHING } from '../../plan/facts.ts';
import { FindingList } from '../../render/diagnostics.ts';
import { readDeclared } from '../../render/entries.ts';
import { renderPlanMarkdown } from '../../render/plan-markdown.ts';
import { summarisePlan } from '../../render/summary.ts';
import { count } from '../../render/wording.ts';
import { VERSION } from '../../version.ts';
import { requireValid } from '../../workspace/load.ts';

const flags = {
  ...jobFlags,
  outDir: textFlag(
    '--out-dir <dir>',
    'write the plan as JSON, Markdown and a page into this folder',
    'herald-out',
  ),
  scope: choiceFlag(
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
    const hasKey =
      (context.env['HERALD_API_KEY'] ?? '').trim() !== '' || context.flags.apiKeyFile !== undefined;
    const made = await planPullRequest(
      {
        ...ports,
        ...context,
        write: (file, text) => writeReport(context, inFolder(given, file), text),
      },
      run,
      { ...given, hasKey },
      async (leftOut) => {
        await refuseSimulator(context, given.simulator);
        return leftOut === null ? planChanges(context, given, run) : checkFiles(context, given, leftOut);
      },
    );
    if (isPlanRefused(made.plan)) return EXIT.blocked;
    const hasChanges = made.title === 'plan' && made.plan.changes.some(writes);
    return given.detailedExitcode && hasChanges ? EXIT.differences : EXIT.done;
  },
});

function inFolder({ outDir }: Given, file: string): string {
  return `${outDir.replace(/\/+$/, '')}/${file}`;
}

const PAGE_FILE = 'herald-plan.html';

async function planChanges(context: Context, given: Given, { job, folder }: PlanRun): Promise<PlanMade> {
  // A key that is too short ends the command before anything is read.
  const key = PlanKey.read(context);
  const opened = await openFiles(context);
  const declared = readDeclared(opened.declared);
  const comparison = chooseComparison(job, given, opened.workspace);
  const scope = comparison && (await chooseScope(context, opened, comparison));
  const seen = await makePlan(context, opened, {
    targeting: scope?.targeting ?? EVERYTHING,
    isCompared: scope !== null,
    allow: given.allow,
    isSaved: true,
    // The checkout of a pull request is a merge that vanishes, so the plan names the commit that people know.
    commit: job.head,
  });
  const { plan: made, facts } = seen;
  await writeSavedPlan(context, seen, { path: inFolder(given, PLAN_FILE), key });
  const html = inFolder(given, PAGE_FILE);
  await printPlan(context, made, declared, { format: given.format, html });
  const whole = describeArtifact(job, folder);
  return {
    plan: made,
    title: 'plan',
    scope,
    accounts: facts.accounts,
    counts: summarisePlan(made, 'plan').headline,
    draw: (limit) => renderPlanMarkdown(made, { ...declared, limit, whole }),
  };
}

/** Whether the files are valid, and what the policy says. Asks the service nothing. */
async function checkFiles(context: Context, given: Given, leftOut: string): Promise<PlanMade> {
  const loaded = requireValid(await loadFiles(context));
  const made = planOffline(context, loaded);
  const counts = `${count(loaded.declared.length, 'resource')} declared, not compared with the service`;
  const findings = new FindingList(made.diagnostics);
  const draw = (bytes?: number) => findings.drawComment(`Herald: ${counts}`, leftOut, bytes);
  const print = () => joined(visibleLines(draw()), '\n');
  await printResult(context, given.format, { text: print, markdown: print, json: () => ({ ...made }) });
  await writePage(context, inFolder(given, PAGE_FILE), made, 'preview');
  await annotateFindings(context, made.diagnostics);
  return { plan: made, title: 'preview', scope: null, accounts: [], counts, draw };
}
