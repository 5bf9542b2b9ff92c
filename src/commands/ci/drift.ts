import { jobFlags, openJob, refuseSimulator } from '../../cli/ci-job.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { workspacePorts } from '../../cli/engine-ports.ts';
import { switchFlag } from '../../cli/flags.ts';
import { PLAN_FORMATS } from '../../cli/formats.ts';
import { printDrift, readDeclared } from '../../cli/plan-output.ts';
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
    const { job, say, provider, summary } = await openJob(context, given, 'drift');
    await refuseSimulator(context, given.simulator);
    const opened = await openFiles(workspacePorts(context));
    const { plan, exit } = await printDrift(context, opened, { targeting: EVERYTHING, format: given.format });
    const draw = (limit: number) =>
      renderPlanMarkdown(plan, { ...readDeclared(opened.declared), limit, title: 'drift' });
    await summary(draw);
    const forge = await provider();
    if (forge === null) say(shown`No issue: this is neither a job of GitHub nor of GitLab.`);
    else {
      const issue = await reportDrift(forge, {
        folder: context.repositoryFiles()?.folder ?? '',
        job,
        at: new Date(context.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
        differs: exit !== EXIT.done,
        draw,
      });
      say(
        issue === null
          ? shown`The issue stays as it is.`
          : shown`${DID[issue.did]}: ${visibleProse(issue.url ?? '')}`,
      );
    }
    return given.detailedExitcode ? exit : EXIT.done;
  },
});
