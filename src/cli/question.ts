import { InvalidArgumentError } from 'commander';
import { HeraldError } from '../domain/herald-error.ts';
import { shown, type Visible } from '../domain/visible.ts';
import type { Context } from './context.ts';
import { requiredFlag } from './flags.ts';

/** What a person is asked before a change. */
export interface Asked {
  readonly text: Visible;
  /** What a yes is for: `apply 3 changes`. */
  readonly to: string;
  /** What a person types for a yes. Left out: `yes`. */
  readonly wanted?: string;
  /** `y` and Enter are enough. Not for what goes live, cannot be undone, moves money or touches several accounts. */
  readonly isShort?: boolean;
}

/** Asks before a change. Throws without a terminal, and for everything but a yes. */
export async function requireYes(
  { interactive, confirm }: Pick<Context, 'interactive' | 'confirm'>,
  { text, to, wanted = 'yes', isShort = false }: Asked,
  nothing: 'Nothing was sent.' | 'Nothing was changed.' | 'Nothing was written.' | 'Nothing was erased.',
  hint = 'Add --yes.',
): Promise<void> {
  if (!interactive)
    throw new HeraldError('needs-yes', `Cannot ask for confirmation without a terminal. ${nothing}`, hint);
  const question = isShort
    ? { text, prompt: shown`Type y or n: `, wanted: 'y' }
    : { text, prompt: shown`Type ${wanted} to ${to}: `, wanted };
  if (await confirm(question)) return;
  throw new HeraldError('declined', isShort ? nothing : `The answer was not "${wanted}". ${nothing}`);
}

interface Asking extends Asked {
  /** Nothing is asked. */
  readonly yes: boolean;
  /** What to look at before a yes. */
  readonly check: string;
}

/** Asks before a change of the state, which stays even if its result is lost. */
export async function askToWrite(context: Context, { yes, check, ...asked }: Asking): Promise<void> {
  if (!yes) await requireYes(context, asked, 'Nothing was written.', `${check}, then add --yes.`);
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
