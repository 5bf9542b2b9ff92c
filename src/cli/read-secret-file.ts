import type { ErrorCode } from '../domain/error-codes.ts';
import { fileProblem } from '../domain/file-problem.ts';
import { secretInFile } from '../domain/secret.ts';
import type { Context } from './context.ts';
import { CommandError } from './failure.ts';

/** The secret in a file that was typed. It is kept out of all output. Throws if the file is empty or cannot be read. */
export async function readSecretFile(
  { typed, output }: Pick<Context, 'typed' | 'output'>,
  path: string,
  code: ErrorCode,
  what: string,
): Promise<string> {
  const text = await typed.files.readText(path).catch((error: unknown) => {
    throw new CommandError(code, `Cannot read the ${what} file ${path}: ${fileProblem(error)}.`, null);
  });
  const secret = secretInFile(text, path);
  output.hide(secret);
  return secret;
}
