import { visible } from '../domain/visible.ts';
import type { Job } from '../provider/job.ts';
import type { IssueText, Provider, Written } from '../provider/provider.ts';
import { shorten } from '../render/shorten.ts';
import { workspaceDigest } from './comment.ts';

/** What a look at the service found, for the issue of a workspace. */
export interface DriftFound {
  /** The folder of the workspace in the repository; empty for its root. */
  readonly folder: string;
  readonly job: Pick<Job, 'run'>;
  /** ISO 8601. */
  readonly at: string;
  readonly differs: boolean;
  /** Draws it in at most so many bytes, as Markdown with what people wrote neutralised. */
  readonly draw: (bytes: number) => string;
}

/** What happened to the issue. */
export interface ReportedDrift {
  readonly did: 'nothing' | 'opened' | 'edited' | 'reopened' | 'closed';
  readonly issue: Written | null;
}

/**
 * Keeps one issue for the drift of a workspace. It is found by its marker, among those of our own identity only.
 *
 * | differs | no issue | an open issue    | a closed issue      |
 * |---------|----------|------------------|---------------------|
 * | yes     | opened   | edited           | edited and reopened |
 * | no      | –        | edited and closed | –                  |
 */
export async function reportDrift(provider: Provider, found: DriftFound): Promise<ReportedDrift> {
  const marker = driftMarker(found.folder);
  const issue = await provider.ownIssue(marker);
  const isOpen = issue?.isOpen === true;
  if (!found.differs) {
    if (issue === null || !isOpen) return { did: 'nothing', issue };
    return {
      did: 'closed',
      issue: await provider.editIssue(issue.number, { ...writeIssue(provider, found), isOpen: false }),
    };
  }
  const text = writeIssue(provider, found);
  if (issue === null) return { did: 'opened', issue: await provider.createIssue(text) };
  if (isOpen) return { did: 'edited', issue: await provider.editIssue(issue.number, text) };
  return { did: 'reopened', issue: await provider.editIssue(issue.number, { ...text, isOpen: true }) };
}

/** The beginning of the issue of a workspace. */
function driftMarker(folder: string): string {
  return `<!-- herald-drift:${workspaceDigest(folder)} -->`;
}

/** Columns of a folder in a title. */
const FOLDER_COLUMNS_MAX = 100;

function writeIssue({ bodyMax }: Provider, { folder, job, at, draw }: DriftFound): IssueText {
  const run = job.run?.url ?? null;
  const head = `${driftMarker(folder)}\n`;
  const foot = `\n\n---\nChecked at ${at}${run === null ? '' : `: ${run}`}. Herald edits this issue while the drift lasts, and closes it when it is gone.\n`;
  // Bytes are never fewer than characters.
  const text = draw(bodyMax - Buffer.byteLength(head) - Buffer.byteLength(foot));
  const title =
    folder === '' ? 'Herald drift' : `Herald drift in ${shorten(visible(folder), FOLDER_COLUMNS_MAX)}`;
  return { title, body: `${head}${text}${foot}` };
}
