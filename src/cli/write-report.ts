import type { Context } from './context.ts';

/** Writes a file with what a plan says: without the secrets of this run, and readable by this user only. */
export function writeReport(
  { typed, output }: Pick<Context, 'typed' | 'output'>,
  path: string,
  text: string,
): Promise<void> {
  return typed.files.writeAtomically(path, output.masked(text), { isPrivate: true });
}
