import { spawn } from 'node:child_process';
import type { Ran } from './scene.ts';

/** A run of the real command line in a process of its own. */
export type RealRun = ReturnType<typeof startProcess>;

export interface ProcessOptions {
  /** An open file that its results go to; a pipe that is read by default. */
  readonly stdout?: number;
  /** Seconds of processor time, after which the system ends it. */
  readonly workSecMax?: number;
}

/** Starts Node in a process of its own, with nothing of this environment. */
export function startProcess(
  args: readonly string[],
  directory: string,
  env: Readonly<Record<string, string>>,
  { stdout, workSecMax }: ProcessOptions = {},
) {
  const { PATH = '', HOME = '' } = process.env;
  const command = [process.execPath, ...args];
  const limit =
    workSecMax === undefined ? [] : ['/bin/sh', '-c', `ulimit -t ${workSecMax} && exec "$0" "$@"`];
  const [program = '', ...rest] = [...limit, ...command];
  const child = spawn(program, rest, {
    cwd: directory,
    env: { PATH, HOME, ...env },
    stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  const listeners = new Set<() => void>();
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text;
    for (const listen of listeners) listen();
  });
  const ran = new Promise<Ran & { signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code: code ?? -1, signal, ...said }));
  });
  return {
    pid: child.pid ?? -1,
    ran,
    /** What it has said so far. */
    stdout: () => said.stdout,
    /** Resolves once its messages contain this. Rejects if it ends without. */
    says: (words: string) =>
      new Promise<void>((resolve, reject) => {
        const listen = () => {
          if (said.stderr.includes(words)) resolve();
        };
        listeners.add(listen);
        child.on('close', () => reject(new Error(`ended without "${words}": ${said.stderr}`)));
        listen();
      }),
    kill: (signal: NodeJS.Signals) => void child.kill(signal),
  };
}
