import { joined, type Visible, visibleLines } from '../domain/visible.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { fileProblem } from '../domain/file-problem.ts';

/** What to do about an error of the system. Any other one: check the path. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some space, then run the command again.',
  EMFILE: 'Close other programs, or raise the limit (ulimit -n), then run the command again.',
  ENFILE: 'Close other programs, then run the command again.',
};

/**
 * The error that a person sees for a thrown value. One of the operating system, as Node has it, is a full disk, a missing right, or a
 * path that is something else. Null for a bug, which is shown with its stack.
 */
export function toHeraldError(error: unknown): HeraldError | null {
  if (error instanceof HeraldError) return error;
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return null;
  const problem = fileProblem(error);
  // Files are written under another name first: `world.json.43329724.tmp`.
  const path =
    'path' in error && typeof error.path === 'string' ? error.path.replace(/\.[0-9a-f]{8}\.tmp$/, '') : null;
  return new HeraldError(
    'system-error',
    path === null ? `The system refused: ${problem}.` : `Cannot use ${path}: ${problem}.`,
    NEXT_STEPS[String(error.code)] ?? 'Check the path and its permissions, then run the command again.',
    { details: { code: error.code } },
  );
}

/** The stack of a bug. Its message may quote the service. */
export function readStack(error: unknown): Visible {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return joined(visibleLines(text), '\n');
}
