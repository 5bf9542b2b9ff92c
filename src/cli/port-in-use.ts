import { HeraldError } from '../domain/herald-error.ts';

/** Throws an error that says which port is in use, and how to choose another one. Other errors are thrown as they are. */
export function refusePort(error: unknown, host: string, port: number, flag: string): never {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
  throw new HeraldError(
    'port-in-use',
    `Port ${port} of ${host} is in use.`,
    `Choose another one with ${flag}, or stop the process that has it.`,
  );
}
