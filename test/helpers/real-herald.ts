import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { startProcess, type ProcessOptions, type RealRun } from './start-process.ts';

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
  workspace(files: Readonly<Record<string, string>>): string;
}

/** The command line as a release has it, which was built once for all tests; its directories go after the tests of the file. */
export function builtHerald(): RealHerald {
  const cli = inject('herald');
  const made: string[] = [];
  afterAll(() => {
    for (const directory of made) rmSync(directory, { recursive: true, force: true });
  });
  return {
    cli,
    start: (directory, args, env = {}, options) => startProcess([cli, ...args], directory, env, options),
    workspace: (files) => {
      const directory = mkdtempSync(join(tmpdir(), 'herald-flow-'));
      made.push(directory);
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, path)), { recursive: true });
        writeFileSync(join(directory, path), text);
      }
      return directory;
    },
  };
}
