import type { Context } from '../context.ts';
import { EXIT } from './exit-codes.ts';
import { CommandError } from './failure.ts';
import { JSON_SCHEMAS } from './schemas.ts';

/** `herald schema NAME`: prints a JSON Schema, for editors and CI. */
export function schemaCommand(context: Context, name: string | undefined): number {
  if (name === undefined) {
    context.output.result(Object.keys(JSON_SCHEMAS).join('\n'));
    return EXIT.done;
  }
  const found = Object.entries(JSON_SCHEMAS).find(([candidate]) => candidate === name);
  if (found === undefined)
    throw new CommandError(
      'unknown-schema',
      `There is no schema "${name}". Choose one of: ${Object.keys(JSON_SCHEMAS).join(', ')}.`,
    );
  context.output.result(`${JSON.stringify(found[1](), null, 2)}\n`);
  return EXIT.done;
}
