import type { Files } from '../../domain/ports.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** The files of a workspace, and how each of them was when it was read first. */
export interface WatchedFiles {
  readonly files: Files;
  /** Throws if the file is not as it was read, so that nothing is written over the work of someone else. */
  readonly refuseChanged: (path: string) => Promise<void>;
}

/** An import reads from the service for a while, and a person may edit the same files meanwhile. */
export function watchFiles(files: Files): WatchedFiles {
  const texts = new Map<string, string>();
  const readText = async (path: string): Promise<string> => {
    const text = await files.readText(path);
    if (!texts.has(path)) texts.set(path, text);
    return text;
  };
  return {
    files: { ...files, readText },
    refuseChanged: async (path) => {
      const before = texts.get(path);
      if (before === undefined || (await files.readText(path)) === before) return;
      throw new HeraldError(
        'stale-plan',
        `${path} changed while Herald was at work, so neither it nor the files after it were written.`,
        'Run the command again.',
        { exit: EXIT.blocked },
      );
    },
  };
}
