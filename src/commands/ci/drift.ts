import { openJob, refuseSimulator } from '../../ci/job.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { jobFlags, switchFlag } from '../../cli/flags.ts';
import { PLAN_FORMATS } from '../../cli/formats.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { formatInstant } from '../../domain/time.ts';
import { shown, visibleProse, visible, type Visible } from '../../domain/visible.ts';
import { openFiles } from '../../library/connect.ts';
import { EVERYTHING } from '../../plan/facts.ts';
import { renderPlanMarkdown } from '../../render/plan-markdown.ts';
import type { Provider } from '../../provider/provider.ts';
import { workspaceDigest } from '../../ci/report.ts';
import { shorten } from '../../render/shorten.ts';
import { printDrift } from '../../cli/make-plan.ts';
import { readDeclared } from '../../render/entries.ts';

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
    const opened = await openFiles(context);
    const { plan, exit } = await printDrift(context, opened, { targeting: EVERYTHING, format: given.format });
    const draw = (limit: number) =>
      renderPlanMarkdown(plan, { ...readDeclared(opened.declared), limit, title: 'drift' });
    await summary(draw);
    const forge = await provider();
    if (forge === null) say(shown`No issue: this is neither a job of GitHub nor of GitLab.`);
    else {
      const folder = context.repositoryFiles()?.folder ?? '';
      const at = formatInstant(context.clock.now());
      const foot = job.run?.url == null ? at : `${at}: ${job.run.url}`;
      say(await keepIssue(forge, { folder, foot, draw, differs: exit !== EXIT.done }));
    }
    return given.detailedExitcode ? exit : EXIT.done;
  },
});

interface DriftFound {
  /** The folder of the workspace in the repository; empty for its root. */
  readonly folder: string;
  /** When it was found, and by which job. */
  readonly foot: string;
  readonly differs: boolean;
  /** Draws it in at most so many bytes, as Markdown with what people wrote neutralised. */
  readonly draw: (bytes: number) => string;
}

/** Finds its one issue by a marker, among those of our own identity only. Returns what was done. */
async function keepIssue(forge: Provider, { folder, foot, differs, draw }: DriftFound): Promise<Visible> {
  const marker = `<!-- herald-drift:${workspaceDigest(folder)} -->`;
  const issue = await forge.findText('issues', marker);
  if (!differs && issue?.isOpen !== true) return shown`The issue stays as it is.`;
  const head = `${marker}\n`;
  const end = `\n\n---\nChecked at ${foot}. Herald edits this issue while the drift lasts, and closes it when it is gone.\n`;
  // Bytes are never fewer than characters.
  const text = draw(forge.bodyMax - Buffer.byteLength(head) - Buffer.byteLength(end));
  const where = folder === '' ? '' : ` in ${shorten(visible(folder), FOLDER_COLUMNS_MAX)}`;
  const content = { title: `Herald drift${where}`, body: `${head}${text}${end}` };
  const change = issue === null || issue.isOpen === differs ? content : { ...content, isOpen: differs };
  const { url } = await forge.writeText('issues', issue, change);
  const did = issue === null ? 'Opened' : differs ? 'Edited' : 'Closed, because nothing differs any more';
  return shown`${did}: ${visibleProse(url ?? '')}`;
}

const FOLDER_COLUMNS_MAX = 100;
