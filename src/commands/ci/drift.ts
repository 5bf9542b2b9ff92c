import {
  findJob,
  findProvider,
  jobFlags,
  refuseSimulator,
  refuseUnsafeEvent,
  writeJobSummary,
} from '../../cli/ci-job.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { workspacePorts } from '../../cli/engine-ports.ts';
import { driftExit } from '../../cli/exit-of.ts';
import { switchFlag } from '../../cli/flags.ts';
import { PLAN_FORMATS } from '../../cli/formats.ts';
import { lookForDrift } from '../drift.ts';
import { drawPlan, publishPlan, readDeclared } from '../../cli/plan-output.ts';
import { printResult } from '../../cli/run-command.ts';
import { reportDrift, type ReportedDrift } from '../../ci/drift-issue.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { shown, visibleProse } from '../../domain/visible.ts';
import { openFiles } from '../../library/open.ts';
import { EVERYTHING } from '../../plan/facts.ts';
import { renderPlanMarkdown } from '../../render/plan-markdown.ts';

const DID = {
  opened: 'Opened',
  edited: 'Edited',
  reopened: 'Opened again',
  closed: 'Closed, because nothing differs any more',
} as const satisfies Record<Exclude<ReportedDrift['did'], 'nothing'>, string>;

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
    const job = await findJob(context, given.provider);
    refuseUnsafeEvent(job, { ...given, command: 'drift' });
    await refuseSimulator(context, given.simulator);
    const opened = await openFiles(workspacePorts(context));
    const { declared } = opened;
    const contents = given.format === 'json';
    const plan = await lookForDrift(context, opened, { targeting: EVERYTHING, contents });
    await publishPlan(context, plan, { title: 'drift', declared, html: undefined });
    await printResult(context, given.format, drawPlan(context, plan, { title: 'drift', declared }));
    const draw = (limit: number) =>
      renderPlanMarkdown(plan, { ...readDeclared(declared), limit, title: 'drift' });
    await writeJobSummary(context, draw);
    const exit = driftExit(plan);
    const provider = await findProvider(context, job);
    if (provider === null) output.say(shown`No issue: this is neither a job of GitHub nor of GitLab.`);
    else {
      const { did, issue } = await reportDrift(provider, {
        folder: context.repositoryFiles()?.folder ?? '',
        job,
        at: new Date(clock.now()).toISOString().replace(/\.\d+Z$/, 'Z'),
        differs: exit !== EXIT.done,
        draw,
      });
      output.say(
        did === 'nothing'
          ? shown`The issue stays as it is.`
          : shown`${DID[did]}: ${visibleProse(issue?.url ?? '')}`,
      );
    }
    return given.detailedExitcode ? exit : EXIT.done;
  },
});
