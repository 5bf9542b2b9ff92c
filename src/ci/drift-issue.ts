import { visible } from '../domain/visible.ts';
import type { Job } from '../provider/job.ts';
import type { IssueText, Provider, Written } from '../provider/provider.ts';
import { shorten } from '../render/shorten.ts';
import { workspaceDigest } from './report.ts';

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
export async function reportDrift(
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
