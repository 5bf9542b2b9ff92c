import { fileProblem } from '../domain/file-problem.ts';
import { EXIT } from './exit-codes.ts';
import type { Failure } from './failure.ts';

/** An error of the operating system, as Node has it. */
type SystemError = Error & { readonly code: unknown };

/** What to do about it. Any other error: check the path. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some space, then run the command again.',
  EMFILE: 'Close other programs, or raise the limit (ulimit -n), then run the command again.',
  ENFILE: 'Close other programs, then run the command again.',
};

/** The message for a full disk, a missing right, or a path that is something else. */
export function systemFailure(error: SystemError): Failure {
  const code = String(error.code);
  const path = 'path' in error && typeof error.path === 'string' ? error.path : null;
  const problem = fileProblem(error);
  return {
    exitCode: EXIT.failed,
    code: 'system-error',
    message:
      path === null ? `The system refused: ${problem}.` : `Cannot use ${withoutSuffix(path)}: ${problem}.`,
    hint: NEXT_STEPS[code] ?? 'Check the path and its permissions, then run the command again.',
    details: { code: error.code },
  };
}

/** Files are written under another name first: `world.json.43329724.tmp`. */
function withoutSuffix(path: string): string {
  return path.replace(/\.[0-9a-f]{8}\.tmp$/, '');
}
