import { run } from '../../src/main.ts';
import type { TextStream } from '../../src/host/output.ts';
import type { Ran } from './scene.ts';

/** What a shell would hand to a run of the command line. */
export interface Call {
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What stands on standard input. */
  readonly input?: string;
  /** Where its results go; they are kept for the test by default. */
  readonly stdout?: TextStream;
}

/**
 * Runs one command line in this process, on real files, real sockets and the real clock: the same as a process of its
 * own where no signal, kill, shell or start-up is what the test is about, for a tenth of the work.
 */
export async function heraldHere(
  directory: string,
  { args, env = {}, input = '', stdout }: Call,
): Promise<Ran> {
  const said = { stdout: '', stderr: '' };
  const { PATH, HOME } = process.env;
  const code = await run({
    argv: [process.execPath, 'herald', ...args],
    env: { PATH, HOME, ...env },
    pid: process.pid,
    version: process.version,
    stdin: (async function* () {
      yield input;
    })(),
    stdout: stdout ?? { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
    cwd: () => directory,
    on: () => undefined,
    off: () => undefined,
    exit: () => {
      throw new Error('nothing in this process ends it');
    },
  });
  return { code, ...said };
}
