import { posix } from 'node:path';
import type { Context } from '../context.ts';
import { CommandError } from '../failure.ts';
import { inFolder, OUT_FILES } from './plan-files.ts';

/**
 * Refuses a folder in the workspace that leads elsewhere by a link. The author of a pull request could have made the link,
 * and the job would write over a file of the runner. A path outside of the workspace is the operator's own.
 */
export async function refuseLinks({ files }: Pick<Context, 'files'>, outDir: string): Promise<void> {
  if (outDir.startsWith('/') || posix.normalize(outDir).startsWith('..')) return;
  for (const path of OUT_FILES.map((file) => posix.normalize(inFolder(outDir, file)))) {
    const place = await files.leadsTo(path);
    if (place !== path)
      throw new CommandError(
        'path-outside',
        `${path} leads to ${place} by a link. Nothing was written.`,
        'Remove the link from the repository, or choose another folder with --out-dir.',
      );
  }
}
