import { jobFlags, openJob, refuseSimulator } from '../../cli/ci-job.ts';
import { defineCommand } from '../../cli/define-command.ts';
import { workspacePorts } from '../../cli/engine-ports.ts';
import { switchFlag } from '../../cli/flags.ts';
import { PLAN_FORMATS } from '../../cli/formats.ts';
import { printDrift, readDeclared } from '../../cli/plan-output.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { shown, visibleProse, visible } from '../../domain/visible.ts';
import { openFiles } from '../../library/connect.ts';
import { EVERYTHING } from '../../plan/facts.ts';
import { renderPlanMarkdown } from '../../render/plan-markdown.ts';
import type { Job } from '../../provider/job.ts';
import type { Provider, Written, IssueText } from '../../provider/provider.ts';
import { workspaceDigest } from '../../ci/report.ts';
import { shorten } from '../../render/shorten.ts';

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

const DID = {
  opened: 'Opened',
  edited: 'Edited',
  closed: 'Closed, because nothing differs any more',
} as const;

/** What a look at the service found, for the issue of a workspace. */
interface DriftFound {
  /** The folder of the workspace in the repository; empty for its root. */
  readonly folder: string;
  readonly job: Pick<Job, 'run'>;
  /** ISO 8601. */
  readonly at: string;
  readonly differs: boolean;
  /** Draws it in at most so many bytes, as Markdown with what people wrote neutralised. */
  readonly draw: (bytes: number) => string;
}

/**
 * Keeps one issue for the drift of a workspace: open while something differs. It is found by its marker, among those of our own
 * identity only. Null if nothing was written.
 */
async function reportDrift(
  provider: Provider,
  found: DriftFound,
): Promise<(Written & { readonly did: 'opened' | 'edited' | 'closed' }) | null> {
  const marker = `<!-- herald-drift:${workspaceDigest(found.folder)} -->`;
  const issue = await provider.ownIssue(marker);
  const { differs } = found;
  if (!differs && issue?.isOpen !== true) return null;
  const text = writeIssue(provider, marker, found);
  if (issue === null) return { did: 'opened', ...(await provider.createIssue(text)) };
  const change = issue.isOpen === differs ? text : { ...text, isOpen: differs };
  const written = await provider.editIssue(issue.number, change);
  return { did: differs ? 'edited' : 'closed', ...written };
}

/** Columns of a folder in a title. */
const FOLDER_COLUMNS_MAX = 100;

function writeIssue({ bodyMax }: Provider, marker: string, { folder, job, at, draw }: DriftFound): IssueText {
  const run = job.run?.url ?? null;
  const head = `${marker}\n`;
  const foot = `\n\n---\nChecked at ${at}${run === null ? '' : `: ${run}`}. Herald edits this issue while the drift lasts, and closes it when it is gone.\n`;
  // Bytes are never fewer than characters.
  const text = draw(bodyMax - Buffer.byteLength(head) - Buffer.byteLength(foot));
  const title =
    folder === '' ? 'Herald drift' : `Herald drift in ${shorten(visible(folder), FOLDER_COLUMNS_MAX)}`;
  return { title, body: `${head}${text}${foot}` };
}
