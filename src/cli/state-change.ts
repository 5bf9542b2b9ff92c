import { InvalidArgumentError } from 'commander';
import type { Visible } from '../domain/visible.ts';
import type { Context } from './context.ts';
import { requiredFlag } from './flags.ts';
import { requireYes, typedQuestion } from './question.ts';

interface Asking {
  /** Nothing is asked. */
  readonly yes: boolean;
  readonly text: Visible;
  /** What a yes is for: `close it`. */
  readonly to: string;
  /** What to look at before a yes. */
  readonly check: string;
}

/** Asks before a change of the state, which stays even if its result is lost. */
export async function askToWrite(context: Context, { yes, text, to, check }: Asking): Promise<void> {
  if (!yes)
    await requireYes(context, typedQuestion(text, to), 'Nothing was written.', `${check}, then add --yes.`);
  context.onChange?.();
}

/** The reason of a person who decides about the state. */
export const becauseFlag = requiredFlag('--because <text>', 'what you found, and where').argParser(
  parseReason,
);

const BECAUSE_MAX = 500;

function parseReason(text: string): string {
  const reason = text.trim();
  if (/[^\p{C}\p{Z}]/u.test(reason) && reason.length <= BECAUSE_MAX) return reason;
  throw new InvalidArgumentError(`Write what you found, and where, in 1 to ${BECAUSE_MAX} characters.`);
}
