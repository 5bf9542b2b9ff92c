import type { Context } from '../context.ts';
import { page, shown, visible } from '../../domain/visible.ts';
import { renderJson } from '../../render/json.ts';
import { EXIT } from '../../domain/exit-codes.ts';
import { chooseFormat, REPORT_FORMATS } from '../formats.ts';
import { JSON_SCHEMAS, schemaFiles } from '../schemas.ts';
import { HeraldError } from '../../domain/herald-error.ts';

/** `herald schema NAME`: prints a JSON Schema, for editors and CI. */
export function schemaCommand(context: Context, name: string | undefined): number {
  if (name === undefined) return listSchemas(context);
  chooseFormat(context, ['json']);
  const found = Object.entries(JSON_SCHEMAS).find(([candidate]) => candidate === name);
  if (found === undefined)
    throw new HeraldError(
      'unknown-schema',
      `Unknown schema "${name}". Use one of: ${Object.keys(JSON_SCHEMAS).join(', ')}.`,
    );
  context.output.result(renderJson(found[1]()));
  return EXIT.done;
}

/** `herald schema --write`: writes the schemas that the files of a workspace name, for this version of Herald. */
export async function writeSchemasCommand(context: Context): Promise<number> {
  const format = chooseFormat(context, REPORT_FORMATS);
  const files = schemaFiles();
  for (const { path, text } of files) await context.files.writeAtomically(path, text);
  const written = files.map(({ path }) => path);
  context.output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/item/1', item: { written } })
      : shown`Wrote ${written.join(', ')}.`,
  );
  return EXIT.done;
}

function listSchemas(context: Context): number {
  const format = chooseFormat(context, REPORT_FORMATS);
  const names = Object.keys(JSON_SCHEMAS);
  const items = names.map((name) => ({ name }));
  context.output.result(
    format === 'json'
      ? renderJson({ schema: 'herald/list/1', items, complete: true })
      : page(names.map(visible)),
  );
  return EXIT.done;
}
