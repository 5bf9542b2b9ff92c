import { chooseFormat, defineCommand, itemResult, listResult } from '../cli/define-command.ts';
import { suggest, switchFlag, word } from '../cli/flags.ts';
import { JSON_SCHEMAS, schemaFiles } from '../cli/schemas.ts';
import { EXIT } from '../domain/exit-codes.ts';
import { HeraldError } from '../domain/herald-error.ts';
import { formatPath } from '../domain/command-line.ts';
import { shown, visible } from '../domain/visible.ts';
import { renderJson } from '../render/json.ts';

export const schema = defineCommand({
  path: 'schema',
  about: 'print a JSON Schema of a file or an output',
  examples: ['herald schema', 'herald schema plan', 'herald schema --write'],
  words: { name: suggest(Object.keys(JSON_SCHEMAS), word('[NAME]')) },
  flags: {
    write: switchFlag('--write', 'write the schemas for editors to .herald/schemas, as herald init does'),
  },
  needs: 'nothing',
  run: async (context, { name, write }) => {
    if (write) {
      const files = schemaFiles();
      for (const { path, text } of files) await context.files.writeAtomically(path, text);
      const written = files.map(({ path }) => path);
      return itemResult({ written }, shown`Wrote ${written.map(formatPath).join(', ')}.`);
    }
    const names = Object.keys(JSON_SCHEMAS);
    if (name === undefined)
      return listResult(
        names.map((one) => ({ name: one })),
        names.map(visible),
      );
    // A schema is a document of its own, in this format only.
    chooseFormat(context, ['json']);
    const found = Object.entries(JSON_SCHEMAS).find(([candidate]) => candidate === name);
    if (found === undefined)
      throw new HeraldError('unknown-schema', `Unknown schema "${name}". Use one of: ${names.join(', ')}.`);
    context.output.result(renderJson(found[1]()));
    return EXIT.done;
  },
});
