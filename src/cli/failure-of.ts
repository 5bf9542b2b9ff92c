import { joined, type Visible, visibleLines } from '../domain/visible.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { fileProblem } from '../domain/file-problem.ts';

/** The error that a person sees for a thrown value. Null for a bug, which is shown with its stack. */
export function toHeraldError(error: unknown): HeraldError | null {
  if (error instanceof HeraldError) return error;
  return isSystemError(error) ? systemFailure(error) : null;
}

/** An error of the operating system, as Node has it: a full disk, a missing right, a used port. */
type SystemError = Error & { readonly code: unknown };

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

/** What to do about it. Any other error: check the path. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some space, then run the command again.',
  EMFILE: 'Close other programs, or raise the limit (ulimit -n), then run the command again.',
  ENFILE: 'Close other programs, then run the command again.',
};

/** The message for a full disk, a missing right, or a path that is something else. */
function systemFailure(error: SystemError): HeraldError {
  const code = String(error.code);
  const path = 'path' in error && typeof error.path === 'string' ? error.path : null;
  const problem = fileProblem(error);
  return new HeraldError(
    'system-error',
    path === null ? `The system refused: ${problem}.` : `Cannot use ${withoutSuffix(path)}: ${problem}.`,
    NEXT_STEPS[code] ?? 'Check the path and its permissions, then run the command again.',
    { details: { code: error.code } },
  );
}

/** Files are written under another name first: `world.json.43329724.tmp`. */
function withoutSuffix(path: string): string {
  return path.replace(/\.[0-9a-f]{8}\.tmp$/, '');
}

/** The stack of a bug. Its message may quote the service. */
export function readStack(error: unknown): Visible {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return joined(visibleLines(text), '\n');
}
