import { findProvider, findSafeJob, jobFlags, refuseSimulator, writeJobSummary } from '../../cli/ci-job.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { workspacePorts } from '../../cli/engine-ports.ts';
import { driftExit } from '../../cli/exit-of.ts';
import { switchFlag } from '../../cli/flags.ts';
import { PLAN_FORMATS } from '../../cli/formats.ts';
import { makeDrift } from '../../cli/make-plan.ts';
import { printPlan, readDeclared } from '../../cli/plan-output.ts';
import { reportDrift } from '../../ci/drift-issue.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { openFiles } from '../../library/open.ts';
import { EVERYTHING } from '../../plan/facts.ts';
import { renderPlanMarkdown } from '../../render/plan-markdown.ts';

const DID = {
  opened: 'Opened',
  edited: 'Edited',
  closed: 'Closed, because nothing differs any more',
} as const;

/** Shows the drift, and keeps one issue about it. Sends only reads to the service. */
export const drift = defineCommand({
  path: 'ci drift',
  about: 'show drift, and keep one issue about it: open, edit, close',
  examples: ['herald ci drift', 'herald ci drift --detailed-exitcode'],
  formats: PLAN_FORMATS,
  flags: { ...jobFlags, detailedExitcode: switchFlag('--detailed-exitcode', 'exit 2 if something differs') },
  needs: 'nothing',
  run: async (context, given) => {
    const { clock, output } = context;
    const job = await findSafeJob(context, given, 'drift');
    await refuseSimulator(context, given.simulator);
    const opened = await openFiles(workspacePorts(context));
    const { declared } = opened;
    const contents = given.format === 'json';
    const plan = await makeDrift(context, opened, { targeting: EVERYTHING, contents });
    await printPlan(context, given.format, plan, { title: 'drift', declared });
    const draw = (limit: number) =>
      renderPlanMarkdown(plan, { ...readDeclared(declared), limit, title: 'drift' });
    await writeJobSummary(context, draw);
    const exit = driftExit(plan);
    const provider = await findProvider(context, job);
    if (provider === null) output.say(shown`No issue: this is neither a job of GitHub nor of GitLab.`);
    else {
      const issue = await reportDrift(provider, {
        folder: context.repositoryFiles()?.folder ?? '',
        job,
        at: new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
        differs: exit !== EXIT.done,
        draw,
      });
      output.say(
        issue === null
          ? shown`The issue stays as it is.`
          : shown`${DID[issue.did]}: ${visibleProse(issue.url ?? '')}`,
      );
    }
    return given.detailedExitcode ? exit : EXIT.done;
  },
});
