import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { writeFiles, type FileContents } from './folders.ts';
import { startProcess, type ProcessOptions, type RealRun } from './start-process.ts';
import { folderForFile } from './temporary-folder.ts';

export interface RealHerald {
  /** The file that Node runs. */
  readonly cli: string;
  start(
    directory: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    options?: ProcessOptions,
  ): RealRun;
  /** A new directory with these files. */
  workspace(files: FileContents): string;
}

/** The command line as a release has it, which was built once for all tests; its directories go after the tests of the file. */
export function builtHerald(): RealHerald {
  const cli = inject('herald');
  const all = folderForFile();
  return {
    cli,
    start: (directory, args, env = {}, options) => startProcess([cli, ...args], directory, env, options),
    workspace: (files) => {
      const directory = mkdtempSync(join(all, 'workspace-'));
      writeFiles(directory, files);
      return directory;
    },
  };
}
