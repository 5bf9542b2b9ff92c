import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { inject } from 'vitest';
import type { Ran } from './scene.ts';

/** A run of the real command line in a process of its own. */
export interface RealRun {
  readonly pid: number;
  readonly ran: Promise<Ran & { readonly signal: NodeJS.Signals | null }>;
  /** What it has said so far. */
  stdout(): string;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
}

export interface RealHerald {
  /** The file that Node runs. */
  readonly cli: string;
  start(
    directory: string,
    args: readonly string[],
    env?: Readonly<Record<string, string>>,
    /** An open file that its results go to; a pipe that is read by default. */
    stdout?: number,
  ): RealRun;
  /** A new directory with these files. */
  workspace(files: Readonly<Record<string, string>>): string;
  /** Removes everything that it made. */
  dispose(): void;
}

/** The command line as a release has it, which was built once for all tests; its directories go with `dispose`. */
export function builtHerald(): RealHerald {
  const cli = inject('herald');
  const made: string[] = [];
  return {
    cli,
    start: (directory, args, env = {}, stdout) => start([cli, ...args], directory, env, stdout),
    workspace: (files) => {
      const directory = mkdtempSync(join(tmpdir(), 'herald-flow-'));
      made.push(directory);
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(directory, path)), { recursive: true });
        writeFileSync(join(directory, path), text);
      }
      return directory;
    },
    dispose: () => {
      for (const directory of made) rmSync(directory, { recursive: true, force: true });
    },
  };
}

function start(
  args: readonly string[],
  directory: string,
  env: Readonly<Record<string, string>>,
  stdout: number | 'pipe' = 'pipe',
): RealRun {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, args, {
    cwd: directory,
    env: { PATH, HOME, ...env },
    stdio: ['pipe', stdout, 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const ran = new Promise<Ran & { signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? -1, signal, ...said }));
  });
  return {
    pid: child.pid ?? -1,
    ran,
    stdout: () => said.stdout,
    stderr: () => said.stderr,
    kill: (signal) => void child.kill(signal),
  };
}
