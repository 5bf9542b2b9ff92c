import { run } from '../../src/main.ts';
import type { TextStream } from '../../src/host/output.ts';
import { aHost } from './hosts.ts';
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
  const host = aHost({
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
  });
  const code = await run(host);
  return { code, ...said };
}
