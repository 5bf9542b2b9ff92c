import { reportDrift } from '../../ci/report.ts';
import { openJob, refuseSimulator } from '../../ci/job.ts';
import { defineCommand, PLAN_FORMATS } from '../../cli/define-command.ts';
import { jobFlags, switchFlag, textFlag } from '../../cli/flags.ts';
import { printDrift } from '../../cli/make-plan.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { formatInstant } from '../../domain/time.ts';
import { openFiles } from '../../library/connect.ts';
import { EVERYTHING } from '../../plan/facts.ts';
import { renderPlanMarkdown } from '../../render/plan-markdown.ts';
import { readDeclared } from '../../render/entries.ts';

/** Shows the drift, and keeps one issue about it. Sends only reads to the service. */
export const drift = defineCommand({
  path: 'ci drift',
  about: 'show drift, and keep one issue about it: open, edit, close',
  examples: ['herald ci drift', 'herald ci drift --detailed-exitcode'],
  formats: PLAN_FORMATS,
  flags: {
    ...jobFlags,
    branch: textFlag('--branch <name>', 'the branch that is applied (default: that of the repository)'),
    detailedExitcode: switchFlag('--detailed-exitcode', 'exit 2 if something differs'),
  },
  needs: 'nothing',
  run: async (context, given) => {
    const { job, ...ports } = await openJob(context, given, 'drift');
    await refuseSimulator(context, given.simulator);
    const opened = await openFiles(context);
    const drift = { targeting: EVERYTHING, format: given.format };
    const { plan, exit, instead } = await printDrift(context, opened, drift);
    const draw = (limit: number) =>
      renderPlanMarkdown(plan, { ...readDeclared(opened.declared), limit, title: 'drift', instead });
    const at = formatInstant(context.clock.now());
    await reportDrift(ports, {
      folder: context.repositoryFiles()?.folder ?? '',
      foot: job.run?.url == null ? at : `${at}: ${job.run.url}`,
      differs: exit !== EXIT.done,
      draw,
    });
    return given.detailedExitcode ? exit : EXIT.done;
  },
});
