import type { Question } from '../domain/ports.ts';
import { shown, type Visible } from '../domain/visible.ts';
import type { Context } from './context.ts';
import { HeraldError } from '../domain/herald-error.ts';

/**
 * A question before a change that goes live, cannot be undone, moves money or touches several accounts. A yes is typed:
 * `yes`, the amount, or the number of changes.
 */
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
