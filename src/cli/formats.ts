import type { Context } from './context.ts';
import { CommandError } from './failure.ts';

/** The format asked for, or the first one; refuses one that the command does not print. */
export function chooseFormat<Format extends string>(
  context: Context,
  formats: readonly [Format, ...Format[]],
): Format {
  const { format } = context.flags;
  if (format === undefined) return formats[0];
  const known = formats.find((candidate) => candidate === format);
  if (known === undefined)
    throw new CommandError(
      'bad-flag',
      `--format ${format} is not printed here. Use one of: ${formats.join(', ')}.`,
    );
  return known;
}
