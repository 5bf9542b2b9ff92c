import { fileProblem } from '../domain/file-problem.ts';
import { secretInFile } from '../domain/secret.ts';
import type { Context } from './context.ts';
import { HeraldError } from '../domain/herald-error.ts';

/** The secret in a file that was typed. It is kept out of all output. Throws if the file is empty or cannot be read. */
export async function readSecretFile(
  { typed, output }: Pick<Context, 'typed' | 'output'>,
  path: string,
  refused: (why: string) => HeraldError,
): Promise<string> {
  const text = await typed.files.readText(path).catch((error: unknown) => {
    throw refused(fileProblem(error));
  });
  const secret = secretInFile(text, path);
  output.hide(secret);
  return secret;
}
