import type { Context } from '../context.ts';
import { tidyText, unprintableOffset } from '../../workspace/text.ts';
import { CommandError } from '../failure.ts';

/** Where the text of a message comes from: one of them, or none. */
export interface TextFlags {
  readonly text: string | undefined;
  /** A file of the workspace, or `-` for standard input. */
  readonly textFile: string | undefined;
  /** What stands after the chat: `-` for standard input, and nothing else. */
  readonly operand: string | undefined;
}

/** The text as it is sent; null where none was given, as in a message of media alone. */
export async function readText(
  context: Context,
  { text, textFile, operand }: TextFlags,
): Promise<string | null> {
  if (operand !== undefined && operand !== '-')
    throw new CommandError(
      'bad-flag',
      'The words of a message go into --text.',
      'Only "-" may stand after the chat.',
    );
  if ([text, textFile, operand].filter((given) => given !== undefined).length > 1)
    throw new CommandError('bad-flag', 'The text is given twice.', 'Use one of --text, --text-file and -.');
  const path = operand ?? textFile;
  const raw = path === undefined ? text : await readWhole(context, path);
  if (raw === undefined) return null;
  const whole = raw.startsWith('\uFEFF') ? raw.slice(1) : raw;
  if (unprintableOffset(whole) !== -1)
    throw new CommandError(
      'not-text',
      `${sourceOf(path)} is no text that can be sent.`,
      'Write it as UTF-8.',
    );
  return path === undefined ? whole : tidyText(whole);
}

async function readWhole(context: Context, path: string): Promise<string> {
  try {
    return path === '-' ? await context.readInput() : await context.typed.files.readText(path);
  } catch (error) {
    throw new CommandError('bad-text-file', `${sourceOf(path)} cannot be read: ${(error as Error).message}.`);
  }
}

function sourceOf(path: string | undefined): string {
  return path === undefined ? 'The text' : path === '-' ? 'Standard input' : path;
}
