import type { Host } from '../host/host.ts';
import { runProgram } from './program.ts';
import { createContext } from './wiring.ts';

/** Runs one command line in this process. Everything that each command needs is loaded with this file. */
export function start(args: readonly string[], host: Host): Promise<number> {
  return runProgram(args, host, (flags) => createContext(host, flags));
}
