import type { Host } from '../../src/host/host.ts';

/** A process without a terminal, in which nothing may end the process of the test. */
export function aHost(parts: Partial<Host> = {}): Host {
  const nothing = () => undefined;
  return {
    argv: [],
    env: {},
    pid: 1,
    version: 'v20.20.2',
    stdin: (async function* () {})(),
    stdout: { write: () => true },
    stderr: { write: () => true },
    cwd: () => '/',
    on: nothing,
    off: nothing,
    exit: () => {
      throw new Error('left at once');
    },
    ...parts,
  };
}
