import { runProgram } from '../cli/program.ts';
import { createContext } from '../cli/wiring.ts';
import type { Host } from '../host/host.ts';
import { INDEX } from './index.ts';

/** Runs one command line in this process. Everything that each command needs is loaded with this file. */
export function start(args: readonly string[], host: Host): Promise<number> {
  return runProgram(args, host, (flags) => createContext(host, flags), INDEX);
}
