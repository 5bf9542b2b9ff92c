import type { Context } from '../context.ts';
import { tidyText, unprintableOffset } from '../../workspace/text.ts';
import { fileProblem } from '../../domain/file-problem.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** The sources of a message's text. At most one is given. */
export interface TextFlags {
  readonly text: string | undefined;
  /** A file of the workspace, or `-` for standard input. */
  readonly textFile: string | undefined;
  /** The argument after the chat. Only `-`, for standard input, is allowed. */
  readonly operand: string | undefined;
}

/** The text to send. Null if none was given, as in a message with media only. */
export async function readText(
  context: Context,
  { text, textFile, operand }: TextFlags,
): Promise<string | null> {
  if (operand !== undefined && operand !== '-')
    throw new HeraldError(
      'bad-flag',
      'Unexpected argument after the chat.',
      'Use --text "…" for the text, or - for standard input.',
    );
  if ([text, textFile, operand].filter((given) => given !== undefined).length > 1)
    throw new HeraldError(
      'bad-flag',
      'The text is given twice.',
      'Use only one of --text, --text-file and -.',
    );
  const path = operand ?? textFile;
  const raw = path === undefined ? text : await readWhole(context, path);
  if (raw === undefined) return null;
  const whole = raw.startsWith('\uFEFF') ? raw.slice(1) : raw;
  if (unprintableOffset(whole) !== -1)
    throw new HeraldError(
      'not-text',
      `${sourceOf(path)} cannot be sent: it is not valid text.`,
      'Save it as UTF-8.',
    );
  return path === undefined ? whole : tidyText(whole);
}

async function readWhole(context: Context, path: string): Promise<string> {
  try {
    return path === '-' ? await context.readInput() : await context.typed.files.readText(path);
  } catch (error) {
    throw new HeraldError('bad-text-file', `${sourceOf(path)} cannot be read: ${fileProblem(error)}.`);
  }
}

function sourceOf(path: string | undefined): string {
  return path === undefined ? 'The text' : path === '-' ? 'Standard input' : path;
}
