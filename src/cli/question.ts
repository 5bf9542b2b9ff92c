import { InvalidArgumentError } from 'commander';
import { HeraldError } from '../domain/herald-error.ts';
import type { Question } from '../domain/ports.ts';
import { shown, type Visible } from '../domain/visible.ts';
import type { Context } from './context.ts';
import { requiredFlag } from './flags.ts';

/** For a change that goes live, cannot be undone, moves money or touches several accounts. */
export function typedQuestion(text: Visible, to: string, wanted = 'yes'): Question {
  return { text, prompt: shown`Type ${wanted} to ${to}: `, wanted };
}

/** Asks before a change. Throws without a terminal, and for everything but a yes. */
export async function requireYes(
  { interactive, confirm }: Pick<Context, 'interactive' | 'confirm'>,
  question: Question,
  nothing: 'Nothing was sent.' | 'Nothing was changed.' | 'Nothing was written.' | 'Nothing was erased.',
  hint = 'Add --yes.',
): Promise<void> {
  if (!interactive)
    throw new HeraldError('needs-yes', `Cannot ask for confirmation without a terminal. ${nothing}`, hint);
  if (await confirm(question)) return;
  const { wanted } = question;
  throw new HeraldError('declined', wanted === 'y' ? nothing : `The answer was not "${wanted}". ${nothing}`);
}

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

export const becauseFlag = requiredFlag('--because <text>', 'what you found, and where').argParser(
  parseReason,
);

const BECAUSE_MAX = 500;

function parseReason(text: string): string {
  const reason = text.trim();
  if (/[^\p{C}\p{Z}]/u.test(reason) && reason.length <= BECAUSE_MAX) return reason;
  throw new InvalidArgumentError(`Write what you found, and where, in 1 to ${BECAUSE_MAX} characters.`);
}
