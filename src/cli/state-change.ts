import type { Context } from './context.ts';
import { requiredFlag } from './flags.ts';
import { requireYes } from './question.ts';
import { HeraldError } from '../domain/herald-error.ts';
import type { Question } from '../domain/ports.ts';

/** Asks before a change of the state, which stays even if its result is lost. `check` is what to look at before a yes. */
export async function askToWrite(
  context: Context,
  yes: boolean,
  question: Question,
  check: string,
): Promise<void> {
  if (!yes) await requireYes(context, question, 'Nothing was written.', `${check}, then add --yes.`);
  context.onChange?.();
}

export const becauseFlag = requiredFlag('--because <text>', 'what you found, and where');
const BECAUSE_MAX = 500;

/** The reason of a person who decides about the state. */
export function readReason(because: string): string {
  const reason = because.trim();
  if (/[^\p{C}\p{Z}]/u.test(reason) && reason.length <= BECAUSE_MAX) return reason;
  throw new HeraldError(
    'bad-flag',
    `--because must have 1 to ${BECAUSE_MAX} characters.`,
    'Write what you found, and where.',
  );
}
