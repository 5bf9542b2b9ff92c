import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { writeFiles, type FileContents } from './folders.ts';
import { startProcess, type ProcessOptions } from './start-process.ts';
import { folderForFile } from './temporary-folder.ts';

export type RealHerald = ReturnType<typeof builtHerald>;

/** The command line as a release has it, which was built once for all tests; its directories go after the tests of the file. */
export function builtHerald() {
  const cli = inject('herald');
  const all = folderForFile();
  return {
    /** The file that Node runs. */
    cli,
    start: (
      directory: string,
      args: readonly string[],
      env: Readonly<Record<string, string>> = {},
      options?: ProcessOptions,
    ) => startProcess([cli, ...args], directory, env, options),
    /** A new directory with these files. */
    workspace: (files: FileContents) => {
      const directory = mkdtempSync(join(all, 'workspace-'));
      writeFiles(directory, files);
      return directory;
    },
  };
}
